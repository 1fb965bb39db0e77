/// The forms of the values that options take, for sentences about values that have none of them.
enum ValueForms {
    /// What a value is and how it is written, by the value's name in the help.
    private static let forms: [String: (what: String, forms: String)] = [
        "X,Y": ("a point", "two numbers with a comma between, such as 120,80"),
        "WxH": ("a size", "two whole numbers with an x between, such as 640x480"),
        "COLSxROWS": ("a grid", "two whole numbers from 1 to 100 with an x between, such as 4x3"),
        "X,Y,W,H": (
            "a block of pixels", "four whole numbers with commas between, the size over 0, such as 10,20,64,48"
        ),
        "R,…": ("a list of radii", "numbers with commas between, such as 100,300"),
        "Z,…": ("a list of magnifications", "numbers with commas between, such as 1.5,4"),
        "F,…": ("a list of filters", "nearest, sharp, linear, cubic or lanczos, with commas between"),
        "N[,REGION=N…]": (
            "a tolerance", "a whole number from 0 to 255, or one for regions too, such as 2,rim=3,page-edge=3"
        ),
        "SIZE": ("an amount of memory", "bytes, or a number with K, M, G or T, such as 1500000, 512M or 1.5G"),
        "LENGTH": ("a length", "a number with mm, cm, in or pt, up to 1000in, such as 85mm"),
        "i/n": ("a share", "i/n with i from 1 to n, such as 1/4"),
        "auto|cpu|N|/dev/dri/renderDN": (
            "a device", "auto, cpu, a number of `loupe-render devices`, or a path such as /dev/dri/renderD128"
        ),
    ]

    /// The numbers that a help allows, such as "1 to 64"; nil where it names none.
    private static func numberRange(in help: String) -> String? {
        let words = help.split(separator: " ")
        func isNumber(_ word: Substring) -> Bool { Double(word) != nil }
        return words.indices.dropFirst().dropLast().first { index in
            words[index] == "to" && isNumber(words[index - 1])
                && isNumber(words[index + 1].prefix { $0.isNumber || $0 == "." || $0 == "-" })
        }.map { index in
            let end = words[index + 1].prefix { $0.isNumber || $0 == "." || $0 == "-" }
            return "\(words[index - 1]) to \(end.hasSuffix(".") ? end.dropLast() : end)"
        }
    }

    /// What is wrong with a value, and what is allowed; nil for another message than ArgumentParser's about a value.
    /// - Parameters:
    ///   - message: as "The value 'red-ish' is invalid for '--rim-color <COLOR>'".
    ///   - help: of the option.
    static func sentence(for message: String, help: String?) -> String? {
        let (start, middle) = ("The value '", "' is invalid for '")
        guard message.hasPrefix(start), let gap = message.ranges(of: middle).last else { return nil }
        let value = message[message.index(message.startIndex, offsetBy: start.count)..<gap.lowerBound]
        let rest = message[gap.upperBound...]
        guard let end = rest.firstIndex(of: "'") else { return nil }
        let option = rest[..<end]
        let flag = option.split(separator: " ", maxSplits: 1).first ?? option
        if let choices = rest.ranges(of: "Please provide one of ").first {
            // "'a', 'b' or 'c'.", and for many a line each: "the following:", "  - a", "  - b".
            let list = rest[choices.upperBound...]
            let lines = list.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " || $0 == "-" } }
            let names = lines.isEmpty ? list.filter { $0 != "'" && $0 != "." } : lines.joined(separator: ", ")
            return "\(flag): '\(value)' is not one of \(names)"
        }
        let name = option.firstIndex(of: "<").map { String(option[$0...].dropFirst().dropLast()) } ?? ""
        if let form = forms[name] {
            return "\(flag): '\(value)' is not \(form.what): \(form.forms)"
        }
        if let range = help.flatMap(numberRange) {
            let words = name.split(separator: "|").filter { $0.allSatisfy(\.isLowercase) }.map { "\($0) or " }.joined()
            return "\(flag): '\(value)' is not \(words)a number from \(range)"
        }
        return "\(flag): '\(value)' is not a valid value" + (help.map { ": \($0)" } ?? "")
    }
}

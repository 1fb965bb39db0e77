import LoupeFigure
import LoupeSystem

/// Suggestions of what a person may have meant.
enum Suggestion {
    /// A failure where a word that can't be a file's name has to be a misspelt command.
    static func misspeltCommand(_ arguments: [String], commands: [String]) -> Failure? {
        guard let first = arguments.first, !first.contains("."), !first.contains("/"), !first.hasPrefix("-"),
            !commands.contains(first), !InputPath(argument: first).path.exists
        else { return nil }
        let shown = Arguments.readable(first)
        let near = commands.filter { $0.first == first.first }
        if near.isEmpty, arguments.count > 1 { return nil }
        let meant = near.isEmpty ? "see loupe-render --help" : "did you mean \(near.joined(separator: " or "))?"
        return Failure(.usage, "\(shown) is neither a command nor a file; \(meant)")
    }

    /// A failure where an option that needs no value took the name of a file as its value.
    static func takenFile(_ arguments: [String]) -> Failure? {
        for (flag, word) in zip(arguments, arguments.dropFirst()) where flag.hasPrefix("--") && word.contains(".") {
            guard let option = PictureOption.named(String(flag.dropFirst(2))), InputPath(argument: word).path.exists
            else {
                continue
            }
            guard let alone = option.alone else {
                if option.name == "callout" {
                    let file = Arguments.readable(word)
                    return Failure(
                        .usage, "\(flag): it took the file's name, \(file), as its value; give it what it shows")
                }
                continue
            }
            let right = "\(flag)=\(alone) \(Arguments.readable(word))"
            return Failure(
                .usage, "\(flag): it took the file's name as its value; write \(right), or name the file first")
        }
        return nil
    }

    /// A failure where an option is given twice: the parser would take the last and drop the first.
    static func repetition(_ arguments: [String]) -> Failure? {
        let several: Set = ["--callout", "--loupe", "--region", "--ignore", "--uniform"]
        var known = Set<Substring>()
        for word in arguments.prefix(while: { $0 != "--" }) {
            let flag = word == "-o" ? "--output" : word.prefix { $0 != "=" }
            guard flag.hasPrefix("--"), !several.contains(String(flag)), !known.insert(flag).inserted else { continue }
            let isPlace = ["--at", "--focus"].contains(flag)
            let advice = isPlace ? "more loupes are a --callout or a --loupe each" : "once is allowed"
            return Failure(.usage, "\(flag): it is given twice; \(advice)")
        }
        return nil
    }

    /// A failure where an option has another name now.
    static func newName(_ arguments: [String]) -> Failure? {
        for flag in arguments where flag.hasPrefix("--") {
            let name = flag.dropFirst(2).prefix { !"=".contains($0) }
            guard let successor = PictureOption.successor(of: String(name)) else { continue }
            return Failure(.usage, "--\(name): \(successor)")
        }
        return nil
    }

    /// What to write where two files are named, as most programs have an input and an output; empty elsewhere.
    static func outputFlag(_ arguments: [String]) -> String {
        let words = Array(arguments.drop { $0 == "render" })
        let files = words.indices.filter {
            words[$0].contains(".") && !words[$0].hasPrefix("-") && ($0 == 0 || !words[$0 - 1].hasPrefix("-"))
        }
        let isNamed = words.contains { $0 == "-o" || $0.hasPrefix("--output") }
        guard files.first == 0, files.count > 1, !isNamed, let output = files.last else { return "" }
        return "; write -o \(Arguments.readable(words[output])) if that is the picture to write"
    }
}

// Text for other languages. All escaping stands in this file and goes over Unicode scalars: a `Character` of Swift joins a mark
// such as U+0338 to the `<` before it, so that a comparison of characters misses the `<`. `tools/check/imports` sees to both.

extension Unicode.Scalar {
    /// Whether it controls a terminal or the layout of a line in place of being shown: C0, DEL, C1, marks and overrides of
    /// direction, and the separators of lines and paragraphs.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }

    /// At least four hexadecimal digits.
    fileprivate var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension String {
    /// The text with some scalars replaced; nil keeps a scalar.
    private func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var (text, start) = ("", startIndex)
        for index in unicodeScalars.indices {
            guard let other = replacement(unicodeScalars[index]) else { continue }
            text += String(unicodeScalars[start..<index]) + other
            start = unicodeScalars.index(after: index)
        }
        return start == startIndex ? self : text + String(unicodeScalars[start...])
    }

    /// The text on one line, without control characters, and with a backslash before each scalar of `special`.
    private func withBackslashes(before special: String) -> String {
        replacingScalars { scalar in
            if scalar.isControl { return " " }
            return special.unicodeScalars.contains(scalar) ? "\\" + String(scalar) : nil
        }
    }

    /// The text as content and attributes of XML and HTML. U+FFFD stands for what XML 1.0 can't represent.
    package var xmlEscaped: String {
        replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\0"..<" ", "\u{fffe}", "\u{ffff}": "\u{fffd}"
            default: nil
            }
        }
    }

    /// The text as JSON, in quotes. Control characters are escape sequences, also those that JSON allows as they are, so that
    /// JSON can be shown on a terminal.
    var jsonQuoted: String {
        let text = replacingScalars { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: scalar.isControl ? "\\u\(scalar.hex)" : nil
            }
        }
        return "\"\(text)\""
    }

    /// JSON for a script element of HTML: without `<`, which could end the element. JSON has it in strings alone.
    package var jsonInScript: String { replacingScalars { $0 == "<" ? "\\u003c" : nil } }

    /// The text as an argument of LaTeX, in braces.
    package var latexEscaped: String {
        replacingScalars { scalar in
            switch scalar {
            case "\\": "\\textbackslash{}"
            case "~": "\\textasciitilde{}"
            case "^": "\\textasciicircum{}"
            case "#", "$", "%", "&", "_", "{", "}": "\\" + String(scalar)
            default: scalar.isControl ? " " : nil
            }
        }
    }

    /// The text as a string of Typst, in quotes.
    package var typstQuoted: String { "\"\(withBackslashes(before: "\"\\"))\"" }

    /// The text as content of Markdown: CommonMark, with what GitHub and Pandoc add.
    package var markdownEscaped: String { withBackslashes(before: "\\`*_[]{}<>&!|~$^#") }

    /// The text as a cell of CSV (RFC 4180), in quotes where that is needed.
    package var csvCell: String {
        let isPlain = unicodeScalars.allSatisfy { !$0.isControl && $0 != "," && $0 != "\"" }
        return isPlain ? self : "\"\(replacingScalars { $0 == "\"" ? "\"\"" : nil })\""
    }

    /// The text as one word of a POSIX shell.
    package var forShell: String {
        let isPlain = utf8.allSatisfy { byte in byte.isAlphanumeric || "%+,-./:=@_".utf8.contains(byte) }
        // A quote ends the quoted part, stands by itself, and begins another.
        return isPlain && !isEmpty ? self : "'\(replacingScalars { $0 == "'" ? "'\\''" : nil })'"
    }

    /// The text as one line for a terminal: control characters are written as `\u{1b}`. Sentences quote names of files and
    /// texts of scenes, which may hold anything.
    package var forTerminal: String {
        replacingScalars { $0.isControl ? "\\u{\(String($0.value, radix: 16))}" : nil }
    }
}

extension String {
    /// Bytes as a path of a URL: RFC 3986's unreserved characters and slashes as they are, all others as `%XX`.
    package init(percentEncoding bytes: [UInt8]) {
        self.init()
        for byte in bytes {
            if byte.isAlphanumeric || "-._~/".utf8.contains(byte) {
                unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                self += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension UInt8 {
    /// Whether it is a letter or digit of ASCII.
    fileprivate var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

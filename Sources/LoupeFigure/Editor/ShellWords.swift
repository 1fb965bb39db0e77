import LoupeBase

/// The words of a command line.
package enum ShellWords {
    /// The words between blanks, with quotes and backslashes as in a shell. Nothing is expanded in them.
    package static func split(_ text: String) throws(ComposeError) -> [String] {
        var words: [[UInt8]] = []
        var (word, quote): ([UInt8]?, UInt8?)
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"):
                if let next = bytes.next(), next != UInt8(ascii: "\n") { word = (word ?? []) + [next] }
            case _ where byte == quote: quote = nil
            case UInt8(ascii: "'") where quote == nil, UInt8(ascii: "\"") where quote == nil:
                (quote, word) = (byte, word ?? [])
            case UInt8(ascii: " ") where quote == nil, UInt8(ascii: "\n") where quote == nil:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        guard quote == nil else { throw ComposeError(.usage, "a quote of the command is not closed") }
        return (words + [word].compactMap { $0 }).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Some words as one line for a shell.
    package static func line(_ words: [String]) -> String { words.map { $0.forShell }.joined(separator: " ") }
}

extension GivenOptions {
    /// The options as words of a command line.
    package var commandWords: [String] {
        entries.flatMap { entry -> [String] in
            let (flag, value) = ("--\(entry.name)", String(decoding: entry.value, as: UTF8.self))
            guard let option = PictureOption.named(entry.name) else { return [flag, value] }
            if case .none = option.value { return [flag] }
            return option.alone != nil || value.utf8.first == UInt8(ascii: "-") ? ["\(flag)=\(value)"] : [flag, value]
        }
    }
}

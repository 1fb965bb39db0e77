extension String {
    /// The same as one line that a terminal shows as it stands: what would steer it, or turn the order of its text, is
    /// written as `\u{1b}`. File names and scenes come from anywhere, and sentences quote them.
    var forTerminal: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\0"..<" ", "\u{7f}"..."\u{9f}", "\u{200e}"..."\u{200f}", "\u{2028}"..."\u{202e}",
                "\u{2066}"..."\u{2069}":
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension String {
    /// As XML has it in text and in attributes. Characters that XML 1.0 has no way to write become a replacement mark.
    package var xmlEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text += "&#\(scalar.value);"
            case "\0"..<" ", "\u{fffe}", "\u{ffff}": text += "\u{fffd}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

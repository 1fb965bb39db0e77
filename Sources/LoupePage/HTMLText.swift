extension String {
    /// As text of HTML or as the value of a quoted attribute.
    ///
    /// Scalar by scalar: to Swift a quote and the accent after it are one character, to a browser the quote ends the
    /// attribute.
    package var htmlEscaped: String {
        guard utf8.contains(where: Self.isSpecial) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }
}

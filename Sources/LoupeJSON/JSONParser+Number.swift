/// Numbers.
extension JSONParser {
    /// The number that starts at `index`.
    package mutating func number() throws(DocumentError) -> Double {
        let start = index
        if take("-") { try requireDigit(after: "\"-\"") }
        if take("0") {
            guard !isAtDigit else { throw failure("a number must not start with 0 before other digits", at: start) }
        } else {
            skipDigits()
        }
        if take(".") { try digits(after: "the decimal point") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits(after: "the exponent's mark")
        }
        return try double(start..<index)
    }

    private func double(_ place: Range<Int>) throws(DocumentError) -> Double {
        let text = String(decoding: bytes[place], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw failure("\(text.shortened) is beyond what a number can hold, about 1.8e308", at: place.lowerBound)
        }
        return number
    }

    var isAtDigit: Bool {
        guard let byte = next else { return false }
        return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private mutating func digits(after what: String) throws(DocumentError) {
        try requireDigit(after: what)
        skipDigits()
    }

    private func requireDigit(after what: String) throws(DocumentError) {
        guard isAtDigit else { throw failure("a digit must follow \(what)") }
    }

    private mutating func skipDigits() {
        while isAtDigit { index += 1 }
    }
}

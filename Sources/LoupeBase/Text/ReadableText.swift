// What people read and write: names of files, which are bytes, and numbers.

extension String {
    /// The text that bytes hold in UTF-8, where each byte that is not part of any is written as `\xff`.
    package init(readable bytes: [UInt8]) {
        self.init()
        var parser = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        var index = 0
        while true {
            switch parser.parseScalar(from: &source) {
            case .valid(let encoded):
                unicodeScalars.append(Unicode.UTF8.decode(encoded))
                index += encoded.count
            case .error(let length):
                for byte in bytes[index..<index + length] {
                    self += (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
                }
                index += length
            case .emptyInput: return
            }
        }
    }
}

extension Double {
    /// A finite number in decimal digits; nil for other spellings that Swift reads, such as `0x10`, `inf` and `nan`.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { return nil }
        self = number
    }
}

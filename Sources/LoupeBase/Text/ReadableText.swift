// Bytes that are meant as text, such as names of files, for people.

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

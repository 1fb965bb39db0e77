/// The base64 encoding of RFC 4648, section 4, with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text for some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var end = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                let bits =
                    Int(bytes[start]) << 16 | (count > 1 ? Int(bytes[start + 1]) << 8 : 0)
                    | (count > 2 ? Int(bytes[start + 2]) : 0)
                for index in 0..<4 {
                    text[end + index] = index <= count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "=")
                }
                end += 4
            }
            return end
        }
    }

    /// Whether a text consists only of the characters that `encode` writes.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                true
            default: false
            }
        }
    }

    /// The bytes of a text, also of the alphabet for URLs; other characters are left out.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var values = [UInt32?](repeating: nil, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt32(value) }
        (values[Int(UInt8(ascii: "-"))], values[Int(UInt8(ascii: "_"))]) = (62, 63)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in text {
            guard let value = values[Int(letter)] else { continue }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}

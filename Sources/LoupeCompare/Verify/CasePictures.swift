import LoupeBase
import LoupeImaging
import LoupeScene

/// The pictures of a case for the report, each a PNG in base64, or nil if there is none.
public struct CasePictures: Hashable, Sendable {
    /// The reference.
    public let reference: String?
    /// What the renderer drew.
    public let actual: String?
    /// Where both differ, as `DifferencePicture` draws it; nil for a metric that has errors.
    public let difference: String?
    /// The errors of a metric that has them, as `ErrorMapPicture` draws them.
    public let errorMap: String?
    /// The hash of the actual picture, by which it is accepted; nil where it can't be.
    public package(set) var hash: PictureHash?

    /// Encodes the pictures of a case.
    ///
    /// - Throws: `ImageError` if memory is short.
    package init(reference: Image? = nil, actual: Image? = nil, difference: Difference? = nil) throws(ImageError) {
        self.reference = try reference.map(Self.text)
        self.actual = try actual.map(Self.text)
        errorMap = try difference.flatMap(ErrorMapPicture.draw).map(Self.text)
        if let difference, let reference, errorMap == nil {
            self.difference = try Self.text(DifferencePicture.draw(difference, over: reference))
        } else {
            self.difference = nil
        }
        hash = actual.map(PictureHash.init(of:))
    }

    private static func text(_ image: Image) throws(ImageError) -> String { Base64.encode(try PNG.encode(image)) }
}

extension CasePictures {
    /// The pictures as in the results of `verify`.
    package var json: JSONValue {
        [
            "reference": reference.map(JSONValue.string), "actual": actual.map(JSONValue.string),
            "difference": difference.map(JSONValue.string), "errorMap": errorMap.map(JSONValue.string),
            "hash": hash.map { .string($0.description) },
        ]
    }

    /// Reads pictures that `json` wrote.
    package init(_ value: JSONReader) throws(DocumentError) {
        var pictures = value
        reference = try pictures.optional("reference").map(Self.text)
        actual = try pictures.optional("actual").map(Self.text)
        difference = try pictures.optional("difference").map(Self.text)
        errorMap = try pictures.optional("errorMap").map(Self.text)
        hash = try pictures.optional("hash")?.pictureHash()
        try pictures.finish()
    }

    private static func text(_ value: JSONReader) throws(DocumentError) -> String {
        let text = try value.string(needed: "a PNG in base64")
        guard Base64.isValid(text) else { throw value.error("it is not base64") }
        return text
    }
}

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
    static func isValid(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                true
            default: false
            }
        }
    }

    /// The bytes of a text that `encode` made; other characters are left out.
    package static func decode(_ text: String) -> [UInt8] {
        var values = [UInt32?](repeating: nil, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt32(value) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in text.utf8 {
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

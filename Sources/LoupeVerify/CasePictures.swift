import LoupeDiff
import LoupeImaging
import LoupeJSON
import LoupeScene

/// What there is to see of a case, for the report: PNGs in base64, nil where there is none.
public struct CasePictures: Hashable, Sendable {
    public let reference: String?
    public let actual: String?
    public let difference: String?
    /// Of the actual picture.
    public let hash: PictureHash?

    /// - Throws: `ImageError` where there is no memory.
    init(reference: Image? = nil, actual: Image? = nil, difference: Difference? = nil) throws(ImageError) {
        self.reference = try reference.map(Self.text)
        self.actual = try actual.map(Self.text)
        if let difference, let reference {
            self.difference = try Self.text(DifferencePicture.draw(difference, over: reference))
        } else {
            self.difference = nil
        }
        hash = actual.map(PictureHash.init(of:))
    }

    private static func text(_ image: Image) throws(ImageError) -> String { Base64.encode(try PNG.encode(image)) }
}

extension CasePictures {
    package var json: JSONValue {
        [
            "reference": reference.map(JSONValue.string), "actual": actual.map(JSONValue.string),
            "difference": difference.map(JSONValue.string), "hash": hash.map { .string($0.description) },
        ]
    }

    package init(_ value: JSONReader) throws(DocumentError) {
        var pictures = value
        reference = try pictures.optional("reference").map(Self.text)
        actual = try pictures.optional("actual").map(Self.text)
        difference = try pictures.optional("difference").map(Self.text)
        hash = try pictures.optional("hash").map(Self.hash)
        try pictures.finish()
    }

    private static func text(_ value: JSONReader) throws(DocumentError) -> String {
        let text = try value.string(needed: "a PNG in base64")
        guard Base64.isValid(text) else { throw value.error("it is not base64") }
        return text
    }

    private static func hash(_ value: JSONReader) throws(DocumentError) -> PictureHash {
        guard let hash = PictureHash(try value.string()) else {
            throw value.error("\(value.value.line) is no hash; sha256: and 64 hexadecimal digits are needed")
        }
        return hash
    }
}

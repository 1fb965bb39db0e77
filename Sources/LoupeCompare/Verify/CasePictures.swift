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

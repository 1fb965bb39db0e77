import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupeScene

/// The images and documents that the caller has given, by number.
struct Kept {
    let images: [Int32: Image]
    let documents: [Int32: [UInt8]]

    /// The answer to a request, and the picture where one was drawn: of a job, of a `diff`, or of a scene that is verified.
    func answer(_ bytes: [UInt8]) throws(Refusal) -> (JSONValue, Image?) {
        var request = try reading { () throws(DocumentError) in try JSONReader(parsing: bytes) }
        let named = try reading { () throws(DocumentError) in try self.named(request.optionalObject("images")) }
        let refused = try reading { () throws(DocumentError) in try Self.clauses(request.optionalObject("refused")) }
        let document = try reading { () throws(DocumentError) in try self.document(&request) }
        let job = try reading { () throws(DocumentError) in try request.optionalObject("job") }
        let limits = try reading { () throws(DocumentError) in try request.optional("limits") }
        let reference = try reading { () throws(DocumentError) in try image(request.optional("reference")) }
        guard let limits, let reference else {
            return try Drawing(job, document: document, images: named, refused: refused).drawn()
        }
        if let actual = try reading({ () throws(DocumentError) in try image(request.optional("actual")) }) {
            let mask = try reading { () throws(DocumentError) in try image(request.optional("mask")) }
            let scene = try document.map { (document) throws(Refusal) in
                try Drawing(job, document: document, images: named, refused: refused).scene
            }
            let (json, verdict) = try Comparing(limits, mask: mask, scene: scene)
                .result(reference: reference, actual: actual)
            return (json, request.has("picture") ? Comparing.picture(of: verdict, over: reference) : nil)
        }
        let drawing = try Drawing(job, document: document, images: named, refused: refused)
        let stated = try reading { () throws(DocumentError) in
            try document.flatMap { (document) throws(DocumentError) in
                try JSONReader(parsing: document.bytes).member("verify")
            }
        }
        let (drawn, actual) = try drawing.drawn()
        let (compared, _) = try Comparing(limits, of: drawing.scene, stated: stated)
            .result(reference: reference, actual: actual)
        return (["drawn": drawn, "compared": compared], actual)
    }

    /// The clauses of an object, by the paths that are its keys.
    private static func clauses(_ list: JSONReader) throws(DocumentError) -> [ImagePath: String] {
        var found: [ImagePath: String] = [:]
        for path in try list.keys() { found[ImagePath(path)] = try list.member(path)?.string() }
        return found
    }

    /// An image by its number; nil where none is named.
    private func image(_ number: JSONReader?) throws(DocumentError) -> Image? {
        guard let number else { return nil }
        guard let image = images[Int32(try number.integer(in: 0...1 << 30))] else {
            throw number.error("there is no such image")
        }
        return image
    }

    /// The images of a request, by the paths in the scene.
    private func named(_ list: JSONReader) throws(DocumentError) -> [ImagePath: NamedImage] {
        var found: [ImagePath: NamedImage] = [:]
        for path in try list.keys() {
            guard var one = try list.member(path) else { continue }
            guard let image = try image(one.required("number")) else { continue }
            let sides = try one.optional("density")?.tuple("x", "y")
            let density = try sides.map { (sides) throws(DocumentError) in
                PixelDensity(x: try sides[0].number(in: 0...1e10), y: try sides[1].number(in: 0...1e10))
            }
            found[ImagePath(path)] = NamedImage(
                image: image, fine: try self.image(one.optional("fine")), density: density ?? nil,
                digest: try one.optional("sha256")?.string(),
                name: try one.optional("name")?.string())
        }
        return found
    }

    /// The document of a request and the name of its file.
    private func document(_ request: inout JSONReader) throws(DocumentError) -> (bytes: [UInt8], name: String)? {
        guard let value = try request.optional("document") else { return nil }
        guard let bytes = documents[Int32(try value.integer(in: 0...1 << 30))] else {
            throw value.error("there is no such document")
        }
        return (bytes, try request.required("name").string())
    }
}

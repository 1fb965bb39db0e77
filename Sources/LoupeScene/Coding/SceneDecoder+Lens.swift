import LoupeGeometry
import LoupeJSON

/// A loupe's shape and its other half.
extension SceneDecoder {
    /// `radius`, or `shape` with its size and the keys of a corner.
    static func shape(of loupe: inout JSONReader) throws(DocumentError) -> Loupe.Shape {
        let value = try loupe.optional("shape")
        guard var shape = value else {
            return .circle(radius: try loupe.required("radius").number(in: Loupe.radiusRange))
        }
        guard try loupe.optional("radius") == nil else {
            throw loupe.error("it has both radius and shape; only one of them is allowed")
        }
        let sides = try shape.required("size").tuple("width", "height")
        let width = try sides[0].number(in: Loupe.Rectangle.sideRange)
        let height = try sides[1].number(in: Loupe.Rectangle.sideRange)
        let rect = Rect(x: 0, y: 0, width: width, height: height)
        let corner = try corner(in: &shape, of: rect, named: "shape")
        try shape.finish()
        return .rectangle(Loupe.Rectangle(width: width, height: height, corner: corner))
    }

    /// The path of a PNG, or an object with more to say.
    func split(_ value: JSONReader) throws(DocumentError) -> Loupe.Split {
        if case .string = value.value { return Loupe.Split(image: try path(value)) }
        var split = value
        let decoded = Loupe.Split(
            image: try path(try split.required("image")),
            angle: try split.optional("angle")?.number(in: Loupe.Split.angleRange) ?? 0,
            divider: try split.optional("divider").map(Self.divider))
        try split.finish()
        return decoded
    }

    private static func divider(_ value: JSONReader) throws(DocumentError) -> Loupe.Split.Divider {
        var divider = value
        let decoded = Loupe.Split.Divider(
            width: try divider.required("width").number(in: Loupe.Split.Divider.widthRange),
            color: try divider.optional("color")?.color() ?? .defaultRim)
        try divider.finish()
        return decoded
    }

    /// The loupes of an array over layers, one of which has to show an image where a loupe is split.
    func loupes(_ value: JSONReader, over layers: [Layer]) throws(DocumentError) -> [Loupe] {
        try value.array().map { reader throws(DocumentError) in
            let loupe = try self.loupe(reader)
            guard loupe.split != nil, layers.allSatisfy({ $0.imagePath == nil }) else { return loupe }
            throw reader.error(at: "versus", "no layer shows an image whose place it could take")
        }
    }
}

extension Loupe.Shape {
    fileprivate var isCircle: Bool {
        if case .circle = self { true } else { false }
    }

    /// What a rim's width ends at, in words.
    var radiusWords: String { isCircle ? "the loupe's radius" : "half the loupe's shorter side" }

    var radius: Double { Loupe(center: .zero, shape: self, zoom: 1).radius }
}

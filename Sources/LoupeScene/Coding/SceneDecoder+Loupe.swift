import LoupeGeometry
import LoupeJSON

/// Loupes with their rims and shadows.
extension SceneDecoder {
    package func loupe(_ value: JSONReader) throws(DocumentError) -> Loupe {
        var loupe = value
        let center = try loupe.required("center").point()
        let shape = try Self.shape(of: &loupe)
        let decoded = Loupe(
            center: center,
            shape: shape,
            zoom: try loupe.required("zoom").number(in: Loupe.zoomRange),
            focus: try loupe.optional("focus")?.point() ?? center,
            filter: try loupe.optional("filter")?.choice(of: LoupeFilter.self) ?? .linear,
            rim: try loupe.optional("rim").map { rim throws(DocumentError) in try Self.rim(rim, of: shape) },
            shadow: try loupe.optional("shadow").map(Self.shadow),
            split: try loupe.optional("versus").map(split),
            callout: try loupe.optional("callout").map(Self.callout),
            grid: try loupe.optional("grid").map(Self.grid),
            mark: try loupe.optional("mark").map(Self.mark),
            outside: try loupe.optional("outside")?.choice(of: Outside.self) ?? .background)
        try loupe.finish()
        return decoded
    }

    /// The colour is white by default.
    private static func rim(_ value: JSONReader, of shape: Loupe.Shape) throws(DocumentError) -> Loupe.Rim {
        var rim = value
        let decoded = Loupe.Rim(
            width: try rim.required("width").number(in: 0...shape.radius, upTo: shape.radiusWords),
            color: try rim.optional("color")?.color() ?? .defaultRim,
            casing: try rim.optional("casing").map(casing))
        try rim.finish()
        return decoded
    }

    /// By default the shadow has no offset and no blur, as in CSS, and is half-transparent black.
    static func shadow(_ value: JSONReader) throws(DocumentError) -> Loupe.Shadow {
        var shadow = value
        let decoded = Loupe.Shadow(
            offset: try shadow.optional("offset")?.vector() ?? .zero,
            blur: try shadow.optional("blur")?.number(in: Loupe.Shadow.blurRange) ?? 0,
            color: try shadow.optional("color")?.color() ?? .defaultShadow,
            dither: try shadow.optional("dither")?.bool() ?? false)
        try shadow.finish()
        return decoded
    }
}

/// A loupe's shape and its split.
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

    /// A split: the path of an image, or an object with the path, the angle and the divider.
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

    /// The upper limit of a rim's width, in words.
    var radiusWords: String { isCircle ? "the loupe's radius" : "half the loupe's shorter side" }

    var radius: Double { Loupe(center: .zero, shape: self, zoom: 1).radius }
}

/// Callouts, texel grids and texel marks.
extension SceneDecoder {
    static func callout(_ value: JSONReader) throws(DocumentError) -> Callout {
        var callout = value
        let decoded = Callout(
            ring: try callout.optional("ring").map(ring),
            connector: try callout.optional("connector").map(connector))
        try callout.finish()
        return decoded
    }

    /// White and one pixel wide by default.
    static func casing(_ value: JSONReader) throws(DocumentError) -> Casing {
        var casing = value
        var decoded = Casing()
        if let width = try casing.optional("width")?.number(in: Callout.widthRange) { decoded.width = width }
        if let color = try casing.optional("color")?.color() { decoded.color = color }
        try casing.finish()
        return decoded
    }

    private static func ring(_ value: JSONReader) throws(DocumentError) -> Callout.Ring {
        var ring = value
        var decoded = Callout.Ring()
        if let width = try ring.optional("width")?.number(in: Callout.widthRange) { decoded.width = width }
        if let color = try ring.optional("color")?.color() { decoded.color = color }
        decoded.casing = try ring.optional("casing").map(casing)
        try ring.finish()
        return decoded
    }

    private static func connector(_ value: JSONReader) throws(DocumentError) -> Connector {
        var connector = value
        let style = try connector.required("style").choice(of: Connector.Style.self)
        let width = try connector.optional("width")
        if style == .cone, let width { throw width.error("a cone has no width; leave it out") }
        let decoded = Connector(
            style.shape(width: try width?.number(in: Callout.widthRange) ?? Connector.defaultWidth),
            color: try connector.optional("color")?.color(),
            casing: try connector.optional("casing").map(casing))
        try connector.finish()
        return decoded
    }

    static func grid(_ value: JSONReader) throws(DocumentError) -> TexelGrid {
        var grid = value
        var decoded = TexelGrid()
        if let width = try grid.optional("width")?.number(in: Callout.widthRange) { decoded.width = width }
        if let color = try grid.optional("color")?.color() { decoded.color = color }
        try grid.finish()
        return decoded
    }

    static func mark(_ value: JSONReader) throws(DocumentError) -> TexelMark {
        var mark = value
        var decoded = TexelMark()
        if let width = try mark.optional("width")?.number(in: Callout.widthRange) { decoded.width = width }
        if let color = try mark.optional("color")?.color() { decoded.color = color }
        try mark.finish()
        return decoded
    }
}

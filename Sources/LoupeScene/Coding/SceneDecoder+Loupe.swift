import LoupeGeometry
import LoupeJSON

/// Loupes, their rims and their shadows.
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

    /// SPEC leaves the colour's default open: white, as in its example.
    private static func rim(_ value: JSONReader, of shape: Loupe.Shape) throws(DocumentError) -> Loupe.Rim {
        var rim = value
        let decoded = Loupe.Rim(
            width: try rim.required("width").number(in: 0...shape.radius, upTo: shape.radiusWords),
            color: try rim.optional("color")?.color() ?? .defaultRim)
        try rim.finish()
        return decoded
    }

    /// SPEC leaves the defaults open: a sharp half-black disc right under the loupe, as CSS has offset and blur.
    private static func shadow(_ value: JSONReader) throws(DocumentError) -> Loupe.Shadow {
        var shadow = value
        let decoded = Loupe.Shadow(
            offset: try shadow.optional("offset")?.vector() ?? .zero,
            blur: try shadow.optional("blur")?.number(in: Loupe.Shadow.blurRange) ?? 0,
            color: try shadow.optional("color")?.color() ?? .defaultShadow)
        try shadow.finish()
        return decoded
    }
}

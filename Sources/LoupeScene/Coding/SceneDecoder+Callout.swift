import LoupeJSON

/// What a loupe may have beyond its disc: callouts, and aids for looking at single texels.
extension SceneDecoder {
    static func callout(_ value: JSONReader) throws(DocumentError) -> Callout {
        var callout = value
        let decoded = Callout(
            ring: try callout.optional("ring").map(ring),
            connector: try callout.optional("connector").map(connector))
        try callout.finish()
        return decoded
    }

    private static func ring(_ value: JSONReader) throws(DocumentError) -> Callout.Ring {
        var ring = value
        var decoded = Callout.Ring()
        if let width = try ring.optional("width")?.number(in: Callout.widthRange) { decoded.width = width }
        if let color = try ring.optional("color")?.color() { decoded.color = color }
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
            color: try connector.optional("color")?.color())
        try connector.finish()
        return decoded
    }

    static func grid(_ value: JSONReader) throws(DocumentError) -> TexelGrid {
        var grid = value
        let decoded = TexelGrid(color: try grid.optional("color")?.color() ?? .defaultGrid)
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

import LoupeGeometry
import LoupeJSON

/// Corners: their radii and their curve.
extension SceneDecoder {
    static func corner(_ value: JSONReader, of rect: Rect, named name: String) throws(DocumentError) -> Corner {
        var corner = value
        let decoded = try self.corner(in: &corner, of: rect, named: name)
        try corner.finish()
        return decoded
    }

    /// The corner that an object holds beside other keys.
    static func corner(
        in reader: inout JSONReader, of rect: Rect, named name: String
    ) throws(DocumentError) -> Corner {
        let radius = try reader.optional("radius")
        let radii = try reader.optional("radii")
        let shape = try shape(in: &reader)
        let keep = try reader.optional("keep")
        // The radii come before the rules that compare several keys.
        let decoded = try self.radii(radius: radius, radii: radii, of: rect, named: name, in: reader)
        if let shape, shape.hasOwnExtent, decoded.uniform == nil {
            throw reader.error("\(shape.key) takes one radius for all corners, a single number")
        }
        _ = try keep?.choice(of: Kept.self)
        if let shape, let keep, shape.hasOwnExtent {
            throw keep.error(
                "only with exponent, css or the styles round, squircle and bevel; \(shape.key) keeps it itself")
        }
        return (shape ?? .exponent(Corner().exponent)).corner(of: decoded, keepsDiagonal: keep != nil, in: rect)
    }

    private enum Kept: String, CaseIterable {
        case diagonal
    }

    // MARK: - Shape

    private static func shape(in reader: inout JSONReader) throws(DocumentError) -> CornerShape? {
        let exponent = try reader.optional("exponent")?.number(in: Corner.exponentRange)
        let css = try reader.optional("css")?.number(in: CornerShape.cssRange)
        let style = try reader.optional("style")?.choice(of: CornerStyle.self)
        let figma = try reader.optional("figma")?.number(in: CornerShape.figmaRange)
        let shapes = [
            exponent.map(CornerShape.exponent), css.map(CornerShape.css), style.map(CornerShape.style),
            figma.map(CornerShape.figma),
        ].compactMap { $0 }
        guard shapes.count <= 1 else {
            let keys = shapes.map { $0.key }.joined(separator: " and ")
            throw reader.error("it has \(keys); only one of exponent, css, style and figma is allowed")
        }
        return shapes.first
    }

    // MARK: - Radii

    private static func radii(
        radius: JSONReader?, radii: JSONReader?, of rect: Rect, named name: String, in corner: JSONReader
    ) throws(DocumentError) -> CornerRadii {
        switch (radius, radii) {
        case (nil, nil): return CornerRadii(0)
        case (let radius?, nil): return CornerRadii(try self.radius(radius, of: rect, named: name))
        case (nil, let radii?): return try each(radii, of: rect, named: name)
        case (_?, _?): throw corner.error("it has both radius and radii; only one of them is allowed")
        }
    }

    /// One for all corners: r, or [rx, ry].
    private static func radius(
        _ value: JSONReader, of rect: Rect, named name: String
    ) throws(DocumentError) -> CornerRadius {
        guard case .array = value.value else {
            let limit = "half the \(name)'s shorter side of \(rect.shorterSide.jsonText)"
            return CornerRadius(try value.number(in: 0...rect.shorterSide / 2, upTo: limit))
        }
        let axes = try value.tuple("rx", "ry")
        return CornerRadius(
            x: try axes[0].number(in: 0...rect.width / 2, upTo: "half the \(name)'s width of \(rect.width.jsonText)"),
            y: try axes[1].number(in: 0...rect.height / 2, upTo: "half the \(name)'s height of \(rect.height.jsonText)")
        )
    }

    /// A radius for each corner; corners that are not named are square.
    private static func each(
        _ value: JSONReader, of rect: Rect, named name: String
    ) throws(DocumentError) -> CornerRadii {
        var reader = value
        var radii: [CornerPosition: CornerRadius] = [:]
        for position in CornerPosition.allCases {
            radii[position] = try reader.optional(position.rawValue).map { radius throws(DocumentError) in
                try ofOne(radius, in: rect, named: name)
            }
        }
        try reader.finish()
        let decoded = CornerRadii { radii[$0] ?? .zero }
        try checkEdges(of: decoded, rect, named: name, reader)
        return decoded
    }

    private static func ofOne(
        _ value: JSONReader, in rect: Rect, named name: String
    ) throws(DocumentError) -> CornerRadius {
        guard case .array = value.value else {
            return CornerRadius(try value.number(in: 0...rect.shorterSide, upTo: "the \(name)'s shorter side"))
        }
        let axes = try value.tuple("rx", "ry")
        return CornerRadius(
            x: try axes[0].number(in: 0...rect.width, upTo: "the \(name)'s width"),
            y: try axes[1].number(in: 0...rect.height, upTo: "the \(name)'s height"))
    }

    private static func checkEdges(
        of radii: CornerRadii, _ rect: Rect, named name: String, _ value: JSONReader
    ) throws(DocumentError) {
        func check(_ a: CornerPosition, _ b: CornerPosition, isWidth: Bool) throws(DocumentError) {
            let (first, second) = isWidth ? (radii[a].x, radii[b].x) : (radii[a].y, radii[b].y)
            let side = isWidth ? rect.width : rect.height
            guard first + second > side else { return }
            throw value.error(
                "\(a.rawValue) and \(b.rawValue) together reach \(first.jsonText) + \(second.jsonText); allowed is up to "
                    + "the \(name)'s \(isWidth ? "width" : "height") of \(side.jsonText)")
        }
        try check(.topLeft, .topRight, isWidth: true)
        try check(.bottomLeft, .bottomRight, isWidth: true)
        try check(.topLeft, .bottomLeft, isWidth: false)
        try check(.topRight, .bottomRight, isWidth: false)
    }
}

extension CornerShape {
    /// Its key in scenes.
    fileprivate var key: String {
        switch self {
        case .exponent: "exponent"
        case .css: "css"
        case .style(.ios): "style ios"
        case .style: "style"
        case .figma: "figma"
        }
    }
}

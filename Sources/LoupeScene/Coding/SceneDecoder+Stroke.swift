import LoupeGeometry
import LoupeJSON

/// Ink on layers.
extension SceneDecoder {
    static func stroke(_ value: JSONReader) throws(DocumentError) -> Stroke {
        var stroke = value
        let decoded = Stroke(
            points: try points(try stroke.required("points")),
            width: try stroke.required("width").number(in: Stroke.widthRange),
            color: try stroke.optional("color")?.color() ?? .defaultInk)
        try stroke.finish()
        return decoded
    }

    private static func points(_ value: JSONReader) throws(DocumentError) -> [Point] {
        let points = try value.array().map { point throws(DocumentError) in try point.point() }
        guard !points.isEmpty else { throw value.error("it is empty; at least one point [x, y] is needed") }
        return points
    }
}

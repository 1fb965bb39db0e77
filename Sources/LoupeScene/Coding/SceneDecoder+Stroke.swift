import LoupeGeometry

/// Ink on layers.
extension SceneDecoder {
    static func stroke(_ value: JSONReader) throws(SceneError) -> Stroke {
        var stroke = value
        let decoded = Stroke(
            points: try points(try stroke.required("points")),
            width: try stroke.required("width").number(in: Stroke.widthRange),
            color: try stroke.optional("color")?.color() ?? .defaultInk)
        try stroke.finish()
        return decoded
    }

    private static func points(_ value: JSONReader) throws(SceneError) -> [Point] {
        let points = try value.array().map { point throws(SceneError) in try point.point() }
        guard !points.isEmpty else { throw value.error("it is empty; at least one point [x, y] is needed") }
        return points
    }
}

import LoupeGeometry
import LoupeJSON
import LoupeScene

/// The loupe in the hand.
extension SessionDecoder {
    /// `{"model": "loupe", "canvas": …, "page": "page.png", "trace": …, "options": {"released": "stays", …}}`, or a
    /// `scene` for `canvas` and `page`, whose one loupe, if it has one, says how the summoned one looks.
    func loupe(_ session: inout JSONReader, _ trace: Trace) throws -> LoupeModel {
        let sceneValue = try session.optional("scene")
        var base = try sceneValue.map(scene) ?? pageScene(&session)
        var options = try session.optionalObject("options")
        try session.finish()
        var decoded = LoupeOptions()
        if let look = base.loupes.first {
            guard base.loupes.count == 1 else {
                throw (sceneValue ?? session).error(
                    "it has \(base.loupes.count) loupes; one at most is allowed, the look of the one that is summoned")
            }
            decoded.look = look
            base.loupes = []
        }
        try Self.decode(&options, into: &decoded, layers: base.layers.count)
        return LoupeModel(base: base, trace: trace, options: decoded)
    }

    private func pageScene(_ session: inout JSONReader) throws -> Scene {
        let canvas = try self.canvas(&session)
        let (path, width, height) = try photo(try session.required("page"))
        let rect = Rect(x: 0, y: 0, width: width, height: height)
        return Scene(canvas: canvas, layers: [Layer(content: .image(path: path), rect: rect)])
    }

    private static func decode(
        _ options: inout JSONReader, into decoded: inout LoupeOptions, layers: Int
    ) throws(DocumentError) {
        for (key, path, range) in thresholds {
            guard let value = try options.optional(key) else { continue }
            decoded.thresholds[keyPath: path] = try value.number(in: range)
        }
        decoded.released = try options.optional("released")?.choice(of: LoupeOptions.Released.self) ?? decoded.released
        decoded.look.radius = try options.optional("radius")?.number(in: Loupe.radiusRange) ?? decoded.look.radius
        decoded.penWidth = try options.optional("penWidth")?.number(in: LoupeOptions.penWidthRange) ?? decoded.penWidth
        decoded.penColor = try options.optional("penColor")?.color() ?? decoded.penColor
        let layer = try options.optional("layer")
        try options.finish()
        guard layers > 0 else { throw options.error(at: "layer", "the scene has no layer; one is needed to draw on") }
        decoded.page = try layer?.integer(in: 0...(layers - 1)) ?? decoded.page
    }

    private typealias Threshold = (
        key: String, path: WritableKeyPath<LoupeThresholds, Double>, range: ClosedRange<Double>
    )

    private static var thresholds: [Threshold] {
        [
            ("pinchSpan", \.pinchSpan, 1...1000), ("panTravel", \.panTravel, 1...1000),
            ("rewindTurning", \.rewindTurning, 1...360), ("rewindRadius", \.rewindRadius, 1...1000),
            ("lead", \.lead, 1...100), ("adjoiningSpan", \.adjoiningSpan, 1...10_000),
            ("togetherTime", \.togetherTime, 0...10), ("stride", \.stride, 1...1000),
            ("straightPath", \.straightPath, 0...10_000), ("rewindStep", \.rewindStep, 1...360),
            ("edgeBand", \.edgeBand, 1...1000), ("greatestZoom", \.greatestZoom, 1...Loupe.zoomRange.upperBound),
            ("closingZoom", \.closingZoom, 0...1), ("borderReach", \.borderReach, 0...10_000),
            ("leavingSpeed", \.leavingSpeed, 0...100_000), ("takeoverReach", \.takeoverReach, 0...10_000),
            ("ghostLife", \.ghostLife, 0...10),
        ]
    }
}

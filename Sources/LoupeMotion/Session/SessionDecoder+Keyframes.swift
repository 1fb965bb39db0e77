import LoupeGeometry
import LoupeJSON
import LoupeScene

/// `{"model": "keyframes", "scene": …, "keyframes": [{"t": 0, "loupe": 0, "center": [x, y]}, …]}`
extension SessionDecoder {
    private enum Target: Hashable {
        case loupe(Int)
        case layer(Int)
    }

    func keyframes(_ session: inout JSONReader) throws(SceneDecodingError) -> KeyframeModel {
        let sceneValue = try session.required("scene")
        let value = try session.required("keyframes")
        try session.finish()
        let scene = try self.scene(sceneValue)
        let readers = try value.array()
        guard !readers.isEmpty else { throw value.error("it is empty; at least one keyframe is needed") }

        // A keyframe that names neither a loupe nor a layer moves that of the previous keyframe.
        var target = Target.loupe(0)
        var order = KeyframeOrder()
        var keyframes: [KeyframeModel.Keyframe] = []
        for reader in readers {
            var reader = reader
            let keyframe = try self.keyframe(&reader, &target, of: scene)
            if let problem = order.accept(keyframe) { throw reader.error(at: "t", problem) }
            keyframes.append(keyframe)
        }
        let model = KeyframeModel(scene: scene, keyframes: keyframes)
        for (reader, keyframe) in zip(readers, keyframes) { try checkSizes(of: keyframe, reader, in: model) }
        return model
    }

    private func keyframe(
        _ reader: inout JSONReader, _ target: inout Target, of scene: Scene
    ) throws(DocumentError) -> KeyframeModel.Keyframe {
        let time = try reader.required("t").number(in: Trace.timeRange)
        let curve = try reader.optional("curve").map(Self.curve) ?? .linear
        let loupe = try reader.optional("loupe")
        let layer = try reader.optional("layer")
        if let loupe, layer != nil { throw loupe.error("both loupe and layer are given; a keyframe moves one of them") }
        if let loupe { target = .loupe(try Self.index(loupe, of: "loupes", count: scene.loupes.count)) }
        if let layer { target = .layer(try Self.index(layer, of: "layers", count: scene.layers.count)) }
        let values: [SceneProperty: [Double]]
        switch target {
        case .loupe(let index):
            guard scene.loupes.indices.contains(index) else {
                throw reader.error("the keyframe moves a loupe, and the scene has none; name a layer or add a loupe")
            }
            values = try Self.loupeValues(&reader, index, of: scene.loupes[index])
        case .layer(let index): values = try Self.layerValues(&reader, index)
        }
        try reader.finish()
        guard !values.isEmpty else { throw reader.error("the keyframe moves no property; at least one is needed") }
        return KeyframeModel.Keyframe(time: time, curve: curve, values: values)
    }

    private static func index(_ value: JSONReader, of key: String, count: Int) throws(DocumentError) -> Int {
        guard count > 0 else { throw value.error("the scene has no \(key)") }
        return try value.integer(in: 0...(count - 1))
    }

    // MARK: - Numbers

    private static func loupeValues(
        _ reader: inout JSONReader, _ index: Int, of loupe: Loupe
    ) throws(DocumentError) -> [SceneProperty: [Double]] {
        var values: [SceneProperty: [Double]] = [:]
        func set(_ property: LoupeProperty, _ numbers: [Double]?) { values[.loupe(index, property)] = numbers }
        set(.center, try reader.optional("center")?.point().numbers)
        if let radius = try reader.optional("radius") {
            guard case .circle = loupe.shape else {
                throw radius.error("the scene's loupe \(index) has a shape and no radius")
            }
            set(.radius, try radius.number(in: Loupe.radiusRange).numbers)
        }
        set(.zoom, try reader.optional("zoom")?.number(in: Loupe.zoomRange).numbers)
        set(.focus, try reader.optional("focus")?.point().numbers)
        if var rim = try reader.optional("rim") {
            guard loupe.rim != nil else { throw rim.error("the scene's loupe \(index) has no rim") }
            set(.rimWidth, try rim.required("width").number(in: 0...Loupe.radiusRange.upperBound).numbers)
            try rim.finish()
        }
        if var shadow = try reader.optional("shadow") {
            guard loupe.shadow != nil else { throw shadow.error("the scene's loupe \(index) has no shadow") }
            set(.shadowOffset, try shadow.optional("offset")?.vector().numbers)
            set(.shadowBlur, try shadow.optional("blur")?.number(in: Loupe.Shadow.blurRange).numbers)
            try shadow.finish()
        }
        return values
    }

    private static func layerValues(
        _ reader: inout JSONReader, _ index: Int
    ) throws(DocumentError) -> [SceneProperty: [Double]] {
        var values: [SceneProperty: [Double]] = [:]
        func set(_ property: LayerProperty, _ numbers: [Double]?) { values[.layer(index, property)] = numbers }
        set(.rect, try reader.optional("rect")?.rect().numbers)
        if var corner = try reader.optional("corner") {
            let limit = JSONReader.sideRange.upperBound / 2
            set(.cornerRadius, try corner.optional("radius")?.number(in: 0...limit).numbers)
            set(.cornerExponent, try corner.optional("exponent")?.number(in: Corner.exponentRange).numbers)
            try corner.finish()
        }
        set(.opacity, try reader.optional("opacity")?.number(in: Layer.opacityRange).numbers)
        return values
    }

    /// Checks that corners and rims fit their layers and loupes at the times of their keyframes.
    private func checkSizes(
        of keyframe: KeyframeModel.Keyframe, _ reader: JSONReader, in model: KeyframeModel
    ) throws(DocumentError) {
        let scene = model.frame(at: keyframe.time).scene
        for (property, values) in keyframe.values {
            let limit: Double
            let key: String
            switch property {
            case .layer(let index, .cornerRadius):
                (limit, key) = (scene.layers[index].bounds.shorterSide / 2, "corner")
            case .loupe(let index, .rimWidth): (limit, key) = (scene.loupes[index].radius, "rim")
            case .layer, .loupe: continue
            }
            guard values[0] > limit else { continue }
            throw reader.error(
                at: key, "\(values[0].jsonText) is too large at that time; allowed is up to \(limit.jsonText)")
        }
    }

    // MARK: - Curves

    private enum CurveName: String, CaseIterable {
        case linear
        case easeIn = "ease-in"
        case easeOut = "ease-out"
        case easeInOut = "ease-in-out"
        case standard = "default"

        var curve: TimingCurve {
            switch self {
            case .linear: .linear
            case .easeIn: .easeIn
            case .easeOut: .easeOut
            case .easeInOut: .easeInOut
            case .standard: .standard
            }
        }
    }

    /// A curve's name, or `[x1, y1, x2, y2]`.
    private static func curve(_ value: JSONReader) throws(DocumentError) -> TimingCurve {
        guard case .array = value.value else { return try value.choice(of: CurveName.self).curve }
        let points = try value.tuple("x1", "y1", "x2", "y2")
        return TimingCurve(
            x1: try points[0].number(in: 0...1), y1: try points[1].number(in: -10...10),
            x2: try points[2].number(in: 0...1), y2: try points[3].number(in: -10...10))
    }
}

/// Checks that keyframes are in the order of time, and that each property has at most one at a time.
private struct KeyframeOrder {
    private var lastTime = 0.0
    private var lastTimes: [SceneProperty: Double] = [:]

    /// Checks the next keyframe.
    /// - Returns: What is wrong with its time; nil if nothing is.
    mutating func accept(_ keyframe: KeyframeModel.Keyframe) -> String? {
        let time = keyframe.time
        guard time >= lastTime else {
            return "\(time.jsonText) is before the previous keyframe's \(lastTime.jsonText); times must increase"
        }
        lastTime = time
        let paths = keyframe.values.keys.filter { lastTimes[$0] == time }.map { $0.path }.sorted()
        if let path = paths.first {
            return "\(time.jsonText) is the time of another keyframe for \(path); times must increase"
        }
        for property in keyframe.values.keys { lastTimes[property] = time }
        return nil
    }
}

extension Point {
    fileprivate var numbers: [Double] { [x, y] }
}

extension Vector {
    fileprivate var numbers: [Double] { [dx, dy] }
}

extension Rect {
    fileprivate var numbers: [Double] { [x, y, width, height] }
}

extension Double {
    fileprivate var numbers: [Double] { [self] }
}

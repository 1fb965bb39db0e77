import LoupeBase
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
            values = try Self.values(
                &reader, SceneProperty.ofLoupes, of: scene.loupes[index], named: "loupe \(index)"
            ) { .loupe(index, $0) }
        case .layer(let index):
            values = try Self.values(
                &reader, SceneProperty.ofLayers, of: scene.layers[index], named: "layer \(index)"
            ) { .layer(index, $0) }
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

    /// The numbers that a keyframe has for the properties of a loupe or a layer.
    private static func values<Owner>(
        _ reader: inout JSONReader, _ fields: [MovableField<Owner>], of owner: Owner, named name: String,
        _ property: (String) -> SceneProperty
    ) throws(DocumentError) -> [SceneProperty: [Double]] {
        var values: [SceneProperty: [Double]] = [:]
        var outer = ""
        for field in fields {
            let keys = field.path.split(separator: ".").map { String($0) }
            guard let value = try reader.optional(keys[0]) else { continue }
            guard field.get(owner) != nil else {
                let shape = field.path == "radius" ? "a shape and " : ""
                throw value.error("the scene's \(name) has \(shape)no \(keys[0])")
            }
            guard keys.count > 1 else {
                values[property(field.path)] = try field.read(value)
                continue
            }
            if outer != keys[0] {
                outer = keys[0]
                try checkKeys(of: value, outer, fields.map { $0.path })
            }
            var object = value
            let number = field.isRequired ? try object.required(keys[1]) : try object.optional(keys[1])
            values[property(field.path)] = try number.map { number throws(DocumentError) in try field.read(number) }
        }
        return values
    }

    /// Refuses keys of an object that no keyframe moves.
    private static func checkKeys(of value: JSONReader, _ key: String, _ paths: [String]) throws(DocumentError) {
        var object = value
        for path in paths where path.hasPrefix("\(key).") {
            _ = try object.optional(String(path.dropFirst(key.count + 1)))
        }
        try object.finish()
    }

    /// Checks that corners and rims fit their layers and loupes at the times of their keyframes.
    private func checkSizes(
        of keyframe: KeyframeModel.Keyframe, _ reader: JSONReader, in model: KeyframeModel
    ) throws(DocumentError) {
        let scene = model.frame(at: keyframe.time).scene
        for (property, values) in keyframe.values {
            let limit: Double
            let key: String
            switch (property.owner, property.key) {
            case (.layer(let index), "corner.radius"):
                (limit, key) = (scene.layers[index].bounds.shorterSide / 2, "corner")
            case (.loupe(let index), "rim.width"): (limit, key) = (scene.loupes[index].radius, "rim")
            default: continue
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

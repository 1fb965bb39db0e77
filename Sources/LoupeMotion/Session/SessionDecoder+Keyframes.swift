import LoupeBase
import LoupeScene

/// `{"model": "keyframes", "scene": …, "keyframes": [{"t": 0, "loupe": 0, "center": [x, y]}, …]}`
extension SessionDecoder {
    func keyframes(_ session: inout JSONReader) throws(SceneDecodingError) -> KeyframeModel {
        let sceneValue = try session.required("scene")
        let value = try session.required("keyframes")
        try session.finish()
        let scene = try self.scene(sceneValue)
        let readers = try value.array()
        guard !readers.isEmpty else { throw value.error("it is empty; at least one keyframe is needed") }

        // A keyframe that names neither a loupe nor a layer moves that of the previous keyframe.
        var target = SceneProperty.Owner.loupe(0)
        var keyframes: [KeyframeModel.Keyframe] = []
        for reader in readers {
            var reader = reader
            let keyframe = try self.keyframe(&reader, &target, of: scene)
            if let last = keyframes.last?.time, keyframe.time < last {
                throw reader.error(
                    at: "t",
                    "\(keyframe.time.jsonText) is before the previous keyframe's \(last.jsonText); times must increase")
            }
            keyframes.append(keyframe)
        }
        return KeyframeModel(scene: scene, keyframes: keyframes)
    }

    private func keyframe(
        _ reader: inout JSONReader, _ target: inout SceneProperty.Owner, of scene: Scene
    ) throws(DocumentError) -> KeyframeModel.Keyframe {
        let time = try reader.required("t").number(in: Trace.timeRange)
        let (curve, animation) = try reader.optional("curve").map(Self.curveOrAnimation) ?? (.linear, nil)
        let areVelocities = if case .decay? = animation { true } else { false }
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
            values = try Self.values(&reader, target, SceneProperty.ofLoupes, of: scene.loupes[index], areVelocities)
        case .layer(let index):
            values = try Self.values(&reader, target, SceneProperty.ofLayers, of: scene.layers[index], areVelocities)
        }
        try reader.finish()
        guard !values.isEmpty else { throw reader.error("the keyframe moves no property; at least one is needed") }
        return KeyframeModel.Keyframe(time: time, curve: curve, animation: animation, values: values)
    }

    private static func index(_ value: JSONReader, of key: String, count: Int) throws(DocumentError) -> Int {
        guard count > 0 else { throw value.error("the scene has no \(key)") }
        return try value.integer(in: 0...(count - 1))
    }

    // MARK: - Numbers

    /// The numbers that a keyframe has for the properties of a loupe or a layer.
    private static func values<Owner>(
        _ reader: inout JSONReader, _ target: SceneProperty.Owner, _ fields: [MovableField<Owner>], of owner: Owner,
        _ areVelocities: Bool
    ) throws(DocumentError) -> [SceneProperty: [Double]] {
        var values: [SceneProperty: [Double]] = [:]
        var outer = ""
        for field in fields {
            let keys = field.path.split(separator: ".").map { String($0) }
            guard let value = try reader.optional(keys[0]) else { continue }
            guard field.get(owner) != nil else {
                let shape = field.path == "radius" ? "a shape and " : ""
                throw value.error("the scene's \(target.words) has \(shape)no \(keys[0])")
            }
            guard keys.count > 1 else {
                values[SceneProperty(owner: target, key: field.path)] = try field.read(value, asVelocity: areVelocities)
                continue
            }
            if outer != keys[0] {
                outer = keys[0]
                try checkKeys(of: value, outer, fields.map { $0.path })
            }
            var object = value
            let number = field.isRequired ? try object.required(keys[1]) : try object.optional(keys[1])
            guard let number else { continue }
            values[SceneProperty(owner: target, key: field.path)] = try field.read(number, asVelocity: areVelocities)
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

    // MARK: - Curves

    private static let curves: [(name: String, curve: TimingCurve)] = [
        ("linear", .linear), ("ease-in", .easeIn), ("ease-out", .easeOut), ("ease-in-out", .easeInOut),
        ("default", .standard),
    ]

    /// A timing curve, or an animation of Pop: `{"spring": {"bounciness": 4, "speed": 12}}`.
    private static func curveOrAnimation(
        _ value: JSONReader
    ) throws(DocumentError) -> (curve: TimingCurve, animation: KeyframeAnimation?) {
        guard case .object = value.value else { return (try curve(value), nil) }
        var object = value
        let (spring, decay) = (try object.optional("spring"), try object.optional("decay"))
        let basic = try object.optional("basic")
        try object.finish()
        guard try object.count == 1 else { throw value.error("it needs one of spring, decay and basic") }
        if let spring { return (.linear, .spring(try self.spring(spring))) }
        if var decay {
            let rate = try decay.optional("deceleration")?.number(in: 0.5...0.9999) ?? Deceleration.normalRate
            try decay.finish()
            return (.linear, .decay(rate: rate))
        }
        var given = basic ?? value
        let curve = try given.optional("curve").map(curve) ?? .standard
        let duration = try given.optional("duration")?.number(in: 0...60) ?? 0.4
        try given.finish()
        return (.linear, .basic(curve, duration: duration))
    }

    /// A spring by Pop's bounciness and speed, or by its damping ratio and the duration of an undamped swing.
    static func spring(_ value: JSONReader) throws(DocumentError) -> Spring {
        var spring = value
        let bounciness = try spring.optional("bounciness")?.number(in: 0...20)
        let speed = try spring.optional("speed")?.number(in: 0...20)
        let ratio = try spring.optional("dampingRatio")?.number(in: 0.01...1)
        let response = try spring.optional("response")?.number(in: 0.01...60)
        try spring.finish()
        guard ratio != nil || response != nil else {
            return Spring(bounciness: bounciness ?? 4, speed: speed ?? 12)
        }
        guard let ratio, let response, bounciness == nil, speed == nil else {
            throw value.error("it needs dampingRatio and response, or bounciness and speed")
        }
        return Spring(frequency: 2 * .pi / response, dampingRatio: ratio)
    }

    /// A curve's name, or `[x1, y1, x2, y2]`.
    private static func curve(_ value: JSONReader) throws(DocumentError) -> TimingCurve {
        guard case .array = value.value else {
            let (text, names) = (try value.string(), curves.map { $0.name }.joined(separator: ", "))
            if let named = curves.first(where: { $0.name == text }) { return named.curve }
            throw value.error("\(value.value.excerpt) is not allowed; allowed are \(names)")
        }
        let points = try value.tuple("x1", "y1", "x2", "y2")
        return TimingCurve(
            x1: try points[0].number(in: 0...1), y1: try points[1].number(in: -10...10),
            x2: try points[2].number(in: 0...1), y2: try points[3].number(in: -10...10))
    }
}

extension SceneProperty.Owner {
    fileprivate var words: String {
        switch self {
        case .loupe(let index): "loupe \(index)"
        case .layer(let index): "layer \(index)"
        }
    }
}

import LoupeBase
import LoupeScene

/// A scene whose numbers are interpolated between keyframes.
///
/// A number that has a keyframe starts at 0 s with the scene's value, and keeps the value of its last keyframe. If a
/// loupe's focus equals its centre in the scene, it stays at the centre, unless a keyframe moves the focus.
public struct KeyframeModel: MotionModel {
    /// The values that some properties reach at a time.
    public struct Keyframe: Hashable, Sendable {
        /// The time in seconds, at least 0.
        public var time: Double
        /// The easing from the properties' previous keyframes; without effect where there is an animation.
        public var curve: TimingCurve
        /// What begins at the time, in place of an easing that ends there; nil for the easing.
        public var animation: KeyframeAnimation?
        /// The values, as many for each property as the scene has; of a decay the velocities, in units per second.
        package var values: [SceneProperty: [Double]]

        /// A keyframe at a time in seconds.
        package init(
            time: Double, curve: TimingCurve = .linear, animation: KeyframeAnimation? = nil,
            values: [SceneProperty: [Double]]
        ) {
            (self.time, self.curve, self.animation, self.values) = (time, curve, animation, values)
        }
    }

    let scene: Scene
    let tracks: [KeyframeTrack]
    /// The indices of loupes whose focus follows the centre.
    private let followers: [Int]
    /// The time of the last keyframe or the end of its animation, in seconds.
    public let duration: Double

    /// Animates a scene.
    /// - Parameter keyframes: In any order; of several for one property at one time, the last one counts.
    /// - Precondition: the scene has every property that a keyframe names.
    public init(scene: Scene, keyframes: [Keyframe]) {
        self.scene = scene
        var tracks: [SceneProperty: KeyframeTrack] = [:]
        // Swift's sort is stable, but its documentation does not guarantee it.
        let order = keyframes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        for (_, keyframe) in order {
            for (property, values) in keyframe.values {
                guard let initial = property.values(in: scene), initial.count == values.count else {
                    preconditionFailure("\(property.path) has no \(values.count) numbers in the scene")
                }
                tracks[property, default: KeyframeTrack(property, initial: initial)].append(keyframe, values)
            }
        }
        self.tracks = tracks.values.sorted { $0.property.path < $1.property.path }
        followers = scene.centeredLoupes(except: tracks.keys)
        duration = max(keyframes.map { $0.time }.max() ?? 0, tracks.values.map { $0.end }.max() ?? 0)
    }

    /// The scene with every animated number at its value at a time in seconds.
    public func frame(at time: Double) -> MotionFrame {
        var scene = scene
        for track in tracks { track.property.set(track.values(at: time), in: &scene) }
        scene.keepFocus(of: followers)
        Self.keepWithinSizes(&scene)
        return MotionFrame(scene: scene, states: states(scene))
    }

    /// The limits of a corner and a rim depend on numbers that move too.
    private static func keepWithinSizes(_ scene: inout Scene) {
        for index in scene.layers.indices {
            let layer = scene.layers[index]
            scene.layers[index].corner = layer.corner.fitted(to: layer.bounds)
        }
        for index in scene.loupes.indices {
            let loupe = scene.loupes[index]
            scene.loupes[index].rim?.width = min(loupe.rim?.width ?? 0, loupe.radius)
        }
    }

    /// The current values of the animated properties.
    private func states(_ scene: Scene) -> JSONValue {
        var object = JSONObject()
        for track in tracks {
            _ = object.append(.numbers(track.property.values(in: scene) ?? []), forKey: track.property.path)
        }
        return .object(object)
    }
}

/// Pop's animations, each of which begins at its keyframe, from the values and with the velocity that are there.
public enum KeyframeAnimation: Hashable, Sendable {
    /// To the keyframe's values in a time in seconds, on a timing curve.
    case basic(TimingCurve, duration: Double)
    /// To the keyframe's values on a spring.
    case spring(Spring)
    /// With the keyframe's values as velocities; the part of them that is left after a millisecond.
    case decay(rate: Double)

    /// The motion of one number.
    /// - Parameters:
    ///   - velocity: At the start, in units per second.
    ///   - fastest: The greatest of the keyframe's values; Pop rests when all numbers are slow enough.
    fileprivate func motion(
        from: Double, velocity: Double, to value: Double, fastest: Double
    ) -> KeyframeTrack.Motion {
        switch self {
        case .basic(let curve, let duration):
            return ({ from + (value - from) * (duration > 0 ? curve.progress(at: $0 / duration) : 1) }, duration)
        case .spring(let spring):
            let motion = SpringMotion(spring, from: from, to: value, velocity: velocity)
            return ({ motion.isSettled(at: $0) ? motion.to : motion.value(at: $0) }, motion.settlingTime)
        case .decay(let rate):
            let motion = Deceleration.pop(
                from: from, velocity: value, rate: rate, threshold: Deceleration.customPropertyThreshold,
                fastest: fastest)
            return ({ motion.value(at: $0) }, motion.duration)
        }
    }
}

/// One property's values at its keyframes, and the curves between them.
struct KeyframeTrack: Sendable {
    /// The value of a number at a time in seconds since the start, and when it rests.
    typealias Motion = (value: @Sendable (_ time: Double) -> Double, duration: Double)

    struct Stop: Sendable {
        /// The time in seconds.
        let time: Double
        /// The values that are there.
        let values: [Double]
        /// The easing from the previous stop.
        let curve: TimingCurve
        /// What begins there; empty for the easing to the next stop.
        var motions: [Motion] = []

        /// The values from the stop on, as long as no easing leads away.
        func values(at time: Double) -> [Double] {
            motions.isEmpty ? values : motions.map { $0.value(time - self.time) }
        }
    }

    let property: SceneProperty
    /// The stops in the order of time; at least one.
    private(set) var stops: [Stop]

    /// The time over which the velocity at an animation's start is taken, in seconds.
    private static let step = 1e-6

    /// - Parameter initial: The values at time 0, unless a stop at 0 replaces them.
    init(_ property: SceneProperty, initial: [Double]) {
        self.property = property
        stops = [Stop(time: 0, values: initial, curve: .linear)]
    }

    /// Adds a keyframe, which is not before the last one.
    mutating func append(_ keyframe: KeyframeModel.Keyframe, _ values: [Double]) {
        let time = keyframe.time
        guard let animation = keyframe.animation else {
            if stops.last?.time == time { stops.removeLast() }
            return stops.append(Stop(time: time, values: values, curve: keyframe.curve))
        }
        let (before, from) = (self.values(at: time - Self.step), self.values(at: time))
        let fastest = values.map { abs($0) }.max() ?? 0
        let motions = values.indices.map { index in
            let velocity = time > 0 ? (from[index] - before[index]) / Self.step : 0
            return animation.motion(from: from[index], velocity: velocity, to: values[index], fastest: fastest)
        }
        stops.append(Stop(time: time, values: from, curve: .linear, motions: motions))
    }

    /// When nothing moves any more, in seconds.
    var end: Double { stops.map { $0.time + ($0.motions.map { $0.duration }.max() ?? 0) }.max() ?? 0 }

    func values(at time: Double) -> [Double] {
        guard let last = stops.lastIndex(upTo: time, { $0.time }) else { return stops[0].values }
        let from = stops[last].values(at: time)
        guard last + 1 < stops.count, case let to = stops[last + 1], to.motions.isEmpty else { return from }
        let progress = to.curve.progress(at: (time - stops[last].time) / (to.time - stops[last].time))
        return zip(from, to.values).map { $0 + ($1 - $0) * progress }
    }
}

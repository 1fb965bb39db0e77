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
        /// The easing from the properties' previous keyframes.
        public var curve: TimingCurve
        /// The values, as many for each property as the scene has.
        package var values: [SceneProperty: [Double]]

        /// A keyframe at a time in seconds.
        package init(time: Double, curve: TimingCurve = .linear, values: [SceneProperty: [Double]]) {
            self.time = time
            self.curve = curve
            self.values = values
        }
    }

    let scene: Scene
    let tracks: [KeyframeTrack]
    /// The indices of loupes whose focus follows the centre.
    private let followers: [Int]
    /// The time of the last keyframe, in seconds.
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
                let stop = KeyframeTrack.Stop(time: keyframe.time, values: values, curve: keyframe.curve)
                tracks[property, default: KeyframeTrack(property, initial: initial)].append(stop)
            }
        }
        self.tracks = tracks.values.sorted { $0.property.path < $1.property.path }
        followers = scene.centeredLoupes(except: tracks.keys)
        duration = keyframes.map { $0.time }.max() ?? 0
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
            let numbers = (track.property.values(in: scene) ?? []).map(JSONValue.number)
            _ = object.append(numbers.count == 1 ? numbers[0] : .array(numbers), forKey: track.property.path)
        }
        return .object(object)
    }
}

/// One property's values at its keyframes, and the curves between them.
struct KeyframeTrack: Hashable, Sendable {
    struct Stop: Hashable {
        /// The time in seconds.
        let time: Double
        let values: [Double]
        /// The easing from the previous stop.
        let curve: TimingCurve
    }

    let property: SceneProperty
    /// The stops in the order of time; at least one.
    private(set) var stops: [Stop]

    /// - Parameter initial: The values at time 0, unless a stop at 0 replaces them.
    init(_ property: SceneProperty, initial: [Double]) {
        self.property = property
        stops = [Stop(time: 0, values: initial, curve: .linear)]
    }

    /// Adds a stop, which is not before the last one.
    mutating func append(_ stop: Stop) {
        if stops.last?.time == stop.time { stops.removeLast() }
        stops.append(stop)
    }

    func values(at time: Double) -> [Double] {
        guard let last = stops.lastIndex(upTo: time, { $0.time }) else { return stops[0].values }
        guard last + 1 < stops.count else { return stops[last].values }
        let (from, to) = (stops[last], stops[last + 1])
        let progress = to.curve.progress(at: (time - from.time) / (to.time - from.time))
        return zip(from.values, to.values).map { $0 + ($1 - $0) * progress }
    }
}

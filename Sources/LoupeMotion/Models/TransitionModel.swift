import LoupeBase
import LoupeScene

/// The zoom transition of Titanium, an image viewer: from a thumbnail to the full screen, and the gestures there.
///
/// A tap presents: the picture grows from the thumbnail on a spring, while the mask, which is the thumbnail's crop,
/// opens to the whole picture. At full screen the picture can be panned, pinched and double-tapped; a single tap
/// dismisses it. A second touch that becomes a pan or a pinch cancels the first tap.
public struct TransitionModel: MotionModel, LiveModel {
    private let base: Scene
    /// Of each thumbnail.
    private let geometries: [TransitionGeometry]
    private let options: TransitionOptions
    var timeline: Timeline<TransitionState>
    private var gestures: TransitionGestures
    var decisions: [ModelDecision] { gestures.decisions }
    /// The time after which nothing moves, in seconds.
    public internal(set) var duration = 0.0

    /// Builds the model from its trace. A tap on one presents its photo; the others stay where they are.
    /// - Parameters:
    ///   - base: The scene under the pictures.
    ///   - thumbnails: Where they overlap, the last one is tapped.
    /// - Precondition: there is a thumbnail.
    public init(
        base: Scene, thumbnails: [Thumbnail], trace: Trace, options: TransitionOptions = TransitionOptions()
    ) {
        self.base = base
        self.options = options
        geometries = thumbnails.map { TransitionGeometry($0, on: base.canvas) }
        gestures = TransitionGestures(geometries, options: options)
        timeline = Timeline(gestures.state)
        follow(trace)
    }

    // MARK: - Events

    mutating func restart() {
        gestures = TransitionGestures(geometries, options: options)
        timeline = Timeline(gestures.state)
    }

    mutating func handle(_ event: Trace.Event) {
        wait(until: event.time)
        guard case .touch(let touch) = event.content else { return }
        gestures.handle(touch, at: event.time)
        timeline.append(gestures.state, at: event.time)
    }

    func duration(after trace: Trace) -> Double {
        let state = timeline.last
        return state.parts.reduce(trace.duration) { max($0, $1.end) }
    }

    /// Turns the waiting tap into a single tap.
    mutating func wait(until time: Double) {
        guard let tapTime = gestures.singleTapTime, tapTime <= time else { return }
        gestures.fireSingleTap(at: tapTime)
        timeline.append(gestures.state, at: tapTime)
    }

    // MARK: - Frames

    /// The base, the background and the picture at a time in seconds.
    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let geometry = geometries[state.number]
        // A spring that swings beyond a tiny end would turn the picture inside out.
        let scale = max(state[.scale].presentation(at: time), min(0.01, geometry.thumbnailScale))
        let center = state.center(at: time)
        let picture = geometry.picture(center, scale: scale)
        let mask = Rect(
            center: center, width: state[.maskWidth].presentation(at: time) * scale,
            height: state[.maskHeight].presentation(at: time) * scale)
        let radius = (state[.maskRadius].presentation(at: time) * scale).clamped(to: 0...(mask.shorterSide / 2))
        let background = state[.background].presentation(at: time).clamped(to: Layer.opacityRange)

        var scene = base
        scene.layers += geometries.indices.filter { $0 != state.number }.map { geometries[$0].atRest }
        if background > 0 {
            scene.layers.append(
                Layer(content: .fill(options.background), rect: geometry.screen, opacity: background))
        }
        scene.layers.append(geometry.layer(picture, mask: mask, radius: radius))
        let states: JSONValue = [
            "thumbnail": geometries.count > 1 ? .number(Double(state.number)) : nil,
            "phase": .string(state.phase(at: time).rawValue), "gesture": .string(state.gesture.name),
            "scale": .number(scale), "center": .point(center), "picture": .rect(picture), "mask": .rect(mask),
            "cornerRadius": .number(radius), "background": .number(background),
        ]
        return MotionFrame(scene: scene, states: states)
    }
}

extension TransitionModel {
    /// A photo and where it begins.
    public struct Thumbnail: Hashable, Sendable {
        /// The path of the image.
        public var photo: ImagePath
        /// The image's width, in any unit.
        public var width: Double
        /// The image's height, in the same unit.
        public var height: Double
        /// In canvas pixels; the picture fills it and is cropped by it.
        public var rect: Rect
        /// The corners of the rect.
        public var corner: Corner

        /// A photo of a size in any unit, at a rect of the canvas.
        public init(photo: ImagePath, width: Double, height: Double, rect: Rect, corner: Corner) {
            (self.photo, self.width, self.height, self.rect, self.corner) = (photo, width, height, rect, corner)
        }
    }
}

/// The options of the zoom transition, and Titanium's durations and speeds.
public struct TransitionOptions: Hashable, Sendable {
    /// The effect of a single tap on an enlarged picture.
    public enum ZoomedTap: String, Hashable, Sendable, CaseIterable {
        /// The picture returns to its normal size.
        case resets
        /// The picture returns to its thumbnail.
        case dismisses
    }

    /// The effect of a single tap on an enlarged picture.
    public var zoomedTap = ZoomedTap.resets
    /// The colour behind the full-screen picture.
    public var background = Color(red: 0, green: 0, blue: 0)

    /// Titanium's behaviour: a single tap resets, on black.
    public init() {}

    static let presentSpring = ResponseSpring(dampingRatio: 0.7, duration: 0.5)
    static let dismissSpring = ResponseSpring(dampingRatio: 1, duration: 0.3, velocity: 1)
    /// The duration of the mask's animation, in seconds.
    static let maskDuration = 0.15

    static let zoomRange: ClosedRange<Double> = 1...3
    /// The duration of the animation back into `zoomRange`, in seconds.
    static let zoomBackDuration = 0.25
    /// The duration of a double tap's zoom and of a reset, in seconds.
    static let doubleTapDuration = 0.3

    /// How far ahead a release extrapolates the movement, in seconds.
    static let throwTime = 0.15
}

/// The rectangles of the thumbnail and of the full screen, and the mapping between them.
struct TransitionGeometry: Hashable, Sendable {
    let screen: Rect
    let photo: TransitionModel.Thumbnail
    var thumbnail: Rect { photo.rect }
    /// The width of the picture at scale 1, at which it is fitted into the screen, in points.
    let width: Double
    /// The height of the picture at scale 1, in points.
    let height: Double

    init(_ photo: TransitionModel.Thumbnail, on canvas: Scene.Canvas) {
        (self.photo, screen) = (photo, canvas.rect)
        let fit = min(screen.width / photo.width, screen.height / photo.height)
        (width, height) = (photo.width * fit, photo.height * fit)
    }

    func picture(_ center: Point, scale: Double) -> Rect {
        Rect(center: center, width: width * scale, height: height * scale)
    }

    /// The picture as a layer; the mask is the layer's crop.
    func layer(_ picture: Rect, mask: Rect, radius: Double) -> Layer {
        let corner = Corner(radius: radius, exponent: photo.corner.exponent)
        return Layer(content: .image(path: photo.photo), rect: picture, crop: mask, corner: corner)
    }

    /// The picture that rests at its thumbnail.
    var atRest: Layer {
        layer(picture(thumbnail.center, scale: thumbnailScale), mask: thumbnail, radius: photo.corner.radius)
    }

    /// s: the scale at which the picture exactly covers the thumbnail.
    var thumbnailScale: Double { max(thumbnail.width / width, thumbnail.height / height) }

    /// The range of the centre in which the picture covers the screen, or stays centred where it is smaller.
    func centerRange(scale: Double) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        (Self.range(screen.width, width * scale), Self.range(screen.height, height * scale))
    }

    func clamped(_ center: Point, scale: Double) -> Point {
        let range = centerRange(scale: scale)
        return Point(x: center.x.clamped(to: range.x), y: center.y.clamped(to: range.y))
    }

    private static func range(_ screen: Double, _ picture: Double) -> ClosedRange<Double> {
        let reach = max(0, picture - screen) / 2
        return (screen / 2 - reach)...(screen / 2 + reach)
    }
}

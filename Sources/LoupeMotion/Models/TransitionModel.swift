import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Titanium's transition from a thumbnail to the full screen, and the picture there.
///
/// A tap presents: the picture grows from the thumbnail on a spring, while the mask, the thumbnail's crop, opens to
/// the whole picture. There it can be panned, pinched and double-tapped; a single tap at rest dismisses. A second
/// touch that becomes a pan or a pinch takes the first tap back.
public struct TransitionModel: MotionModel {
    private let base: Scene
    private let photo: Layer.Content
    private let geometry: TransitionGeometry
    private let options: TransitionOptions
    private var timeline: Timeline<TransitionState>
    public let duration: Double

    /// - Parameters:
    ///   - base: What lies under the picture.
    ///   - photo: The image.
    ///   - width: The image's, in any unit.
    ///   - height: The image's, in the same unit.
    ///   - thumbnail: In canvas pixels; the picture fills it and is cropped by it.
    ///   - corner: The thumbnail's.
    public init(
        base: Scene, photo: String, width: Double, height: Double, thumbnail: Rect, corner: Corner, trace: Trace,
        options: TransitionOptions = TransitionOptions()
    ) {
        self.base = base
        self.photo = .image(path: photo)
        self.options = options
        geometry = TransitionGeometry(
            canvas: base.canvas, imageWidth: width, imageHeight: height, thumbnail: thumbnail, corner: corner)
        timeline = Timeline(TransitionState(geometry))
        let longest = max(TransitionOptions.presentSpring.duration, 0.8)
        duration = trace.duration + GestureThresholds.secondTapWait + longest
        fold(trace)
    }

    private mutating func fold(_ trace: Trace) {
        var gestures = TransitionGestures(geometry, options: options)
        for event in trace.events {
            fireSingleTap(&gestures, before: event.time)
            guard case .touch(let touch) = event.content else { continue }
            gestures.handle(touch, at: event.time)
            timeline.append(gestures.state, at: event.time)
        }
        fireSingleTap(&gestures, before: .infinity)
    }

    private mutating func fireSingleTap(_ gestures: inout TransitionGestures, before time: Double) {
        guard let tapTime = gestures.singleTapTime, tapTime <= time else { return }
        gestures.fireSingleTap(at: tapTime)
        timeline.append(gestures.state, at: tapTime)
    }

    // MARK: - Frames

    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let scale = state.scale.presentation(at: time)
        let center = state.center(at: time)
        let picture = Self.rect(center, geometry.width * scale, geometry.height * scale)
        let mask = Self.rect(
            center, state.maskWidth.presentation(at: time) * scale, state.maskHeight.presentation(at: time) * scale)
        let radius = (state.maskRadius.presentation(at: time) * scale).clamped(to: 0...(mask.shorterSide / 2))
        let background = state.background.presentation(at: time).clamped(to: Layer.opacityRange)

        var scene = base
        scene.layers += backgroundLayers(background) + [layer(picture, mask: mask, radius: radius)]
        let states: JSONValue = [
            "phase": .string(state.phase(at: time).rawValue), "gesture": .string(state.gesture.name),
            "scale": .number(scale), "center": .point(center), "picture": .rect(picture), "mask": .rect(mask),
            "cornerRadius": .number(radius), "background": .number(background),
        ]
        return MotionFrame(scene: scene, states: states)
    }

    private static func rect(_ center: Point, _ width: Double, _ height: Double) -> Rect {
        Rect(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    private func backgroundLayers(_ opacity: Double) -> [Layer] {
        guard opacity > 0 else { return [] }
        return [Layer(content: .fill(options.background), rect: geometry.screen, opacity: opacity)]
    }

    /// The mask is the layer's outline.
    private func layer(_ picture: Rect, mask: Rect, radius: Double) -> Layer {
        Layer(
            content: photo, rect: picture, crop: mask,
            corner: Corner(radius: radius, exponent: geometry.corner.exponent))
    }
}

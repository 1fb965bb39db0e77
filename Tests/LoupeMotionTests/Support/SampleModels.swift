import LoupeBase
import LoupeScene
import TestSupport

@testable import LoupeMotion

/// Models on a canvas of 320×480.
enum SampleModels {
    static let canvas = Scene.Canvas(width: 320, height: 480)
    static let fill = Layer.Content.fill(Color(red: 255, green: 0, blue: 0))

    /// A photo that is 1440 points wide at the canvas's height, so that z is 4.5.
    static func tilt(_ trace: Trace, width: Double = 3000, height: Double = 1000) -> TiltModel {
        TiltModel(canvas: canvas, photo: "photo.png", width: width, height: height, trace: trace)
    }

    static func scroll(
        _ trace: Trace, width: Double = 1000, height: Double = 3000, _ change: (inout ScrollOptions) -> Void = { _ in }
    ) -> ScrollModel {
        var options = ScrollOptions()
        change(&options)
        let layer = Layer(content: fill, rect: Rect(x: 0, y: 0, width: width, height: height))
        return ScrollModel(
            scene: Scene(canvas: canvas, layers: [layer]), contentWidth: width, contentHeight: height, trace: trace,
            options: options)
    }

    static func panorama(
        _ trace: Trace, widths: [Double] = [0, 600, 0], titleWidth: Double = 495,
        _ change: (inout PanoramaOptions) -> Void = { _ in }
    ) -> PanoramaModel {
        var options = PanoramaOptions()
        change(&options)
        return PanoramaModel(
            canvas: canvas, title: PanoramaModel.Picture(content: fill, width: titleWidth, height: 100),
            background: PanoramaModel.Picture(content: fill, width: 900, height: 480),
            items: widths.map { PanoramaModel.Item(.content(fill), width: $0) }, trace: trace, options: options)
    }

    /// A picture of 320×240 at full screen, from a square thumbnail of 80.
    static let thumbnail = Rect(x: 20, y: 300, width: 80, height: 80)

    static func transition(
        _ trace: Trace, _ change: (inout TransitionOptions) -> Void = { _ in }
    ) -> TransitionModel {
        var options = TransitionOptions()
        change(&options)
        return TransitionModel(
            base: Scene(canvas: canvas),
            thumbnails: [
                .init(
                    photo: "photo.png", width: 1600, height: 1200, rect: thumbnail,
                    corner: Corner(radius: 10, exponent: 4))
            ], trace: trace, options: options)
    }

    static func all(_ trace: Trace) -> [Session.Model] {
        [
            .tilt(tilt(trace)), .scroll(scroll(trace)), .scroll(scroll(trace) { $0.ends = .bounce }),
            .scroll(scroll(trace) { $0.ends = .free }), .panorama(panorama(trace)), .transition(transition(trace)),
            .loupe(loupe(trace)), .loupe(loupe(trace) { $0.released = .closes }),
        ]
    }
}

extension SampleModels {
    /// On a page of 1024×768 that fills the canvas; the loupe's radius is 110.
    static func loupe(_ trace: Trace, _ change: (inout LoupeModelOptions) -> Void = { _ in }) -> LoupeModel {
        var options = LoupeModelOptions()
        change(&options)
        return LoupeModel(base: loupeBase, trace: trace, options: options)
    }

    static let loupeBase = Scene(
        canvas: Scene.Canvas(width: 1024, height: 768),
        layers: [Layer(content: fill, rect: Rect(x: 0, y: 0, width: 1024, height: 768))])

    static func loupe(_ hand: GestureScript, _ change: (inout LoupeModelOptions) -> Void = { _ in }) -> LoupeModel {
        loupe(hand.trace, change)
    }
}

extension LoupeModel {
    /// After the last event and all ghosts.
    var end: MotionFrame { frame(at: duration + 1) }

    /// The gestures that ever began, in order.
    var winners: [Gesture] { gestureDecisions.compactMap(\.winner) }
}

extension MotionFrame {
    /// The strokes on the page.
    var strokes: [Stroke] { scene.layers[0].strokes }
    var loupe: Loupe? { scene.loupes.first }

    func count(_ key: String, _ member: String) -> Double { self[key]?[member]?.number ?? .nan }

    /// The roles of the touches on the glass, in the order in which they came down.
    var roles: [String] {
        guard case .array(let touches)? = self["touches"] else { return [] }
        return touches.compactMap { if case .string(let role)? = $0["role"] { role } else { nil } }
    }
}

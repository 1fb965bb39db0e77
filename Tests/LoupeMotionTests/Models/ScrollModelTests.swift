import Glibc
import LoupeBase
import LoupeScene
import TestSupport
import Testing

import func Glibc.exp

@testable import LoupeMotion

/// On 320×480 with content of 1000×3000: offsets 0…680 and 0…2520.
@Suite struct ScrollModelTests {
    private func drag(to x: Double, _ y: Double, rest: Double = 0, cancelled: Bool = false) -> Trace {
        var script = TouchScript()
        script.drag(from: (200, 400), to: (x, y), at: 1, for: 0.25, rest: rest, cancelled: cancelled)
        return script.trace
    }

    @Test func dragMovesTheOriginAgainstTheFinger() {
        let model = SampleModels.scroll(drag(to: 150, 200, rest: 0.1))
        #expect(model.frame(at: 0).numbers("offset") == [0, 0])
        #expect(model.frame(at: 1.1).string("phase") == "dragging")
        for frame in [model.frame(at: 1.3), model.frame(at: 9)] { #expect(frame.numbers("offset") == [50, 200]) }
        #expect(model.frame(at: 9).string("phase") == "idle")
        #expect(model.frame(at: 9).scene.layers[0].rect.x == -50 && model.frame(at: 9).scene.layers[0].rect.y == -200)
    }

    @Test(arguments: [ScrollOptions.Property.bounds, .custom])
    func releaseDecaysAsPopDoes(property: ScrollOptions.Property) {
        let model = SampleModels.scroll(drag(to: 180, 200)) { $0.property = property }
        let decay = Deceleration.pop(from: 200, velocity: 800, threshold: property.threshold)
        for time in [0.0, 0.1, 1, 3, decay.duration, 9] {
            #expect(near(model.frame(at: 1.25 + time).numbers("offset")[1], decay.value(at: time), 1e-6))
        }
        // Both axes rest together, when the faster one is slow enough.
        let x = Deceleration.pop(from: 20, velocity: 80, threshold: property.threshold, fastest: 800)
        #expect(near(model.frame(at: 9).numbers("offset")[0], x.restValue, 1e-6))
        #expect(near(model.duration, 1.25 + decay.duration, 0.011))
        #expect(model.frame(at: 1.3).string("phase") == "decelerating")
    }

    @Test(arguments: 0..<50) func clampedOffsetsNeverLeaveTheirRange(seed: UInt64) {
        let model = SampleModels.scroll(TouchScript.random(seed: seed))
        for step in 0..<500 {
            let offset = model.frame(at: Double(step) / 50).numbers("offset")
            #expect((0...680).contains(offset[0]) && (0...2520).contains(offset[1]))
        }
    }

    @Test func freeRunsPastTheContentAndIsDraggedBackWithoutAJump() {
        var script = TouchScript()
        script.drag(from: (200, 200), to: (200, 400), at: 1, for: 0.1)
        script.drag(from: (200, 400), to: (200, 350), at: 9, for: 0.1, rest: 0.1)
        let model = SampleModels.scroll(script.trace) { $0.ends = .free }
        let far = model.frame(at: 8.9).numbers("offset")[1]
        #expect(far < -900)
        #expect(near(model.frame(at: 9).numbers("offset")[1], far))
        #expect(near(model.frame(at: 9.2).numbers("offset")[1], far + 50))
    }

    @Test func bounceStretchesAndComesBackToTheEnd() {
        var script = TouchScript()
        script.drag(from: (200, 200), to: (200, 300), at: 1, for: 0.5, rest: 0.1)
        script.drag(from: (200, 400), to: (200, 200), at: 4, for: 0.1)
        script.drag(from: (200, 200), to: (200, 300), at: 4.3, for: 0.05)
        let model = SampleModels.scroll(script.trace) { $0.ends = .bounce }
        #expect(near(model.frame(at: 1.55).numbers("offset")[1], -RubberBand(length: 480).stretch(100)))
        let past = (0..<230).map { model.frame(at: 1.61 + Double($0) / 100).numbers("offset")[1] }
        #expect(zip(past, past.dropFirst()).allSatisfy { $0 <= $1 } && past[229] == 0)
        #expect(model.frame(at: 1.7).string("phase") == "bouncing")
        // Thrown back to the top with velocity, it runs past it and returns.
        let thrown = (0..<800).map { model.frame(at: 4.36 + Double($0) / 100).numbers("offset")[1] }
        #expect(thrown.contains { $0 < -20 } && thrown[799] == 0)
        #expect(zip(thrown, thrown.dropFirst()).allSatisfy { abs($0 - $1) < 25 })
    }

    @Test func bouncingContentIsCaughtWhereItIs() {
        var script = TouchScript()
        script.drag(from: (200, 200), to: (200, 300), at: 1, for: 0.5)
        script.drag(from: (200, 200), to: (200, 200), at: 1.6, for: 0.2)
        let model = SampleModels.scroll(script.trace) { $0.ends = .bounce }
        let before = model.frame(at: 1.6 - 1e-7).numbers("offset")[1]
        #expect(before < -10 && near(model.frame(at: 1.7).numbers("offset")[1], before, 1e-3))
    }

    @Test(arguments: ScrollOptions.Ends.allCases) func axisWithAllContentInSightIsLocked(ends: ScrollOptions.Ends) {
        let model = SampleModels.scroll(drag(to: 100, 100), width: 300) { $0.ends = ends }
        for time in [1.1, 1.25, 1.3, 5] { #expect(model.frame(at: time).numbers("offset")[0] == 0) }
        #expect(model.frame(at: 5).numbers("offset")[1] > 300)
    }

    @Test func touchStopsTheDecelerationAndCancelThrowsNothing() {
        var script = TouchScript()
        script.drag(from: (200, 400), to: (200, 200), at: 1, for: 0.1)
        script.tap(200, 200, at: 1.5)
        let model = SampleModels.scroll(script.trace)
        #expect(model.frame(at: 1.5).numbers("offset") == model.frame(at: 9).numbers("offset"))
        let cancelled = SampleModels.scroll(drag(to: 200, 200, cancelled: true))
        #expect(cancelled.frame(at: 9).numbers("offset") == [0, 200])
    }

    /// A vertical throw over the top: once the spring has settled, nothing moves, although Pop's decay of the
    /// horizontal axis would last as long as the throw's.
    @Test(arguments: [ScrollOptions.Ends.bounce, .clamp]) func phasesFollowWhatMoves(ends: ScrollOptions.Ends) {
        var script = TouchScript()
        script.drag(from: (200, 100), to: (200, 300), at: 1, for: 0.05)
        let model = SampleModels.scroll(script.trace) {
            $0.ends = ends
            $0.offset = .init(dx: 0, dy: 600)
        }
        let last = (0..<600).last { model.frame(at: Double($0) / 100).string("phase") != "idle" } ?? 0
        for step in 106..<last {
            let frame = model.frame(at: Double(step) / 100)
            #expect(frame.numbers("velocity") != [0, 0] && frame.string("phase") != "idle", "\(step)")
        }
        #expect(near(model.duration, Double(last) / 100, 0.021) && model.duration < 3)
        #expect(model.frame(at: 5).numbers("offset") == [0, 0])
    }

    // MARK: - UIKit's feel

    private func uikit(rate: Double = 0.998, from y: Double = 0, _ write: (inout TouchScript) -> Void) -> ScrollModel {
        var script = TouchScript()
        write(&script)
        return SampleModels.scroll(script.trace, width: 300) {
            $0 = ScrollOptions(feel: .uikit)
            $0.deceleration = rate
            $0.offset.dy = y
        }
    }

    // MARK: - Any property

    /// - Parameter x: Where the layer is at the start.
    private func moving(
        _ options: String, from start: (Double, Double), to end: (Double, Double), at x: Double = 0
    ) throws -> ScrollModel {
        var script = TouchScript()
        script.drag(from: start, to: end, at: 1, for: 0.2)
        let text = """
            {"model": "scroll", "scene": {"canvas": {"width": 320, "height": 480},
              "layers": [{"fill": "white", "rect": [\(x), 0, 320, 480], "corner": {"radius": 20}}],
              "loupes": [{"center": [90, 80], "radius": 34, "zoom": 2, "shadow": {"offset": [0, 3], "blur": 9}}]},
             "trace": \(TraceEncoder.json(of: script.trace).text()), "options": {\(options)}}
            """
        let decoder = SessionDecoder { _ in
            ImageSize(width: 1, height: 1)
        } file: { _ in
            []
        }
        guard case .scroll(let model) = try decoder.decode(Array(text.utf8)).model else { fatalError("another model") }
        return model
    }

    /// The finger moves by 40 points to the right and by 20 down.
    @Test(
        "A drag moves any number of the scene, and states show the number itself",
        arguments: [
            ("loupes[0].radius", [34.0], [74.0]), ("loupes[0].zoom", [2], [2.4]), ("loupes[0].shadow.blur", [9], [49]),
            ("loupes[0].shadow.offset", [0, 3], [40, 23]), ("layers[0].corner.radius", [20], [60]),
            ("loupes[0].center", [90, 80], [130, 100]),
        ]) func anyProperty(_ path: String, _ before: [Double], _ after: [Double]) throws
    {
        let model = try moving(#""property": "\#(path)""#, from: (100, 100), to: (140, 120))
        func shown(_ time: Double) -> [Double] {
            let value = model.frame(at: time)[path]
            return value?.numbers ?? [value?.number ?? .nan]
        }
        #expect(shown(0) == before)
        for (value, expected) in zip(shown(1.2), after) { #expect(near(value, expected)) }
        let scene = model.frame(at: 1.1).scene
        #expect(SceneProperty(path: path)?.values(in: scene) == shown(1.1))
        #expect(model.frame(at: 1)["offset"] == nil)
        #expect(Session.Model.scroll(model).measures.quantities.map(\.key).allSatisfy { $0.hasPrefix(path) })
    }

    @Test func opacityAndRangesAreKept() throws {
        let opacity = try moving(#""property": "layers[0].opacity""#, from: (200, 100), to: (150, 100))
        #expect(near(opacity.frame(at: 1.2).scene.layers[0].opacity, 0.5))
        let range = try moving(
            #""property": "loupes[0].radius", "range": [30, 40]"#, from: (100, 100), to: (200, 100))
        #expect(range.frame(at: 1.2).scene.loupes[0].radius == 40)
    }

    /// Pop's toValue: the spring takes the velocity of the finger, and ends at the value.
    @Test func releaseSpringsToAValue() throws {
        let options =
            #""property": "loupes[0].radius", "perPoint": 0.5, "toValue": 100, "#
            + #""spring": {"dampingRatio": 0.5, "response": 0.4}"#
        let model = try moving(options, from: (100, 100), to: (160, 100))
        // 60 points in 0.2 s, at half a point each: 150 points a second from 64 on.
        #expect(near(model.frame(at: 1.2).number("loupes[0].radius"), 64))
        let frequency = 2 * Double.pi / 0.4
        for time in [0.05, 0.2, 0.5] {
            let expected = integrate(from: (64, 150), to: time) { x, v in
                -frequency * (frequency * (x - 100) + v)
            }
            #expect(near(model.frame(at: 1.2 + time).number("loupes[0].radius"), expected.x, 0.05))
        }
        #expect(model.frame(at: 1.3).string("phase") == "springing")
        #expect(model.frame(at: 9).number("loupes[0].radius") == 100)
    }

    @Test func whatIsNoPropertyOrHasNoGoalIsRefused() {
        func said(_ options: String) -> String { complaint { try moving(options, from: (1, 1), to: (2, 2)) } }
        #expect(said(#""property": "loupes[0].size""#).hasPrefix("options.property: \"loupes[0].size\" is not allowed"))
        #expect(said(#""toValue": 3"#).hasPrefix("options.toValue: only a property of the scene has it"))
        let spring = #""property": "loupes[0].radius", "spring": {}"#
        #expect(said(spring).hasPrefix("options.spring: it leads to a toValue, and there is none"))
        let range = #""property": "loupes[0].radius", "range": [3, 2]"#
        #expect(said(range) == "options.range: 3 is not below 2")
        // From outside of it the property would jump at the first release.
        let far = #""property": "loupes[0].radius", "range": [40, 50]"#
        #expect(said(far) == "options.range: the scene's value, 34, is not in it")
    }

    /// A position that lies beyond the canvas stays there until a finger moves it, and moves from there.
    @Test func aPropertyStartsWhereTheSceneHasIt() throws {
        let model = try moving(#""property": "layers[0].rect""#, from: (100, 100), to: (102, 100), at: -30)
        #expect(model.frame(at: 0).numbers("layers[0].rect")[0] == -30)
        #expect(near(model.frame(at: 1.2).numbers("layers[0].rect")[0], -28))
    }

    @Test func labelsMoveWithTheContent() {
        var script = TouchScript()
        script.drag(from: (200, 400), to: (200, 340), at: 1, for: 0.2, rest: 1)
        var scene = Scene(
            canvas: SampleModels.canvas,
            layers: [Layer(content: SampleModels.fill, rect: Rect(x: 0, y: 0, width: 320, height: 3000))])
        scene.labels = [Label("here", at: .point(Point(x: 100, y: 900), align: .zero))]
        scene.pixelSize = PhysicalLength(1, .um)
        scene.scaleBars = [ScaleBar(of: PhysicalLength(50, .um), corner: .topLeft)]
        let model = ScrollModel(scene: scene, contentWidth: 320, contentHeight: 3000, trace: script.trace)
        let frame = model.frame(at: 1.9).scene
        #expect(frame.labels.map(\.text) == ["50 µm", "here"])
        #expect(frame.labels[1].anchor == .point(Point(x: 100, y: 840), align: .zero))
        #expect(frame.layers[0].rect.y == -60)
        // The bar is 12 points from the layer's corner, and leaves the canvas with it.
        #expect(frame.scaleBars.isEmpty)
        #expect(frame.layers[1].rect.width.rounded() == 50)
        #expect(near(frame.layers[1].rect.y, -48, 1))
    }

    @Test func slopIsTakenOffTheFirstMove() {
        let model = uikit {
            $0.finger([(1, 200, 400), (1.1, 200, 391), (1.2, 200, 370), (1.3, 200, 350), (2, 200, 350)])
        }
        let offsets = [1.15, 1.25, 1.5, 3].map { model.frame(at: $0).numbers("offset")[1] }
        #expect(offsets == [0, 20, 40, 40])
        #expect([1.15, 1.25, 2.1].map { model.frame(at: $0).string("phase") } == ["idle", "dragging", "idle"])
        // A touch that stays within the slop throws nothing, however fast.
        let tap = uikit { $0.finger([(1, 200, 400), (1.004, 200, 392), (1.005, 200, 392)]) }
        #expect(tap.frame(at: 5).numbers("offset") == [0, 0])
    }

    @Test func thrownOverTheTopItBouncesWithTheVelocityOfArrival() {
        let thrown = uikit(from: 100) {
            $0.drag(from: (200, 100), to: (200, 180), at: 1, for: 0.08)
        }
        let deceleration = Deceleration.uikit(from: 30, velocity: -1000)
        let crossing = deceleration.time(reaching: 0) ?? .nan
        let speed = deceleration.velocity(at: crossing)
        for time in [0.05, 0.2, 0.5] {
            let offset = thrown.frame(at: 1.08 + crossing + time).numbers("offset")[1]
            #expect(near(offset, speed * time * exp(-11 * time), 1e-3))
        }
        #expect(thrown.frame(at: 5).numbers("offset") == [0, 0] && thrown.frame(at: 5).string("phase") == "idle")
    }
}

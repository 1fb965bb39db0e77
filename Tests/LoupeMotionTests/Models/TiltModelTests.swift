import LoupeBase
import LoupeScene
import Testing

import func Glibc.pow
import func Glibc.sin

@testable import LoupeMotion

/// On 320×480 with a photo of 3:1: z = 1.5·3 = 4.5, content 1440, offsets 0…1120.
@Suite struct TiltModelTests {
    private func model(_ write: (inout TouchScript) -> Void) -> TiltModel {
        var script = TouchScript()
        write(&script)
        return SampleModels.tilt(script.trace)
    }

    @Test func startsCentredAtFullHeight() {
        let frame = model { _ in }.frame(at: 0)
        #expect(frame.number("offset") == 560 && frame.number("presentationOffset") == 560)
        let rect = frame.scene.layers[0].rect
        #expect(rect.x == -560 && rect.y == 0 && near(rect.width, 1440) && near(rect.height, 480))
    }

    @Test func samplesAreGatedAndAccumulateOnTheModel() {
        let model = model {
            $0.rotate(0, 2, 0, at: 0.1)
            $0.rotate(1, 1.9, 1, at: 0.15)  // gated
            $0.rotate(0.5, -1, 0.5, at: 0.15)  // gated: equal is not more
            $0.rotate(0.1, -1, 0.1, at: 0.2)
        }
        #expect(near(model.frame(at: 0.1).number("offset"), 560 - 5 * 4.5 * 2))
        #expect(model.frame(at: 0.1).number("presentationOffset") == 560)
        #expect(near(model.frame(at: 0.17).number("offset"), 515))
        #expect(near(model.frame(at: 0.2).number("offset"), 515 + 22.5))
        // The second ease begins at the presentation value, a third into the first.
        let shown = 560 - 45 * TimingCurve.easeOut.progress(at: 1.0 / 3)
        #expect(near(model.frame(at: 0.2).number("presentationOffset"), shown, 1e-9))
        #expect(near(model.frame(at: 0.35).number("presentationOffset"), (shown + (537.5 - shown) * 0.6846432), 1e-2))
        #expect(model.frame(at: 0.5).number("presentationOffset") == 537.5)
    }

    @Test func offsetStopsAtTheEnds() {
        let model = model { script in
            for step in 0..<60 { script.rotate(0, 9, 0, at: Double(step) / 60) }
            for step in 60..<180 { script.rotate(0, -9, 0, at: Double(step) / 60) }
        }
        #expect(model.frame(at: 0.99).number("offset") == 0)
        #expect(near(model.frame(at: 4).number("offset"), 1120))
    }

    /// Measured on the scene: the visible part of the photo, and its position.
    @Test(arguments: 0..<30) func barMatchesThePhotoShownInTheSameFrame(seed: UInt64) {
        let model = SampleModels.tilt(TouchScript.random(seed: seed))
        for step in 0..<400 {
            let frame = model.frame(at: Double(step) / 57)
            let (photo, track, stroke) = (
                frame.scene.layers[0].rect, frame.scene.layers[1].rect, frame.scene.layers[2].rect
            )
            #expect(photo.minX <= 1e-9 && photo.maxX >= 320 - 1e-9)
            let visible = min(320 / photo.width, 1)
            #expect(near(stroke.width / track.width, visible))
            #expect(near((stroke.x - track.x) / track.width, max(0, -photo.x) / photo.width))
            #expect(near(track.x, 10) && near(track.width, 300) && near(track.y + 0.5, 430))
        }
    }

    @Test func tapShowsTheFullPhotoAndMotionRestsUntilTheReturnHasEnded() {
        let model = model {
            $0.tap(160, 240, at: 1)
            $0.rotate(0, 3, 0, at: 2)
            $0.tap(160, 240, at: 3)
            $0.rotate(0, 3, 0, at: 3.2)
            $0.rotate(0, 3, 0, at: 3.36)
        }
        let out = model.frame(at: 2)
        #expect(out.string("mode") == "full" && out.number("zoom") == 1 && out.number("offset") == 0)
        let rect = out.scene.layers[0].rect
        #expect(rect.x == 0 && rect.width == 320 && near(rect.midY, 240))
        #expect(out["scrollBar"]?["length"]?.number == 1)
        #expect(near(model.frame(at: 1.2).number("zoom"), 4.5 - 3.5 * 0.5, 1e-6))
        #expect(model.frame(at: 3.3).number("offset") == 560)
        #expect(near(model.frame(at: 3.4).number("offset"), 560 - 67.5))
    }

    @Test func photoNarrowerThanTheCanvasStaysCentredAndTheBarFull() {
        var script = TouchScript()
        script.rotate(0, 5, 0, at: 0.1)
        script.tap(10, 10, at: 1)
        let model = SampleModels.tilt(script.trace, width: 300, height: 1000)
        for time in [0.0, 0.2, 1.2, 2] {
            let frame = model.frame(at: time)
            #expect(frame.number("offset") == 0 && near(frame.scene.layers[0].rect.x, 88))
            #expect(frame["scrollBar"]?["position"]?.number == 0 && frame["scrollBar"]?["length"]?.number == 1)
        }
    }

    @Test func dragFollowsTheFingerAndRotationWaits() {
        let model = model {
            $0.drag(from: (100, 100), to: (200, 110), at: 1, for: 0.5)
            $0.rotate(0, 3, 0, at: 1.3)
        }
        // The first ten points make it a drag, and are not made up for.
        let slop = 10 * 100 / (100.0 * 100 + 10 * 10).squareRoot()
        #expect(near(model.frame(at: 1.25).number("offset"), 510 + slop, 1e-6))
        #expect(near(model.frame(at: 1.5).number("presentationOffset"), 460 + slop, 1e-6))
        // Released at 200 points a second, it decelerates by UIKit's target: (v₀ − 10) · 0.4995.
        #expect(near(model.frame(at: 9).number("presentationOffset"), 460 + slop - 190 * 0.4995, 0.01))
    }

    // MARK: - Pinches

    /// Two fingers around (100, 240) from 40 to 80 points apart, then back, while the device turns.
    private func pinch(by factors: [Double], rotating: Bool = false) -> Trace {
        var events: [Trace.Event] = []
        func touch(_ id: Int, _ phase: Touch.Phase, _ half: Double, at time: Double) {
            let x = 100 + (id == 1 ? -half : half)
            events.append(Trace.Event(time: time, .touch(Touch(id: id, phase: phase, position: Point(x: x, y: 240)))))
        }
        for id in [1, 2] { touch(id, .began, 20, at: 1) }
        for (index, factor) in factors.enumerated() {
            for id in [1, 2] { touch(id, .moved, 20 * factor, at: 1.1 + 0.1 * Double(index)) }
        }
        let end = 1.1 + 0.1 * Double(factors.count)
        for id in [1, 2] { touch(id, .ended, 20 * (factors.last ?? 1), at: end) }
        if rotating {
            let turns = (0..<20).map {
                Trace.Event(time: 1 + Double($0) * 0.02, .rotation(RotationRate(x: 0, y: 1, z: 0)))
            }
            events = (events + turns).enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.1)
        }
        return Trace(events)
    }

    /// z is 4.5, and the photo begins centred, 560 points to the left of the canvas.
    @Test func pinchZoomsAboutItsMiddleBetweenFitAndZ() {
        let model = SampleModels.tilt(pinch(by: [0.5, 2]))
        #expect(model.frame(at: 1.05).string("gesture") == "pinch")
        #expect(near(model.frame(at: 1.15).number("zoom"), 2.25))
        // The point of the photo under x = 100 stays there.
        #expect(near(model.frame(at: 1.15).number("presentationOffset"), (560 + 100) / 2 - 100))
        #expect(near(model.frame(at: 1.25).number("zoom"), 4.5))
        #expect(near(model.frame(at: 9).number("presentationOffset"), 560))
        #expect(model.frame(at: 9).string("gesture") == "none")
        let small = SampleModels.tilt(pinch(by: [0.5, 0.1]))
        #expect(small.frame(at: 9).number("zoom") == 1)
        #expect(small.frame(at: 9).string("mode") == "full")
        #expect(small.frame(at: 9)["motion"] == .bool(false))
    }

    @Test func rotationDoesNotCountWhileAPinchLasts() {
        let turning = SampleModels.tilt(pinch(by: [0.8, 0.8, 0.8, 0.8], rotating: true))
        let still = SampleModels.tilt(pinch(by: [0.8, 0.8, 0.8, 0.8]))
        #expect(
            turning.frame(at: 1.45).number("presentationOffset") == still.frame(at: 1.45).number("presentationOffset"))
        #expect(turning.frame(at: 1.45)["motion"] == .bool(false))
        #expect(still.frame(at: 1.6)["motion"] == .bool(true))
    }

    // MARK: - Sample rates

    /// A turn of a quarter of a radian moves the photo by one distance, whatever rate and format the log has.
    @Test(arguments: [50.0, 60, 100, 120, 200]) func oneTurnMovesOneDistance(rate: Double) throws {
        func speed(_ time: Double) -> Double { time < 1 ? 0.5 * pow(sin(.pi * time), 2) : 0 }
        let times = (0...Int(2.5 * rate)).map { Double($0) / rate }
        let json = times.map { #"{"t": \#($0), "rotation": [0, \#(speed($0)), 0]}"# }.joined(separator: "\n")
        let csv = "time,x,y,z\n" + times.map { "\($0),0,\(speed($0)),0\n" }.joined()
        for log in [json, csv] {
            let decoder = SessionDecoder { _ in
                ImageSize(width: 3000, height: 1000)
            } file: { _ in
                Array(log.utf8)
            }
            let text = #"{"model": "tilt", "canvas": {"width": 320, "height": 480}, "photo": "p", "trace": "t"}"#
            let frame = try decoder.decode(Array(text.utf8)).model.frame(at: 9)
            // 60 samples a second of 0.25 rad in all: 5 · 4.5 · 15 points.
            #expect(near(frame.states["presentationOffset"]?.number ?? .nan, 560 - 337.5, 1))
        }
    }
}

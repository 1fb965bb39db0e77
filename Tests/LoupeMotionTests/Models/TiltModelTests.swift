import LoupeScene
import Testing

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
}

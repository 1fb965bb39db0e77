import LoupeScene
import Testing

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
        let decay = Decay(from: 200, velocity: 800, threshold: property.threshold)
        for time in [0.0, 0.1, 1, 3, decay.duration, 9] {
            #expect(near(model.frame(at: 1.25 + time).numbers("offset")[1], decay.value(at: time), 1e-6))
        }
        // Both axes rest together, when the faster one is slow enough.
        let x = Decay(from: 20, velocity: 80, threshold: property.threshold, fastest: 800)
        #expect(near(model.frame(at: 9).numbers("offset")[0], x.restValue, 1e-6))
        #expect(near(model.duration, 1.25 + decay.duration, 0.011))
        #expect(model.frame(at: 1.3).string("phase") == "decelerating")
    }

    @Test(arguments: 0..<50) func clampedOffsetsNeverLeaveTheirRange(seed: UInt64) {
        for lock in [false, true] {
            let model = SampleModels.scroll(TouchScript.random(seed: seed)) { $0.directionLock = lock }
            for step in 0..<500 {
                let offset = model.frame(at: Double(step) / 50).numbers("offset")
                #expect((0...680).contains(offset[0]) && (0...2520).contains(offset[1]))
            }
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

    @Test func directionLockKeepsToTheMainAxis() {
        let steep = SampleModels.scroll(drag(to: 180, 200)) { $0.directionLock = true }
        #expect(steep.frame(at: 9).numbers("offset")[0] == 0 && steep.frame(at: 9).numbers("offset")[1] > 200)
        let diagonal = SampleModels.scroll(drag(to: 80, 250)) { $0.directionLock = true }
        #expect(diagonal.frame(at: 9).numbers("offset")[0] > 120 && diagonal.frame(at: 9).numbers("offset")[1] > 150)
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
}

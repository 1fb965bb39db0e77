import Glibc
import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Opening, moving, zooming and closing the loupe.
@Suite struct LoupeLifeTests {
    @Test func pinchApartSummonsItAtItsCentreAndTheSpanSetsTheZoom() throws {
        let hand = GestureScript.opened(seed: 1)
        let model = SampleModels.loupe(hand)
        #expect(model.frame(at: 0.05).string("phase") == "closed" && model.frame(at: 0.05).loupe == nil)
        let loupe = try #require(model.frame(at: hand.time).loupe)
        #expect(loupe.center.distance(to: Point(x: 500, y: 400)) < 1e-9 && loupe.focus == loupe.center)
        // The first 20 of the 120 points decide that it is a pinch.
        #expect(near(loupe.zoom, 180.0 / 80) && loupe.radius == 110)
    }

    @Test(arguments: [0.02, 0.5, 2])
    func palmThatRestsElsewhereDoesNotKeepItFromComing(ahead: Double) {
        var hand = GestureScript(seed: 1, jitter: 0)
        hand.put("palm", at: Point(x: 100, y: 740))
        hand.wait(ahead)
        hand.pinch(at: Point(x: 500, y: 400), by: 120, in: 0.3)
        let end = SampleModels.loupe(hand).end
        #expect(end.string("phase") == "held" && end.roles == ["idle", "holding", "holding"])
        #expect((end.loupe?.center ?? .zero).distance(to: Point(x: 500, y: 400)) < 1e-9)
    }

    @Test func zoomStaysWithinItsRange() {
        var hand = GestureScript(seed: 1, jitter: 0)
        hand.pinch(at: Point(x: 500, y: 400), by: 900, in: 1, span: 20)
        #expect(SampleModels.loupe(hand).end.number("zoom") == 8)
        #expect(SampleModels.loupe(hand) { $0.thresholds.greatestZoom = 5 }.end.number("zoom") == 5)
    }

    @Test func pinchTogetherSummonsNothing() {
        var hand = GestureScript(seed: 1, jitter: 0)
        hand.pinch(at: Point(x: 500, y: 400), by: -100, in: 0.3, span: 200)
        #expect(SampleModels.loupe(hand).end.string("phase") == "closed")
        // The same fingers spread again.
        hand.pinch(by: 100, in: 0.3)
        #expect(SampleModels.loupe(hand).end.string("phase") == "held")
    }

    @Test func liftingOneTouchKeepsItAndTheOtherMovesIt() {
        for (lifted, left) in [("left", "right"), ("right", "left")] {
            var hand = GestureScript.opened(seed: 2)
            hand.lift(lifted)
            hand.wait(0.1)
            let before = SampleModels.loupe(hand).end
            #expect(before.string("phase") == "held" && before.roles == ["holding"])
            let start = before.loupe?.center ?? .zero
            let finger = left == "right" ? Point(x: 590, y: 400) : Point(x: 410, y: 400)
            hand.move(left, to: finger + Vector(dx: 120, dy: -70), in: 0.4)
            let after = SampleModels.loupe(hand).end
            #expect((after.loupe?.center ?? .zero).distance(to: start + Vector(dx: 120, dy: -70)) < 1e-9)
            #expect(after.loupe?.zoom == before.loupe?.zoom)
        }
    }

    @Test func bothLiftedItStaysOrCloses() {
        let hand = GestureScript.resting(seed: 3)
        #expect(SampleModels.loupe(hand).end.string("phase") == "resting")
        #expect(SampleModels.loupe(hand).end.loupe?.center == Point(x: 500, y: 400))
        let closing = SampleModels.loupe(hand) { $0.released = .closes }
        #expect(closing.end.string("phase") == "closed" && closing.end.scene.loupes.isEmpty)
    }

    @Test func pinchTogetherZoomsOutAndThenCloses() {
        var hand = GestureScript.resting(seed: 4)
        hand.pinch(at: Point(x: 510, y: 400), by: -60, in: 0.3, span: 200)
        let smaller = SampleModels.loupe(hand).end
        #expect(smaller.string("phase") == "held" && smaller.number("zoom") < 2.25 && smaller.number("zoom") > 1)
        hand.pinch(by: -80, in: 0.3)
        #expect(SampleModels.loupe(hand).end.string("phase") == "closed")
        hand.lift("left", "right")
        #expect(SampleModels.loupe(hand).end.string("phase") == "closed")
    }

    /// The zoom varies about 1 without closing the loupe.
    @Test func jitterAtTheLeastZoomDoesNotClose() {
        var hand = GestureScript(seed: 5)
        hand.pinch(at: Point(x: 500, y: 400), by: 20, in: 0.2, span: 200)
        for _ in 0..<20 { hand.pinch(by: 0, in: 0.1) }
        #expect(SampleModels.loupe(hand).end.string("phase") == "held")
    }

    @Test func twoTouchPanMovesARestingLoupeWithoutZooming() {
        var hand = GestureScript.resting(seed: 6)
        hand.put(around: Point(x: 500, y: 400), span: 80)
        hand.pan(by: Vector(dx: 0, dy: 200), in: 0.5)
        let model = SampleModels.loupe(hand)
        #expect(model.winners == [.pinch, .pan] && near(model.end.number("zoom"), 2.25))
        // Six samples distinguish the pan from a circle: five steps of 6.7 points.
        #expect(near(model.end.numbers("center")[1], 400 + 200 - 100.0 / 3, 1e-6))
    }

    @Test func oneTouchTakesARestingLoupeInHand() {
        var hand = GestureScript.resting(seed: 7)
        hand.put("one", at: Point(x: 480, y: 380))
        hand.move("one", to: Point(x: 680, y: 380), in: 0.3)
        #expect(SampleModels.loupe(hand).end.roles == ["holding"])
        #expect(SampleModels.loupe(hand).end.numbers("center")[0] > 680)
        // One beside it does not.
        hand.lift("one")
        hand.put("two", at: Point(x: 200, y: 200))
        hand.move("two", to: Point(x: 300, y: 200), in: 0.3)
        #expect(SampleModels.loupe(hand).end.roles == ["waiting"])
    }

    @Test(arguments: [(-900.0, 0.0), (900, 0), (0, -900), (0, 900)])
    func itMayLeaveThePageAtAnySideButForAThird(dx: Double, dy: Double) {
        var hand = GestureScript.held()
        hand.move("right", to: Point(x: 590 + dx, y: 400 + dy), in: 0.5)
        let center = SampleModels.loupe(hand).end.numbers("center")
        let beyond = 110 * 2 / 3.0
        #expect(near(center[0], (500 + dx).clamped(to: -beyond...1024 + beyond), 1e-9))
        #expect(near(center[1], (400 + dy).clamped(to: -beyond...768 + beyond), 1e-9))
    }

    @Test func pinchElsewhereSummonsARestingLoupeThere() {
        var hand = GestureScript(seed: 8, jitter: 0)
        hand.pinch(at: Point(x: 300, y: 300), by: 120, in: 0.3)
        hand.lift("left", "right")
        hand.wait(0.3)
        hand.pinch(at: Point(x: 800, y: 600), by: 60, in: 0.3)
        let frame = SampleModels.loupe(hand).end
        #expect(frame.scene.loupes.count == 1)
        #expect((frame.loupe?.center ?? .zero).distance(to: Point(x: 800, y: 600)) < 1e-9)
        #expect(near(frame.number("zoom"), 120.0 / 76.7, 0.01))
    }

    @Test func zoomDoesNotJumpWhenAPinchIsTold() {
        var hand = GestureScript.resting(seed: 9)
        hand.pinch(at: Point(x: 500, y: 400), by: 60, in: 0.6)
        let model = SampleModels.loupe(hand)
        let zooms = (0...600).map { model.frame(at: 0.75 + Double($0) / 600).number("zoom") }
        for (zoom, next) in zip(zooms, zooms.dropFirst()) { #expect(abs(next - zoom) < 0.06) }
    }

    /// A touch that is never lifted continues to have its effect.
    @Test func touchesThatNeverEndGoOn() {
        var hand = GestureScript.held()
        hand.put("pen", at: Point(x: 500, y: 380))
        hand.move("pen", to: Point(x: 480, y: 380), in: 0.1)
        let frame = SampleModels.loupe(hand).frame(at: 1000)
        #expect(frame.roles == ["holding", "drawing"] && frame.strokes.count == 1)
    }

    @Test func twiceBegunAndNeverBegunTouchesHaveNoEffect() {
        let hand = GestureScript.held()
        let extra = [
            Touch(id: 2, phase: .began, position: Point(x: 10, y: 10)),
            Touch(id: 77, phase: .moved, position: Point(x: 500, y: 400)),
            Touch(id: 78, phase: .ended, position: Point(x: 500, y: 400)),
        ].map { Trace.Event(time: 1, .touch($0)) }
        let (plain, disturbed) = (SampleModels.loupe(hand), SampleModels.loupe(Trace(hand.trace.events + extra)))
        #expect(plain.end == disturbed.end && plain.end.roles == ["holding"])
    }
}

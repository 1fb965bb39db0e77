import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// A finger that drags the loupe over a side of the screen and comes back, early, late or elsewhere.
@Suite struct LoupeGhostTests {
    enum Side: CaseIterable {
        case left, right, top, bottom

        /// The last position of the finger.
        var exit: Point {
            switch self {
            case .left: Point(x: 6, y: 400)
            case .right: Point(x: 1018, y: 400)
            case .top: Point(x: 590, y: 6)
            case .bottom: Point(x: 590, y: 762)
            }
        }

        var outward: Vector {
            switch self {
            case .left: Vector(dx: -1, dy: 0)
            case .right: Vector(dx: 1, dy: 0)
            case .top: Vector(dx: 0, dy: -1)
            case .bottom: Vector(dx: 0, dy: 1)
            }
        }

        var along: Vector { Vector(dx: outward.dy, dy: outward.dx) }
    }

    private func left(over side: Side, seed: UInt64 = 0, jitter: Double = 0) -> GestureScript {
        var hand = GestureScript.held(seed: seed, jitter: jitter)
        hand.move("right", to: side.exit, in: 0.4)
        hand.lift("right")
        return hand
    }

    private func center(_ frame: MotionFrame) -> Point {
        let center = frame.numbers("center")
        return Point(x: center[0], y: center[1])
    }

    /// The finger nearer to the side moves outward, but the hand has released the loupe.
    @Test(arguments: [["left", "right"], ["right", "left"]])
    func pinchBesideASideStaysWhereBothFingersAreLifted(_ order: [String]) {
        var hand = GestureScript(seed: 1, jitter: 0)
        hand.pinch(at: Point(x: 90, y: 400), by: 110, in: 0.4)
        for finger in order { hand.lift(finger) }
        let model = SampleModels.loupe(hand)
        for wait in [0.0, 0.1, 1] {
            let frame = model.frame(at: hand.time + wait)
            #expect(center(frame).distance(to: Point(x: 90, y: 400)) < 2, "after \(wait) s")
        }
        #expect(model.end.string("phase") == "resting")
    }

    /// The prediction moves on; the loupe does not.
    @Test(arguments: Side.allCases)
    func itWaitsWhereItIsForACappedTime(_ side: Side) {
        let hand = left(over: side)
        let model = SampleModels.loupe(hand)
        let lift = hand.time - 0.004
        let start = center(model.frame(at: lift))
        #expect(model.frame(at: lift + 0.1).string("phase") == "held" && model.frame(at: lift).roles.isEmpty)
        for time in [0.1, 0.25, 0.45, 0.6] { #expect(center(model.frame(at: lift + time)) == start) }
        #expect(model.frame(at: lift + 0.51).string("phase") == "resting")
        #expect(model.frame(at: lift + 0.6).scene == model.frame(at: lift + 50).scene)
    }

    @Test(arguments: Side.allCases)
    func backEarlyItTakesTheGhostOver(_ side: Side) {
        for seed in 0..<50 {
            var hand = left(over: side, seed: UInt64(seed), jitter: 0.5)
            let grip = Vector(dx: -90, dy: 0)
            hand.wait(hand.number(0.1...0.45))
            let position = side.exit + hand.number(-60...60) * side.along
            hand.put("again", at: position)
            hand.move("again", to: position - 200 * side.outward, in: 0.3)
            let frame = SampleModels.loupe(hand).end
            #expect(frame.roles == ["holding"] && frame.strokes.isEmpty)
            #expect((center(frame) - position - grip + 200 * side.outward).length < 6)
        }
    }

    /// The finger holds the loupe on the inner side, 90 points from its centre, and leaves fast or slowly.
    @Test(arguments: [600.0, 3000], [true, false])
    func gripIsKeptAndAThirdStaysOnTheCanvas(speed: Double, isBack: Bool) {
        var hand = GestureScript.opened(seed: 0, rate: 120)
        hand.lift("right")
        hand.move("left", to: Point(x: 1018, y: 400), in: 608 / speed)
        hand.lift("left")
        let lift = hand.time
        let grip = Vector(dx: 90, dy: 0)
        hand.wait(0.3)
        if isBack {
            hand.put("again", at: Point(x: 1018, y: 410))
            // The grip is beside the side: two thirds of the radius may be beyond it.
            let shown = center(SampleModels.loupe(hand).frame(at: hand.time))
            #expect(near(shown.x, 1097.333_333, 1e-5))
            hand.move("again", to: Point(x: 700, y: 410), in: 0.3)
            #expect((center(SampleModels.loupe(hand).end) - Point(x: 700, y: 410) - grip).length < 1e-9)
        }
        let model = SampleModels.loupe(hand)
        for step in 0...(isBack ? 29 : 200) {
            let frame = model.frame(at: lift + Double(step) / 100)
            #expect(frame.string("phase") == (step < 50 ? "held" : "resting"))
            #expect(center(frame).x - frame.number("radius") <= 1024 - frame.number("radius") / 3 + 1e-9)
        }
    }

    /// A fast finger's last sample lies up to a sample's way before the border, it leaves at an angle, and the hand drifts
    /// on while it is away.
    @Test(arguments: [600.0, 1500, 3000], [60.0, 120]) func fastFingersAreTakenUpAgain(speed: Double, rate: Double) {
        var back = 0
        for seed in 0..<40 as Range<UInt64> {
            var hand = GestureScript.opened(seed: seed, jitter: 0.5, rate: rate)
            hand.lift("left")
            let way = Vector(dx: 1, dy: 0).turned(by: hand.number(-0.6...0.6))
            // Down to the last sample within the canvas.
            let steps = (430 / (way.dx * speed / rate)).rounded(.down)
            let exit = Point(x: 590, y: 400) + steps * speed / rate * way
            hand.move("right", to: exit, in: steps / rate)
            hand.time -= 0.005 - 1 / rate
            hand.lift("right")
            let away = hand.number(0.08...0.42)
            hand.wait(away)
            let drift = hand.number(0...1) * away * speed * way.dy
            hand.put(
                "again",
                at: Point(x: 1024 - hand.number(0...1) * speed / rate, y: exit.y + drift + hand.number(-60...60)))
            let frame = SampleModels.loupe(hand).end
            if frame.roles == ["holding"] { back += 1 }
            #expect(!frame.roles.contains("drawing"))
        }
        #expect(back >= 38, "\(back) of 40")
    }

    @Test(arguments: Side.allCases)
    func backLateItBeginsAnew(_ side: Side) {
        var hand = left(over: side)
        hand.wait(0.6)
        hand.put("again", at: side.exit)
        let frame = SampleModels.loupe(hand).end
        #expect(frame.string("phase") == "resting" && frame.roles == ["waiting"])
    }

    @Test(arguments: Side.allCases)
    func backElsewhereItBeginsAnew(_ side: Side) {
        var hand = left(over: side)
        hand.wait(0.2)
        // At the same side, but too far along it; and near the path, but not at the border.
        for position in [side.exit + 150 * side.along, side.exit - 60 * side.outward] {
            var other = hand
            other.put("other", at: position)
            let frame = SampleModels.loupe(other).frame(at: other.time)
            #expect(frame.string("phase") == "held" && frame.roles != ["holding"])
        }
    }

    @Test func liftedSlowlyOrInwardOrCancelledItIsNoGhost() {
        var slow = GestureScript.held()
        slow.move("right", to: Side.right.exit, in: 0.4)
        slow.wait(0.1)
        slow.lift("right")
        var inward = GestureScript.held()
        inward.move("right", to: Side.right.exit, in: 0.4)
        inward.move("right", to: Point(x: 990, y: 400), in: 0.1)
        inward.lift("right")
        var cancelled = GestureScript.held()
        cancelled.move("right", to: Side.right.exit, in: 0.4)
        cancelled.cancel("right")
        for hand in [slow, inward, cancelled] {
            #expect(SampleModels.loupe(hand).frame(at: hand.time).string("phase") == "resting")
        }
    }

    /// One finger of a pinch leaves and comes back: the same pinch continues to zoom.
    @Test func pinchGoesOnWithAGhost() {
        var hand = GestureScript(seed: 1, jitter: 0)
        hand.pinch(at: Point(x: 850, y: 400), by: 330, in: 0.3, span: 60)
        hand.lift("right")
        let lift = hand.time - 0.004
        hand.wait(0.2)
        let model = SampleModels.loupe(hand)
        let zooms = [0.0, 0.1, 0.2].map { model.frame(at: lift + $0).number("zoom") }
        #expect(zooms[0] == zooms[1] && zooms[1] == zooms[2])
        hand.put("again", at: Point(x: 1020, y: 400))
        hand.move("again", to: Point(x: 920, y: 400), in: 0.2)
        let taken = SampleModels.loupe(hand)
        #expect(taken.winners == [.pinch] && taken.end.roles == ["holding", "holding"])
        #expect(near(taken.end.number("zoom"), zooms[0] * (920 - 685) / (1015 - 685), 0.2))
        #expect(taken.timeline.states.last?.records.last?.records[0].state == .changed)
        // At the end of its lifetime, the ghost ends.
        #expect(model.timeline.states.last?.records.last?.records[0].state == .ended)
    }

    @Test func touchThatTakesTheOldNumberIsNotMistakenForTheGhost() {
        let hand = left(over: .right)
        let again = [
            Trace.Event(
                time: hand.time + 0.1, .touch(Touch(id: 2, phase: .began, position: Point(x: 300, y: 100)))),
            Trace.Event(time: hand.time + 0.2, .touch(Touch(id: 2, phase: .moved, position: Point(x: 300, y: 200)))),
        ]
        let model = SampleModels.loupe(Trace(hand.trace.events + again))
        let plain = SampleModels.loupe(hand)
        #expect(model.frame(at: hand.time + 0.25).roles == ["idle"])
        #expect(model.frame(at: hand.time + 0.25).loupe == plain.frame(at: hand.time + 0.25).loupe)
    }
}

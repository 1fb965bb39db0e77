import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Undoing and redoing by circles.
@Suite struct LoupeRewindTests {
    private typealias Place = GestureScript.Place

    @Test func counterClockwiseUndoesAndClockwiseRedoesStrokeByStroke() {
        var hand = GestureScript.held()
        hand.draw(6)
        let all = SampleModels.loupe(hand).end.strokes
        hand.put("a", "b", around: Point(x: 200, y: 600), span: 70)
        // The turning is measured from the middle of the first stride to the middle of the last: 12° to 24° less.
        hand.circle("a", "b", by: -118, radius: 60, in: 0.8)
        let undone = SampleModels.loupe(hand).end
        #expect(undone.count("rewind", "strokes") == -3 && undone.strokes == Array(all.prefix(3)))
        #expect(undone.count("history", "undone") == 3 && undone.roles == ["holding", "rewinding", "rewinding"])
        hand.circle("a", "b", by: 150, radius: 60, heading: .pi - 118 * .pi / 180, in: 0.8)
        let redone = SampleModels.loupe(hand).end
        #expect(redone.strokes == all && redone.count("history", "undone") == 0)
    }

    @Test func rewindWorksWithoutALoupe() {
        var hand = GestureScript.held()
        hand.draw(3)
        hand.lift("right")
        hand.wait(0.3)
        hand.put("a", "b", around: Point(x: 300, y: 200), span: 70)
        hand.circle("a", "b", by: -200, radius: 60, in: 0.8)
        hand.lift("a", "b")
        let model = SampleModels.loupe(hand) { $0.released = .closes }
        #expect(model.winners == [.pinch, .rewind] && model.end.strokes.isEmpty)
    }

    /// A finger or a palm that came down a little earlier and rests, nearer to the first than fingers usually are.
    @Test(arguments: [Point(x: 500, y: 560), Point(x: 470, y: 300), Point(x: 560, y: 310)], [0.05, 0.1, 0.2])
    func restingTouchDoesNotStandBetweenTheTwo(_ position: Point, ahead: Double) {
        var hand = GestureScript.held()
        hand.draw(5)
        hand.put("palm", at: position)
        hand.wait(ahead)
        hand.put("a", at: GestureScript.Place.inside.point(-1))
        hand.wait(0.01)
        hand.put("b", at: GestureScript.Place.inside.point(1))
        hand.circle("a", "b", by: -115, radius: 55, in: 0.7)
        let model = SampleModels.loupe(hand)
        #expect(model.winners == [.pinch, .rewind])
        #expect(model.end.roles.suffix(2) == ["rewinding", "rewinding"] && model.end.number("radius") == 110)
        #expect((1...3).contains(model.end.count("history", "done")))
    }

    @Test func stepIsSettable() {
        var hand = GestureScript.held()
        hand.draw(6)
        hand.put("a", "b", around: Point(x: 200, y: 600), span: 70)
        hand.circle("a", "b", by: -150, radius: 60, in: 0.8)
        #expect(SampleModels.loupe(hand) { $0.thresholds.rewindStep = 60 }.end.strokes.count == 4)
    }

    /// Two touches at each pair of positions: what they have begun is cancelled, and Rewind continues.
    @Test(arguments: Place.allCases, Place.allCases)
    func twoTouchesThatBecomeRewindLeaveNothingBehind(_ first: GestureScript.Place, _ second: GestureScript.Place) {
        for seed in 0..<40 {
            var hand = GestureScript.held(seed: UInt64(seed), jitter: 0.4)
            hand.draw(5)
            let before = SampleModels.loupe(hand).end
            hand.put("a", at: first.point(-1))
            hand.wait(0.01)
            hand.put("b", at: second.point(1))
            let begun = SampleModels.loupe(hand).end
            let roles = [first, second].map { $0 == .outside ? "idle" : "waiting" }
            #expect(begun.roles == ["holding"] + roles)
            hand.circle("a", "b", by: -115, radius: 55, heading: hand.number(0...6), in: 0.7)
            let during = SampleModels.loupe(hand)
            #expect(during.winners == [.pinch, .rewind])
            #expect(during.end.roles == ["holding", "rewinding", "rewinding"])
            #expect(during.end.number("radius") == before.number("radius"))
            #expect(during.end.count("history", "drawing") == 0)
            // The oldest strokes are left, and all of them can be redone.
            #expect(during.end.strokes == Array(before.strokes.prefix(during.end.strokes.count)))
            #expect((1...3).contains(during.end.strokes.count))
            hand.circle("a", "b", by: 220, radius: 55, heading: hand.number(0...6), in: 1)
            hand.lift("a", "b")
            #expect(SampleModels.loupe(hand).end.strokes == before.strokes)
            #expect(SampleModels.loupe(hand).end.loupe == before.loupe)
        }
    }

    /// None of the other actions take place: from the moment in which the first finger lands, nothing is drawn and the
    /// loupe keeps its size, whatever the delay between two fingers of one hand.
    @Test(arguments: [0.0, 0.02, 0.05, 0.079]) func rewindShowsNothingBefore(delay: Double) throws {
        for (seed, place) in (0..<40).flatMap({ seed in Place.allCases.map { (seed, $0) } }) {
            var hand = GestureScript.held(seed: UInt64(seed), jitter: 1)
            hand.draw(3)
            let landed = hand.time
            hand.put("a", at: place.point(-1))
            hand.wait(delay)
            hand.put("b", at: place.point(1))
            hand.circle("a", "b", by: -200, radius: 55, heading: hand.number(0...6), in: 0.7)
            let model = SampleModels.loupe(hand)
            let decision = try #require(model.gestureDecisions.last { $0.winner == .rewind })
            let times = stride(from: landed, to: decision.time, by: 1.0 / 240)
            #expect(Set(times.map { model.frame(at: $0).number("radius") }) == [110])
            #expect(times.allSatisfy { model.frame(at: $0).strokes.count == 3 })
            #expect(times.allSatisfy { model.frame(at: $0).count("history", "drawing") == 0 })
            #expect(times.allSatisfy { !model.frame(at: $0).roles.contains("drawing") })
        }
    }

    /// A lone finger waits for a second one to land beside it, but no longer than it rests: once it has moved by 10 points, it
    /// is alone.
    @Test func aLoneFingerThatMovesIsNotDelayed() {
        for (place, speed) in [(Place.inside, 600.0), (.edge, 600), (.inside, 60), (.edge, 60)] {
            var hand = GestureScript.held(jitter: 0, rate: 240)
            let landed = hand.time
            hand.put("a", at: place.point(0))
            hand.move("a", to: place.point(0) + Vector(dx: 0, dy: -0.3 * speed), in: 0.3)
            let model = SampleModels.loupe(hand)
            let shown = stride(from: landed, to: hand.time, by: 1.0 / 240).first { time in
                let frame = model.frame(at: time)
                return frame.roles.contains("drawing") || frame.roles.contains("resizing")
            }
            // 10 points at 600 points a second are 17 ms.
            let expected = speed > 100 ? 0.017...0.025 : 0.08...0.085
            #expect(expected.contains((shown ?? 0) - landed), "\(place), \(speed)")
        }
    }

    /// What shows of a finger already does not hide again when a second one lands beside it.
    @Test func whatShowsStaysWhenASecondFingerLands() {
        var hand = GestureScript.held(jitter: 0, rate: 240)
        hand.put("a", at: Place.edge.point(-1))
        hand.move("a", to: Place.edge.point(-1) + Vector(dx: 0, dy: -40), in: 0.06)
        let before = SampleModels.loupe(hand).frame(at: hand.time).number("radius")
        hand.put("b", at: Place.edge.point(1))
        hand.pan("a", "b", by: Vector(dx: 0, dy: -30), in: 0.1)
        let model = SampleModels.loupe(hand)
        let radii = stride(from: hand.time - 0.1, to: hand.time, by: 1.0 / 240).map {
            model.frame(at: $0).number("radius")
        }
        #expect(before > 111)
        #expect(radii.allSatisfy { $0 >= before })
    }

    /// What was withheld catches up in a tenth of a second, without a step.
    @Test(arguments: 0..<20) func whatWasWithheldCatchesUp(seed: UInt64) throws {
        var hand = GestureScript.held(seed: seed)
        hand.put("a", at: Place.edge.point(-1))
        hand.wait(0.02)
        hand.put("b", at: Place.edge.point(1))
        hand.pan("a", "b", by: Vector(dx: 0, dy: -90), in: 0.3)
        let model = SampleModels.loupe(hand)
        let failed = try #require(model.gestureDecisions.last)
        #expect(failed.winner == nil)
        #expect(model.frame(at: failed.time).number("radius") == 110)
        #expect(model.frame(at: failed.time + 0.1).number("radius") > 150)
        let last = hand.time
        #expect(near(model.frame(at: last + 0.1).number("radius"), model.end.number("radius")))
        // 240 frames a second: fingers at 300 points a second and the rest of what was withheld.
        let times = stride(from: failed.time, to: last + 0.2, by: 1.0 / 240)
        let radii = times.map { model.frame(at: $0).number("radius") }
        for (radius, next) in zip(radii, radii.dropFirst()) { #expect(abs(next - radius) < 8) }
    }

    /// Fingers that are lifted before anything shows leave it to catch up.
    @Test func liftedFingersLeaveTheirWorkToCatchUp() {
        var hand = GestureScript.held()
        hand.put("a", "b", around: Point(x: 500, y: 380), span: 60)
        hand.pan("a", "b", by: Vector(dx: 6, dy: 0), in: 0.2)
        let lifted = hand.time
        hand.lift("a", "b")
        let model = SampleModels.loupe(hand)
        let points = [0.0, 0.03, 0.06, 0.12].map { time in
            model.frame(at: lifted + time).strokes.map(\.points.count).reduce(0, +)
        }
        #expect(points.first == 0)
        #expect(points.last == model.end.strokes.map(\.points.count).reduce(0, +))
        #expect(zip(points, points.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A finger that has been drawing for a while keeps its stroke.
    @Test func longStrokeIsNotTakenByALaterTouch() {
        var hand = GestureScript.held()
        hand.put("a", at: Point(x: 470, y: 360))
        hand.move("a", to: Point(x: 475, y: 362), in: 0.5)
        hand.put("b", at: Point(x: 530, y: 360))
        hand.circle("a", "b", by: -200, radius: 50, in: 0.8)
        #expect(SampleModels.loupe(hand).winners == [.pinch])
        #expect(SampleModels.loupe(hand).end.roles == ["holding", "drawing", "drawing"])
    }

    @Test func cancelledRewindTakesItsStepsBack() {
        var hand = GestureScript.held()
        hand.draw(4)
        let before = SampleModels.loupe(hand).end
        hand.put("a", "b", around: Point(x: 200, y: 600), span: 70)
        hand.circle("a", "b", by: -118, radius: 60, in: 0.8)
        #expect(SampleModels.loupe(hand).end.strokes.count < 4)
        hand.cancel("a")
        let after = SampleModels.loupe(hand).end
        #expect(after.strokes == before.strokes && after.roles == ["holding", "idle"])
    }

    @Test func strokeAfterUndoCutsTheBranchAndACancelledOneDoesNot() {
        var hand = GestureScript.held()
        hand.draw(4)
        hand.put("a", "b", around: Point(x: 200, y: 600), span: 70)
        hand.circle("a", "b", by: -118, radius: 60, in: 0.8)
        hand.lift("a", "b")
        hand.put("pen", at: Point(x: 480, y: 400))
        #expect(SampleModels.loupe(hand).end.count("history", "undone") == 0)
        var cancelled = hand
        cancelled.cancel("pen")
        #expect(SampleModels.loupe(cancelled).end.count("history", "undone") == 3)
        hand.lift("pen")
        let end = SampleModels.loupe(hand).end
        #expect(end.count("history", "undone") == 0 && end.strokes.count == 2)
    }
}

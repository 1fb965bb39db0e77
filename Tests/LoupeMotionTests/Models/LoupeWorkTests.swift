import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Further touches while a finger holds the loupe.
@Suite struct LoupeWorkTests {
    @Test func touchInsideDrawsAtTheMagnifiedPoint() throws {
        var hand = GestureScript.held()
        let zoom = SampleModels.loupe(hand).end.number("zoom")
        hand.put("pen", at: Point(x: 450, y: 380))
        hand.move("pen", to: Point(x: 540, y: 425), in: 0.2)
        let during = SampleModels.loupe(hand).end
        #expect(during.roles == ["holding", "drawing"] && during.count("history", "drawing") == 1)
        hand.lift("pen")
        let after = SampleModels.loupe(hand).end
        let stroke = try #require(after.strokes.first)
        #expect(during.strokes == after.strokes && after.count("history", "done") == 1)
        #expect(near(stroke.points[0].x, 500 - 50 / zoom) && near(stroke.points[0].y, 400 - 20 / zoom))
        let last = stroke.points[stroke.points.count - 1]
        #expect(near(last.x, 500 + 40 / zoom) && near(last.y, 400 + 25 / zoom))
        #expect(near(stroke.width, 6 / zoom) && stroke.points.count == 13)
    }

    @Test func tapInsideIsADot() {
        var hand = GestureScript.held()
        hand.put("pen", at: Point(x: 480, y: 400))
        hand.lift("pen")
        #expect(SampleModels.loupe(hand).end.strokes.map(\.points.count) == [1])
    }

    @Test func touchOnTheEdgeBandResizes() {
        for from in [89.0, 110, 131] {
            var hand = GestureScript.held()
            hand.put("edge", at: Point(x: 500 - from, y: 400))
            hand.move("edge", to: Point(x: 500 - from - 40, y: 400), in: 0.2)
            hand.lift("edge")
            let frame = SampleModels.loupe(hand).end
            #expect(near(frame.number("radius"), 150) && frame.strokes.isEmpty)
            #expect(near(frame.number("zoom"), 2.25) && frame.numbers("center") == [500, 400])
        }
    }

    @Test func touchOutsideDoesNothing() {
        var hand = GestureScript.held()
        let before = SampleModels.loupe(hand).end.scene
        hand.put("far", at: Point(x: 500 - 133, y: 400))
        hand.move("far", to: Point(x: 500, y: 380), in: 0.2)
        #expect(SampleModels.loupe(hand).end.roles == ["holding", "idle"])
        hand.lift("far")
        #expect(SampleModels.loupe(hand).end.scene == before)
    }

    @Test func severalHandsWorkAtOnce() {
        var hand = GestureScript.held()
        let start = hand.time
        hand.put("pen", at: Point(x: 450, y: 400))
        hand.move("pen", to: Point(x: 470, y: 330), in: 0.5)
        hand.time = start
        hand.put("edge", at: Point(x: 500, y: 510))
        hand.move("edge", to: Point(x: 500, y: 540), in: 0.5)
        hand.time = start
        hand.move("right", to: Point(x: 640, y: 400), in: 0.5)
        let frame = SampleModels.loupe(hand).end
        #expect(frame.roles == ["holding", "drawing", "resizing"] && frame.strokes[0].points.count > 20)
        #expect(near(frame.numbers("center")[0], 550) && frame.number("radius") > 110)
    }

    @Test func edgeFollowsTheMeanOfSeveralFingers() {
        var hand = GestureScript.held()
        let start = hand.time
        hand.put("west", at: Point(x: 390, y: 400))
        hand.move("west", to: Point(x: 370, y: 400), in: 0.4)
        hand.time = start + 0.0001
        hand.put("north", at: Point(x: 500, y: 290))
        hand.move("north", to: Point(x: 500, y: 250), in: 0.4)
        #expect(near(SampleModels.loupe(hand).end.number("radius"), 110 + (20 + 40) / 2, 1e-6))
    }

    @Test func cancelledTouchLeavesNothing() {
        for finger in [Point(x: 480, y: 400), Point(x: 390, y: 400)] {
            var hand = GestureScript.held()
            hand.draw(2)
            let before = SampleModels.loupe(hand).end.scene
            hand.put("pen", at: finger)
            hand.move("pen", to: finger + Vector(dx: 30, dy: 30), in: 0.2)
            #expect(SampleModels.loupe(hand).end.scene != before)
            hand.cancel("pen")
            #expect(SampleModels.loupe(hand).end.scene == before)
        }
    }

    @Test func closingEndsWhatIsDrawn() {
        var hand = GestureScript.opened(seed: 3)
        hand.put("pen", at: Point(x: 500, y: 350))
        hand.move("pen", to: Point(x: 520, y: 340), in: 0.1)
        hand.pinch(by: -150, in: 0.3)
        let frame = SampleModels.loupe(hand).end
        #expect(frame.string("phase") == "closed" && frame.roles == ["idle", "idle", "idle"])
        #expect(frame.count("history", "done") == 1 && frame.count("history", "drawing") == 0)
    }
}

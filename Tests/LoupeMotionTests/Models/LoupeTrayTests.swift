import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Choosing a tool with the other hand while a touch holds the loupe.
@Suite struct LoupeTrayTests {
    private static let red = Color(red: 200, green: 0, blue: 0)
    private static let places = (red: Point(x: 30, y: 30), wide: Point(x: 30, y: 80), eraser: Point(x: 30, y: 130))

    private static func model(_ hand: GestureScript, _ more: [TrayRegion] = []) -> LoupeModel {
        SampleModels.loupe(hand) { options in
            options.tray =
                [
                    TrayRegion(
                        rect: Rect(x: 10, y: 10, width: 40, height: 40), choice: .pen(width: nil, color: Self.red)),
                    TrayRegion(rect: Rect(x: 10, y: 60, width: 40, height: 40), choice: .pen(width: 20, color: nil)),
                    TrayRegion(rect: Rect(x: 10, y: 110, width: 40, height: 40), choice: .eraser(width: 18)),
                ] + more
        }
    }

    private static func tap(_ hand: inout GestureScript, _ place: Point) {
        hand.put("tap", at: place)
        hand.lift("tap")
    }

    @Test func nextStrokeUsesTheChosenPen() {
        var hand = GestureScript.held()
        let zoom = SampleModels.loupe(hand).end.number("zoom")
        hand.draw(1)
        Self.tap(&hand, Self.places.red)
        hand.draw(1)
        Self.tap(&hand, Self.places.wide)
        hand.draw(1)
        let strokes = Self.model(hand).end.strokes
        #expect(strokes.map(\.color) == [.defaultInk, Self.red, Self.red])
        #expect(zip(strokes, [6.0, 6, 20]).allSatisfy { near($0.width, $1 / zoom) })
    }

    @Test func strokeThatIsBeingDrawnKeepsItsPen() {
        var hand = GestureScript.held()
        hand.put("pen", at: Point(x: 440, y: 360))
        hand.move("pen", to: Point(x: 480, y: 360), in: 0.1)
        Self.tap(&hand, Self.places.red)
        hand.move("pen", to: Point(x: 520, y: 360), in: 0.1)
        hand.lift("pen")
        #expect(Self.model(hand).end.strokes.map(\.color) == [.defaultInk])
    }

    @Test func choiceIsADecisionAndAState() throws {
        var hand = GestureScript.held()
        Self.tap(&hand, Self.places.red)
        let model = Self.model(hand)
        let decision = try #require(model.timeline.states.last?.decision)
        #expect(decision.text == "tool: pen, 6 points, #c80000" && decision.winner == nil && decision.touches == [3])
        #expect(model.frame(at: 0).states.line.contains(##""tool": {"kind": "pen", "width": 6, "color": "#000000"}"##))
        #expect(model.end.states.line.contains(##""tool": {"kind": "pen", "width": 6, "color": "#c80000"}"##))
        #expect(
            Session.Model.loupe(model).measures.decisions.map(\.text).contains("touch 3: tool: pen, 6 points, #c80000"))
        hand.put("tap", at: Self.places.eraser)
        let frame = Self.model(hand).end
        #expect(frame.states.line.contains(#""tool": {"kind": "eraser", "width": 18, "color": null}"#))
        #expect(frame.roles == ["holding", "choosing"])
    }

    @Test func cancelledTouchTakesItsChoiceBack() {
        var hand = GestureScript.held()
        Self.tap(&hand, Self.places.red)
        hand.put("tap", at: Self.places.eraser)
        hand.cancel("tap")
        #expect(Self.model(hand).timeline.last.tools.tool == .pen(width: 6, color: Self.red))
        hand.put("tap", at: Self.places.eraser)
        hand.put("other", at: Self.places.wide)
        hand.cancel("tap")
        #expect(Self.model(hand).timeline.last.tools.tool == .pen(width: 20, color: Self.red))
    }

    /// A tray under the loupe and its rim is a tray, not a place to draw or resize.
    @Test func touchInTheTrayDoesNothingElse() {
        for (start, rect) in [
            (Point(x: 470, y: 380), Rect(x: 450, y: 340, width: 60, height: 55)),
            (Point(x: 390, y: 400), Rect(x: 380, y: 390, width: 40, height: 40)),
            (Point(x: 320, y: 250), Rect(x: 310, y: 240, width: 40, height: 40)),
        ] {
            let tray = TrayRegion(rect: rect, choice: .eraser(width: 5))
            var hand = GestureScript.held()
            hand.draw(2)
            let before = Self.model(hand).end
            hand.put("first", at: start)
            hand.put("second", at: start + Vector(dx: 20, dy: 0))
            hand.circle("first", "second", by: -300, radius: 50, in: 0.5)
            hand.pinch("first", "second", by: 100, in: 0.3)
            let during = Self.model(hand, [tray]).end
            #expect(during.roles == ["holding", "choosing", "choosing"])
            #expect(during.scene == before.scene && during.count("rewind", "turning") == 0)
            hand.lift("first", "second")
            #expect(Self.model(hand, [tray]).end.scene == before.scene)
        }
    }

    @Test func trayChoosesOnlyWhileAFingerHoldsTheLoupe() {
        var closed = GestureScript(seed: 1, jitter: 0)
        closed.put("first", at: Self.places.red)
        closed.put("second", at: Self.places.red + Vector(dx: 10, dy: 0))
        closed.pinch("first", "second", by: 200, in: 0.3)
        closed.lift("first", "second")
        #expect(Self.model(closed).end.string("phase") == "closed")
        #expect(Self.model(closed).timeline.last.tools.tool == .pen(width: 6, color: .defaultInk))

        var resting = GestureScript.held()
        resting.lift("right")
        Self.tap(&resting, Self.places.red)
        #expect(Self.model(resting).end.string("phase") == "resting")
        #expect(Self.model(resting).timeline.last.tools.tool == .pen(width: 6, color: .defaultInk))

        // Only a ghost holds the loupe.
        var gone = GestureScript.held()
        gone.move("right", to: Point(x: 1020, y: 400), in: 0.3)
        gone.lift("right")
        Self.tap(&gone, Self.places.red)
        #expect(Self.model(gone).frame(at: gone.time).string("phase") == "held")
        #expect(Self.model(gone).timeline.last.tools.tool == .pen(width: 6, color: .defaultInk))
    }

    @Test func rewindBringsBackWhatWasErased() {
        var hand = GestureScript.held()
        hand.draw(3)
        let drawn = Self.model(hand).end.strokes
        Self.tap(&hand, Self.places.eraser)
        hand.put("pen", at: Point(x: 480, y: 330))
        hand.move("pen", to: Point(x: 480, y: 420), in: 0.2)
        let during = Self.model(hand).end.strokes
        hand.lift("pen")
        hand.wait(0.3)
        let erased = Self.model(hand).end
        #expect(erased.strokes == during && erased.strokes.count == 6 && erased.count("history", "done") == 4)
        #expect(erased.strokes.allSatisfy { stroke in drawn.contains { $0.color == stroke.color } })
        // One step back each 30°: first the eraser, then stroke by stroke.
        hand.put("first", at: Point(x: 470, y: 430))
        hand.put("second", at: Point(x: 530, y: 430))
        hand.circle("first", "second", by: -75, radius: 60, in: 0.3)
        let back = Self.model(hand).end
        let steps = -Int(back.count("rewind", "strokes"))
        #expect(steps >= 1 && back.strokes == Array(drawn.prefix(4 - steps)))
        hand.circle("first", "second", by: 150, radius: 60, heading: 1.8, in: 0.5)
        #expect(Self.model(hand).end.strokes == erased.strokes)
    }

    @Test func eraserSparesWhatIsDrawnLater() {
        var hand = GestureScript.held()
        hand.draw(1)
        Self.tap(&hand, Self.places.eraser)
        hand.draw(1)
        Self.tap(&hand, Self.places.red)
        hand.draw(1)
        let strokes = Self.model(hand).end.strokes
        #expect(strokes.count == 1 && strokes[0].color == Self.red)
    }
}

/// What an eraser leaves of strokes, compared with the distances of many points.
@Suite struct StrokeEraserTests {
    private static func path(_ seed: UInt64, points: Int) -> [Point] {
        var generator = SplitMix64(seed: seed)
        return (0..<points).map { _ in
            Point(x: .random(in: 0...100, using: &generator), y: .random(in: 0...100, using: &generator))
        }
    }

    private static func distance(_ point: Point, _ line: [Point]) -> Double {
        let ends = line.count == 1 ? line : Array(line.dropFirst())
        return zip(line, ends).map { a, b in
            let step = b - a
            let part = ((point - a).dot(step) / max(step.dot(step), 1e-300)).clamped(to: 0...1)
            return point.distance(to: a + part * step)
        }.min() ?? .infinity
    }

    private static func samples(_ line: [Point]) -> [Point] {
        zip(line, line.dropFirst()).flatMap { a, b in (0...400).map { a + Double($0) / 400 * (b - a) } }
    }

    @Test(arguments: 0..<20) func keepsExactlyWhatIsFartherThanBothRadii(seed: Int) {
        let stroke = Stroke(points: Self.path(UInt64(seed), points: 6), width: 3)
        let eraser = Stroke(points: Self.path(UInt64(seed) + 1000, points: 1 + seed % 4), width: 17)
        let parts = StrokeEraser(eraser).parts(of: stroke)
        #expect(parts.allSatisfy { $0.width == 3 && $0.color == stroke.color })
        for point in parts.flatMap({ Self.samples($0.points) }) {
            #expect(Self.distance(point, eraser.points) >= 10 - 1e-9 && Self.distance(point, stroke.points) < 1e-9)
        }
        for point in Self.samples(stroke.points) where Self.distance(point, eraser.points) > 10 + 1e-9 {
            #expect(parts.map { Self.distance(point, $0.points) }.min() ?? .infinity < 1e-9)
        }
    }

    @Test func strokeOutOfReachStaysAsItIs() {
        let stroke = Stroke(points: Self.path(1, points: 9), width: 3)
        #expect(StrokeEraser(Stroke(points: [Point(x: 150, y: 50)], width: 8)).parts(of: stroke) == [stroke])
    }

    @Test func dotIsErasedWhole() {
        let dot = Stroke(points: [Point(x: 5, y: 5)], width: 4)
        #expect(StrokeEraser(Stroke(points: [Point(x: 10, y: 5)], width: 6.1)).parts(of: dot).isEmpty)
        #expect(StrokeEraser(Stroke(points: [Point(x: 10, y: 5)], width: 5.9)).parts(of: dot) == [dot])
    }

    @Test func cutsOnceInTheMiddle() {
        let line = Stroke(points: [Point(x: 0, y: 0), Point(x: 100, y: 0)], width: 2)
        let parts = StrokeEraser(Stroke(points: [Point(x: 50, y: -9), Point(x: 50, y: 9)], width: 8)).parts(of: line)
        #expect(parts.count == 2 && parts.allSatisfy { $0.points.count == 2 })
        #expect(zip(parts.flatMap(\.points), [0.0, 45, 55, 100]).allSatisfy { near($0.x, $1) && $0.y == 0 })
    }
}

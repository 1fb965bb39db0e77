import LoupeBase
import LoupeScene
import Testing

@testable import LoupeCompose

@Suite struct DraggingTests {
    private let focus = Point(x: 100, y: 300)

    @Test func eachPartIsWhereItIsSeen() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        #expect(one.handle(at: Point(x: 420, y: 160)) == Handle(.loupe, of: 0))
        #expect(one.handle(at: focus) == Handle(.focus, of: 0))
        #expect(one.handle(at: Point(x: 250, y: 225)) == Handle(.both, of: 0))
        #expect(
            one.handle(at: Point(x: 400 + 60 / 2.0.squareRoot(), y: 150 + 60 / 2.0.squareRoot()))
                == Handle(.radius, of: 0))
        #expect(one.handle(at: one.position(of: Handle(.zoom, of: 0))) == Handle(.zoom, of: 0))
        #expect(one.handle(at: Point(x: 30, y: 30)) == nil)
        // Sizes have handles at the selected loupe only.
        one.select(nil)
        #expect(one.handle(at: Point(x: 400 + 44, y: 150 + 44)) == nil)
    }

    @Test func aTopmostLoupeIsTakenFirstUnlessAnotherIsSelected() {
        var two = editor([
            callout(at: Point(x: 300, y: 150), focus: focus), callout(at: Point(x: 330, y: 150), focus: focus),
        ])
        two.select(nil)
        #expect(two.handle(at: Point(x: 315, y: 130)) == Handle(.loupe, of: 1))
        two.select(0)
        #expect(two.handle(at: Point(x: 315, y: 130)) == Handle(.loupe, of: 0))
    }

    @Test func aLoupeMovesAloneOrWithWhatItMagnifiesInPlace() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        one.drag(Point(x: 410, y: 150), to: Point(x: 433, y: 181), snaps: false)
        #expect(one.loupe(0).center == Point(x: 423, y: 181))
        #expect(one.loupe(0).focus == focus)
        var inPlace = editor([Loupe(center: Point(x: 200, y: 200), radius: 50, zoom: 2)])
        inPlace.drag(Point(x: 210, y: 200), to: Point(x: 260, y: 230), snaps: false)
        #expect(inPlace.loupe(0).center == Point(x: 250, y: 230))
        #expect(inPlace.loupe(0).focus == Point(x: 250, y: 230))
    }

    @Test func aRingAndAConnectorCanBeDragged() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        one.drag(Point(x: 98, y: 300), to: Point(x: 118, y: 290), snaps: false)
        #expect(one.loupe(0).focus == Point(x: 120, y: 290))
        #expect(one.loupe(0).center == Point(x: 400, y: 150))
        one.drag(Point(x: 260, y: 220), to: Point(x: 270, y: 240), snaps: false)
        #expect(one.loupe(0).focus == Point(x: 130, y: 310))
        #expect(one.loupe(0).center == Point(x: 410, y: 170))
    }

    @Test func handlesChangeTheRadiusAndTheZoom() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        let corner = one.position(of: Handle(.radius, of: 0))
        one.drag(corner, to: corner + Vector(dx: 30 / 2.0.squareRoot(), dy: 30 / 2.0.squareRoot()), snaps: false)
        #expect(one.loupe(0).radius == 90)
        #expect(one.loupe(0).zoom == 4)
        // A source that is twice as wide is magnified half as much.
        let edge = one.position(of: Handle(.zoom, of: 0))
        one.drag(edge, to: focus + 2 * (edge - focus))
        #expect(one.loupe(0).zoom == 2)
        #expect(one.loupe(0).radius == 90)
        // No drag leaves what scenes may have.
        one.drag(one.position(of: Handle(.zoom, of: 0)), to: focus, snaps: false)
        #expect(one.loupe(0).zoom == 64)
        one.drag(one.position(of: Handle(.radius, of: 0)), to: one.loupe(0).center, snaps: false)
        #expect(one.loupe(0).radius == 4)
    }

    @Test func loupesSnapToEachOtherAndGuidesSayWhere() {
        var two = editor([
            callout(at: Point(x: 120, y: 100), focus: focus),
            callout(at: Point(x: 430, y: 260), focus: Point(x: 500, y: 350)),
        ])
        _ = two.press(at: Point(x: 430, y: 260))
        two.move(to: Point(x: 436, y: 104))
        #expect(two.loupe(1).center == Point(x: 436, y: 100))
        #expect(two.guides == [.horizontal(100)])
        two.move(to: Point(x: 436, y: 104), snaps: false)
        #expect(two.loupe(1).center == Point(x: 436, y: 104))
        #expect(two.guides.isEmpty)
        // Borders, too: the left sides of loupes of different sizes.
        two.release()
        two.setRadius(40, of: 1, false)
        two.drag(two.loupe(1).center, to: Point(x: 102, y: 250))
        #expect(two.loupe(1).center.x == 100)
        // On a screen that shows the canvas half as large, twice as far.
        two.unit = 2
        two.drag(two.loupe(1).center, to: Point(x: 250, y: 108))
        #expect(two.loupe(1).center.y == 100)
    }

    @Test func nothingLeavesTheCanvas() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        one.drag(Point(x: 400, y: 150), to: Point(x: 9000, y: -9000), snaps: false)
        #expect(one.loupe(0).center == Point(x: 600, y: 0))
        one.drag(focus, to: Point(x: -50, y: 5000), snaps: false)
        #expect(one.loupe(0).focus == Point(x: 0, y: 400))
    }

    @Test func keysMoveHandles() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        one.nudge(Handle(.loupe, of: 0), dx: 1, dy: 0, isFine: false)
        one.nudge(Handle(.focus, of: 0), dx: 0, dy: -1, isFine: true)
        one.nudge(Handle(.radius, of: 0), dx: 1, dy: 0, isFine: false)
        one.nudge(Handle(.zoom, of: 0), dx: -1, dy: 0, isFine: false)
        #expect(one.loupe(0).center == Point(x: 410, y: 150))
        #expect(one.loupe(0).focus == Point(x: 100, y: 299))
        #expect(one.loupe(0).radius == 65)
        #expect(one.loupe(0).zoom == 3.75)
    }

    @Test func everyChangeCanBeUndoneAndDoneAgain() throws {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        let start = one.figure
        one.drag(Point(x: 400, y: 150), to: Point(x: 450, y: 160), snaps: false)
        let dragged = one.figure
        for _ in 0..<3 { one.nudge(Handle(.loupe, of: 0), dx: 1, dy: 0, isFine: false) }
        let moved = one.figure
        try one.perform(#"{"do": "delete"}"#)
        #expect(one.figure.loupes.isEmpty)
        one.undo()
        #expect(one.figure == moved && one.selection == 0)
        // Steps of one kind are one change.
        one.undo()
        #expect(one.figure == dragged)
        one.undo()
        #expect(one.figure == start && !one.canUndo)
        one.redo()
        one.redo()
        #expect(one.figure == moved)
        // Another change ends what could be done again.
        one.nudge(Handle(.zoom, of: 0), dx: 1, dy: 0, isFine: false)
        #expect(!one.canRedo)
    }

    @Test func aCancelledDragAndOneThatGoesNowhereLeaveNoTrace() {
        var one = editor([callout(at: Point(x: 400, y: 150), focus: focus)])
        let start = one.figure
        _ = one.press(at: Point(x: 400, y: 150))
        one.move(to: Point(x: 300, y: 100))
        one.cancelDrag()
        #expect(one.figure == start && !one.canUndo)
        _ = one.press(at: Point(x: 400, y: 150))
        one.release()
        #expect(!one.canUndo)
    }
}

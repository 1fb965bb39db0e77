import LoupeBase
import LoupeScene
import Testing

@testable import LoupeMotion

@Suite("A reader's hand on a live figure")
struct ReaderGesturesTests {
    private let canvas = Scene.Canvas(width: 400, height: 300, background: .color(.defaultBackground))
    private let plain = Loupe(center: Point(x: 100, y: 100), radius: 40, zoom: 2)

    private func hand(_ loupe: Loupe? = nil, isOpen: Bool = true) -> ReaderGestures {
        ReaderGestures(loupe ?? plain, isOpen: isOpen, canvas: canvas)
    }

    private func touch(
        _ hand: inout ReaderGestures, _ id: Int, _ phase: Touch.Phase, _ x: Double, _ y: Double, at time: Double
    ) {
        hand.handle(Touch(id: id, phase: phase, position: Point(x: x, y: y)), at: time)
    }

    @Test("a touch elsewhere calls the loupe, and a drag moves it with the finger")
    func callAndDrag() {
        var hand = hand(isOpen: false)
        touch(&hand, 0, .began, 200, 150, at: 0)
        #expect(hand.isOpen)
        #expect(hand.loupe.center == Point(x: 200, y: 150))
        touch(&hand, 0, .moved, 260, 170, at: 0.1)
        #expect(hand.loupe.center == Point(x: 260, y: 170))
        #expect(hand.loupe.focus == hand.loupe.center)
    }

    @Test("the loupe of a finger shows what the finger points at, beside the finger and on the canvas")
    func besideAFinger() {
        var hand = hand(isOpen: false)
        hand.fingerGap = 20
        touch(&hand, 0, .began, 200, 150, at: 0)
        #expect(hand.loupe.focus == Point(x: 200, y: 150))
        #expect(hand.loupe.center == Point(x: 200, y: 90))
        for (x, y) in [(210.0, 90.0), (60, 30), (390, 10)] {
            touch(&hand, 0, .moved, x, y, at: 0.1)
            #expect(hand.loupe.focus == Point(x: x, y: y))
            #expect(abs(hand.loupe.center.distance(to: hand.loupe.focus) - 60) < 1e-9)
            #expect(hand.loupe.center.y >= min(y, 40) && 0...400 ~= hand.loupe.center.x)
        }
    }

    @Test("a wide loupe does not cover the finger either")
    func aWideLoupeBesideAFinger() {
        var wide = plain
        wide.shape = .rectangle(.init(width: 160, height: 40))
        var hand = hand(wide, isOpen: false)
        hand.fingerGap = 20
        for (x, y) in [(200.0, 150.0), (210, 50), (60, 30), (390, 10)] {
            hand.hover(at: Point(x: x, y: y))
            #expect(hand.loupe.focus == Point(x: x, y: y))
            #expect(!hand.holds(hand.loupe.focus))
        }
    }

    @Test("a touch on the loupe takes hold of it where it is")
    func hold() {
        var hand = hand()
        touch(&hand, 0, .began, 120, 110, at: 0)
        #expect(hand.loupe.center == Point(x: 100, y: 100))
        touch(&hand, 0, .moved, 150, 110, at: 0.1)
        #expect(hand.loupe.center == Point(x: 130, y: 100))
    }

    @Test("two fingers zoom by their span and move by their middle")
    func pinch() {
        var hand = hand()
        touch(&hand, 0, .began, 90, 100, at: 0)
        touch(&hand, 1, .began, 110, 100, at: 0.01)
        touch(&hand, 1, .moved, 130, 100, at: 0.1)
        #expect(abs(hand.loupe.zoom - 4) < 1e-9)
        #expect(hand.loupe.center == Point(x: 110, y: 100))
        // The finger that is left moves it on, from where it is.
        touch(&hand, 0, .ended, 90, 100, at: 0.2)
        touch(&hand, 1, .moved, 140, 120, at: 0.3)
        #expect(hand.loupe.center == Point(x: 120, y: 120))
        #expect(abs(hand.loupe.zoom - 4) < 1e-9)
    }

    @Test("a double tap puts it away; two slow taps do not", arguments: [(0.3, false), (0.7, true)])
    func doubleTap(_ pause: Double, _ isOpen: Bool) {
        var hand = hand()
        touch(&hand, 0, .began, 100, 100, at: 0)
        touch(&hand, 0, .ended, 100, 100, at: 0.1)
        touch(&hand, 0, .began, 102, 100, at: 0.1 + pause)
        touch(&hand, 0, .ended, 102, 100, at: 0.2 + pause)
        #expect(hand.isOpen == isOpen)
    }

    @Test("a cancelled touch leaves everything as it was")
    func cancel() {
        var hand = hand()
        touch(&hand, 0, .began, 300, 200, at: 0)
        touch(&hand, 0, .cancelled, 300, 200, at: 0.1)
        #expect(hand.loupe == plain)
    }

    @Test("a loupe with a ring stays: its focus follows the mouse, and a drag on it moves it alone")
    func callout() {
        var ringed = Loupe(center: Point(x: 300, y: 200), radius: 40, zoom: 2, focus: Point(x: 50, y: 50))
        ringed.callout = Callout(ring: Callout.Ring(width: 3, color: .defaultRim))
        var hand = hand(ringed)
        hand.hover(at: Point(x: 80, y: 60))
        #expect(hand.loupe.focus == Point(x: 80, y: 60))
        #expect(hand.loupe.center == Point(x: 300, y: 200))
        touch(&hand, 0, .began, 310, 200, at: 0)
        touch(&hand, 0, .moved, 290, 220, at: 0.1)
        #expect(hand.loupe.center == Point(x: 280, y: 220))
        #expect(hand.loupe.focus == Point(x: 80, y: 60))
    }

    @Test("a loupe put away comes back only when the mouse has left")
    func putAway() {
        var hand = hand()
        hand.putAway()
        hand.hover(at: Point(x: 10, y: 10))
        #expect(!hand.isOpen)
        hand.leave()
        hand.hover(at: Point(x: 10, y: 10))
        #expect(hand.isOpen)
    }

    @Test("zoom and position stay within what a figure shows")
    func limits() {
        var hand = hand()
        hand.zoom(by: 1e9)
        #expect(hand.loupe.zoom == 16)
        hand.zoom(by: 1e-9)
        #expect(hand.loupe.zoom == 1)
        hand.zoom(by: .nan)
        #expect(hand.loupe.zoom == 1)
        hand.step(by: Vector(dx: -1e9, dy: 1e9))
        #expect(hand.loupe.center == Point(x: 0, y: 300))
    }
}

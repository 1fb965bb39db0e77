import LoupeBase
import LoupeScene

/// The hand of somebody who reads a figure: one finger or the mouse moves a loupe, two fingers or the wheel zoom it, and a
/// double tap puts it away.
///
/// A loupe whose focus is its centre follows the pointer; it lies beside a finger, which would hide it. A loupe that shows
/// another place, such as one with a ring and a connector, stays where it is: its focus follows the pointer, and only a drag
/// that begins on the loupe moves the loupe.
package struct ReaderGestures: Sendable {
    /// The loupe, in canvas pixels.
    package private(set) var loupe: Loupe
    /// Whether the loupe is shown.
    package private(set) var isOpen: Bool

    /// How far the loupe of a finger lies from the finger, in canvas pixels; 0 for the mouse, whose loupe lies around it.
    package var fingerGap = 0.0

    private let home: Loupe
    private let width: Double
    private let height: Double
    private var down = TouchesDown()
    /// The one or two fingers that move the loupe, and whether they move the disc alone, not what it shows.
    private var hold: (fingers: LoupeHold, isOfDisc: Bool)?
    private var taps = DoubleTap()
    /// What a cancelled touch goes back to.
    private var before: (loupe: Loupe, isOpen: Bool)?
    /// Whether the pointer has to leave before it summons the loupe again.
    private var isDismissed = false

    /// - Parameters:
    ///   - loupe: as the scene has it.
    ///   - isOpen: whether the scene shows it.
    package init(_ loupe: Loupe, isOpen: Bool, canvas: Scene.Canvas) {
        (self.loupe, home, self.isOpen) = (loupe, loupe, isOpen)
        (width, height) = (Double(canvas.width), Double(canvas.height))
    }

    /// The magnifications that a reader reaches: 1 to 16, or what the scene has.
    private var zoomRange: ClosedRange<Double> { 1...max(16, home.zoom) }

    /// Whether the loupe magnifies what lies under it.
    private var magnifiesBelow: Bool { home.focus == home.center && home.callout == nil }

    // MARK: - Touches and buttons

    /// Processes a finger, or the mouse with its button down. A touch that never began has no effect.
    /// - Parameter time: in seconds; never less than that of an earlier event.
    package mutating func handle(_ touch: Touch, at time: Double) {
        let isDown = down.touches.contains { $0.id == touch.id }
        guard isDown == (touch.phase != .began), let tracked = down.apply(touch, at: time) else { return }
        switch touch.phase {
        case .began: begin(tracked, at: time)
        case .moved: move(tracked)
        case .ended: end(tracked, at: time)
        case .cancelled: cancel(tracked)
        }
    }

    private mutating func begin(_ touch: TrackedTouch, at time: Double) {
        if down.touches.count == 1 { before = (loupe, isOpen) }
        if down.touches.count == 2 {
            taps.forget()
            takeHold(down.touches, ofDisc: false)
        }
        guard down.touches.count == 1 else { return }
        taps.begin(touch)
        isDismissed = false
        let isOnLoupe = holds(touch.start)
        isOpen = true
        // On the loupe the hand takes hold of it where it is; elsewhere it calls it.
        if !isOnLoupe { show(touch.start) }
        takeHold([touch], ofDisc: isOnLoupe && !magnifiesBelow)
    }

    private mutating func takeHold(_ touches: [TrackedTouch], ofDisc: Bool) {
        let fingers = LoupeHold(
            touches.map { Grip(id: $0.id, position: $0.position) }, zooms: true,
            center: ofDisc ? loupe.center : loupe.focus, zoom: loupe.zoom)
        hold = (fingers, ofDisc)
    }

    private mutating func move(_ touch: TrackedTouch) {
        // Inside a tap's reach a single finger only rolls.
        let isPair = hold?.fingers.grips.count == 2
        guard isPair || touch.travel > GestureThresholds.travel / 2 else { return }
        hold?.fingers.move(touch.id, to: touch.position)
        guard let hold else { return }
        if isPair { loupe.zoom = hold.fingers.zoom.clamped(to: zoomRange) }
        show(hold.fingers.center, byDisc: hold.isOfDisc)
    }

    private mutating func end(_ touch: TrackedTouch, at time: Double) {
        if let grips = hold?.fingers.grips, grips.contains(where: { $0.id == touch.id }) {
            hold = nil
            // The finger that is left goes on from where the loupe is now.
            if grips.count == 2, let left = down.touches.first { takeHold([left], ofDisc: false) }
        }
        if taps.end(touch, isAlone: down.touches.isEmpty, at: time) { putAway() }
    }

    private mutating func cancel(_ touch: TrackedTouch) {
        hold = nil
        taps.forget()
        if let before { (loupe, isOpen) = before }
    }

    // MARK: - The pointer, the wheel and keys

    /// The mouse without a button moves to a position: it summons the loupe, which follows it.
    package mutating func hover(at position: Point) {
        guard down.touches.isEmpty, !isDismissed else { return }
        if !magnifiesBelow, holds(position) { return }
        isOpen = true
        show(position)
    }

    /// The mouse has left the figure. The loupe stays.
    package mutating func leave() { isDismissed = false }

    /// Multiplies the zoom, as the wheel and keys do.
    package mutating func zoom(by factor: Double) {
        guard isOpen, factor.isFinite, factor > 0 else { return }
        loupe.zoom = (loupe.zoom * factor).clamped(to: zoomRange)
    }

    /// Moves what the loupe shows, as arrow keys do; summons it first.
    package mutating func step(by vector: Vector) {
        isOpen = true
        show(loupe.focus + vector)
    }

    /// Puts the loupe away. The mouse summons it again only after it has left the figure.
    package mutating func putAway() {
        isOpen = false
        isDismissed = true
    }

    // MARK: - Moving

    /// Whether a position lies on the loupe that is shown.
    package func holds(_ position: Point) -> Bool {
        guard isOpen else { return false }
        let offset = position - loupe.center
        switch loupe.shape {
        case .circle(let radius): return offset.length <= radius
        case .rectangle(let shape): return abs(offset.dx) <= shape.width / 2 && abs(offset.dy) <= shape.height / 2
        }
    }

    /// Shows a position, or moves the disc alone to it.
    private mutating func show(_ position: Point, byDisc: Bool = false) {
        let place = Point(x: position.x.clamped(to: 0...width), y: position.y.clamped(to: 0...height))
        if byDisc { loupe.center = place } else { loupe.focus = place }
        guard magnifiesBelow else { return }
        loupe.center = loupe.focus
        guard fingerGap > 0 else { return }
        // Above the finger; where the canvas ends there, as far aside as it is not above: along an ellipse around the finger.
        let half = loupe.halfSides
        let (across, down) = (half.dx + fingerGap, half.dy + fingerGap)
        loupe.center.y = min(loupe.focus.y, max(half.dy, loupe.focus.y - down))
        let above = (loupe.focus.y - loupe.center.y) / down
        let aside = across * max(0, 1 - above * above).squareRoot()
        loupe.center.x += loupe.focus.x < width / 2 ? aside : -aside
    }
}

import LoupeBase
import LoupeScene

/// The hand of somebody who reads a figure: one finger or the mouse moves a loupe, two fingers or the wheel zoom it, and a
/// double tap puts it away.
///
/// A loupe whose focus is its centre follows the pointer; it lies beside a finger, which would hide it. A loupe that shows another place, such as one with a ring and a
/// connector, stays where it is: its focus follows the pointer, and only a drag that begins on the loupe moves the loupe.
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
    private var grip: Grip?
    private var pinch: Pinch?
    private var taps = DoubleTap()
    /// What a cancelled touch goes back to.
    private var before: (loupe: Loupe, isOpen: Bool)?
    /// Whether the pointer has to leave before it summons the loupe again.
    private var isDismissed = false

    /// One finger's hold of the loupe.
    private struct Grip {
        let id: Int
        let start: Point
        let loupe: Loupe
        let moves: Part
    }

    private enum Part { case whole, focus, disc }

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
            grip = nil
            pinch = Pinch(down, scale: loupe.zoom)
        }
        guard down.touches.count == 1 else { return }
        taps.begin(touch)
        isDismissed = false
        let isOnLoupe = isOpen && holds(touch.start)
        isOpen = true
        // On the loupe the hand takes hold of it where it is; elsewhere it calls it.
        let part: Part = magnifiesBelow ? .whole : isOnLoupe ? .disc : .focus
        if !isOnLoupe { show(touch.start) }
        grip = Grip(id: touch.id, start: touch.start, loupe: loupe, moves: part)
    }

    private mutating func move(_ touch: TrackedTouch) {
        if var moved = pinch {
            guard moved.includes(touch.id) else { return }
            let old = moved.centroid
            moved.update(down)
            pinch = moved
            loupe.zoom = moved.scale.clamped(to: zoomRange)
            shift(magnifiesBelow ? .whole : .focus, from: loupe, by: moved.centroid - old)
        } else if let grip, grip.id == touch.id {
            // Inside a tap's reach a finger only rolls.
            guard touch.travel > GestureThresholds.travel / 2 else { return }
            let zoom = loupe.zoom
            shift(grip.moves, from: grip.loupe, by: touch.position - grip.start)
            loupe.zoom = zoom
        }
    }

    private mutating func end(_ touch: TrackedTouch, at time: Double) {
        grip = nil
        if let moved = pinch, moved.includes(touch.id) {
            pinch = nil
            // The finger that is left goes on from where the loupe is now.
            grip = down.touches.first.map {
                Grip(id: $0.id, start: $0.position, loupe: loupe, moves: magnifiesBelow ? .whole : .focus)
            }
        }
        if taps.end(touch, isAlone: down.touches.isEmpty, at: time) { putAway() }
    }

    private mutating func cancel(_ touch: TrackedTouch) {
        (grip, pinch) = (nil, nil)
        taps.forget()
        if let before { (loupe, isOpen) = before }
    }

    // MARK: - The pointer, the wheel and keys

    /// The mouse without a button moves to a position: it summons the loupe, which follows it.
    package mutating func hover(at position: Point) {
        guard down.touches.isEmpty, !isDismissed else { return }
        if isOpen, !magnifiesBelow, holds(position) { return }
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
        shift(magnifiesBelow ? .whole : .focus, from: loupe, by: vector)
    }

    /// Puts the loupe away. The mouse summons it again only after it has left the figure.
    package mutating func putAway() {
        isOpen = false
        isDismissed = true
    }

    // MARK: - Moving

    /// Whether a position lies on the loupe.
    private func holds(_ position: Point) -> Bool {
        let offset = position - loupe.center
        switch loupe.shape {
        case .circle(let radius): return offset.length <= radius
        case .rectangle(let shape): return abs(offset.dx) <= shape.width / 2 && abs(offset.dy) <= shape.height / 2
        }
    }

    /// Shows a position.
    private mutating func show(_ position: Point) {
        loupe.focus = onCanvas(position)
        guard magnifiesBelow else { return }
        loupe.center = loupe.focus
        guard fingerGap > 0 else { return }
        // Above the finger; where the canvas ends there, as far aside as it is not above.
        let distance = loupe.halfSides.dy + fingerGap
        loupe.center.y = min(loupe.focus.y, max(loupe.halfSides.dy, loupe.focus.y - distance))
        let above = loupe.focus.y - loupe.center.y
        let aside = max(0, distance * distance - above * above).squareRoot()
        loupe.center.x += loupe.focus.x < width / 2 ? aside : -aside
    }

    private mutating func shift(_ part: Part, from start: Loupe, by vector: Vector) {
        switch part {
        case .whole: show(start.focus + vector)
        case .focus: loupe.focus = onCanvas(start.focus + vector)
        case .disc: loupe.center = onCanvas(start.center + vector)
        }
    }

    private func onCanvas(_ point: Point) -> Point {
        Point(x: point.x.clamped(to: 0...width), y: point.y.clamped(to: 0...height))
    }
}

import LoupeBase
import LoupePlan
import LoupeScene

/// A drag in progress: what a hand holds, and how everything was when it took hold.
struct Drag: Sendable {
    let handle: Handle
    let start: Point
    let before: EditedFigure
    let selection: Int?
}

/// A line along which what is dragged has snapped, in canvas pixels.
package enum Guide: Hashable, Sendable {
    /// At an x.
    case vertical(Double)
    /// At a y.
    case horizontal(Double)
}

extension FigureEditor {
    /// Whether a hand holds something.
    package var isDragging: Bool { drag != nil }

    /// A hand goes down: it selects what is there, and takes hold of it.
    /// - Parameter reach: how far the hand may miss, in pixels of the screen.
    /// - Returns: whether there was anything.
    package mutating func press(at point: Point, reach: Double = Self.reach) -> Bool {
        finishDrag()
        guard let handle = handle(at: point, reach: reach) else {
            select(nil)
            return false
        }
        let before = selection
        select(handle.loupe)
        beginDrag(Drag(handle: handle, start: point, before: figure, selection: before))
        return true
    }

    /// The hand moves.
    /// - Parameter snaps: whether positions snap to those of other loupes, and sizes to round ones.
    package mutating func move(to point: Point, snaps: Bool = true) {
        guard let drag else { return }
        figure = drag.before
        guides = []
        let index = drag.handle.loupe
        let old = figure.loupes[index]
        let way = point - drag.start
        switch drag.handle.part {
        case .loupe, .focus, .both: shift(drag.handle, from: old, by: way, snaps)
        case .radius:
            let factor = Self.factor(from: old.loupe.center, drag.start, point)
            setRadius(old.loupe.radius * factor, of: index, snaps)
        case .zoom:
            let factor = Self.factor(from: shownFocus(index), drag.start, point)
            setZoom(old.loupe.zoom / max(factor, 1e-3), of: index, snaps)
        }
    }

    /// Moves a loupe, what it shows, or both, from where they were.
    private mutating func shift(_ handle: Handle, from old: EditedLoupe, by way: Vector, _ snaps: Bool) {
        let (index, part) = (handle.loupe, handle.part)
        if part == .focus {
            // From what is shown, where the view has moved to stay on the page.
            figure.loupes[index].loupe.focus = snapped(shownFocus(index) + way, of: index, part, snaps)
            return
        }
        let center = snapped(old.loupe.center + way, of: index, part, snaps)
        figure.loupes[index].loupe.center = center
        if part == .both {
            figure.loupes[index].loupe.focus = (old.loupe.focus + (center - old.loupe.center)).limited(to: canvas)
        } else if old.magnifiesInPlace {
            figure.loupes[index].loupe.focus = center
        }
    }

    /// The hand lets go.
    package mutating func release() { finishDrag() }

    /// How many times farther from a point the hand is than where it began.
    private static func factor(from center: Point, _ start: Point, _ now: Point) -> Double {
        now.distance(to: center) / max(start.distance(to: center), 1e-6)
    }

    // MARK: - Keys

    /// Moves a handle by keys: a step of each axis; sizes grow to the right and upwards.
    /// - Parameter isFine: whether steps are small.
    package mutating func nudge(_ handle: Handle, dx: Double, dy: Double, isFine: Bool) {
        guard figure.loupes.indices.contains(handle.loupe), !isDragging else { return }
        let index = handle.loupe
        let step = (isFine ? 1.0 : 10.0) * Vector(dx: dx, dy: dy)
        change("\(handle.part.rawValue) \(index)") { editor in
            let loupe = editor.figure.loupes[index]
            switch handle.part {
            case .loupe, .focus, .both: editor.shift(handle, from: loupe, by: step, false)
            case .radius: editor.setRadius(loupe.loupe.radius + (dx - dy) * (isFine ? 1 : 5), of: index, false)
            case .zoom: editor.setZoom(loupe.loupe.zoom + (dx - dy) * (isFine ? 0.05 : 0.25), of: index, false)
            }
        }
    }

    // MARK: - Sizes

    /// Sets a radius, in whole pixels. A rectangle keeps its proportions.
    /// - Parameter snaps: whether it becomes that of another loupe that is nearly as large.
    mutating func setRadius(_ radius: Double, of index: Int, _ snaps: Bool) {
        var radius = radius.rounded()
        if snaps {
            let others = figure.loupes.indices.filter { $0 != index }.map { figure.loupes[$0].loupe.radius }
            if let near = others.min(by: { abs($0 - radius) < abs($1 - radius) }),
                abs(near - radius) <= Self.snapReach * unit
            {
                radius = near
            }
        }
        let least = max(Loupe.radiusRange.lowerBound, 4)
        let most = min(Loupe.radiusRange.upperBound, max(canvas.width, canvas.height))
        figure.loupes[index].loupe.radius = radius.clamped(to: least...most)
        let limit = figure.loupes[index].loupe.radius
        if let rim = figure.loupes[index].loupe.rim { figure.loupes[index].loupe.rim?.width = min(rim.width, limit) }
    }

    /// Sets a zoom, to hundredths.
    /// - Parameter snaps: whether it becomes a quarter,.
    mutating func setZoom(_ zoom: Double, of index: Int, _ snaps: Bool) {
        var zoom = (zoom * 100).rounded() / 100
        if snaps {
            let step = zoom < 8 ? 0.25 : 0.5
            zoom = (zoom / step).rounded() * step
        }
        figure.loupes[index].loupe.zoom = zoom.clamped(to: Loupe.zoomRange)
    }

    // MARK: - Snapping

    /// How far something is moved to be in line with something else, in pixels of the screen.
    private static let snapReach = 6.0

    /// The nearest point of whole pixels at which a loupe or its source is in line with something.
    private mutating func snapped(_ point: Point, of index: Int, _ part: Handle.Part, _ snaps: Bool) -> Point {
        var point = point.limited(to: canvas)
        guard snaps else { return Point(x: (point.x * 100).rounded() / 100, y: (point.y * 100).rounded() / 100) }
        let (across, down) = lines(for: index, part)
        let reach = Self.snapReach * unit
        point = point.onWholePixels.limited(to: canvas)
        if let x = Self.nearest(across, to: point.x, within: reach) {
            point.x = x.value
            guides.append(.vertical(x.line))
        }
        if let y = Self.nearest(down, to: point.y, within: reach) {
            point.y = y.value
            guides.append(.horizontal(y.line))
        }
        return point
    }

    /// A coordinate for a middle, and the line that is then touched.
    private typealias Line = (value: Double, line: Double)

    private static func nearest(_ lines: [Line], to value: Double, within reach: Double) -> Line? {
        let best = lines.min { abs($0.value - value) < abs($1.value - value) }
        return best.flatMap { abs($0.value - value) <= reach ? $0 : nil }
    }

    /// Where a middle may snap: to the middles of others, to the canvas's, and with borders at each other.
    private func lines(for index: Int, _ part: Handle.Part) -> (across: [Line], down: [Line]) {
        let own = figure.loupes[index]
        var (across, down): ([Line], [Line]) = ([], [])
        func add(_ point: Point) {
            across.append((point.x, point.x))
            down.append((point.y, point.y))
        }
        add(canvas.center)
        for other in figure.loupes.indices where other != index {
            let loupe = figure.loupes[other].loupe
            add(part == .focus ? shownFocus(other) : loupe.center)
            guard part != .focus else { continue }
            let (half, mine) = (loupe.halfSides, own.loupe.halfSides)
            for sign in [-1.0, 1] {
                let (x, y) = (loupe.center.x + sign * half.dx, loupe.center.y + sign * half.dy)
                across.append((x - sign * mine.dx, x))
                down.append((y - sign * mine.dy, y))
            }
        }
        // A connector that is upright or level.
        if part == .loupe, !own.magnifiesInPlace { add(shownFocus(index)) }
        if part == .focus { add(own.loupe.center) }
        return (across, down)
    }
}

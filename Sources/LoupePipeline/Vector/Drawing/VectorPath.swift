import LoupeBase

/// A path of straight lines and cubic Bézier curves, filled by the nonzero rule.
package struct VectorPath: Hashable, Sendable {
    /// One step of the path.
    package enum Element: Hashable, Sendable {
        /// Begins a figure.
        case move(Point)
        /// A straight line.
        case line(Point)
        /// A cubic Bézier curve: two control points and its end.
        case curve(Point, Point, Point)
        /// A straight line back to the figure's first point.
        case close
    }

    /// The steps, in order.
    private(set) var elements: [Element] = []

    /// A path of some steps; empty by default.
    package init(_ elements: [Element] = []) { self.elements = elements }

    /// A polygon, or a polyline where it is not closed.
    package init(_ points: some Sequence<Point>, isClosed: Bool = true) {
        for point in points { elements.append(elements.isEmpty ? .move(point) : .line(point)) }
        if isClosed, !elements.isEmpty { elements.append(.close) }
    }

    /// A rect, clockwise.
    package init(_ rect: Rect) {
        self.init([
            Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY), Point(x: rect.maxX, y: rect.maxY),
            Point(x: rect.minX, y: rect.maxY),
        ])
    }

    /// Both paths as one.
    package static func + (one: VectorPath, other: VectorPath) -> VectorPath {
        VectorPath(one.elements + other.elements)
    }

    /// The same figures run through in the other direction: holes in a figure around them.
    var reversed: VectorPath {
        var (result, steps): ([Element], [Element]) = ([], [])
        var last: Point?
        func flush() {
            if let last { result += [.move(last)] + steps.reversed() + [.close] }
            steps = []
        }
        for element in elements {
            switch element {
            case .move(let point):
                flush()
                last = point
            case .line(let point):
                steps.append(.line(last ?? point))
                last = point
            case .curve(let first, let second, let end):
                steps.append(.curve(second, first, last ?? end))
                last = end
            case .close: break
            }
        }
        flush()
        return VectorPath(result)
    }

    mutating func append(_ element: Element) { elements.append(element) }
}

extension VectorPath {
    /// A line of a width with round ends, clockwise.
    init(lineFrom start: Point, to end: Point, width: Double) {
        let way = end - start
        let along = way.length > 0 ? (1 / way.length) * way : Vector(dx: 1, dy: 0)
        let radius = width / 2
        // Around the end from the left side to the right one, then around the start.
        self.init([.move(start - radius * along.turned), .line(end - radius * along.turned)])
        appendArc(about: end, from: -along.turned, radius: radius, eighths: 4)
        append(.line(start + radius * along.turned))
        appendArc(about: start, from: along.turned, radius: radius, eighths: 4)
        append(.close)
    }

    /// Eighths of a circle, clockwise on the screen, each as one Bézier curve with an error of 4·10⁻⁶ of the radius.
    /// - Parameter direction: from the centre to the path's end, of length 1.
    mutating func appendArc(about center: Point, from direction: Vector, radius: Double, eighths: Int) {
        let diagonal = 0.5.squareRoot()
        // 4/3·tan(45°/4)
        let reach = radius * 0.265_216_489_839_543_9
        var from = direction
        for _ in 0..<eighths {
            let to = diagonal * (from + from.turned)
            let (start, end) = (center + radius * from, center + radius * to)
            append(.curve(start + reach * from.turned, end - reach * to.turned, end))
            from = to
        }
    }
}

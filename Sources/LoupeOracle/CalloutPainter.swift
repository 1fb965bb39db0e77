import Glibc
import LoupeGeometry
import LoupeScene

/// Paints what ties a loupe to its source: the connector, then the ring.
struct CalloutPainter {
    private let ring: Callout.Ring?
    private let ringColor: Pixel
    private let connectorColor: Pixel
    /// Painted one after the other; of several polygons in one, the larger coverage counts.
    private let shapes: [[Polygon]]
    /// What the loupe shows, in canvas pixels.
    private let source: Circle
    private let disc: Circle
    private let isSeenThrough: Bool

    /// Nil where the loupe has no callout.
    init?(_ loupe: Loupe, lens: Lens, codec: PixelCodec) {
        guard let callout = loupe.callout else { return nil }
        ring = callout.ring
        ringColor = callout.ring.map { codec.pixel($0.color) } ?? .zero
        connectorColor = callout.connector.map { codec.pixel($0.color) } ?? .zero
        source = Circle(
            center: Point(x: lens.horizontal.focus, y: lens.vertical.focus), radius: loupe.radius / loupe.zoom)
        disc = Circle(center: loupe.center, radius: loupe.radius)
        isSeenThrough = loupe.outside == .transparent
        let start = Circle(center: source.center, radius: source.radius + (callout.ring?.width ?? 0))
        shapes = callout.connector.map { [disc] in Self.shapes($0.shape, from: start, to: disc) } ?? []
    }

    /// The tangents touch both circles where the direction from the centre makes the angle acos((r − R)/D) with the line
    /// from the source's centre to the disc's.
    private static func shapes(_ shape: Connector.Shape, from source: Circle, to disc: Circle) -> [[Polygon]] {
        let distance = source.center.distance(to: disc.center)
        guard distance > abs(disc.radius - source.radius) else { return [] }
        let heading = atan2(disc.center.y - source.center.y, disc.center.x - source.center.x)
        let opening = acos((source.radius - disc.radius) / distance)
        switch shape {
        case .lines(let width):
            return [heading + opening, heading - opening].map { angle in
                let inner = (source.radius - width, disc.radius - width)
                return [
                    Polygon([
                        source.point(angle), disc.point(angle), disc.center.moved(inner.1, toward: angle),
                        source.center.moved(inner.0, toward: angle),
                    ])
                ]
            }
        case .cone:
            let (left, right) = (heading + opening, heading - opening)
            return [[Polygon([source.point(left), disc.point(left), disc.point(right), source.point(right)])]]
        case .arrow(let width):
            let room = distance - source.radius - disc.radius
            guard room > 0 else { return [] }
            return [arrow(width: min(width, room / 4), from: disc.center, to: source.point(heading), heading: heading)]
        }
    }

    /// - Parameter heading: From the tip to the start.
    private static func arrow(width: Double, from start: Point, to tip: Point, heading: Double) -> [Polygon] {
        let side = heading + .pi / 2
        func corner(_ place: Point, _ offset: Double) -> Point { place.moved(offset, toward: side) }
        let (middle, base) = (tip.moved(2 * width, toward: heading), tip.moved(4 * width, toward: heading))
        return [
            Polygon([
                corner(start, width / 2), corner(middle, width / 2), corner(middle, -width / 2),
                corner(start, -width / 2),
            ]),
            Polygon([tip, corner(base, 2 * width), corner(base, -2 * width)]),
        ]
    }

    /// Paints over a whole output row.
    func paint(over row: inout [Pixel], y: Int) {
        for x in row.indices {
            let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
            let free = isSeenThrough ? 1 - covered(point, by: disc) : 1
            for shape in shapes {
                let share = shape.lazy.map { $0.coverage(at: point) }.max() ?? 0
                guard share > 0 else { continue }
                row[x] = (connectorColor * (share * free * (1 - covered(point, by: source)))).over(row[x])
            }
            if let ring {
                let beyond = point.distance(to: source.center) - source.radius
                let share = coverage(ofDistance: ring.width / 2 - abs(beyond - ring.width / 2))
                row[x] = (ringColor * (share * free)).over(row[x])
            }
        }
    }

    private func covered(_ point: Point, by circle: Circle) -> Double {
        coverage(ofDistance: circle.radius - point.distance(to: circle.center))
    }
}

extension Circle {
    fileprivate func point(_ angle: Double) -> Point { center.moved(radius, toward: angle) }
}

extension Point {
    fileprivate func moved(_ length: Double, toward angle: Double) -> Point {
        Point(x: x + length * cos(angle), y: y + length * sin(angle))
    }
}

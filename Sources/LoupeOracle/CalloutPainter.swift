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
    /// Of what the loupe shows, in canvas pixels.
    private let source: Border
    private let border: Border
    private let isSeenThrough: Bool

    /// Nil where the loupe has no callout.
    init?(_ loupe: Loupe, lens: Lens, codec: PixelCodec) {
        guard let callout = loupe.callout else { return nil }
        ring = callout.ring
        ringColor = callout.ring.map { codec.pixel($0.color) } ?? .zero
        connectorColor = callout.connector.map { codec.pixel($0.color) } ?? .zero
        source = Border(ofWhat: loupe, showsAbout: Point(x: lens.horizontal.focus, y: lens.vertical.focus))
        border = Border(of: loupe)
        isSeenThrough = loupe.outside == .transparent
        let width = callout.ring?.width ?? 0
        shapes =
            callout.connector.map { [source, border] in
                Self.shapes($0.shape, from: source, ringWidth: width, to: border)
            } ?? []
    }

    private static func shapes(
        _ shape: Connector.Shape, from source: Border, ringWidth: Double, to border: Border
    ) -> [[Polygon]] {
        let touches = CommonTangents(source, ringWidth: ringWidth, border).touches
        switch shape {
        case .lines(let width):
            return touches.map { touch in
                [
                    Polygon([
                        touch.source, touch.loupe, touch.loupe.moved(-width, toward: touch.angle),
                        touch.source.moved(-width, toward: touch.angle),
                    ])
                ]
            }
        case .cone:
            guard touches.count == 2 else { return [] }
            return [[Polygon([touches[0].source, touches[0].loupe, touches[1].loupe, touches[1].source])]]
        case .arrow(let width):
            return [arrow(width: width, from: source, ringWidth: ringWidth, to: border)].filter { !$0.isEmpty }
        }
    }

    /// Along the line between the centres; nothing where that has no room between the ring and the loupe.
    private static func arrow(
        width: Double, from source: Border, ringWidth: Double, to border: Border
    ) -> [Polygon] {
        let way = border.center - source.center
        let heading = atan2(way.dy, way.dx)
        let start = border.exit(heading + .pi, growth: 0)
        let tip = source.exit(heading, growth: ringWidth)
        let room = way.length - source.center.distance(to: tip) - border.center.distance(to: start)
        guard room > 0 else { return [] }
        return arrow(width: min(width, room / 4), from: border.center, to: tip, heading: heading)
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
            let free = isSeenThrough ? 1 - covered(point, by: border) : 1
            for shape in shapes {
                let share = shape.lazy.map { $0.coverage(at: point) }.max() ?? 0
                guard share > 0 else { continue }
                row[x] = (connectorColor * (share * free * (1 - covered(point, by: source)))).over(row[x])
            }
            if let ring {
                let beyond = -source.depth(of: point)
                let share = coverage(ofDistance: ring.width / 2 - abs(beyond - ring.width / 2))
                row[x] = (ringColor * (share * free)).over(row[x])
            }
        }
    }

    private func covered(_ point: Point, by border: Border) -> Double {
        coverage(ofDistance: border.depth(of: point))
    }
}

extension Border {
    /// Where a ray from the centre leaves what lies no farther outside of the border than `growth`.
    fileprivate func exit(_ angle: Double, growth: Double) -> Point {
        var (inside, outside) = (0.0, right - left + bottom - top + growth)
        while true {
            let middle = inside + (outside - inside) / 2
            guard middle > inside, middle < outside else { return center.moved(middle, toward: angle) }
            if depth(of: center.moved(middle, toward: angle)) > -growth { inside = middle } else { outside = middle }
        }
    }
}

extension Point {
    fileprivate func moved(_ length: Double, toward angle: Double) -> Point {
        Point(x: x + length * cos(angle), y: y + length * sin(angle))
    }
}

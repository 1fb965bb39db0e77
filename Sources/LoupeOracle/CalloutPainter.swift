import Glibc
import LoupeGeometry
import LoupeScene

/// Paints a loupe's callout: the connector between the source and the loupe, then the ring around the source.
struct CalloutPainter {
    private let ring: Callout.Ring?
    private let ringColor: Pixel
    private let connectorColor: Pixel
    /// The parts of the connector, painted in this order. The coverage of a part is the largest of its polygons'.
    private let shapes: [[Polygon]]
    private let source: ExactBorder
    private let border: ExactBorder
    private let isTransparent: Bool

    /// Nil if the loupe has no callout.
    init?(_ loupe: Loupe, mapping: ViewMapping, codec: PixelCodec) {
        guard let callout = loupe.callout else { return nil }
        ring = callout.ring
        ringColor = callout.ring.map { codec.pixel($0.color) } ?? .zero
        connectorColor = callout.connector.map { codec.pixel($0.color) } ?? .zero
        source = ExactBorder(ofSourceOf: loupe, around: Point(x: mapping.horizontal.focus, y: mapping.vertical.focus))
        border = ExactBorder(of: loupe)
        isTransparent = loupe.outside == .transparent
        let width = callout.ring?.width ?? 0
        shapes =
            callout.connector.map { [source, border] in
                Self.shapes($0.shape, from: source, ringWidth: width, to: border)
            } ?? []
    }

    private static func shapes(
        _ shape: Connector.Shape, from source: ExactBorder, ringWidth: Double, to border: ExactBorder
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

    /// The arrow along the line between the centres. No polygons if there is no room between the ring and the loupe.
    private static func arrow(
        width: Double, from source: ExactBorder, ringWidth: Double, to border: ExactBorder
    ) -> [Polygon] {
        let way = border.center - source.center
        let heading = atan2(way.dy, way.dx)
        let start = border.exit(heading + .pi, growth: 0)
        let tip = source.exit(heading, growth: ringWidth)
        let room = way.length - source.center.distance(to: tip) - border.center.distance(to: start)
        guard room > 0 else { return [] }
        return arrow(width: min(width, room / 4), from: border.center, to: tip, heading: heading)
    }

    /// The shaft and the head of an arrow.
    ///
    /// - Parameter heading: The direction from the tip to the start, in radians.
    private static func arrow(width: Double, from start: Point, to tip: Point, heading: Double) -> [Polygon] {
        let side = heading + .pi / 2
        func corner(_ point: Point, _ offset: Double) -> Point { point.moved(offset, toward: side) }
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
            let outsideLoupe = isTransparent ? 1 - coverage(of: border, at: point) : 1
            for shape in shapes {
                let part = shape.lazy.map { $0.coverage(at: point) }.max() ?? 0
                guard part > 0 else { continue }
                let weight = part * outsideLoupe * (1 - coverage(of: source, at: point))
                row[x] = (connectorColor * weight).sourceOver(row[x])
            }
            if let ring {
                let outside = -source.depth(of: point)
                let part = LoupeOracle.coverage(ofDistance: ring.width / 2 - abs(outside - ring.width / 2))
                row[x] = (ringColor * (part * outsideLoupe)).sourceOver(row[x])
            }
        }
    }

    private func coverage(of border: ExactBorder, at point: Point) -> Double {
        LoupeOracle.coverage(ofDistance: border.depth(of: point))
    }
}

/// A convex polygon, its corners in either direction of rotation.
private struct Polygon {
    private let corners: [Point]
    /// 1 or −1: the sign of the corners' direction of rotation.
    private let rotation: Double

    /// - Parameter points: The corners. Neighbours less than 10⁻⁶ pixels apart count as one corner.
    init(_ points: [Point]) {
        corners = points.indices.compactMap { index in
            points[index].distance(to: points[(index + 1) % points.count]) > 1e-6 ? points[index] : nil
        }
        let ends = corners.dropFirst() + corners.prefix(1)
        let area = zip(corners, ends).reduce(0.0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) }
        rotation = area < 0 ? -1 : 1
    }

    /// clamp(d + ½, 0, 1), where d is the smallest of the signed distances to the lines through the sides, positive
    /// inside. 0 for fewer than three corners.
    func coverage(at point: Point) -> Double {
        guard corners.count > 2 else { return 0 }
        var least = Double.infinity
        for index in corners.indices {
            let start = corners[index]
            let side = corners[(index + 1) % corners.count] - start
            let offset = point - start
            least = min(least, rotation * (side.dx * offset.dy - side.dy * offset.dx) / side.length)
        }
        return LoupeOracle.coverage(ofDistance: least)
    }
}

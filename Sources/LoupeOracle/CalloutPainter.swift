import LoupeBase
import LoupeScene

/// Paints a loupe's callout: the ring around the source and the connector between the source and the loupe, as one shape
/// (specification, section 6.3).
struct CalloutPainter {
    /// The colours in the order in which they take their part of a pixel.
    private let ringColor: Pixel
    private let connectorColor: Pixel
    private let ringCasing: Pixel
    private let connectorCasing: Pixel
    /// In canvas pixels; 0 where there is none.
    private let ringCasingWidth: Double
    private let connectorCasingWidth: Double
    /// Nil for no ring.
    private let ringWidth: Double?
    /// The parts of the connector. Its distance at a point is the largest of theirs.
    private let parts: [Part]
    private let source: ExactBorder
    private let border: ExactBorder
    private let isTransparent: Bool

    /// Nil if the loupe has no callout.
    init?(_ loupe: Loupe, mapping: ViewMapping, codec: PixelCodec) {
        guard let callout = loupe.callout else { return nil }
        func pixel(_ color: Color?) -> Pixel { color.map(codec.pixel) ?? .zero }
        ringColor = pixel(callout.ring?.color)
        ringCasing = pixel(callout.ring?.casing?.color)
        connectorColor = pixel(callout.connector?.color)
        connectorCasing = pixel(callout.connector?.casing?.color)
        ringWidth = callout.ring?.width
        ringCasingWidth = callout.ring?.casing?.width ?? 0
        connectorCasingWidth = callout.connector?.casing?.width ?? 0
        source = ExactBorder(ofSourceOf: loupe, around: Point(x: mapping.horizontal.focus, y: mapping.vertical.focus))
        border = ExactBorder(of: loupe)
        isTransparent = loupe.outside == .transparent || loupe.opacity < 1
        let edge = callout.ring == nil ? 0 : ringCasingWidth + (ringWidth ?? 0)
        parts =
            callout.connector.map { [source, border] in
                Self.parts($0.shape, from: source, ringEdge: edge, to: border)
            } ?? []
    }

    /// - Parameter ringEdge: The distance of the ring's outer edge from the source's border.
    private static func parts(
        _ shape: Connector.Shape, from source: ExactBorder, ringEdge: Double, to border: ExactBorder
    ) -> [Part] {
        switch shape {
        case .lines(let width):
            let touches = CommonTangents(source, ringWidth: ringEdge, border).touches
            guard touches.allSatisfy({ $0.source.distance(to: $0.loupe) >= 2 * width }) else { return [] }
            return touches.map { touch in
                .line(
                    from: touch.source.moved(-width / 2, toward: touch.angle),
                    to: touch.loupe.moved(-width / 2, toward: touch.angle), width: width)
            }
        case .cone:
            let touches = CommonTangents(source, ringWidth: ringEdge, border).touches
            guard touches.count == 2 else { return [] }
            return [.polygon(Polygon([touches[0].source, touches[0].loupe, touches[1].loupe, touches[1].source]))]
        case .arrow(let width):
            return arrow(width: width, from: source, ringEdge: ringEdge, to: border)
        case .leader(let width):
            let (_, room, heading) = gap(from: source, ringEdge: ringEdge, to: border)
            return room > 0 ? [bar(width: width, from: border.center, to: source.center, heading: heading)] : []
        }
    }

    /// A rectangle about a segment.
    ///
    /// - Parameter heading: The direction from the end to the start, in radians.
    private static func bar(width: Double, from start: Point, to end: Point, heading: Double) -> Part {
        func corner(_ point: Point, _ offset: Double) -> Point { point.moved(offset, toward: heading + .pi / 2) }
        return .polygon(
            Polygon([
                corner(start, width / 2), corner(end, width / 2), corner(end, -width / 2), corner(start, -width / 2),
            ]))
    }

    /// Where the line between the centres leaves the ring's outer edge, how far it is from there to the loupe's border, and
    /// its direction from the source, in radians.
    private static func gap(
        from source: ExactBorder, ringEdge: Double, to border: ExactBorder
    ) -> (tip: Point, room: Double, heading: Double) {
        let way = border.center - source.center
        let heading = atan2(way.dy, way.dx)
        let start = border.exit(heading + .pi, growth: 0)
        let tip = source.exit(heading, growth: ringEdge)
        let room = way.length - source.center.distance(to: tip) - border.center.distance(to: start)
        return (tip, room, heading)
    }

    /// The arrow along the line between the centres. No parts if there is too little room between the ring and the loupe.
    private static func arrow(
        width: Double, from source: ExactBorder, ringEdge: Double, to border: ExactBorder
    ) -> [Part] {
        let (tip, room, heading) = gap(from: source, ringEdge: ringEdge, to: border)
        guard room >= 2 * width else { return [] }
        return arrow(width: min(width, room / 4), from: border.center, to: tip, heading: heading)
    }

    /// The shaft and the head of an arrow.
    ///
    /// - Parameter heading: The direction from the tip to the start, in radians.
    private static func arrow(width: Double, from start: Point, to tip: Point, heading: Double) -> [Part] {
        let base = tip.moved(4 * width, toward: heading)
        func corner(_ offset: Double) -> Point { base.moved(offset, toward: heading + .pi / 2) }
        return [
            bar(width: width, from: start, to: tip.moved(2 * width, toward: heading), heading: heading),
            .polygon(Polygon([tip, corner(2 * width), corner(-2 * width)])),
        ]
    }

    /// Paints over an output row. The slice's indices are columns.
    func paint(over row: inout ArraySlice<Pixel>, y: Int) {
        for x in row.indices {
            let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
            let shape = shape(at: point)
            guard shape.w > 0 else { continue }
            let outsideLoupe = isTransparent ? 1 - coverage(ofDistance: border.depth(of: point)) : 1
            row[x] = (shape * outsideLoupe).sourceOver(row[x])
        }
    }

    /// Ring, connector and their casings at a point: each takes what those before it leave of the pixel.
    private func shape(at point: Point) -> Pixel {
        let outside = -source.depth(of: point)
        var (ring, ringAndCasing) = (0.0, 0.0)
        if let ringWidth {
            ring = coverage(ofDistance: ringWidth / 2 - abs(outside - ringCasingWidth - ringWidth / 2))
            let half = ringCasingWidth + ringWidth / 2
            ringAndCasing = coverage(ofDistance: half - abs(outside - half))
        }
        var (connector, connectorAndCasing) = (0.0, 0.0)
        if let depth = parts.lazy.map({ $0.depth(at: point) }).max() {
            let free = 1 - coverage(ofDistance: ringCasingWidth - outside)
            connector = coverage(ofDistance: depth) * free
            connectorAndCasing = coverage(ofDistance: depth + connectorCasingWidth) * free
        }
        var (sum, taken) = (Pixel.zero, 0.0)
        for (part, color) in [
            (ring, ringColor), (connector, connectorColor), (ringAndCasing, ringCasing),
            (connectorAndCasing, connectorCasing),
        ] where part > taken {
            sum += color * (part - taken)
            taken = part
        }
        return sum
    }
}

/// A part of a connector.
private enum Part {
    case polygon(Polygon)
    /// A segment with round ends.
    case line(from: Point, to: Point, width: Double)

    /// The signed distance to the border, positive inside.
    func depth(at point: Point) -> Double {
        switch self {
        case .polygon(let polygon): polygon.depth(at: point)
        case .line(let start, let end, let width): width / 2 - Self.distance(from: point, toSegment: start, end)
        }
    }

    private static func distance(from point: Point, toSegment start: Point, _ end: Point) -> Double {
        let (way, offset) = (end - start, point - start)
        let square = way.dx * way.dx + way.dy * way.dy
        let along = square > 0 ? min(max((offset.dx * way.dx + offset.dy * way.dy) / square, 0), 1) : 0
        return point.distance(to: start + along * way)
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

    /// The smallest of the signed distances to the lines through the sides, positive inside. Minus infinity for fewer
    /// than three corners.
    func depth(at point: Point) -> Double {
        guard corners.count > 2 else { return -.infinity }
        var least = Double.infinity
        for index in corners.indices {
            let start = corners[index]
            let side = corners[(index + 1) % corners.count] - start
            let offset = point - start
            least = min(least, rotation * (side.dx * offset.dy - side.dy * offset.dx) / side.length)
        }
        return least
    }
}

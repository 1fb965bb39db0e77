import LoupeGeometry

/// What a loupe's callout draws, in output pixels.
public struct CalloutPlan: Hashable, Sendable {
    /// A band around a circle: its coverage is clamp(width/2 − |distance from the circle| + ½, 0, 1).
    public struct Ring: Hashable, Sendable {
        /// The band's middle.
        public let circle: Circle
        public let width: Double
        public let color: Color
    }

    /// One or two polygons, one shape: of their coverages the larger counts.
    public struct Piece: Hashable, Sendable {
        public let polygons: [ConvexPolygon]
        /// Around all of them.
        public let hull: ConvexPolygon
        public let color: Color
    }

    /// What the loupe shows. Its connector is left out there, each pixel by as much as the circle covers.
    public let source: Circle
    /// The loupe's disc.
    public let disc: Circle
    /// Whether what lies under the disc can be seen through it.
    private let isSeenThrough: Bool
    /// Drawn first.
    public let connector: [Piece]
    public let ring: Ring?

    /// Nil where nothing of it can be seen.
    init?(of loupe: Loupe, in scene: Scene) {
        guard let callout = loupe.callout, case .circle = loupe.shape else { return nil }
        let source = Circle(center: scene.shownFocus(of: loupe), radius: loupe.source.radius)
        let disc = Circle(center: loupe.center, radius: loupe.radius)
        self.source = source
        self.disc = disc
        isSeenThrough = loupe.outside == .transparent
        ring = callout.ring.map { ring in
            let middle = Circle(center: source.center, radius: source.radius + ring.width / 2)
            return Ring(circle: middle, width: ring.width, color: ring.color)
        }
        let outer = Circle(center: source.center, radius: source.radius + (callout.ring?.width ?? 0))
        connector = callout.connector.map { Self.pieces(of: $0, from: outer, to: disc) } ?? []
        if bounds(in: scene.canvas.pixels).isEmpty { return nil }
    }

    private static func pieces(of connector: Connector, from source: Circle, to disc: Circle) -> [Piece] {
        guard let tangents = OuterTangents(from: source, to: disc) else { return [] }
        switch connector.shape {
        case .lines(let width):
            return tangents.lines(width: width).map { Piece(polygons: [$0], hull: $0, color: connector.color) }
        case .cone:
            return [Piece(polygons: [tangents.cone], hull: tangents.cone, color: connector.color)]
        case .arrow(let width):
            return tangents.arrow(width: width).map {
                [Piece(polygons: [$0.shaft, $0.head], hull: $0.hull, color: connector.color)]
            } ?? []
        }
    }

    /// Where the whole callout is left out: the disc of a loupe that can be seen through. Any other disc covers it.
    public var hole: Circle? { isSeenThrough ? disc : nil }

    /// A piece in a block, but for what the disc hides: the pixels that it covers wholly, and those that need its shader.
    public func cut(_ piece: Piece, in block: PixelRect) -> (covered: [PixelRect], edges: [PixelRect]) {
        ConnectorCutter(piece: piece, holes: [source] + [hole].compactMap(\.self), disc: disc).cut(in: block)
    }

    /// Every pixel of a block that the callout may change lies in this one.
    public func bounds(in block: PixelRect) -> PixelRect {
        let pieces = connector.map { PixelRect.around($0.hull.corners(in: block)) }
        let ring = ring.map { ring in
            Circle(center: ring.circle.center, radius: ring.circle.radius + ring.width / 2 + 1).pixelBounds
        }
        return .union(of: (pieces + [ring].compactMap(\.self)).map { $0.intersection(block) })
    }
}

extension PixelRect {
    /// The smallest block around some points; empty where there are none.
    fileprivate static func around(_ points: [Point]) -> PixelRect {
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
            return PixelRect(width: 0, height: 0)
        }
        return PixelRect(
            minX: Int(left.rounded(.down)), minY: Int(top.rounded(.down)), maxX: Int(right.rounded(.up)),
            maxY: Int(bottom.rounded(.up)))
    }
}

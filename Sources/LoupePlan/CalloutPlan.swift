import LoupeGeometry
import LoupeScene

/// How a loupe's callout is drawn, in output pixels.
public struct CalloutPlan: Hashable, Sendable {
    /// A shape of one or two polygons. Its coverage is the larger of theirs.
    public struct Piece: Hashable, Sendable {
        /// One or two.
        public let polygons: [ConvexPolygon]
        /// Contains all of them.
        public let hull: ConvexPolygon
        /// Composited over the layers.
        public let color: Color
    }

    /// The border of the source. The connector is not drawn over it: its coverage is reduced by the source's.
    public let source: Border
    /// The border of the loupe.
    public let border: Border
    /// The loupe's zoom: how many times smaller the source is than the loupe.
    public let zoom: Double
    /// Whether the loupe is transparent where no layer lies. Then the callout is not drawn under it; any other loupe covers
    /// its callout.
    public let hasHole: Bool
    /// Drawn first.
    public let connector: [Piece]
    /// A band around the source; nil where the callout has none. At a distance d outside of the source its coverage is
    /// clamp(width/2 − |d − width/2| + ½, 0, 1).
    public let ring: Callout.Ring?

    /// Nil where nothing of it is visible.
    init?(of loupe: Loupe, in scene: Scene) {
        guard let callout = loupe.callout else { return nil }
        source = Border(ofSourceOf: loupe, in: scene)
        border = Border(of: loupe)
        zoom = loupe.zoom
        hasHole = loupe.outside == .transparent
        ring = callout.ring
        let width = callout.ring?.width ?? 0
        connector =
            callout.connector.map { [source, border] in
                Self.pieces(of: $0, from: source, ringWidth: width, to: border)
            } ?? []
        if bounds(in: scene.canvas.pixels).isEmpty { return nil }
    }

    private static func pieces(
        of connector: Connector, from source: Border, ringWidth: Double, to border: Border
    ) -> [Piece] {
        switch connector.shape {
        case .lines(let width):
            let tangents = OuterTangents(from: source, ringWidth: ringWidth, to: border)
            let lines = tangents?.lines(width: width) ?? []
            return lines.map { Piece(polygons: [$0], hull: $0, color: connector.color) }
        case .cone:
            let tangents = OuterTangents(from: source, ringWidth: ringWidth, to: border)
            return tangents.map { [Piece(polygons: [$0.cone], hull: $0.cone, color: connector.color)] } ?? []
        case .arrow(let width):
            let arrow = CenterLine(from: source, ringWidth: ringWidth, to: border)?.arrow(width: width)
            return arrow.map { [Piece(polygons: [$0.shaft, $0.head], hull: $0.hull, color: connector.color)] } ?? []
        }
    }

    /// The part of a piece in a block that the loupe does not hide: the pixels that it covers wholly, and those that need
    /// its shader.
    public func cut(_ piece: Piece, in block: PixelRect) -> (covered: [PixelRect], edges: [PixelRect]) {
        ConnectorCutter(piece: piece, holes: [source] + (hasHole ? [border] : []), loupe: border).cut(in: block)
    }

    /// The block, within another, that holds every pixel that the callout may change.
    public func bounds(in block: PixelRect) -> PixelRect {
        let pieces = connector.map { PixelRect(around: $0.hull.corners(in: block)) }
        let ring = ring.map { source.block(grownBy: $0.width + 1) }
        return .union(of: (pieces + [ring].compactMap { $0 }).map { $0.intersection(block) })
    }
}

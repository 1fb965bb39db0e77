import LoupeGeometry
import LoupeScene

/// What a loupe's callout draws, in output pixels.
public struct CalloutPlan: Hashable, Sendable {
    /// A band that begins where the source ends: at a distance d outside of the source its coverage is
    /// clamp(width/2 − |d − width/2| + ½, 0, 1).
    public struct Ring: Hashable, Sendable {
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

    /// The border of what the loupe shows. Its connector is left out there, each pixel by as much as that covers.
    public let source: Border
    /// The loupe's own.
    public let border: Border
    /// The loupe's: how much smaller the source is than the loupe.
    public let zoom: Double
    /// Whether what lies under the loupe can be seen through it, so that the whole callout is left out there. Any other
    /// loupe covers it.
    public let hasHole: Bool
    /// Drawn first.
    public let connector: [Piece]
    public let ring: Ring?

    /// Nil where nothing of it can be seen.
    init?(of loupe: Loupe, in scene: Scene) {
        guard let callout = loupe.callout else { return nil }
        source = Border(ofSourceOf: loupe, in: scene)
        border = Border(of: loupe)
        zoom = loupe.zoom
        hasHole = loupe.outside == .transparent
        ring = callout.ring.map { Ring(width: $0.width, color: $0.color) }
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

    /// A piece in a block, but for what the loupe hides: the pixels that it covers wholly, and those that need its shader.
    public func cut(_ piece: Piece, in block: PixelRect) -> (covered: [PixelRect], edges: [PixelRect]) {
        ConnectorCutter(piece: piece, holes: [source] + (hasHole ? [border] : []), loupe: border).cut(in: block)
    }

    /// Every pixel of a block that the callout may change lies in this one.
    public func bounds(in block: PixelRect) -> PixelRect {
        let pieces = connector.map { PixelRect(around: $0.hull.corners(in: block)) }
        let ring = ring.map { source.block(grownBy: $0.width + 1) }
        return .union(of: (pieces + [ring].compactMap { $0 }).map { $0.intersection(block) })
    }
}

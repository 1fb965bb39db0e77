import LoupeBase
import LoupeScene

/// The plan of a loupe's callout, in output pixels: ring and connector as one shape (specification, section 6.3).
package struct CalloutPlan: Hashable, Sendable {
    /// A part of the connector: one or two polygons. Its depth at a point is the larger of theirs.
    package struct Piece: Hashable, Sendable {
        /// One or two, of at most four sides.
        package let polygons: [ConvexPolygon]
        /// The radius of round ends, half the distance of the first two sides of the only polygon; 0 for none. The other
        /// two sides then pass through the ends' centres, and the piece reaches as far beyond them.
        package let capRadius: Double
        /// Contains all of them.
        package let hull: ConvexPolygon

        init(polygons: [ConvexPolygon], hull: ConvexPolygon) {
            (self.polygons, self.hull, capRadius) = (polygons, hull, 0)
        }

        /// A line of a width with round ends, between its points of tangency.
        init(line: ConvexPolygon, width: Double) {
            (polygons, capRadius) = ([line], width / 2)
            hull = ConvexPolygon(sides: line.sides.prefix(2) + line.sides.dropFirst(2).map { $0.grown(by: width / 2) })
        }
    }

    /// The border of the source. The connector is not drawn over it: its coverage is reduced by the source's.
    package let source: Border
    /// The border of the loupe.
    package let border: Border
    /// The loupe's zoom: how many times smaller the source is than the loupe.
    package let zoom: Double
    /// Whether the loupe may be seen through. Then the callout is not drawn under it; any other loupe covers its callout.
    package let hasHole: Bool
    /// None, one, or the two lines.
    package let connector: [Piece]
    /// The colour of the connector.
    package let color: Color
    /// Around the connector; nil for none.
    package let casing: Casing?
    /// A band around the source; nil where the callout has none.
    package let ring: Callout.Ring?

    /// Nil where nothing of it is visible.
    package init?(of loupe: Loupe, in scene: Scene) {
        guard let callout = loupe.callout else { return nil }
        source = Border(ofSourceOf: loupe, in: scene)
        border = Border(of: loupe)
        zoom = loupe.zoom
        hasHole = loupe.isSeenThrough
        ring = callout.ring
        color = callout.connector?.color ?? .transparent
        casing = callout.connector?.casing
        let edge = callout.ring.map { $0.width + ($0.casing?.width ?? 0) } ?? 0
        connector =
            callout.connector.map { [source, border] in
                Self.pieces(of: $0, from: source, ringEdge: edge, to: border)
            } ?? []
        if bounds(in: scene.canvas.pixels).isEmpty { return nil }
    }

    private static func pieces(
        of connector: Connector, from source: Border, ringEdge: Double, to border: Border
    ) -> [Piece] {
        switch connector.shape {
        case .lines(let width):
            let tangents = OuterTangents(from: source, ringWidth: ringEdge, to: border)
            guard let tangents, tangents.shortest >= 2 * width else { return [] }
            return tangents.lines(width: width).map { Piece(line: $0, width: width) }
        case .cone:
            let tangents = OuterTangents(from: source, ringWidth: ringEdge, to: border)
            return tangents.map { [Piece(polygons: [$0.cone], hull: $0.cone)] } ?? []
        case .arrow(let width):
            let arrow = CenterLine(from: source, ringWidth: ringEdge, to: border)?.arrow(width: width)
            return arrow.map { [Piece(polygons: [$0.shaft, $0.head], hull: $0.hull)] } ?? []
        }
    }

    /// The part in a block that the loupe does not hide, each pixel once: those that show the connector's colour alone,
    /// and those that need the callout's shader.
    package func cut(in block: PixelRect) -> (filled: [PixelRect], shaded: [PixelRect]) {
        CalloutCutter(callout: self).cut(in: block)
    }

    /// The block, within another, that holds every pixel that the callout may change.
    package func bounds(in block: PixelRect) -> PixelRect {
        let pieces = connector.map { PixelRect(around: hull(of: $0).corners(in: block)) }
        let ring = ring.map { source.block(grownBy: $0.reach + 1) }
        return .union(of: (pieces + [ring].compactMap { $0 }).map { $0.intersection(block) })
    }

    /// A polygon that contains a piece and its casing.
    func hull(of piece: Piece) -> ConvexPolygon { piece.hull.grown(by: casing?.width ?? 0) }
}

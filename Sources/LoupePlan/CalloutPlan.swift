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
        case .leader(let width):
            let line = CenterLine(from: source, ringWidth: ringEdge, to: border)
            let leader = line?.leader(from: source.center, width: width)
            return leader.map { [Piece(polygons: [$0], hull: $0)] } ?? []
        }
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

// MARK: - Cutting

extension CalloutPlan {
    /// In pixels. Lower bands need the shader for fewer pixels but cost more triangles.
    private static let bandHeight = 8

    /// The part in a block that the loupe does not hide, each pixel once: those that show the connector's colour alone,
    /// and those that need the callout's shader.
    package func cut(in block: PixelRect) -> (filled: [PixelRect], shaded: [PixelRect]) {
        let bounds = bounds(in: block)
        let hidden = [border, source].map { Region(of: $0, deeperThan: 0.5, within: bounds) }
        var (filled, shaded): ([PixelRect], [PixelRect]) = ([], [])
        for minY in stride(from: bounds.minY, to: bounds.maxY, by: Self.bandHeight) {
            let rows = minY..<min(minY + Self.bandHeight, bounds.maxY)
            let band = PixelRect(bounds.minX..<bounds.maxX, rows)
            let gone = hidden.map { $0.columns(inAllOf: rows) }.filter { !$0.isEmpty }
            for (columns, isFilled) in parts(of: band, without: gone) {
                if isFilled { filled.append(PixelRect(columns, rows)) } else { shaded.append(PixelRect(columns, rows)) }
            }
        }
        return (filled, shaded)
    }

    private func parts(
        of band: PixelRect, without hidden: [Range<Int>]
    ) -> [(columns: Range<Int>, isFilled: Bool)] {
        func columns(_ block: PixelRect) -> Range<Int>? {
            let part = block.intersection(band)
            return part.isEmpty ? nil : part.minX..<part.maxX
        }
        let pieces = connector.map { piece in
            (
                reached: columns(PixelRect(around: hull(of: piece).corners(in: band))),
                covered: piece.polygons.count > 1 ? nil : piece.polygons[0].columns(coveredIn: band)
            )
        }
        let ring = ring.flatMap { columns(source.block(grownBy: $0.reach + 1)) }
        // Where a pixel's colour depends on another border than the connector's.
        let around = [source.block(grownBy: 1), hasHole ? border.block(grownBy: 1) : nil].compactMap {
            $0.flatMap(columns)
        }
        let borders = around + [ring].compactMap { $0 }
        let ends = (pieces.flatMap { [$0.reached, $0.covered] }.compactMap { $0 } + borders + hidden)
            .flatMap { [$0.lowerBound, $0.upperBound] }
        let cuts = Set(ends.map { min(max($0, band.minX), band.maxX) }).sorted()
        return zip(cuts, cuts.dropFirst()).compactMap { start, end in
            if hidden.contains(where: { $0.contains(start) }) { return nil }
            let here = pieces.filter { $0.reached?.contains(start) == true }
            guard !here.isEmpty || ring?.contains(start) == true else { return nil }
            let isFilled =
                here.count == 1 && here[0].covered?.contains(start) == true
                && !borders.contains { $0.contains(start) }
            return (start..<end, isFilled)
        }
    }
}

extension ConvexPolygon {
    /// The columns of a band of rows in which every pixel's coverage is 1.
    fileprivate func columns(coveredIn band: PixelRect) -> Range<Int>? {
        var (low, high) = (Double(band.minX), Double(band.maxX))
        for side in sides {
            let (dx, dy) = (side.normal.dx, side.normal.dy)
            // The minimum over the rows of pixel centres: the depth of x = 0, less half a pixel of feather.
            let row = dy > 0 ? Double(band.minY) + 0.5 : Double(band.maxY) - 0.5
            let depth = side.offset + dy * row - 0.5
            if dx > 0 { low = max(low, -depth / dx - 0.5) }
            if dx < 0 { high = min(high, -depth / dx + 0.5) }
            if dx == 0 && depth < 0 { return nil }
        }
        let columns = (low.rounded(.up), high.rounded(.down))
        return columns.0 < columns.1 ? Int(columns.0)..<Int(columns.1) : nil
    }
}

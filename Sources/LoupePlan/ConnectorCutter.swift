import LoupeGeometry
import LoupeScene

/// Cuts a connector into bands of rows, and each band where its coverage changes, so that only its borders need distances.
struct ConnectorCutter {
    let piece: CalloutPlan.Piece
    /// Where the connector is not drawn: its coverage is reduced by that of each of these.
    let holes: [Border]
    /// The loupe, which hides the connector within its border.
    let loupe: Border

    /// In pixels. Lower bands need the shader for fewer pixels but cost more triangles.
    private static let bandHeight = 8

    func cut(in block: PixelRect) -> (covered: [PixelRect], edges: [PixelRect]) {
        var (covered, edges): ([PixelRect], [PixelRect]) = ([], [])
        let rows = piece.hull.corners(in: block).map { $0.y }
        guard let top = rows.min(), let bottom = rows.max() else { return (covered, edges) }
        let end = min(block.maxY, Int(bottom.rounded(.up)))
        for minY in stride(from: max(block.minY, Int(top.rounded(.down))), to: end, by: Self.bandHeight) {
            var band = block
            (band.minY, band.maxY) = (minY, min(minY + Self.bandHeight, end))
            for part in parts(of: band) {
                if part.isCovered { covered.append(part.rect) } else { edges.append(part.rect) }
            }
        }
        return (covered, edges)
    }

    private func parts(of band: PixelRect) -> [(rect: PixelRect, isCovered: Bool)] {
        let reached = piece.hull.corners(in: band).map { $0.x }
        guard let low = reached.min(), let high = reached.max() else { return [] }
        let whole = max(band.minX, Int(low.rounded(.down)))..<min(band.maxX, Int(high.rounded(.up)))
        let covered = piece.polygons.count > 1 ? nil : piece.hull.columns(coveredIn: band)
        let hidden = ([loupe] + holes).compactMap { $0.columns(coveredIn: band) }
        let open = holes.compactMap { $0.columns(reachedIn: band) }
        let borders = (open + hidden + [covered].compactMap { $0 }).flatMap { [$0.lowerBound, $0.upperBound] }
        let cuts = Set(borders.filter { whole.contains($0) } + [whole.lowerBound, whole.upperBound]).sorted()
        return zip(cuts, cuts.dropFirst()).compactMap { start, end in
            if hidden.contains(where: { $0.contains(start) }) { return nil }
            let isCovered = covered?.contains(start) == true && !open.contains { $0.contains(start) }
            let rect = PixelRect(minX: start, minY: band.minY, maxX: end, maxY: band.maxY)
            return (rect, isCovered)
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

extension Border {
    /// Columns of a band of rows that include all in which some pixel is partly covered.
    fileprivate func columns(reachedIn band: PixelRect) -> Range<Int>? {
        switch self {
        case .disc(let disc): return disc.columns(reachedIn: band)
        case .outline:
            let block = block(grownBy: 1)
            return block.intersection(band).isEmpty ? nil : block.minX..<block.maxX
        }
    }

    /// Columns of a band of rows in which every pixel is wholly covered.
    fileprivate func columns(coveredIn band: PixelRect) -> Range<Int>? {
        switch self {
        case .disc(let disc): return disc.columns(coveredIn: band)
        case .outline(let outline):
            // As the outline is convex, what is covered in the first and in the last row is so in those between.
            let ends = [band.minY, band.maxY - 1].map { row in
                let block = PixelRect(minX: band.minX, minY: row, maxX: band.maxX, maxY: row + 1)
                return PixelSpans(of: outline, deeperThan: 0.5, within: block).columns(inRow: row)
            }
            let covered = ends[0].clamped(to: ends[1])
            return covered.isEmpty ? nil : covered
        }
    }
}

extension Circle {
    /// The columns of a band of rows in which some pixel may be reached by the disc's coverage.
    fileprivate func columns(reachedIn band: PixelRect) -> Range<Int>? {
        let nearest = min(max(center.y, Double(band.minY)), Double(band.maxY))
        return columns(radius: radius + 1, atHeight: nearest).map {
            Int($0.lowerBound.rounded(.down))..<Int($0.upperBound.rounded(.up))
        }
    }

    /// The columns of a band of rows in which the disc's coverage of every pixel is 1.
    fileprivate func columns(coveredIn band: PixelRect) -> Range<Int>? {
        let (top, bottom) = (Double(band.minY), Double(band.maxY))
        let farthest = abs(top - center.y) > abs(bottom - center.y) ? top : bottom
        return columns(radius: radius - 1, atHeight: farthest).flatMap {
            let (low, high) = (Int($0.lowerBound.rounded(.up)), Int($0.upperBound.rounded(.down)))
            return low < high ? low..<high : nil
        }
    }

    private func columns(radius: Double, atHeight y: Double) -> ClosedRange<Double>? {
        let square = radius * radius - (y - center.y) * (y - center.y)
        guard radius > 0, square > 0 else { return nil }
        return center.x - square.squareRoot()...center.x + square.squareRoot()
    }
}

import LoupeBase
import LoupeScene

/// Cuts a callout into bands of rows, and each band where its coverage changes, so that only its borders need distances.
struct CalloutCutter {
    let callout: CalloutPlan

    /// In pixels. Lower bands need the shader for fewer pixels but cost more triangles.
    private static let bandHeight = 8

    func cut(in block: PixelRect) -> (filled: [PixelRect], shaded: [PixelRect]) {
        var (filled, shaded): ([PixelRect], [PixelRect]) = ([], [])
        let bounds = callout.bounds(in: block)
        guard !bounds.isEmpty else { return (filled, shaded) }
        for minY in stride(from: bounds.minY, to: bounds.maxY, by: Self.bandHeight) {
            var band = bounds
            (band.minY, band.maxY) = (minY, min(minY + Self.bandHeight, bounds.maxY))
            for part in parts(of: band) {
                if part.isFilled { filled.append(part.rect) } else { shaded.append(part.rect) }
            }
        }
        return (filled, shaded)
    }

    private func parts(of band: PixelRect) -> [(rect: PixelRect, isFilled: Bool)] {
        let pieces = callout.connector.map { piece in
            (reached: columns(reachedBy: piece, in: band), covered: piece.columns(coveredIn: band))
        }
        let ring = callout.ring.flatMap { callout.source.columns(reachedIn: band, grownBy: $0.reach) }
        // Where a pixel's colour depends on another border than the connector's.
        let borders = [
            ring, callout.source.columns(reachedIn: band, grownBy: 0),
            callout.hasHole ? callout.border.columns(reachedIn: band, grownBy: 0) : nil,
        ].compactMap { $0 }
        let hidden = [callout.border, callout.source].compactMap { $0.columns(coveredIn: band) }
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
            return (PixelRect(minX: start, minY: band.minY, maxX: end, maxY: band.maxY), isFilled)
        }
    }

    /// Columns of a band of rows that include all that a piece or its casing reaches.
    private func columns(reachedBy piece: CalloutPlan.Piece, in band: PixelRect) -> Range<Int>? {
        let reached = callout.hull(of: piece).corners(in: band).map { $0.x }
        guard let low = reached.min(), let high = reached.max() else { return nil }
        return Int(low.rounded(.down))..<Int(high.rounded(.up))
    }
}

extension CalloutPlan.Piece {
    /// Columns of a band of rows in which every pixel shows the piece's colour alone; nil where there are none.
    fileprivate func columns(coveredIn band: PixelRect) -> Range<Int>? {
        polygons.count > 1 ? nil : polygons[0].columns(coveredIn: band)
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
    /// Columns of a band of rows that include all in which some pixel is reached by the area, grown by some pixels.
    fileprivate func columns(reachedIn band: PixelRect, grownBy reach: Double) -> Range<Int>? {
        switch self {
        case .disc(let disc): return disc.columns(reachedIn: band, grownBy: reach)
        case .outline:
            let block = block(grownBy: reach + 1)
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
    /// The columns of a band of rows in which some pixel may be reached by the disc's coverage, grown by some pixels.
    fileprivate func columns(reachedIn band: PixelRect, grownBy reach: Double) -> Range<Int>? {
        let nearest = min(max(center.y, Double(band.minY)), Double(band.maxY))
        return columns(radius: radius + reach + 1, atHeight: nearest).map {
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

import LoupeBase
import LoupeScene

/// The pixels that a view covers: the whole canvas, a loupe's disc, or a shaped loupe's rectangle (specification,
/// section 7).
package struct Region: Hashable, Sendable {
    /// Every pixel of the region lies in this block.
    package let bounds: PixelRect
    private let shape: Shape

    /// The pixels of the bounds that belong to a region.
    private enum Shape: Hashable, Sendable {
        /// All of them.
        case block
        /// Those whose centres lie strictly inside, in output pixels.
        case disc(Circle)
        /// One run of pixels in each row.
        case spans(PixelSpans)
    }

    /// All pixels of a block.
    package init(bounds: PixelRect) {
        self.bounds = bounds
        shape = .block
    }

    /// The pixels of a block whose centres lie strictly inside a disc.
    /// - Parameter disc: In output pixels.
    package init(bounds: PixelRect, disc: Circle) {
        self.bounds = bounds
        shape = .disc(disc)
    }

    /// The pixels of a block that a shaped loupe covers at least in part.
    /// - Parameter outline: The loupe's border, in output pixels.
    package init(of outline: Outline, within block: PixelRect) {
        let spans = PixelSpans(of: outline, deeperThan: -0.5, within: block)
        bounds = spans.bounds
        shape = .spans(spans)
    }

    /// Whether every pixel of the bounds belongs to it.
    var isBlock: Bool {
        if case .block = shape { true } else { false }
    }

    /// The region of a view of the scene: the canvas, or the loupe's disc of radius + ½ on it.
    package init(of view: View, in scene: Scene) {
        switch view.kind {
        case .base:
            self.init(bounds: scene.canvas.pixels)
        case .loupe(let index):
            let loupe = scene.loupes[index]
            if let outline = loupe.outline {
                self.init(of: outline, within: scene.canvas.pixels)
                return
            }
            let disc = Circle(center: loupe.center, radius: loupe.radius + 0.5)
            self.init(bounds: scene.canvas.pixels.intersection(disc.pixelBounds), disc: disc)
        }
    }

    /// The columns of the region in one row of `rect`; empty when there are none.
    package func columns(inRow row: Int, of rect: PixelRect) -> Range<Int> {
        let block = bounds.intersection(rect)
        guard !block.isEmpty, row >= block.minY, row < block.maxY else { return 0..<0 }
        let span: Range<Int>
        switch shape {
        case .block: return block.minX..<block.maxX
        case .disc(let disc): span = disc.columns(inRow: row)
        case .spans(let spans): span = spans.columns(inRow: row)
        }
        let low = max(span.lowerBound, block.minX)
        return low..<max(low, min(span.upperBound, block.maxX))
    }

    /// How many pixels of the region lie in `rect`.
    package func pixelCount(in rect: PixelRect) -> Int {
        let block = bounds.intersection(rect)
        guard !block.isEmpty else { return 0 }
        guard !isBlock else { return block.pixelCount }
        return (block.minY..<block.maxY).reduce(0) { $0 + columns(inRow: $1, of: block).count }
    }

    /// How many pixels the region has.
    package var pixelCount: Int { pixelCount(in: bounds) }

    /// Whether any pixel of the region lies in `rect`.
    package func meets(_ rect: PixelRect) -> Bool {
        let block = bounds.intersection(rect)
        guard !block.isEmpty else { return false }
        switch shape {
        case .block: return true
        case .disc(let disc):
            let x = Self.nearestPixel(to: disc.center.x, from: block.minX, upTo: block.maxX)
            let y = Self.nearestPixel(to: disc.center.y, from: block.minY, upTo: block.maxY)
            return disc.contains(column: x, row: y)
        case .spans(let spans): return spans.meets(block)
        }
    }

    /// The pixel of `low ..< high` whose centre is nearest to a coordinate.
    private static func nearestPixel(to coordinate: Double, from low: Int, upTo high: Int) -> Int {
        min(max(Int(coordinate.rounded(.down)), low), high - 1)
    }
}

extension Circle {
    /// Whether the pixel's centre lies strictly inside.
    func contains(column: Int, row: Int) -> Bool {
        let dx = Double(column) + 0.5 - center.x
        let dy = Double(row) + 0.5 - center.y
        return dx * dx + dy * dy < radius * radius
    }

    /// The smallest block that holds every pixel whose centre lies inside.
    var pixelBounds: PixelRect {
        PixelRect(
            coveringMinX: center.x - radius - 0.5, minY: center.y - radius - 0.5,
            maxX: center.x + radius + 0.5, maxY: center.y + radius + 0.5)
    }

    /// The columns whose centres lie strictly inside, in one row.
    func columns(inRow row: Int) -> Range<Int> {
        let dy = Double(row) + 0.5 - center.y
        let square = radius * radius - dy * dy
        guard square > 0 else { return 0..<0 }
        let half = square.squareRoot()
        var first = Int((center.x - half - 0.5).rounded(.down))
        var last = Int((center.x + half - 0.5).rounded(.up))
        // The square root rounds; membership itself decides at the ends.
        while first <= last && !contains(column: first, row: row) { first += 1 }
        while last >= first && !contains(column: last, row: row) { last -= 1 }
        return first..<(last + 1)
    }
}

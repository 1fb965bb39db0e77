/// A block of whole pixels: columns `minX ..< maxX`, rows `minY ..< maxY`.
///
/// Pixel (i, j) covers [i, i+1]×[j, j+1] and its centre is (i+½, j+½). So the block covers the rectangle from
/// (minX, minY) to (maxX, maxY) exactly.
public struct PixelRect: Hashable, Sendable {
    /// The first column.
    public var minX: Int
    /// The first row.
    public var minY: Int
    /// The column after the last.
    public var maxX: Int
    /// The row after the last.
    public var maxY: Int

    /// A block by its first pixel and the one beyond its last.
    public init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// A block by its size, in pixels, from pixel (0, 0) on.
    public init(width: Int, height: Int) {
        self.init(minX: 0, minY: 0, maxX: width, maxY: height)
    }

    /// A block by its columns and rows.
    package init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.init(minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// How many columns there are.
    public var width: Int { max(0, maxX - minX) }
    /// How many rows there are.
    public var height: Int { max(0, maxY - minY) }
    /// How many pixels there are.
    public var pixelCount: Int { width * height }
    /// Whether there is no pixel.
    public var isEmpty: Bool { maxX <= minX || maxY <= minY }
}

// MARK: - Rounding outward

extension PixelRect {
    /// The smallest block that covers the rectangle between two corners.
    public init(coveringMinX minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.init(
            minX: Int(bounded: minX.rounded(.down)), minY: Int(bounded: minY.rounded(.down)),
            maxX: Int(bounded: maxX.rounded(.up)), maxY: Int(bounded: maxY.rounded(.up)))
    }

    /// The smallest block that covers the rectangle about a point.
    /// - Parameters:
    ///   - across: Half the rectangle's width.
    ///   - down: Half the rectangle's height.
    public init(around center: Point, across: Double, down: Double) {
        self.init(
            coveringMinX: center.x - across, minY: center.y - down, maxX: center.x + across, maxY: center.y + down)
    }

    /// The smallest block that covers the bounding box of some points; empty where there are none.
    /// - Parameter reach: How far each edge of the box is moved outward.
    public init(around points: [Point], reach: Double = 0) {
        let (xs, ys) = (points.map { $0.x }, points.map { $0.y })
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else {
            self.init(width: 0, height: 0)
            return
        }
        self.init(coveringMinX: left - reach, minY: top - reach, maxX: right + reach, maxY: bottom + reach)
    }

    /// The smallest block that covers this one moved by a displacement.
    public func offset(by offset: Vector) -> PixelRect {
        PixelRect(
            minX: minX + Int(bounded: offset.dx.rounded(.down)), minY: minY + Int(bounded: offset.dy.rounded(.down)),
            maxX: maxX + Int(bounded: offset.dx.rounded(.up)), maxY: maxY + Int(bounded: offset.dy.rounded(.up)))
    }
}

// MARK: - Blocks of blocks

extension PixelRect {
    /// The block without its outermost pixels; with more pixels around it where `count` is negative.
    /// - Parameter count: How many pixels each edge is moved inward.
    public func inset(by count: Int) -> PixelRect {
        PixelRect(minX: minX + count, minY: minY + count, maxX: maxX - count, maxY: maxY - count)
    }

    /// The pixels in both blocks; empty when there are none.
    public func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// The smallest block that holds all of these; empty where there are none.
    public static func union(of rects: [PixelRect]) -> PixelRect {
        let filled = rects.filter { !$0.isEmpty }
        guard let first = filled.first else { return PixelRect(width: 0, height: 0) }
        return filled.dropFirst().reduce(first) {
            PixelRect(
                minX: min($0.minX, $1.minX), minY: min($0.minY, $1.minY),
                maxX: max($0.maxX, $1.maxX), maxY: max($0.maxY, $1.maxY))
        }
    }

    /// The block's pixels that do not lie in another one, as blocks from top to bottom.
    public func without(_ other: PixelRect) -> [PixelRect] {
        let hole = intersection(other)
        guard !hole.isEmpty else { return isEmpty ? [] : [self] }
        return [
            PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: hole.minY),
            PixelRect(minX: minX, minY: hole.minY, maxX: hole.minX, maxY: hole.maxY),
            PixelRect(minX: hole.maxX, minY: hole.minY, maxX: maxX, maxY: hole.maxY),
            PixelRect(minX: minX, minY: hole.maxY, maxX: maxX, maxY: maxY),
        ].filter { !$0.isEmpty }
    }
}

extension [PixelRect] {
    /// The same pixels in fewer blocks: neighbours in the same rows are joined.
    /// - Parameter blocks: No two of them overlap.
    package static func joined(_ blocks: [PixelRect]) -> [PixelRect] {
        let sorted = blocks.sorted { ($0.minY, $0.maxY, $0.minX) < ($1.minY, $1.maxY, $1.minX) }
        return sorted.reduce(into: []) { joined, block in
            if let last = joined.last, last.minY == block.minY, last.maxY == block.maxY, last.maxX == block.minX {
                joined[joined.count - 1].maxX = block.maxX
            } else {
                joined.append(block)
            }
        }
    }

    /// Appends a block, or extends the last one downwards where that is as wide and ends where this one begins.
    package mutating func appendBelow(_ rect: PixelRect) {
        if let last, last.minX == rect.minX, last.maxX == rect.maxX, last.maxY == rect.minY {
            self[count - 1].maxY = rect.maxY
        } else {
            append(rect)
        }
    }
}

/// The size of an image.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// A size by its width and height, in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Such as `640×480`.
    public var description: String { "\(width)×\(height)" }

    /// The size after a quarter turn: width and height exchanged.
    public var transposed: ImageSize { ImageSize(width: height, height: width) }
}

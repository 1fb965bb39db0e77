/// A block of whole pixels: columns `minX ..< maxX`, rows `minY ..< maxY`.
///
/// Pixel (i, j) covers [i, i+1]×[j, j+1] and its centre is (i+½, j+½), so the block covers the
/// rectangle from (minX, minY) to (maxX, maxY) without any rounding.
public struct PixelRect: Hashable, Sendable {
    public var minX: Int
    public var minY: Int
    public var maxX: Int
    public var maxY: Int

    public init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    public init(width: Int, height: Int) {
        self.init(minX: 0, minY: 0, maxX: width, maxY: height)
    }

    public var width: Int { max(0, maxX - minX) }
    public var height: Int { max(0, maxY - minY) }
    public var pixelCount: Int { width * height }
    public var isEmpty: Bool { maxX <= minX || maxY <= minY }

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

    /// The smallest block of whole pixels that covers the rectangle between two corners.
    public init(coveringMinX minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.init(
            minX: Int(minX.rounded(.down)), minY: Int(minY.rounded(.down)),
            maxX: Int(maxX.rounded(.up)), maxY: Int(maxY.rounded(.up)))
    }
}

/// The size of an image, in pixels.
public struct ImageSize: Hashable, Sendable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width and height exchanged, as a picture turned by a quarter turn has them.
    public var transposed: ImageSize { ImageSize(width: height, height: width) }
}

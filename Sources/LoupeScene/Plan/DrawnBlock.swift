import LoupeGeometry

/// The pixels of a vector picture in one view.
public struct DrawnBlock: Hashable, Sendable {
    /// What the whole picture is stretched to, in output pixels.
    public let rect: Rect
    /// The output pixels that are drawn, at least one; beyond them the nearest one goes on.
    ///
    /// They lie wholly within the rect: the rasteriser feathers the picture's own border, and the outline would feather it
    /// once more. Along a side where no pixel does, it is the pixel of the rect's middle.
    public let pixels: PixelRect

    /// - Parameter shaded: what the view shades of the layer.
    init(_ rect: Rect, shadedIn shaded: PixelRect) {
        self.rect = rect
        let columns = Self.pixels(from: rect.minX, to: rect.maxX, within: shaded.minX..<shaded.maxX)
        let rows = Self.pixels(from: rect.minY, to: rect.maxY, within: shaded.minY..<shaded.maxY)
        pixels = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// How much of a pixel may lie beyond the rect: no rounding of places decides, and no rasteriser sees it.
    private static let tolerance = 1.0 / 1024

    private static func pixels(from start: Double, to end: Double, within shaded: Range<Int>) -> Range<Int> {
        let first = whole((start - tolerance).rounded(.up))
        let last = whole((end + tolerance).rounded(.down))
        let middle = whole(((start + end) / 2).rounded(.down))
        let inside = first < last ? first..<last : middle..<middle + 1
        let wanted = shaded.clamped(to: inside)
        if !wanted.isEmpty { return wanted }
        return shaded.lowerBound < inside.lowerBound
            ? inside.lowerBound..<inside.lowerBound + 1 : inside.upperBound - 1..<inside.upperBound
    }

    /// Farther away nothing is seen.
    private static func whole(_ place: Double) -> Int { Int(min(max(place, -1e9), 1e9)) }
}

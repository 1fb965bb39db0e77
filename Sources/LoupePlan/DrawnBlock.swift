import LoupeGeometry
import LoupeScene

/// The pixels of a vector picture in one view.
public struct DrawnBlock: Hashable, Sendable {
    /// What the whole picture is stretched to, in output pixels.
    public let rect: Rect
    /// The output pixels that are drawn, at least one; beyond them the nearest one goes on.
    ///
    /// They lie wholly within the rect: the rasteriser feathers the picture's own border, and the outline would feather it
    /// once more. Along a side where no pixel does, it is the pixel of the rect's middle.
    public let pixels: PixelRect

    /// - Parameter extent: of the view. All of it is drawn, shaded or not: on the way to a block's border the rasteriser
    ///   rounds, so another block may give other pixels.
    init(_ rect: Rect, within extent: PixelRect) {
        self.rect = rect
        let columns = Self.pixels(from: rect.minX, to: rect.maxX, within: extent.minX..<extent.minX + extent.width)
        let rows = Self.pixels(from: rect.minY, to: rect.maxY, within: extent.minY..<extent.minY + extent.height)
        pixels = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// How much of a pixel may lie beyond the rect: no rounding of places decides, and no rasteriser sees it.
    private static let tolerance = 1.0 / 1024

    private static func pixels(from start: Double, to end: Double, within extent: Range<Int>) -> Range<Int> {
        let first = whole((start - tolerance).rounded(.up))
        let last = whole((end + tolerance).rounded(.down))
        let middle = whole(((start + end) / 2).rounded(.down))
        let inside = first < last ? first..<last : middle..<middle + 1
        let wanted = extent.clamped(to: inside)
        if !wanted.isEmpty { return wanted }
        return extent.lowerBound < inside.lowerBound
            ? inside.lowerBound..<inside.lowerBound + 1 : inside.upperBound - 1..<inside.upperBound
    }

    /// Farther away nothing is seen.
    private static func whole(_ place: Double) -> Int { Int(min(max(place, -1e9), 1e9)) }
}

extension View {
    /// The pixels of the canvas, or those of them that a loupe's box, half a pixel of feather included, touches.
    func extent(in scene: Scene) -> PixelRect {
        guard case .loupe(let index) = kind else { return scene.canvas.pixels }
        let loupe = scene.loupes[index]
        let (center, half) = (loupe.center, loupe.halfSides)
        let box = PixelRect(
            minX: Int((center.x - half.dx - 0.5).rounded(.down)), minY: Int((center.y - half.dy - 0.5).rounded(.down)),
            maxX: Int((center.x + half.dx + 0.5).rounded(.up)), maxY: Int((center.y + half.dy + 0.5).rounded(.up)))
        return box.intersection(scene.canvas.pixels)
    }
}

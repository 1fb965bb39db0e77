import LoupeBase
import LoupeScene

/// The method by which the pixels of a layer in a view get their colour.
package enum Sampling: Hashable, Sendable {
    /// A plain colour.
    case fill(Color)
    /// Each pixel shows exactly one texel: its own index plus these.
    case copy(dx: Int, dy: Int)
    /// The four texels around a point, in one pass; only where the picture is not minified.
    case linear(columns: AxisMapping, rows: AxisMapping)
    /// Any filter, by tables: first along the rows, then along the columns.
    case separable(columns: FilterTable, rows: FilterTable)
    /// A vector picture, rasterised for this view.
    case drawn(DrawnBlock)
}

extension Sampling {
    /// The cheapest exact sampling of a layer in a view, over the pixels of `block`.
    /// - Parameter extent: The view's, as `View.extent` has it.
    init(of layer: Layer, in view: View, image: ImageTraits?, filter: Filter, over block: PixelRect, extent: PixelRect)
    {
        guard let image else {
            guard case .fill(let color) = layer.content else {
                preconditionFailure("the plan is made after every image's size is known")
            }
            self = .fill(color)
            return
        }
        let columns = AxisMapping.columns(of: layer, in: view, texels: image.size.width)
        let rows = AxisMapping.rows(of: layer, in: view, texels: image.size.height)
        if image.isVector {
            self = .drawn(DrawnBlock(view.output(of: layer.rect), within: extent))
        } else if let dx = columns.wholeShift(filter), let dy = rows.wholeShift(filter) {
            self = .copy(dx: dx, dy: dy)
        } else if filter == .linear && columns.scale <= 1 && rows.scale <= 1 {
            self = .linear(columns: columns, rows: rows)
        } else {
            self = .separable(
                columns: FilterTable(columns, filter: filter, pixels: block.minX..<block.maxX),
                rows: FilterTable(rows, filter: filter, pixels: block.minY..<block.maxY))
        }
    }
}

/// The pixels of a vector picture in one view.
package struct DrawnBlock: Hashable, Sendable {
    /// The rect to which the whole picture is stretched, in output pixels.
    package let rect: Rect
    /// The output pixels that are drawn, at least one. Beyond them sampling clamps to the nearest one.
    ///
    /// They lie wholly within the rect, as the rasteriser would feather the picture's border and the outline would feather
    /// it again. Where no pixel of an axis does, it is the pixel at the rect's middle.
    package let pixels: PixelRect

    /// - Parameter extent: The view's. All of it is drawn, shaded or not, because the rasteriser rounds at a block's
    ///   border, so that another block could give other pixels.
    init(_ rect: Rect, within extent: PixelRect) {
        self.rect = rect
        let columns = Self.pixels(from: rect.minX, to: rect.maxX, within: extent.minX..<extent.minX + extent.width)
        let rows = Self.pixels(from: rect.minY, to: rect.maxY, within: extent.minY..<extent.minY + extent.height)
        pixels = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
    }

    /// How much of a pixel may lie beyond the rect, so that the rounding of positions does not decide. No rasteriser shows
    /// so little.
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

    /// Farther away nothing is visible.
    private static func whole(_ position: Double) -> Int { Int(min(max(position, -1e9), 1e9)) }
}

extension View {
    /// The pixels of the canvas, or those of them that a loupe's box, half a pixel of feather included, touches.
    func extent(in scene: Scene) -> PixelRect {
        guard case .loupe(let index) = kind else { return scene.canvas.pixels }
        let loupe = scene.loupes[index]
        let (center, half) = (loupe.center, loupe.halfSides)
        let box = PixelRect(
            coveringMinX: center.x - half.dx - 0.5, minY: center.y - half.dy - 0.5,
            maxX: center.x + half.dx + 0.5, maxY: center.y + half.dy + 0.5)
        return box.intersection(scene.canvas.pixels)
    }
}

import LoupeGeometry
import LoupeScene

/// How the pixels of a layer in a view get their colour.
public enum Sampling: Hashable, Sendable {
    /// A plain colour.
    case fill(Color)
    /// Each pixel shows exactly one texel: its own index plus these.
    case copy(dx: Int, dy: Int)
    /// The four texels around a point, in one pass; only where the picture is not minified.
    case linear(columns: AxisMapping, rows: AxisMapping)
    /// Any filter, by tables: first along the rows, then along the columns.
    case separable(columns: FilterTable, rows: FilterTable)
    /// A vector picture's own pixels in this very view.
    case drawn(DrawnBlock)
}

extension Sampling {
    /// The cheapest way that is exact for a layer in a view, over the pixels of `block`.
    /// - Parameter extent: of the view.
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
            coveringMinX: center.x - half.dx - 0.5, minY: center.y - half.dy - 0.5,
            maxX: center.x + half.dx + 0.5, maxY: center.y + half.dy + 0.5)
        return box.intersection(scene.canvas.pixels)
    }
}

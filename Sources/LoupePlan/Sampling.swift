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

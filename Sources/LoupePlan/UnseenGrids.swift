import LoupeBase
import LoupeScene

extension Scene {
    /// A sentence for each loupe with a grid that is nowhere seen, as the texels in it are too small for lines between them
    /// (specification, section 5.7).
    /// - Parameter images: What the layers show, by path.
    package func unseenGrids(_ images: [ImagePath: ImageTraits]) -> [String] {
        loupes.indices.compactMap { index in
            let loupe = loupes[index]
            guard let grid = loupe.grid else { return nil }
            let view = View.loupe(index, of: self)
            let shown = layers.compactMap { layer -> (layer: Layer, size: ImageSize)? in
                guard let size = layer.imagePath.flatMap({ images[$0]?.size }),
                    loupe.reaches(layer.bounds, from: view.focus, scale: 1 / loupe.zoom)
                else { return nil }
                return (layer, size)
            }
            let sizes = shown.map { $0.layer.texelSize(of: $0.size, in: view) }
            guard let size = sizes.max(),
                shown.allSatisfy({ PlacedGrid(grid, of: $0.layer, in: view, imageSize: $0.size) == nil })
            else { return nil }
            let least = Double(grid.width.wholePixels) * TexelGrid.fadingTexelSizes.lowerBound
            return
                "loupe \(index) shows no grid: the page's pixels are \(size.shortText) pixels large in it, and lines of "
                + "\(grid.width.wholePixels) need more than \(least.shortText); magnify more"
        }
    }
}

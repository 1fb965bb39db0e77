import LoupeGeometry
import LoupeScene

extension Scene {
    /// A sentence for each loupe with a grid that is nowhere seen, as the texels in it are too small for lines between them
    /// (specification, section 5.7).
    /// - Parameter images: What the layers show, by path.
    public func unseenGrids(_ images: [ImagePath: ImageTraits]) -> [String] {
        loupes.indices.compactMap { index in
            guard let width = loupes[index].grid?.width.wholePixels else { return nil }
            let view = View.loupe(index, of: self)
            let sizes = layers.compactMap { layer in
                layer.imagePath.flatMap { images[$0] }.map { layer.texelSize(of: $0.size, in: view) }
            }
            let least = Double(width) * TexelGrid.fadingTexelSizes.lowerBound
            guard let size = sizes.max(), size <= least else { return nil }
            return
                "loupe \(index) shows no grid: the page's pixels are \(size.shortText) pixels large in "
                + "it, and lines of \(width) need more than \(least.shortText); magnify more"
        }
    }
}

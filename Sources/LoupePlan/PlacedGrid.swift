import LoupeGeometry
import LoupeScene

/// The borders of a layer's texels as one view shows them.
public struct PlacedGrid: Hashable, Sendable {
    public let color: Color
    /// How much of the colour's alpha shows: above 0, at most 1.
    public let strength: Double
    public let columns: AxisMapping
    public let rows: AxisMapping

    /// Nil where no line shows.
    init?(_ grid: TexelGrid, of layer: Layer, in view: View, imageSize: ImageSize) {
        columns = .columns(of: layer, in: view, texels: imageSize.width)
        rows = .rows(of: layer, in: view, texels: imageSize.height)
        color = grid.color
        strength = TexelGrid.strength(atTexelSize: layer.texelSize(of: imageSize, in: view))
        guard strength > 0 else { return nil }
    }
}

extension AxisMapping {
    /// The texel coordinate of a pixel's middle as a whole number and what is left of it, 0…1, with the whole numbers
    /// from there to the image's first border and its last.
    public func gridStart(pixel: Int) -> (fraction: Double, first: Int, last: Int) {
        let coordinate = texelCoordinate(ofPixel: pixel)
        let whole = coordinate.rounded(.down)
        return (coordinate - whole, -Int(whole), texels - Int(whole))
    }
}

extension Layer {
    /// How large a texel appears, along the shorter of its sides, in output pixels.
    func texelSize(of imageSize: ImageSize, in view: View) -> Double {
        view.magnification * min(rect.width / Double(imageSize.width), rect.height / Double(imageSize.height))
    }
}

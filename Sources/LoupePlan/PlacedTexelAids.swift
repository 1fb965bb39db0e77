import LoupeGeometry
import LoupeScene

/// The borders of a layer's texels as one view shows them.
public struct PlacedGrid: Hashable, Sendable {
    /// Of the lines.
    public let color: Color
    /// The factor of the colour's alpha: above 0, at most 1.
    public let strength: Double
    /// From pixels to texels, along x.
    public let columns: AxisMapping
    /// From pixels to texels, along y.
    public let rows: AxisMapping

    /// Nil where no line is visible.
    init?(_ grid: TexelGrid, of layer: Layer, in view: View, imageSize: ImageSize) {
        columns = .columns(of: layer, in: view, texels: imageSize.width)
        rows = .rows(of: layer, in: view, texels: imageSize.height)
        color = grid.color
        strength = TexelGrid.strength(atTexelSize: layer.texelSize(of: imageSize, in: view))
        guard strength > 0 else { return nil }
    }
}

extension AxisMapping {
    /// The texel coordinate of a pixel's centre, split into a whole number and a fraction, 0…1: the fraction, and the
    /// image's first and last texel borders relative to the whole number.
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

/// A frame around one texel, in output pixels: the part of its outer rect's coverage that is not its inner rect's.
public struct PlacedMark: Hashable, Sendable {
    /// The texel.
    public let inner: Rect
    /// Of the frame, in output pixels.
    public let width: Double
    /// Of the frame.
    public let color: Color

    /// The frame's outer edges.
    public var outer: Rect { inner.inset(by: -width) }

    /// Nil where there is no texel at the loupe's focus.
    init?(_ mark: TexelMark, of loupe: Loupe, in view: View, layers: [Layer], images: [ImagePath: ImageTraits]) {
        let marked = layers.last {
            $0.imagePath != nil && $0.rect.contains(loupe.focus) && $0.bounds.contains(loupe.focus)
        }
        guard let marked, let size = marked.imagePath.flatMap({ images[$0]?.size }) else { return nil }
        let columns = Self.texel(at: loupe.focus.x, from: marked.rect.x, length: marked.rect.width, texels: size.width)
        let rows = Self.texel(at: loupe.focus.y, from: marked.rect.y, length: marked.rect.height, texels: size.height)
        inner = view.output(of: Rect(x: columns.start, y: rows.start, width: columns.length, height: rows.length))
        width = mark.width
        color = mark.color
    }

    private static func texel(
        at focus: Double, from start: Double, length: Double, texels: Int
    ) -> (start: Double, length: Double) {
        let index = min(((focus - start) * Double(texels) / length).rounded(.down), Double(texels - 1))
        return (start + index * length / Double(texels), length / Double(texels))
    }

    /// The pixels of a block that the frame reaches, in bands above, below and beside the texel.
    public func bands(in block: PixelRect) -> [PixelRect] {
        let (left, top) = (outer.minX.pixel(.down), outer.minY.pixel(.down))
        let (right, bottom) = (outer.maxX.pixel(.up), outer.maxY.pixel(.up))
        let (innerLeft, innerTop) = (inner.minX.pixel(.up), inner.minY.pixel(.up))
        // Where the texel contains no whole pixel, the first two bands hold all pixels.
        let (innerRight, innerBottom) = (
            max(innerLeft, inner.maxX.pixel(.down)), max(innerTop, inner.maxY.pixel(.down))
        )
        let bands = [
            PixelRect(minX: left, minY: top, maxX: right, maxY: innerTop),
            PixelRect(minX: left, minY: innerBottom, maxX: right, maxY: bottom),
            PixelRect(minX: left, minY: innerTop, maxX: innerLeft, maxY: innerBottom),
            PixelRect(minX: innerRight, minY: innerTop, maxX: right, maxY: innerBottom),
        ]
        return bands.map { $0.intersection(block) }.filter { !$0.isEmpty }
    }
}

extension Double {
    /// The pixel border at or beyond this, half a pixel of feather included.
    fileprivate func pixel(_ rule: FloatingPointRoundingRule) -> Int {
        Int((rule == .down ? self - 0.5 : self + 0.5).rounded(rule))
    }
}

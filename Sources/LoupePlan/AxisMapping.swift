import LoupeBase
import LoupeScene

/// The mapping from output pixels to a layer's texels along one axis of a view.
///
/// The centre of pixel i shows the texel coordinate (canvas(i + ½) − rectStart)·texels/rectLength,
/// in which texel j covers [j, j + 1].
package struct AxisMapping: Hashable, Sendable {
    /// Where the view shows `focus` on this axis, in output pixels.
    let center: Double
    /// The canvas coordinate shown there.
    let focus: Double
    let magnification: Double
    let rectStart: Double
    let rectLength: Double
    /// How many texels the image has along this axis.
    let texels: Int
    /// Whether pixels outside the rect may be shown in full.
    let isCropped: Bool

    static func columns(of layer: Layer, in view: View, texels: Int) -> AxisMapping {
        AxisMapping(
            center: view.center.x, focus: view.focus.x, magnification: view.magnification,
            rectStart: layer.rect.x, rectLength: layer.rect.width, texels: texels,
            isCropped: layer.crop != nil)
    }

    static func rows(of layer: Layer, in view: View, texels: Int) -> AxisMapping {
        AxisMapping(
            center: view.center.y, focus: view.focus.y, magnification: view.magnification,
            rectStart: layer.rect.y, rectLength: layer.rect.height, texels: texels,
            isCropped: layer.crop != nil)
    }

    /// How many texels one output pixel spans: above 1 the picture is minified.
    package var scale: Double { Double(texels) / (rectLength * magnification) }

    /// The texel coordinate of a pixel's centre.
    func texelCoordinate(ofPixel pixel: Int) -> Double {
        let canvas = focus + (Double(pixel) + 0.5 - center) / magnification
        return (canvas - rectStart) * Double(texels) / rectLength
    }

    /// The texel coordinate about which a kernel weighs texels for a pixel.
    ///
    /// Outside of the rect, with a crop, it is clamped to the centre of the edge's texel: farther out a kernel that is cut
    /// off at the edge would keep only its outermost lobes. Without a crop at most half a pixel lies there, and the
    /// coordinate is not clamped.
    func sampleCoordinate(ofPixel pixel: Int) -> Double {
        let coordinate = texelCoordinate(ofPixel: pixel)
        guard isCropped else { return coordinate }
        if coordinate < 0 { return 0.5 }
        return coordinate > Double(texels) ? Double(texels) - 0.5 : coordinate
    }

    /// The difference between a texel's index and its pixel's, where each pixel shows exactly one texel; nil elsewhere.
    func wholeShift(_ filter: Filter) -> Int? {
        guard scale == 1 else { return nil }
        let start = texelCoordinate(ofPixel: 0)
        switch filter {
        case .nearest:
            return Int(start.rounded(.down))
        case .sharp, .linear, .cubic, .lanczos:
            let shift = start - 0.5
            return shift == shift.rounded() ? Int(shift) : nil
        }
    }
}

extension AxisMapping {
    /// Where linear filtering starts: the texel whose centre lies at or before a pixel's centre,
    /// and how far beyond it that lies, 0…1.
    package func linearStart(pixel: Int) -> (texel: Int, fraction: Double) {
        let position = texelCoordinate(ofPixel: pixel) - 0.5
        let texel = position.rounded(.down)
        return (Int(texel), position - texel)
    }
}

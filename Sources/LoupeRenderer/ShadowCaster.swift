import LoupeGeometry
import LoupeScene

/// Where a loupe's shadow can be seen: around its disc, as far as its blur reaches.
struct ShadowCaster {
    /// Of the disc that casts it, moved by the offset; output pixels.
    let center: Point
    /// 1/(σ·√2), per pixel.
    let scale: Float
    let rings: DiscRings

    /// Beyond this many standard deviations the shadow is under a thousandth of its strength.
    private static let reach = 3.3
    /// A shadow without blur is the limit of ever smaller ones; this one is as small as 32-bit distances resolve.
    private static let leastDeviation = 1e-6

    init(_ shadow: Loupe.Shadow, of loupe: Loupe) {
        center = loupe.center + shadow.offset
        let deviation = max(shadow.blur / 2, Self.leastDeviation)
        scale = Float(1 / (deviation * 2.0.squareRoot()))
        let outer = loupe.radius + 1 + Self.reach * deviation
        // Under the loupe's own disc nothing of it is seen, if the disc lies wholly within the shadow's reach.
        let inner = DiscRings(of: loupe).innerRadius
        let isWithin = shadow.offset.length + inner < outer
        rings = DiscRings(
            center: isWithin ? loupe.center : center, innerRadius: isWithin ? inner : 0, outerRadius: outer,
            outerCenter: center)
    }

    /// Every pixel that the shadow reaches lies in this block.
    var bounds: PixelRect {
        let reach = rings.outerRadius + 1
        return PixelRect(
            minX: Int((center.x - reach).rounded(.down)), minY: Int((center.y - reach).rounded(.down)),
            maxX: Int((center.x + reach).rounded(.up)), maxY: Int((center.y + reach).rounded(.up)))
    }
}

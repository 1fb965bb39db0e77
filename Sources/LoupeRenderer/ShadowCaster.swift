import LoupeGeometry
import LoupePlan
import LoupeScene

/// Where a loupe's shadow can be seen: around its disc, as far as its blur reaches.
struct ShadowCaster {
    /// Of the disc that casts it, moved by the offset; output pixels.
    let center: Point
    /// 1/(σ·√2), per pixel.
    let scale: Float
    let rings: DiscRings

    /// Beyond this many standard deviations the shadow is under a thousandth of its strength.
    private static let deviations = 3.3
    /// A shadow without blur is the limit of ever smaller ones; this one is as small as 32-bit distances resolve.
    private static let leastDeviation = 1e-6

    private static func deviation(of shadow: Loupe.Shadow) -> Double { max(shadow.blur / 2, leastDeviation) }
    /// 1/(σ·√2), per pixel.
    static func scale(of shadow: Loupe.Shadow) -> Float { Float(1 / (deviation(of: shadow) * 2.0.squareRoot())) }
    /// How far from the loupe's border, moved by the offset, the shadow is seen to change.
    static func reach(of shadow: Loupe.Shadow) -> Double { 1 + deviations * deviation(of: shadow) }
    /// How exact the distance has to be for a thousandth of the shadow's strength, as far as 32-bit distances are.
    static func tolerance(of shadow: Loupe.Shadow) -> Double {
        min(max(0.0025 * deviation(of: shadow), leastDeviation), CornerTangents.tolerance)
    }

    init(_ shadow: Loupe.Shadow, of loupe: Loupe) {
        center = loupe.center + shadow.offset
        scale = Self.scale(of: shadow)
        let outer = loupe.radius + 1 + Self.deviations * Self.deviation(of: shadow)
        // Where the loupe's own disc covers all, nothing of it is seen, if that lies wholly within the shadow's reach.
        let inner = loupe.radius - 0.5
        let isWithin = shadow.offset.length + inner < outer
        rings = DiscRings(
            center: isWithin ? loupe.center : center, innerRadius: isWithin ? inner : 0, outerRadius: outer,
            outerCenter: center)
    }
}

extension Loupe.Shadow {
    /// Every pixel that the shadow of a loupe reaches lies in this block.
    func bounds(of loupe: Loupe) -> PixelRect {
        guard let border = loupe.outline?.rect else {
            let caster = ShadowCaster(self, of: loupe)
            let reach = caster.rings.outerRadius + 1
            return PixelRect(around: caster.center, reach, reach)
        }
        let reach = ShadowCaster.reach(of: self) + 1
        return PixelRect(around: loupe.center + offset, border.width / 2 + reach, border.height / 2 + reach)
    }
}

extension PixelRect {
    /// Every pixel nearer than this to a point, across and down.
    fileprivate init(around center: Point, _ across: Double, _ down: Double) {
        self.init(
            minX: Int((center.x - across).rounded(.down)), minY: Int((center.y - down).rounded(.down)),
            maxX: Int((center.x + across).rounded(.up)), maxY: Int((center.y + down).rounded(.up)))
    }
}

import LoupeGeometry
import LoupePlan
import LoupeScene

/// Which pixels of a loupe are drawn in which of its steps.
struct LoupeParts {
    /// Every pixel of the loupe lies in this block.
    let bounds: PixelRect
    /// All of them, each once, and few beyond.
    let whole: MeshRegion
    /// All of those but the ones inside, where neither rim nor feather is seen.
    let border: MeshRegion
    /// Where its shadow may be seen.
    let surroundings: MeshRegion

    /// - Parameter bounds: what the canvas holds of the loupe.
    init(of loupe: Loupe, within bounds: PixelRect) {
        self.bounds = bounds
        guard let outline = loupe.outline else {
            let rings = DiscRings(of: loupe)
            (whole, border) = (.disc(rings), .ring(rings.border))
            surroundings = loupe.shadow.map { .ring(ShadowCaster($0, of: loupe).rings) } ?? .blocks([])
            return
        }
        let inside = PixelSpans(of: outline, deeperThan: (loupe.rim?.width ?? 0) + 0.5, within: bounds).blocks
        (whole, border) = (.block, .blocks(bounds.without(inside)))
        surroundings = loupe.shadow.map { .blocks($0.bounds(of: loupe).without(inside)) } ?? .blocks([])
    }
}

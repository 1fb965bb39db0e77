import LoupeScene

/// How a view maps output pixels to the canvas (SPEC 4). Written apart from `View`, which the
/// renderer under test uses.
struct Lens {
    let horizontal: Axis
    let vertical: Axis

    /// The whole canvas at magnification 1.
    static let base = Lens(
        horizontal: Axis(magnification: 1, center: 0, focus: 0), vertical: Axis(magnification: 1, center: 0, focus: 0))

    private init(horizontal: Axis, vertical: Axis) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    init(_ loupe: Loupe, over layers: [Layer]) {
        var focus = loupe.focus
        if loupe.outside == .clamp {
            let bounds = layers.map { $0.crop ?? $0.rect }
            let reach = loupe.radius / loupe.zoom
            focus.x = Self.held(focus.x, by: reach, within: bounds.map { ($0.minX, $0.maxX) })
            focus.y = Self.held(focus.y, by: reach, within: bounds.map { ($0.minY, $0.maxY) })
        }
        self.init(
            horizontal: Axis(magnification: loupe.zoom, center: loupe.center.x, focus: focus.x),
            vertical: Axis(magnification: loupe.zoom, center: loupe.center.y, focus: focus.y))
    }

    /// The coordinate nearest to `focus` that is `reach` away from both ends of the layers, or else their middle.
    private static func held(_ focus: Double, by reach: Double, within spans: [(Double, Double)]) -> Double {
        guard let start = spans.map(\.0).min(), let end = spans.map(\.1).max() else { return focus }
        let room = end - start - 2 * reach
        guard room >= 0 else { return (start + end) / 2 }
        return start + reach + min(max(focus - start - reach, 0), room)
    }
}

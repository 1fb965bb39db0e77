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

    init(_ loupe: Loupe) {
        self.init(
            horizontal: Axis(magnification: loupe.zoom, center: loupe.center.x, focus: loupe.focus.x),
            vertical: Axis(magnification: loupe.zoom, center: loupe.center.y, focus: loupe.focus.y))
    }
}

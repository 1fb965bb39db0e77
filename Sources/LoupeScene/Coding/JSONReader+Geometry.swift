import LoupeGeometry
import LoupeJSON

/// The values that scenes, sessions and traces are made of.
extension JSONReader {
    /// How far from the canvas's origin anything may lie, in canvas pixels: far beyond the largest canvas, and
    /// near enough that 32-bit arithmetic neither overflows nor loses whole pixels at the highest zoom.
    package static let coordinateRange: ClosedRange<Double> = -1_000_000...1_000_000

    /// How long a rect's side may be, in canvas pixels. A side of 0 shows nothing and has no scale; from a
    /// thousandth of a pixel on, texels for each pixel stay within 32-bit arithmetic.
    package static let sideRange: ClosedRange<Double> = 0.001...1_000_000

    /// `[x, y]`.
    package func point() throws(DocumentError) -> Point {
        let axes = try tuple("x", "y")
        return Point(x: try axes[0].coordinate(), y: try axes[1].coordinate())
    }

    /// `[dx, dy]`.
    package func vector() throws(DocumentError) -> Vector {
        let axes = try tuple("dx", "dy")
        return Vector(dx: try axes[0].coordinate(), dy: try axes[1].coordinate())
    }

    /// `[x, y, width, height]`.
    package func rect() throws(DocumentError) -> Rect {
        let sides = try tuple("x", "y", "width", "height")
        return Rect(
            x: try sides[0].coordinate(), y: try sides[1].coordinate(),
            width: try sides[2].number(in: Self.sideRange), height: try sides[3].number(in: Self.sideRange))
    }

    /// `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    package func color() throws(DocumentError) -> Color {
        let needed = "a colour as #rgb, #rgba, #rrggbb or #rrggbbaa"
        guard let color = Color(hex: try string(needed: needed)) else {
            throw error("\(value.excerpt) is not a colour; \(needed) is needed")
        }
        return color
    }

    private func coordinate() throws(DocumentError) -> Double {
        try number(in: Self.coordinateRange)
    }
}

import LoupeBase

/// Points, rects and colours in scenes, sessions and traces.
extension JSONReader {
    /// The coordinates that documents may have, in canvas pixels. They reach far beyond the largest canvas. 32-bit
    /// arithmetic neither overflows nor loses whole pixels with them at the highest zoom.
    package static let coordinateRange: ClosedRange<Double> = -1_000_000...1_000_000

    /// The sides that rects may have, in canvas pixels. A side of 0 would show nothing and have no scale. With the
    /// smallest one, the number of texels for each pixel is within 32-bit arithmetic.
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

    /// `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a name of CSS.
    package func color() throws(DocumentError) -> Color {
        let needed = "a colour as \(Color.forms)"
        guard let color = Color(text: try string(needed: needed)) else {
            throw error("\(value.excerpt) is not a colour; \(needed) is needed")
        }
        return color
    }

    private func coordinate() throws(DocumentError) -> Double {
        try number(in: Self.coordinateRange)
    }
}

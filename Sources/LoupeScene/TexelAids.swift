/// Lines on the borders of the texels that a loupe shows. They cover whole output pixels, so all look alike.
///
/// Each image layer has its own grid, over its texels and strokes. The layer's outline and opacity apply to all of them
/// together. The lines fade in with the size at which texels appear, along their shorter side.
public struct TexelGrid: Hashable, Sendable {
    /// The width of the lines, in output pixels, `Callout.widthRange`; drawn as the nearest whole number, at least 1.
    public var width: Double
    /// Its alpha is that of the lines at full strength.
    public var color: Color

    /// A grid of lines of a width, in output pixels, and a colour.
    public init(width: Double = 1, color: Color = .defaultGrid) {
        (self.width, self.color) = (width, color)
    }

    /// The texel sizes between which the lines fade in, in widths of a line.
    public static let fadingTexelSizes: ClosedRange<Double> = 4...8
}

extension Color {
    /// Grey, half transparent: visible on dark and on light.
    public static let defaultGrid = Color(red: 0x80, green: 0x80, blue: 0x80, alpha: 0x80)
}

/// A frame around the texel at a loupe's focus, drawn outside of the texel, over all layers and under the rim.
///
/// It covers whole output pixels. Where a grid is drawn, the frame begins with the lines around the texel, so that none
/// lies inside it. The texel is that of the topmost image layer whose rect and bounds contain the focus. Where there is
/// none, nothing is drawn.
public struct TexelMark: Hashable, Sendable {
    /// In output pixels, `Callout.widthRange`; drawn as the nearest whole number, at least 1.
    public var width: Double
    /// Composited over the layers and the grid.
    public var color: Color

    /// A frame by its width, in output pixels, and its colour.
    public init(width: Double = 2, color: Color = .defaultMark) {
        (self.width, self.color) = (width, color)
    }
}

extension Color {
    /// Red.
    public static let defaultMark = Color(red: 255, green: 0, blue: 0)
}

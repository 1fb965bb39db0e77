/// Lines on the borders of the texels that a loupe shows, one output pixel wide.
///
/// Each image layer has its own grid, over its texels and strokes. The layer's outline and opacity apply to all of them
/// together. The lines fade in with the size at which texels appear, along their shorter side.
public struct TexelGrid: Hashable, Sendable {
    /// Its alpha is that of the lines at full strength.
    public var color: Color

    /// A grid of lines of a colour.
    public init(color: Color = .defaultGrid) {
        self.color = color
    }

    /// The texel sizes between which the lines fade in, in output pixels.
    public static let fadingTexelSizes: ClosedRange<Double> = 4...8

    /// How much of the colour's alpha shows at a texel size: 0 … 1.
    public static func strength(atTexelSize texelSize: Double) -> Double {
        let fading = fadingTexelSizes
        return min(max((texelSize - fading.lowerBound) / (fading.upperBound - fading.lowerBound), 0), 1)
    }
}

extension Color {
    /// Grey, half transparent: visible on dark and on light.
    public static let defaultGrid = Color(red: 0x80, green: 0x80, blue: 0x80, alpha: 0x80)
}

/// A frame around the texel at a loupe's focus, drawn outside of the texel, over all layers and under the rim.
///
/// The texel is that of the topmost image layer whose rect and bounds contain the focus. Where there is none, nothing is
/// drawn.
public struct TexelMark: Hashable, Sendable {
    /// In output pixels, `Callout.widthRange`.
    public var width: Double
    /// Composited over the layers and the grid.
    public var color: Color

    /// A frame by its width, in output pixels, and its colour.
    public init(width: Double = 2, color: Color = .defaultMark) {
        self.width = width
        self.color = color
    }
}

extension Color {
    /// Red.
    public static let defaultMark = Color(red: 255, green: 0, blue: 0)
}

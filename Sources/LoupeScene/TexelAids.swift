/// Lines on the borders of the texels that a loupe shows, one output pixel wide.
///
/// Each image layer has its own, over its texels and strokes: the layer's outline and opacity apply to all of them
/// together. The lines fade in with the size at which texels appear, along the shorter of their sides.
public struct TexelGrid: Hashable, Sendable {
    public var color: Color

    public init(color: Color = .defaultGrid) {
        self.color = color
    }

    /// From which size, in output pixels, to which the lines fade in.
    public static let fadingTexelSizes: ClosedRange<Double> = 4...8

    /// How much of the colour's alpha shows at a texel size: 0 … 1.
    public static func strength(atTexelSize texelSize: Double) -> Double {
        let fading = fadingTexelSizes
        return min(max((texelSize - fading.lowerBound) / (fading.upperBound - fading.lowerBound), 0), 1)
    }
}

extension Color {
    /// Grey, half transparent: to be seen on dark and on light.
    public static let defaultGrid = Color(red: 0x80, green: 0x80, blue: 0x80, alpha: 0x80)
}

/// An outline around the texel that lies at a loupe's focus, drawn outside of it, over all layers and under the rim.
///
/// The texel is that of the topmost image layer whose rect and bounds hold the focus; where there is none, nothing is drawn.
public struct TexelMark: Hashable, Sendable {
    /// In output pixels, `Callout.widthRange`.
    public var width: Double
    public var color: Color

    public init(width: Double = 2, color: Color = .defaultMark) {
        self.width = width
        self.color = color
    }
}

extension Color {
    /// Red.
    public static let defaultMark = Color(red: 255, green: 0, blue: 0)
}

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

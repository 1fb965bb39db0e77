import LoupeGeometry

/// Ink on a layer: a polyline with round caps and round joints, drawn by distance.
///
/// In a view of magnification z its coverage is clamp(z·(width/2 − d) + ½, 0, 1), d being the least distance to any of
/// its segments: where it meets or crosses itself it is no darker.
public struct Stroke: Hashable, Sendable {
    /// In canvas pixels; at least one, which alone is a dot.
    public var points: [Point]
    /// In canvas pixels, `widthRange`.
    public var width: Double
    public var color: Color

    public init(points: [Point], width: Double, color: Color = .defaultInk) {
        self.points = points
        self.width = width
        self.color = color
    }

    /// Up to half of the widest, magnified the most, 32-bit distances are exact to a hundredth of a pixel.
    public static let widthRange: ClosedRange<Double> = 0.001...1024
}

extension Color {
    /// Black.
    public static let defaultInk = Color(red: 0, green: 0, blue: 0)
    /// What a layer of strokes alone is filled with.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
}

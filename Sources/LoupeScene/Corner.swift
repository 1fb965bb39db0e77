/// The superellipse |u/r|ⁿ + |v/r|ⁿ = 1 that replaces each corner of a layer's rect (SPEC 3).
public struct Corner: Hashable, Sendable {
    /// r, in canvas pixels: 0 … half the shorter side of the layer's bounds.
    public var radius: Double
    /// n, 1 … 32: 1 is a bevel, 2 a circle, 4 the CSS squircle.
    public var exponent: Double

    public init(radius: Double = 0, exponent: Double = 4) {
        self.radius = radius
        self.exponent = exponent
    }

    public static let exponentRange: ClosedRange<Double> = 1...32
}

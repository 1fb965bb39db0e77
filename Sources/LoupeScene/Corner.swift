import LoupeGeometry

/// The superellipse |u/r|ⁿ + |v/r|ⁿ = 1 that replaces each corner of a layer's rect (SPEC 3).
public struct Corner: Hashable, Sendable {
    /// In canvas pixels. No two along an edge of the layer's bounds may together be longer than that edge.
    public var radii: CornerRadii
    /// n, 1 … 32: 1 is a bevel, 2 a circle, 4 the CSS squircle.
    public var exponent: Double

    /// - Parameter radius: Of all corners: 0 … half the shorter side of the layer's bounds.
    public init(radius: Double = 0, exponent: Double = 4) {
        self.init(radii: CornerRadii(radius), exponent: exponent)
    }

    public init(radii: CornerRadii, exponent: Double = 4) {
        self.radii = radii
        self.exponent = exponent
    }

    /// r, the largest where radii differ; what is set, all corners get.
    public var radius: Double {
        get { radii.uniform ?? radii.largest }
        set { radii = CornerRadii(newValue) }
    }

    /// The same corners, smaller where they would not fit a rect.
    public func fitted(to bounds: Rect) -> Corner {
        Corner(radii: radii.fitted(width: bounds.width, height: bounds.height), exponent: exponent)
    }

    public static let exponentRange: ClosedRange<Double> = 1...32
}

import CMath
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

/// A corner's curve as people name it: what becomes of it is an exponent and radii.
public enum CornerShape: Hashable, Sendable {
    case exponent(Double)
    /// CSS's `superellipse(k)`: the exponent 2ᵏ.
    case css(Double)
    case style(CornerStyle)
    /// The smoothing s of design tools, 0…1.
    case figma(Double)

    /// Exponents 1…32. CSS's negative ones are hollow; infinity is a radius of 0.
    public static let cssRange: ClosedRange<Double> = 0...5
    public static let figmaRange: ClosedRange<Double> = 0...1

    /// Whether the radius is that of the round corner which the curve takes the place of, and not the curve's own.
    public var hasOwnExtent: Bool {
        switch self {
        case .figma, .style(.ios): true
        case .exponent, .css, .style: false
        }
    }

    private var exponent: Double {
        switch self {
        case .exponent(let exponent): exponent
        case .css(let k): exp2(k)
        case .style(let style): style.exponent
        case .figma(let smoothing): SmoothCorner.nearest(smoothing: smoothing).exponent
        }
    }

    /// The corner of these radii in a rect.
    ///
    /// - Parameters:
    ///   - radii: One for all corners where the shape has an extent of its own.
    ///   - keepsDiagonal: Whether the radii are those of round corners, whose diagonals the curve shall have. Where
    ///     that takes more than half a side there is, the radii are held there, and the corner is smaller.
    public func corner(of radii: CornerRadii, keepsDiagonal: Bool = false, in bounds: Rect) -> Corner {
        if hasOwnExtent { return ownCorner(of: radii.largest, in: bounds) }
        guard keepsDiagonal, exponent != 2 else { return Corner(radii: radii, exponent: exponent) }
        let factor = Self.diagonal(2) / Self.diagonal(exponent)
        return Corner(radii: factor * radii, exponent: exponent).fitted(to: bounds)
    }

    /// A curve that reaches farther than its radius. Where there is no room for that, design tools smooth less: so far
    /// as (1 + s)·r is half the shorter side. What reaches farther still ends there and keeps its diagonal.
    private func ownCorner(of radius: Double, in bounds: Rect) -> Corner {
        let room = bounds.shorterSide / 2
        guard radius > 0 else { return Corner(radius: 0, exponent: exponent) }
        let curve: (exponent: Double, extent: Double)
        if case .figma(let smoothing) = self {
            curve = SmoothCorner.nearest(smoothing: max(0, min(smoothing, room / radius - 1)))
        } else {
            curve = (exponent, CornerStyle.iosExtent)
        }
        if curve.extent * radius <= room { return Corner(radius: curve.extent * radius, exponent: curve.exponent) }
        let inset = min(Self.diagonal(curve.exponent) * curve.extent * radius, Self.diagonal(2) * room)
        return Corner(radius: room, exponent: -1 / log2(1 - inset / room))
    }

    /// How far the curve of radius 1 crosses its diagonal from either edge: 1 − 2^(−1/n).
    private static func diagonal(_ exponent: Double) -> Double { 1 - exp2(-1 / exponent) }
}

/// A corner's curve by its name.
public enum CornerStyle: String, Hashable, Sendable, CaseIterable {
    case round
    /// CSS's, of exponent 4.
    case squircle
    case bevel
    /// Apple's continuous corner, at most 0.0073·r off.
    case ios

    /// How far Apple's Béziers reach along an edge, for a radius of 1.
    static let iosExtent = 1.528665

    var exponent: Double {
        switch self {
        case .round: 2
        case .squircle: 4
        case .bevel: 1
        case .ios: 3.35
        }
    }
}

/// The superellipse nearest to a corner that a design tool has smoothed: an arc between two cubics, which together reach
/// (1 + s)·r along each edge (Figma's corner smoothing s; 0.6 is its iOS look).
enum SmoothCorner {
    /// Exponent and extent for a radius of 1: at most 0.0045 off the arc and cubics.
    /// - Parameter smoothing: 0…1.
    static func nearest(smoothing: Double) -> (exponent: Double, extent: Double) {
        let steps = Double(table.count - 1)
        let place = min(Int(smoothing * steps), table.count - 2)
        let share = smoothing * steps - Double(place)
        let (low, high) = (table[place], table[place + 1])
        return (
            low.exponent + share * (high.exponent - low.exponent), low.extent + share * (high.extent - low.extent)
        )
    }
}

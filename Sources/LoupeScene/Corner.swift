import LoupeBase

/// The superellipse |u/r|ⁿ + |v/r|ⁿ = 1 that replaces each corner of a rect (specification,
/// section 3).
public struct Corner: Hashable, Sendable {
    /// In canvas pixels. No two along an edge of the rect may together be longer than that edge.
    public var radii: CornerRadii
    /// n, 1 … 32: 1 is a bevel, 2 a circle, 4 the CSS squircle.
    public var exponent: Double

    /// - Parameter radius: the radius of all corners: 0 … half the shorter side of the layer's bounds.
    public init(radius: Double = 0, exponent: Double = 4) {
        self.init(radii: CornerRadii(radius), exponent: exponent)
    }

    /// Corners by their radii, in canvas pixels, and their exponent.
    public init(radii: CornerRadii, exponent: Double = 4) {
        (self.radii, self.exponent) = (radii, exponent)
    }

    /// r, in canvas pixels; the largest where radii differ. Setting it sets all corners.
    public var radius: Double {
        get { radii.uniform ?? radii.largest }
        set { radii = CornerRadii(newValue) }
    }

    /// These corners, made smaller where they do not fit a rect.
    public func fitted(to bounds: Rect) -> Corner {
        Corner(radii: radii.fitted(width: bounds.width, height: bounds.height), exponent: exponent)
    }

    /// The exponents that scenes may have.
    public static let exponentRange: ClosedRange<Double> = 1...32
}

/// A corner's curve as scenes name it. The scene keeps the exponent and the radii that result.
public enum CornerShape: Hashable, Sendable {
    /// The exponent n itself.
    case exponent(Double)
    /// CSS's `superellipse(k)`: the exponent 2ᵏ.
    case css(Double)
    /// A named curve.
    case style(CornerStyle)
    /// The corner smoothing s of design tools, 0…1.
    case figma(Double)

    /// The parameters k that scenes may have: exponents 1…32. In CSS, negative ones are concave and infinity is a square
    /// corner.
    public static let cssRange: ClosedRange<Double> = 0...5
    /// The smoothings that scenes may have.
    public static let figmaRange: ClosedRange<Double> = 0...1

    /// Whether the radius that is given is that of a round corner, and the curve itself reaches farther.
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
    ///   - radii: Equal for all corners where the shape has its own extent.
    ///   - keepsDiagonal: Whether the radii are those of round corners, and the curve shall cross each corner's diagonal
    ///     at the same point as they do. Radii that would not fit the rect are reduced.
    public func corner(of radii: CornerRadii, keepsDiagonal: Bool = false, in bounds: Rect) -> Corner {
        if hasOwnExtent { return ownCorner(of: radii.largest, in: bounds) }
        guard keepsDiagonal, exponent != 2 else { return Corner(radii: radii, exponent: exponent) }
        let factor = Self.diagonal(2) / Self.diagonal(exponent)
        return Corner(radii: factor * radii, exponent: exponent).fitted(to: bounds)
    }

    /// The corner of a curve that reaches farther than its radius.
    ///
    /// Where there is no room for (1 + s)·r, design tools reduce the smoothing s until that is half the shorter side. A
    /// curve that still reaches farther ends there and crosses the diagonal at the same point.
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

    /// The distance from either edge at which the curve of radius 1 crosses the diagonal: 1 − 2^(−1/n).
    private static func diagonal(_ exponent: Double) -> Double { 1 - exp2(-1 / exponent) }
}

/// The named curves of corners.
public enum CornerStyle: String, Hashable, Sendable, CaseIterable {
    /// A circle's arc, of exponent 2.
    case round
    /// CSS's squircle, of exponent 4.
    case squircle
    /// A straight cut, of exponent 1.
    case bevel
    /// Apple's continuous corner, with an error of at most 0.0073·r.
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

/// The superellipse nearest to the smoothed corner of a design tool: an arc between two cubics, which together reach
/// (1 + s)·r along each edge (Figma's corner smoothing s; 0.6 is its iOS look).
enum SmoothCorner {
    /// Exponent and extent for a radius of 1. The error is at most 0.0045.
    /// - Parameter smoothing: 0…1.
    static func nearest(smoothing: Double) -> (exponent: Double, extent: Double) {
        let steps = Double(table.count - 1)
        let index = min(Int(smoothing * steps), table.count - 2)
        let fraction = smoothing * steps - Double(index)
        let (low, high) = (table[index], table[index + 1])
        return (
            low.exponent + fraction * (high.exponent - low.exponent), low.extent + fraction * (high.extent - low.extent)
        )
    }
}

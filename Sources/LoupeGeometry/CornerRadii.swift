/// How far a rounded corner reaches along the horizontal (`x`) and the vertical edge (`y`).
///
/// A corner that reaches nowhere on one edge is a point, so that 0 on either makes both 0, as in CSS.
public struct CornerRadius: Hashable, Sendable {
    public let x: Double
    public let y: Double

    /// - Parameters: 0 or more, in the unit of the rect.
    public init(x: Double, y: Double) {
        let isPoint = x == 0 || y == 0
        (self.x, self.y) = isPoint ? (0, 0) : (x, y)
    }

    public init(_ radius: Double) { self.init(x: radius, y: radius) }

    public static let zero = CornerRadius(0)
    public var isCircular: Bool { x == y }
    public static func * (factor: Double, radius: CornerRadius) -> CornerRadius {
        CornerRadius(x: factor * radius.x, y: factor * radius.y)
    }
}

/// A corner of a rect, by where it lies where y runs down.
public enum CornerPosition: String, Hashable, Sendable, CaseIterable {
    // In CSS's order.
    case topLeft, topRight, bottomRight, bottomLeft

    public var isLeft: Bool { self == .topLeft || self == .bottomLeft }
    public var isTop: Bool { self == .topLeft || self == .topRight }
}

/// The radii of a rect's four corners.
public struct CornerRadii: Hashable, Sendable {
    private let topLeft, topRight, bottomRight, bottomLeft: CornerRadius
    /// The radius of every corner where all are circular and alike.
    public let uniform: Double?

    /// Four corners alike.
    public init(_ radius: CornerRadius) { self.init { _ in radius } }
    public init(_ radius: Double) { self.init(CornerRadius(radius)) }

    public init(_ radius: (CornerPosition) -> CornerRadius) {
        topLeft = radius(.topLeft)
        topRight = radius(.topRight)
        bottomRight = radius(.bottomRight)
        bottomLeft = radius(.bottomLeft)
        let isAlike = topLeft == topRight && topLeft == bottomRight && topLeft == bottomLeft
        uniform = isAlike && topLeft.isCircular ? topLeft.x : nil
    }

    public subscript(place: CornerPosition) -> CornerRadius {
        switch place {
        case .topLeft: topLeft
        case .topRight: topRight
        case .bottomRight: bottomRight
        case .bottomLeft: bottomLeft
        }
    }

    public var isAlike: Bool { CornerPosition.allCases.allSatisfy { self[$0] == topLeft } }
    /// The largest number of any corner.
    public var largest: Double { CornerPosition.allCases.map { max(self[$0].x, self[$0].y) }.max() ?? 0 }
    /// The smallest number of any corner that is no point; 0 where all are points.
    public var smallest: Double {
        CornerPosition.allCases.map { min(self[$0].x, self[$0].y) }.filter { $0 > 0 }.min() ?? 0
    }

    public static func * (factor: Double, radii: CornerRadii) -> CornerRadii {
        CornerRadii { factor * radii[$0] }
    }

    /// The same where no two corners are longer together than the edge that they share; else all smaller by one factor,
    /// as CSS has it.
    public func fitted(width: Double, height: Double) -> CornerRadii {
        if let uniform { return CornerRadii(min(uniform, min(width, height) / 2)) }
        let factor = min(
            width / (topLeft.x + topRight.x), width / (bottomLeft.x + bottomRight.x),
            height / (topLeft.y + bottomLeft.y), height / (topRight.y + bottomRight.y))
        // A little less, so that rounding can't make them too long again.
        return factor < 1 ? factor * (1 - 4 * .ulpOfOne) * self : self
    }
}

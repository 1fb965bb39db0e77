/// The two radii of a rounded corner: how far it reaches along the horizontal (`x`) and the vertical edge (`y`).
///
/// Where one of them is 0 the corner is a point, and both are 0, as in CSS.
public struct CornerRadius: Hashable, Sendable {
    /// Along the horizontal edge: 0 or more, in the unit of the rect.
    public let x: Double
    /// Along the vertical edge: 0 or more, in the unit of the rect.
    public let y: Double

    /// A corner that reaches differently along its two edges, or a point where one radius is 0.
    public init(x: Double, y: Double) {
        let isPoint = x == 0 || y == 0
        (self.x, self.y) = isPoint ? (0, 0) : (x, y)
    }

    /// A corner that reaches equally far along both edges.
    public init(_ radius: Double) { self.init(x: radius, y: radius) }

    /// A point: no rounding.
    public static let zero = CornerRadius(0)
    /// Whether it reaches equally far along both edges.
    public var isCircular: Bool { x == y }
    /// Both radii times a factor.
    public static func * (factor: Double, radius: CornerRadius) -> CornerRadius {
        CornerRadius(x: factor * radius.x, y: factor * radius.y)
    }
}

/// One of a rect's four corners; y runs down.
public enum CornerPosition: String, Hashable, Sendable, CaseIterable {
    // Clockwise, in CSS's order.
    /// The corner at the least x and y.
    case topLeft
    /// The corner at the greatest x and the least y.
    case topRight
    /// The corner at the greatest x and y.
    case bottomRight
    /// The corner at the least x and the greatest y.
    case bottomLeft

    /// Whether it lies on the left edge.
    public var isLeft: Bool { self == .topLeft || self == .bottomLeft }
    /// Whether it lies on the top edge.
    public var isTop: Bool { self == .topLeft || self == .topRight }
}

/// The radii of a rect's four corners.
public struct CornerRadii: Hashable, Sendable {
    private let topLeft, topRight, bottomRight, bottomLeft: CornerRadius
    /// The radius of every corner where all are circular and equal; nil otherwise.
    public let uniform: Double?

    /// Four equal corners.
    public init(_ radius: CornerRadius) { self.init { _ in radius } }
    /// Four equal circular corners.
    public init(_ radius: Double) { self.init(CornerRadius(radius)) }

    /// The corners that a function gives.
    public init(_ radius: (CornerPosition) -> CornerRadius) {
        topLeft = radius(.topLeft)
        topRight = radius(.topRight)
        bottomRight = radius(.bottomRight)
        bottomLeft = radius(.bottomLeft)
        let isAlike = topLeft == topRight && topLeft == bottomRight && topLeft == bottomLeft
        uniform = isAlike && topLeft.isCircular ? topLeft.x : nil
    }

    /// The radii of one corner.
    public subscript(position: CornerPosition) -> CornerRadius {
        switch position {
        case .topLeft: topLeft
        case .topRight: topRight
        case .bottomRight: bottomRight
        case .bottomLeft: bottomLeft
        }
    }

    /// Whether all four corners are equal.
    public var isAlike: Bool { CornerPosition.allCases.allSatisfy { self[$0] == topLeft } }
    /// The largest radius of any corner along either edge.
    public var largest: Double { CornerPosition.allCases.map { max(self[$0].x, self[$0].y) }.max() ?? 0 }
    /// The smallest radius, along either edge, of the corners that are not points; 0 where all are points.
    public var smallest: Double {
        CornerPosition.allCases.map { min(self[$0].x, self[$0].y) }.filter { $0 > 0 }.min() ?? 0
    }

    /// All radii times a factor.
    public static func * (factor: Double, radii: CornerRadii) -> CornerRadii {
        CornerRadii { factor * radii[$0] }
    }

    /// These radii where they fit a rect, else all of them times the largest factor with which they fit, as in CSS.
    ///
    /// They fit where no two corners together are longer than the edge that they share.
    public func fitted(width: Double, height: Double) -> CornerRadii {
        if let uniform { return CornerRadii(min(uniform, min(width, height) / 2)) }
        let factor = min(
            width / (topLeft.x + topRight.x), width / (bottomLeft.x + bottomRight.x),
            height / (topLeft.y + bottomLeft.y), height / (topRight.y + bottomRight.y))
        // A little smaller, so that rounding cannot make them too long again.
        return factor < 1 ? factor * (1 - 4 * .ulpOfOne) * self : self
    }
}

/// A band that borders a rim, a ring or a connector, so that it stands out from what it lies on.
public struct Casing: Hashable, Sendable {
    /// In canvas pixels, `Callout.widthRange`.
    public var width: Double
    /// Composited over what lies below.
    public var color: Color

    /// A casing by its width, in canvas pixels, and its colour.
    public init(width: Double = 1, color: Color = .defaultRim) {
        (self.width, self.color) = (width, color)
    }
}

/// Marks the part of the page that a loupe shows, its source: a ring around it, and a connector to the loupe.
///
/// The source is the loupe's shape divided by its zoom, corners included, about the point that the loupe shows at its
/// centre. Ring and connector are one shape. Callouts are drawn over the layers and the shadows of their loupes, and
/// under the content of all loupes. No loupe magnifies them.
public struct Callout: Hashable, Sendable {
    /// A ring around the source: the points outside of it whose distance from it is less than `width`, or from the
    /// casing around it.
    public struct Ring: Hashable, Sendable {
        /// In canvas pixels, `widthRange`.
        public var width: Double
        /// Composited over the layers.
        public var color: Color
        /// On both sides of the ring; nil for none.
        public var casing: Casing?

        /// A ring by its width, in canvas pixels, and its colour.
        public init(width: Double = 3, color: Color = .defaultRim, casing: Casing? = nil) {
            (self.width, self.color, self.casing) = (width, color, casing)
        }

        /// How far the ring and its casing reach from the source's border, in canvas pixels.
        public var reach: Double { width + 2 * (casing?.width ?? 0) }
    }

    /// The ring around the source; nil for none.
    public var ring: Ring?
    /// What leads from the source to the loupe; nil for nothing.
    public var connector: Connector?

    /// A callout with a ring, a connector, or both.
    public init(ring: Ring? = nil, connector: Connector? = nil) {
        (self.ring, self.connector) = (ring, connector)
    }

    /// The widths that rings, connectors and texel marks may have, in canvas pixels.
    public static let widthRange: ClosedRange<Double> = 0.001...1024
}

/// Leads from the ring around a loupe's source to the loupe.
///
/// Lines and cones run along the two outer tangents of two curves: the ring's outer edge (the source's border where
/// there is no ring) and the loupe's border. No connector is drawn where one curve contains the other, and none over the
/// source. Lines and cones are not drawn where the curves have more than two outer tangents.
public struct Connector: Hashable, Sendable {
    /// The shape that is drawn, with its width where it has one.
    public enum Shape: Hashable, Sendable {
        /// Two lines with round ends whose outer sides lie on the tangents. They end at the points of tangency; on a
        /// straight side at the nearer end.
        case lines(width: Double)
        /// The quadrilateral between the four points of tangency.
        case cone
        /// An arrow from the loupe's centre towards the source's, with its tip on the ring. Its head is four widths long
        /// and wide. Where ring and loupe are nearer to each other than that, the whole arrow is smaller; where they are
        /// nearer than twice the width, there is none.
        case arrow(width: Double)
        /// One line from the ring to the loupe, along the line between the two centres.
        case leader(width: Double)

        /// Its name in scenes.
        public var style: Style {
            switch self {
            case .lines: .lines
            case .cone: .cone
            case .arrow: .arrow
            case .leader: .leader
            }
        }

        /// In canvas pixels, `Callout.widthRange`; nil for a cone.
        public var width: Double? {
            switch self {
            case .lines(let width), .arrow(let width), .leader(let width): width
            case .cone: nil
            }
        }
    }

    /// The shapes by their names in scenes.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// The shapes of the same names.
        case lines, cone, arrow, leader

        /// The shape of this style; a cone ignores the width.
        public func shape(width: Double = Connector.defaultWidth) -> Shape {
            switch self {
            case .lines: .lines(width: width)
            case .cone: .cone
            case .arrow: .arrow(width: width)
            case .leader: .leader(width: width)
            }
        }

        /// White; translucent for a cone, so that the page is seen through it.
        public var defaultColor: Color {
            switch self {
            case .lines, .arrow, .leader: .defaultRim
            case .cone: Color(red: 255, green: 255, blue: 255, alpha: 0x66)
            }
        }
    }

    /// What is drawn.
    public var shape: Shape
    /// Composited over the layers.
    public var color: Color
    /// Around it; nil for none.
    public var casing: Casing?

    /// A connector. Its colour is the default of its style where none is given.
    public init(_ shape: Shape, color: Color? = nil, casing: Casing? = nil) {
        (self.shape, self.color, self.casing) = (shape, color ?? shape.style.defaultColor, casing)
    }

    /// In canvas pixels.
    public static let defaultWidth = 2.0
}

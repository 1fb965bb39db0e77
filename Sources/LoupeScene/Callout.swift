/// What ties a loupe to the part of the page that it shows: a ring around that part, and what leads from there to the loupe.
///
/// The source is the loupe's shape divided by its zoom, corners included, about the point that the loupe shows at its
/// centre. Callouts lie over the layers and under every loupe's shadow and disc; no loupe magnifies them.
public struct Callout: Hashable, Sendable {
    /// A ring that begins where the source ends: all that is nearer to it than `width`.
    public struct Ring: Hashable, Sendable {
        /// In canvas pixels, `widthRange`.
        public var width: Double
        public var color: Color

        public init(width: Double = 3, color: Color = .defaultRim) {
            self.width = width
            self.color = color
        }
    }

    public var ring: Ring?
    public var connector: Connector?

    public init(ring: Ring? = nil, connector: Connector? = nil) {
        self.ring = ring
        self.connector = connector
    }

    /// Of rings and connectors, in canvas pixels.
    public static let widthRange: ClosedRange<Double> = 0.001...1024
}

/// What leads from the ring around a loupe's source to the loupe.
///
/// Lines and cones run along the two outer tangents of the ring's outer edge (the source's, where there is no ring) and
/// the loupe's border. Nothing is drawn where one of these holds the other, nor over the source; no lines or cone where
/// they cross so that they have more tangents than two.
public struct Connector: Hashable, Sendable {
    public enum Shape: Hashable, Sendable {
        /// Two lines, whose outer sides lie on the tangents and end where those touch: of a straight side the nearer end.
        case lines(width: Double)
        /// The quadrilateral between the four points where the tangents touch.
        case cone
        /// From the loupe's centre straight at the source, its tip on the ring. Its head is four widths long and wide;
        /// where less than that is between ring and loupe, all of it is smaller, and nothing where they touch.
        case arrow(width: Double)

        /// How scenes name it.
        public var style: Style {
            switch self {
            case .lines: .lines
            case .cone: .cone
            case .arrow: .arrow
            }
        }

        /// In canvas pixels, `Callout.widthRange`; nil for a cone, which has none.
        public var width: Double? {
            switch self {
            case .lines(let width), .arrow(let width): width
            case .cone: nil
            }
        }
    }

    public enum Style: String, Hashable, Sendable, CaseIterable {
        case lines, cone, arrow

        /// The shape of this style; a cone makes nothing of the width.
        public func shape(width: Double = Connector.defaultWidth) -> Shape {
            switch self {
            case .lines: .lines(width: width)
            case .cone: .cone
            case .arrow: .arrow(width: width)
            }
        }

        /// White, translucent for a cone, under which the page is to be seen.
        public var defaultColor: Color {
            switch self {
            case .lines, .arrow: .defaultRim
            case .cone: Color(red: 255, green: 255, blue: 255, alpha: 0x66)
            }
        }
    }

    public var shape: Shape
    public var color: Color

    public init(_ shape: Shape, color: Color? = nil) {
        self.shape = shape
        self.color = color ?? shape.style.defaultColor
    }

    /// In canvas pixels.
    public static let defaultWidth = 2.0
}

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

import LoupeScene

/// What of the loupe in the hand can be set.
public struct LoupeOptions: Hashable, Sendable {
    /// What the loupe does once no finger holds it.
    public enum Released: String, Hashable, Sendable, CaseIterable {
        case stays
        case closes
    }

    public var released = Released.stays
    public var thresholds = LoupeThresholds()
    /// How the loupe looks when it is summoned; its centre, zoom and focus are the fingers'.
    public var look = Loupe(
        center: .zero, radius: 110, zoom: 1, rim: Loupe.Rim(width: 5, color: .defaultRim),
        shadow: Loupe.Shadow(offset: .init(dx: 0, dy: 6), blur: 24, color: .defaultShadow))
    /// Of the pen on the glass, in points: a stroke drawn at zoom 4 is a quarter as wide on the page.
    public var penWidth = 6.0
    public var penColor = Color.defaultInk
    /// The layer that is drawn on.
    public var page = 0

    public init() {}

    /// What an edge can be dragged to, in points: an edge band and as much again inside it, to what a scene allows.
    var radiusRange: ClosedRange<Double> { min(2 * thresholds.edgeBand, look.radius)...Loupe.radiusRange.upperBound }
    var zoomRange: ClosedRange<Double> { 1...thresholds.greatestZoom }
    public static let penWidthRange: ClosedRange<Double> = 0.1...512
}

import LoupeGeometry

/// What a finger did at a moment.
public struct Touch: Hashable, Sendable {
    /// With UIKit's names and meaning.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case began
        case moved
        case ended
        /// The system took the touch away; what it had begun should be undone.
        case cancelled
    }

    /// Tells the fingers apart that are down together; free again once the touch has ended.
    public var id: Int
    public var phase: Phase
    /// In canvas pixels, y down; it may lie off the canvas.
    public var place: Point

    public init(id: Int, phase: Phase, place: Point) {
        self.id = id
        self.phase = phase
        self.place = place
    }

    public static let idRange: ClosedRange<Int> = 0...1_000_000_000
    /// How many fingers may be down together.
    public static let greatestCount = 10
}

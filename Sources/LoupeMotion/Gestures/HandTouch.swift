import LoupeGeometry

/// A finger on the glass and what it is there for.
struct HandTouch: Hashable, Sendable {
    let id: Int
    var place: Point
    var role: Role

    /// Every touch has one role at a time.
    enum Role: Hashable, Sendable {
        /// Nobody holds the loupe: it may take hold of it or become a gesture with another.
        case waiting
        /// It holds the loupe.
        case holding
        /// It draws a stroke, of which so many points are on the page.
        case drawing(stroke: Int, points: Int)
        /// It drags the edge, and has changed the radius by so many points.
        case resizing(by: Double)
        /// It is one of two that rewind.
        case rewinding
        /// It has no effect: it came down beside a held loupe, or what it did is over.
        case idle

        var name: String {
            switch self {
            case .waiting: "waiting"
            case .holding: "holding"
            case .drawing: "drawing"
            case .resizing: "resizing"
            case .rewinding: "rewinding"
            case .idle: "idle"
            }
        }
    }
}

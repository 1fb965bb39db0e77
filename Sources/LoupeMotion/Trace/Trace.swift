import LoupeGeometry

/// A recording of touches and of the device's rotation, in the order in which they happened.
public struct Trace: Hashable, Sendable {
    public struct Event: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case touch(Touch)
            case rotation(RotationRate)
        }

        /// In seconds from the recording's start.
        public var time: Double
        public var content: Content

        public init(time: Double, _ content: Content) {
            self.time = time
            self.content = content
        }
    }

    public let events: [Event]

    /// Takes events as they are. What comes from outside should come through `TraceDecoder`, which checks them.
    public init(_ events: [Event] = []) {
        self.events = events
    }

    /// When the last event happened, in seconds.
    public var duration: Double { events.last?.time ?? 0 }

    /// Of events, in seconds: up to a day.
    public static let timeRange: ClosedRange<Double> = 0...86_400
}

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
    public var position: Point

    public init(id: Int, phase: Phase, position: Point) {
        self.id = id
        self.phase = phase
        self.position = position
    }

    public static let idRange: ClosedRange<Int> = 0...1_000_000_000
    /// How many fingers may be down together.
    public static let greatestCount = 10
}

/// A gyroscope's sample, in radians per second about the device's axes: x to its right, y to its top, z out of the
/// screen.
public struct RotationRate: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Of each axis; far beyond what gyroscopes measure, about 35.
    public static let range: ClosedRange<Double> = -1000...1000
}

import LoupeBase

/// A recording of touches and of the device's rotation, in the order of time.
public struct Trace: Hashable, Sendable {
    /// One recorded event.
    public struct Event: Hashable, Sendable {
        /// The content of an event.
        public enum Content: Hashable, Sendable {
            /// A touch began, moved or ended.
            case touch(Touch)
            /// A sample of the gyroscope.
            case rotation(RotationRate)
        }

        /// The time since the start of the recording, in seconds.
        public var time: Double
        /// What was recorded.
        public var content: Content

        /// An event at a time in seconds.
        public init(time: Double, _ content: Content) {
            self.time = time
            self.content = content
        }
    }

    /// The events, in the order of time.
    public let events: [Event]

    /// A trace of events, unchecked. Events from outside should come through `TraceDecoder`, which checks them.
    public init(_ events: [Event] = []) {
        self.events = events
    }

    /// The time of the last event, in seconds; 0 without events.
    public var duration: Double { events.last?.time ?? 0 }

    /// The range of event times, in seconds: up to a day.
    public static let timeRange: ClosedRange<Double> = 0...86_400
}

/// An event of one finger: UIKit's `UITouch` at one moment.
public struct Touch: Hashable, Sendable {
    /// The phase of the touch, with UIKit's names and meaning.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The finger came down.
        case began
        /// The finger moved.
        case moved
        /// The finger was lifted.
        case ended
        /// The system took the touch away; what it began should be undone.
        case cancelled
    }

    /// Identifies the finger among those that are down at the same time; reused after the touch has ended. See
    /// `idRange`.
    public var id: Int
    /// The phase of the touch.
    public var phase: Phase
    /// The position in canvas pixels, y down; it may lie outside of the canvas.
    public var position: Point

    /// An event of the finger `id` at a position in canvas pixels.
    public init(id: Int, phase: Phase, position: Point) {
        self.id = id
        self.phase = phase
        self.position = position
    }

    /// The range of `id`: 32 bits, as browsers and Android number fingers.
    public static let idRange: ClosedRange<Int> = -2_147_483_648...2_147_483_647
    /// The greatest number of fingers that may be down at the same time.
    public static let greatestCount = 10
}

/// A sample of the gyroscope, in radians per second about the device's axes (Core Motion's `CMRotationRate`): x points
/// to the right of the device, y to its top, z out of the screen.
public struct RotationRate: Hashable, Sendable {
    /// The rate about the x axis, in radians per second.
    public var x: Double
    /// The rate about the y axis, in radians per second.
    public var y: Double
    /// The rate about the z axis, in radians per second.
    public var z: Double

    /// A sample with its rates in radians per second.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The range of each rate, in radians per second. Gyroscopes measure up to about 35.
    public static let range: ClosedRange<Double> = -1000...1000
}

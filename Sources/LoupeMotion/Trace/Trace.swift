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

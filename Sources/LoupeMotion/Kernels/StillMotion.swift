/// A value that stands still.
public struct StillMotion: Motion, Hashable {
    public let value: Double

    public init(_ value: Double) {
        self.value = value
    }

    public func value(at time: Double) -> Double { value }
    public func velocity(at time: Double) -> Double { 0 }
    public func isSettled(at time: Double) -> Bool { true }
}

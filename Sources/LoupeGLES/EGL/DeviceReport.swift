/// Every candidate of this machine, tried, and which of them a choice takes.
public struct DeviceReport: Hashable, Sendable {
    /// In the order in which `auto` tries them; each one's `index` is its place.
    public let candidates: [DeviceCandidate]
    /// The index of the candidate that the choice takes; nil when it has none that works.
    public let chosen: Int?
    /// Why that candidate, or why none, in one sentence.
    public let reason: String
    /// Whether EGL can enumerate devices.
    public let enumeratesDevices: Bool
}

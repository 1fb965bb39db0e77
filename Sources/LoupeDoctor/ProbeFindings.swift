/// What came of trying every way to a device.
public struct ProbeFindings: Hashable, Sendable {
    /// Of the device that would be drawn with; nil where none works.
    public let chosenIsSoftware: Bool?
    /// Whether EGL can enumerate devices.
    public let enumeratesDevices: Bool
    /// The versions of candidates that are older than OpenGL ES 3.0, as they name themselves.
    public let oldVersions: [String]

    public init(chosenIsSoftware: Bool?, enumeratesDevices: Bool, oldVersions: [String]) {
        self.chosenIsSoftware = chosenIsSoftware
        self.enumeratesDevices = enumeratesDevices
        self.oldVersions = oldVersions
    }

    var works: Bool { chosenIsSoftware != nil }
}

/// Something that keeps a device from working, or from being used, and its mend.
public struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    public let problem: String
    /// One clause: what to do.
    public let mend: String
    /// The command to run; nil where there is none.
    public let command: String?

    /// Such as `Mesa is not installed; install it: sudo apt-get install …`.
    public var sentence: String { "\(problem); \(mend)" + (command.map { ": \($0)" } ?? "") }
}

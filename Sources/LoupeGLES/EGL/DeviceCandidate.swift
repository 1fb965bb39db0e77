/// One row of the table of devices: a candidate, and what came of trying it.
public struct DeviceCandidate: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// It gave an OpenGL ES 3.0 context and a right pixel.
        case works(DeviceInfo)
        /// Why it can't be used.
        case failed(String)
        /// The choice left it aside, or an earlier candidate was taken.
        case untried
    }

    /// Its place in the table, from 0: what `--device N` names.
    public let index: Int
    public let platform: DevicePlatform
    /// What it is, known before it is tried.
    public let name: String
    /// Its device file, where it has one.
    public let path: String?
    public internal(set) var outcome: Outcome
    /// Its GL_VERSION, where it failed because that is older than OpenGL ES 3.0.
    public internal(set) var oldVersion: String?
}

extension DeviceCandidate: CustomStringConvertible {
    /// The row as one line of text.
    public var description: String {
        switch outcome {
        case .works(let info): "\(index): \(name): works: \(info.renderer)"
        case .failed(let reason): "\(index): \(name): \(reason)"
        case .untried: "\(index): \(name): not tried"
        }
    }
}

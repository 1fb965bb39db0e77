/// The reason why a device can't be used, or why none can.
public enum EGLError: Error, Hashable, Sendable {
    /// A library of the driver is missing or can't be used: the loader's message, and what to install.
    case noLibrary(String)
    /// An EGL call failed; `code` is the name that `eglGetError` stands for, such as `EGL_BAD_MATCH`.
    case callFailed(String, code: String)
    /// The device lacks what is needed, can't be opened or draws wrongly: a clause that says what.
    case unusable(String)
    /// The context is older than OpenGL ES 3.0; its GL_VERSION.
    case versionTooLow(String)
    /// No device of the choice works: every candidate with its result.
    case noDevice(DeviceChoice, candidates: [DeviceCandidate])

    /// The table of what was tried; empty for an error that concerns a single call or device.
    public var candidates: [DeviceCandidate] {
        if case .noDevice(_, let candidates) = self { candidates } else { [] }
    }
}

extension EGLError: CustomStringConvertible {
    /// One sentence, without the table.
    public var description: String {
        switch self {
        case .noLibrary(let reason): "there is no OpenGL ES driver: \(reason)"
        case .callFailed(let call, "EGL_SUCCESS"): "\(call) failed and gave no reason"
        case .callFailed(let call, let code): "\(call) failed with \(code)"
        case .unusable(let reason): reason
        case .versionTooLow(let version): "OpenGL ES 3.0 is needed, this is \(version)"
        case .noDevice(let choice, let candidates): Self.noDevice(choice, among: candidates)
        }
    }

    private static func noDevice(_ choice: DeviceChoice, among candidates: [DeviceCandidate]) -> String {
        let failures = candidates.compactMap { candidate -> (name: String, reason: String)? in
            guard case .failed(let reason) = candidate.outcome else { return nil }
            return (candidate.name, reason)
        }
        switch choice {
        case .auto:
            return "no OpenGL ES 3.0 device works: all \(failures.count) candidates failed"
        case .cpu:
            return "no software OpenGL ES 3.0 device works: all \(failures.count) candidates failed"
        case .index(let index):
            guard let failure = failures.first else {
                return "there is no device \(index): the last of this machine's candidates is \(candidates.count - 1)"
            }
            return "device \(index) (\(failure.name)) can't be used: \(failure.reason)"
        case .path(let path):
            return "device \(path) can't be used: \(failures.map(\.reason).joined(separator: "; "))"
        }
    }
}

import Glibc

/// Why a file could not be read or written; its description is one sentence with the path.
public enum FileError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)

    /// The system's own words for `code`, a value of `errno`.
    static func text(of code: Int32) -> String {
        String(cString: strerror(code))
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): can't be read: \(reason)"
        case .unwritable(let path, let reason): "\(path): can't be written: \(reason)"
        }
    }
}

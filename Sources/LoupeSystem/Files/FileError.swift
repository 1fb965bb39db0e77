import Glibc
import LoupeBase

/// An error of reading or writing a file. Its description is one sentence with the path.
public enum FileError: Error, Equatable, Sendable {
    /// The file at `path` can't be read; `reason` is often the system's text.
    case unreadable(path: String, reason: String)
    /// The file at `path` can't be written; `reason` is often the system's text.
    case unwritable(path: String, reason: String)

    /// Whether the reader of a pipe has closed its end, so that the rest of the output is not wanted.
    public var isBrokenPipe: Bool {
        if case .unwritable(_, FileError.text(of: EPIPE)) = self { true } else { false }
    }

    /// The system's text for `code`, a value of `errno`.
    static func text(of code: Int32) -> String {
        String(cString: strerror(code))
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path.isEmpty ? "''" : path.quotable): can't be read: \(reason)"
        case .unwritable(let path, let reason): "\(path.quotable): can't be written: \(reason)"
        }
    }
}

import Glibc
import Synchronization

/// The temporary files of this process that have a name.
///
/// A program that a signal ends can remove them: ``removeAll()`` may be called by a signal handler, once ``prepare()`` has
/// been.
public enum TemporaryFiles {
    /// More than are written at once; one beyond would not be removed.
    private static let capacity = 256
    private static let length = Int(PATH_MAX)
    /// Paths that end in 0 and stay where they are, since a handler may read them at any time; empty ones are free.
    nonisolated(unsafe) private static let paths: UnsafeMutablePointer<CChar> = {
        let paths = UnsafeMutablePointer<CChar>.allocate(capacity: capacity * length)
        for slot in 0..<capacity { paths[slot * length] = 0 }
        return paths
    }()
    private static let writing = Mutex(())

    /// Takes the memory that `removeAll` needs.
    public static func prepare() { _ = paths }

    /// Removes them all.
    public static func removeAll() {
        for slot in 0..<capacity where paths[slot * length] != 0 { unlink(paths + slot * length) }
    }

    static func remember(_ path: String) {
        let bytes = path.utf8CString
        guard bytes.count <= length else { return }
        writing.withLock { _ in
            guard let slot = (0..<capacity).first(where: { paths[$0 * length] == 0 }) else { return }
            // The first byte last: it tells that the others are there.
            for index in bytes.indices.reversed() { paths[slot * length + index] = bytes[index] }
        }
    }

    static func forget(_ path: String) {
        writing.withLock { _ in
            for slot in 0..<capacity where strcmp(paths + slot * length, path) == 0 { paths[slot * length] = 0 }
        }
    }
}

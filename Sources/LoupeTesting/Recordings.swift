import LoupeFiles
import LoupeImaging
import Synchronization

/// The references that this process has written, so that two expectations can't overwrite each other's.
enum Recordings {
    private static let paths = Mutex<Set<String>>([])

    /// Writes a reference and makes its folder, unless it was written in this run already.
    /// - Returns: Whether it was written now.
    static func write(_ image: Image, to path: String) throws -> Bool {
        try paths.withLock { paths in
            guard !paths.contains(path) else { return false }
            if let folder = Folder.parent(of: path) { try Folder.make(folder) }
            try PNG.write(image, to: path)
            paths.insert(path)
            return true
        }
    }

    static func contains(_ path: String) -> Bool {
        paths.withLock { $0.contains(path) }
    }
}

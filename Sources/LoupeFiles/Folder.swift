import Glibc

/// Folders for files to be written into.
public enum Folder {
    /// Makes the folder at `path` and those above it where they are missing.
    ///
    /// Throws ``FileError/unwritable(path:reason:)``; safe where several make the same folder at once.
    public static func make(_ path: String) throws(FileError) {
        if mkdir(path, 0o777) == 0 || isFolder(path) { return }
        let code = errno
        guard code == ENOENT, let parent = parent(of: path) else {
            throw .unwritable(path: path, reason: FileError.text(of: code))
        }
        try make(parent)
        guard mkdir(path, 0o777) == 0 || isFolder(path) else {
            throw .unwritable(path: path, reason: FileError.text(of: errno))
        }
    }

    /// Up to the last slash and without it; nil for the root and for the first part of a relative path.
    public static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    private static func isFolder(_ path: String) -> Bool {
        let code = errno
        defer { errno = code }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

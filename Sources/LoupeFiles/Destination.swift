import Glibc

/// What stands where a file is to be written.
enum Destination {
    /// A device, FIFO or socket.
    case special
    /// A file, or room for one. `place` is its path with links resolved, `permissions` are those of an existing file.
    case file(place: String, permissions: mode_t?)

    /// Refuses what no file can be put in place of, before anything is written.
    init(_ path: String) throws(FileError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = try Self.absent(path, errno)
            return
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(path, &status) != 0 {
            throw .unwritable(path: path, reason: "it is a link that leads nowhere; remove it, or make its target")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = try Self.existing(path, status, isLink: isLink)
        case S_IFDIR: throw .unwritable(path: path, reason: "it is a directory; name a file in it")
        default: self = .special
        }
    }

    private static func absent(_ path: String, _ code: Int32) throws(FileError) -> Destination {
        if code != ENOENT { throw .unwritable(path: path, reason: FileError.text(of: code)) }
        if path.isEmpty { throw .unwritable(path: "''", reason: "the path is empty") }
        if path.hasSuffix("/") { throw .unwritable(path: path, reason: "there is no such folder; name a file") }
        if access(path.folder, F_OK) != 0 {
            throw .unwritable(path: path, reason: "there is no folder '\(path.folder)'; make it first")
        }
        return .file(place: path, permissions: nil)
    }

    private static func existing(_ path: String, _ status: stat, isLink: Bool) throws(FileError) -> Destination {
        guard access(path, W_OK) == 0 else { throw .unwritable(path: path, reason: FileError.text(of: errno)) }
        let permissions = status.st_mode & 0o777
        guard isLink else { return .file(place: path, permissions: permissions) }
        guard let target = realpath(path, nil) else {
            throw .unwritable(path: path, reason: FileError.text(of: errno))
        }
        defer { free(target) }
        return .file(place: String(cString: target), permissions: permissions)
    }
}

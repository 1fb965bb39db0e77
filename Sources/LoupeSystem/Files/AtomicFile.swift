import Glibc
import LoupeBase

/// Writes files that appear whole or not at all.
///
/// The bytes go to a `TemporaryFile`, which is then renamed to the path; after an error of writing an existing file is as it
/// was. A loss of power leaves the old file or the new one, unless ``FileSync`` is off. Special cases:
/// - A symbolic link stays, and the file it points to is replaced. A dangling link is refused.
/// - An existing file keeps its permissions, and one without write permission is refused. A new file gets 0666 less the
///   umask.
/// - Devices and FIFOs are written to directly. So are `/dev/stdout`, `/dev/stderr` and `/dev/fd/N`, through the
///   descriptor that is open already.
package enum AtomicFile {
    /// Writes `bytes` to the file at `path`. Throws ``FileError/unwritable(path:reason:)``.
    /// - Parameter confinement: where the file must lie.
    package static func write(
        _ bytes: [UInt8], to path: Path, in confinement: PathConfinement = .none
    ) throws(FileError) {
        if let place = try confinement.place(toWrite: path) {
            try write(at: place.path, named: path, mayBeLink: false) { number in
                bytes.withUnsafeBytes { Descriptor.write($0, to: number) }
            }
            return withExtendedLifetime(place.folder) {}
        }
        try write(to: path) { number in bytes.withUnsafeBytes { Descriptor.write($0, to: number) } }
    }

    /// Calls `body` with a descriptor to write to; it returns `errno`, or 0 for success.
    package static func write(to path: Path, _ body: (Int32) -> Int32) throws(FileError) {
        if let number = openDescriptor(namedBy: path) { return try check(body(number), path) }
        try write(at: path, named: path, mayBeLink: true, body)
    }

    /// Makes sure that a file can be written at a path, so that no work is done in vain. Throws
    /// ``FileError/unwritable(path:reason:)``.
    package static func check(_ path: Path) throws(FileError) {
        if openDescriptor(namedBy: path) != nil { return }
        if case .file(let target, _) = try Destination(path, named: path, mayBeLink: true) {
            _ = try temporaryFile(for: target, named: path)
        }
    }

    private static func write(
        at place: Path, named path: Path, mayBeLink: Bool, _ body: (Int32) -> Int32
    ) throws(FileError) {
        switch try Destination(place, named: path, mayBeLink: mayBeLink) {
        case .special: try writeDirectly(to: place, body)
        case .file(let target, let permissions): try replace(target, permissions, named: path, body)
        }
    }

    /// N for `/dev/fd/N`; 1 and 2 for `/dev/stdout` and `/dev/stderr`.
    private static func openDescriptor(namedBy path: Path) -> Int32? {
        switch path {
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        case _ where path.folder == "/dev/fd/": path.name.text.flatMap { Int32($0) }
        default: nil
        }
    }

    private static func writeDirectly(to path: Path, _ body: (Int32) -> Int32) throws(FileError) {
        guard let device = Descriptor(opening: path, O_WRONLY | O_NOCTTY) else { return try check(errno, path) }
        var code = body(device.number)
        if code == 0 { code = FileSync.sync(device.number) }
        let closing = device.close()
        try check(code == 0 ? closing : code, path)
    }

    private static func replace(
        _ target: Path, _ permissions: mode_t?, named path: Path, _ body: (Int32) -> Int32
    ) throws(FileError) {
        let file = try temporaryFile(for: target, named: path)
        var code = permissions.map { fchmod(file.descriptor, $0) == 0 ? 0 : errno } ?? 0
        if code == 0 { code = body(file.descriptor) }
        if code == 0 { code = file.moveIntoPlace() }
        try check(code, path)
    }

    private static func temporaryFile(for target: Path, named path: Path) throws(FileError) -> TemporaryFile {
        if let file = TemporaryFile(for: target) { return file }
        let reason = "\(FileError.text(of: errno)) (making a file in '\(TemporaryName.folder(of: path))')"
        throw .unwritable(path: path.description, reason: reason)
    }

    private static func check(_ code: Int32, _ path: Path) throws(FileError) {
        if code != 0 { throw .unwritable(path: path.description, reason: FileError.text(of: code)) }
    }
}

/// Folders for output files.
package enum Folder {
    /// Makes the folder at `path` and its missing parents. Safe where several processes make the same folder at once.
    ///
    /// Throws ``FileError/unwritable(path:reason:)``.
    package static func make(_ path: Path) throws(FileError) {
        if makeOne(path) { return }
        let code = errno
        guard code == ENOENT, let parent = path.parent else {
            throw .unwritable(path: path.description, reason: FileError.text(of: code))
        }
        try make(parent)
        guard makeOne(path) else {
            throw .unwritable(path: path.description, reason: FileError.text(of: errno))
        }
    }

    /// False, with `errno` set, where the folder neither is there nor can be made.
    private static func makeOne(_ path: Path) -> Bool {
        if path.withCString({ mkdir($0, 0o777) }) == 0 { return true }
        let code = errno
        defer { errno = code }
        return path.status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}

/// The state of the path to which a file is to be written.
private enum Destination {
    /// A device, FIFO or socket.
    case special
    /// A file, or nothing. `path` has its links resolved, `permissions` are those of an existing file.
    case file(path: Path, permissions: mode_t?)

    /// Refuses what can't be replaced by a file, before anything is written.
    init(_ place: Path, named path: Path, mayBeLink: Bool) throws(FileError) {
        guard var status = place.status(followingLinks: false) else {
            self = try Self.absent(place, named: path, errno)
            return
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink {
            guard let target = place.status() else {
                throw .unwritable(
                    path: path.description,
                    reason: "it is a link to a missing file; remove the link, or make its target")
            }
            if !mayBeLink { throw .unwritable(path: path.description, reason: PathConfinement.problem) }
            status = target
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = try Self.existing(place, named: path, status, isLink: isLink)
        case S_IFDIR: throw .unwritable(path: path.description, reason: "it is a directory; name a file in it")
        default: self = .special
        }
    }

    private static func absent(_ place: Path, named path: Path, _ code: Int32) throws(FileError) -> Destination {
        let shown = path.description
        if code != ENOENT { throw .unwritable(path: shown, reason: FileError.text(of: code)) }
        if path.isEmpty { throw .unwritable(path: "''", reason: "the path is empty") }
        if path.hasEnding("/") { throw .unwritable(path: shown, reason: "there is no such folder; name a file") }
        let folder = path.folder
        if !folder.isEmpty, !folder.exists {
            throw .unwritable(path: shown, reason: "there is no folder '\(folder)'; make it first")
        }
        return .file(path: place, permissions: nil)
    }

    private static func existing(
        _ place: Path, named path: Path, _ status: stat, isLink: Bool
    ) throws(FileError) -> Destination {
        guard place.withCString({ access($0, W_OK) }) == 0 else {
            throw .unwritable(path: path.description, reason: FileError.text(of: errno))
        }
        let permissions = status.st_mode & 0o777
        guard isLink else { return .file(path: place, permissions: permissions) }
        guard let target = place.real else {
            throw .unwritable(path: path.description, reason: FileError.text(of: errno))
        }
        return .file(path: target, permissions: permissions)
    }
}

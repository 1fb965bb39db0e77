import Glibc
import Synchronization

/// A new file that becomes visible only when it is whole.
///
/// Where the file system can, the file has no name until then (`O_TMPFILE`) and vanishes with the process, however that
/// ends. Elsewhere, as on NFS, it has a ``TemporaryName`` in the target's folder.
final class TemporaryFile {
    /// To write to.
    let descriptor: Int32
    /// The path that the file gets in the end.
    private let target: Path
    /// Nil while it has no name.
    private var name: TemporaryName?
    private var isClosed = false

    /// Nil, with `errno` set, where no file can be made in the target's folder.
    /// - Parameter mayBeNameless: false behaves as on a file system without `O_TMPFILE`.
    init?(for target: Path, mayBeNameless: Bool = true) {
        self.target = target
        if mayBeNameless, let number = Self.openNameless(in: TemporaryName.folder(of: target)) {
            descriptor = number
        } else if let (number, name) = Self.openNamed(for: target) {
            (descriptor, self.name) = (number, name)
        } else {
            return nil
        }
    }

    deinit {
        name?.remove()
        _ = close()
    }

    /// Gives the file its path, replacing a file that is there, and returns `errno`, or 0 for success. Where `FileSync` is
    /// on, the file is synced before and its folder afterwards.
    func moveIntoPlace() -> Int32 {
        let code = FileSync.sync(descriptor)
        if code != 0 { return code }
        guard let folder = FolderOfFile(of: target) else { return errno }
        guard let name else { return linkIntoPlace(folder) }
        // Some file systems report a full disk only when a file is closed.
        let closing = close()
        if closing != 0 { return closing }
        self.name = nil
        return rename(name, folder)
    }

    /// Renames the file of a name to the target.
    private func rename(_ name: TemporaryName, _ folder: consuming FolderOfFile) -> Int32 {
        let isRenamed = name.path.withCString { path in target.withCString { Glibc.rename(path, $0) } } == 0
        let code = isRenamed ? 0 : errno
        guard isRenamed else {
            name.remove()
            return code
        }
        name.forget()
        return folder.sync()
    }

    /// Returns `errno`, or 0 for success.
    private func close() -> Int32 {
        if isClosed { return 0 }
        isClosed = true
        return Glibc.close(descriptor) == 0 ? 0 : errno
    }
}

// MARK: - With a name

extension TemporaryFile {
    /// Nil, with `errno` set, where that fails.
    private static func openNamed(for target: Path) -> (Int32, TemporaryName)? {
        for name in TemporaryName.candidates(for: target) {
            // Before the file is there, so that no signal comes between; nobody else has a file of this name.
            name.remember()
            guard let file = Descriptor(opening: name.path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666) else {
                let code = errno
                name.forget()
                errno = code
                if code == EEXIST { continue }
                return nil
            }
            // Another process may have taken the file for abandoned before the lock here: it has the lock then, or has
            // removed the file.
            if flock(file.number, LOCK_EX | LOCK_NB) != 0 ? errno == EWOULDBLOCK : !name.leads(to: file) {
                name.forget()
                continue
            }
            return (file.release(), name)
        }
        return nil
    }
}

// MARK: - Without a name

extension TemporaryFile {
    /// `O_TMPFILE` of Linux, which Swift does not import.
    private static let unnamed = O_DIRECTORY | 0o20_000_000

    /// Nil where the file system can't, or where /proc is missing, by which the file gets its name later.
    private static func openNameless(in folder: Path) -> Int32? {
        guard let file = Descriptor(opening: folder, O_WRONLY | unnamed, mode: 0o666),
            procPath(of: file.number).exists
        else { return nil }
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        return file.release()
    }

    private static func procPath(of descriptor: Int32) -> Path { "/proc/self/fd/\(descriptor)" }

    private func link(as path: Path) -> Bool {
        Self.procPath(of: descriptor).withCString { file in
            path.withCString { linkat(AT_FDCWD, file, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        } == 0
    }

    /// A new link can't replace a file, but renaming can.
    private func linkIntoPlace(_ folder: consuming FolderOfFile) -> Int32 {
        if link(as: target) { return folder.sync() }
        guard errno == EEXIST else { return errno }
        for name in TemporaryName.candidates(for: target) {
            name.remember()
            if link(as: name.path) { return rename(name, folder) }
            let code = errno
            name.forget()
            if code != EEXIST { return code }
        }
        return EEXIST
    }
}

/// The name of a temporary file in the target's folder: a hash of the target's name plus a random suffix.
///
/// Names in use are kept in ``TemporaryFiles``. The next file for the same target removes what a process that was killed
/// left behind. A running process holds a lock on its file, which is then kept.
struct TemporaryName {
    let path: Path

    /// Several, as one may be taken.
    static func candidates(for target: Path) -> [TemporaryName] {
        let (folder, start) = (folder(of: target), start(for: target))
        for name in folder.entries(startingWith: start) ?? [] where name.hasEnding(".tmp") {
            TemporaryName(path: folder.appending(name)).removeAbandoned()
        }
        return (0..<4).map { _ in
            TemporaryName(
                path: folder.appending(start).appending("\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"))
        }
    }

    /// The folder of the target, with its slash.
    static func folder(of target: Path) -> Path {
        let folder = target.folder
        return folder.isEmpty ? "./" : folder
    }

    /// Short, as the target's name may have the greatest length.
    private static func start(for target: Path) -> Path {
        ".loupe-\(String(fingerprint(of: target.name.bytes), radix: 36))-"
    }

    /// FNV-1a, the same in each run.
    private static func fingerprint(of name: some Sequence<UInt8>) -> UInt64 {
        name.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    func remember() { TemporaryFiles.remember(path) }
    func forget() { TemporaryFiles.forget(path) }

    func remove() {
        _ = path.withCString { unlink($0) }
        forget()
    }

    /// Whether the file of this name is the one that is open.
    func leads(to file: borrowing Descriptor) -> Bool {
        var open = stat()
        guard let named = path.status(followingLinks: false), fstat(file.number, &open) == 0 else { return false }
        return named.st_ino == open.st_ino && named.st_dev == open.st_dev
    }

    /// Removes a file of this name that belongs to this user and that no process has locked.
    private func removeAbandoned() {
        var status = stat()
        guard let file = Descriptor(opening: path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            flock(file.number, LOCK_EX | LOCK_NB) == 0, leads(to: file)
        else { return }
        _ = path.withCString { unlink($0) }
    }
}

/// The temporary files of this process that have a name, so that a signal handler can remove them.
///
/// ``removeAll()`` is safe in a signal handler after ``prepare()``.
package enum TemporaryFiles {
    /// The most names that are kept; a file beyond would not be removed.
    private static let capacity = 256
    private static let length = Int(PATH_MAX)
    /// For each slot whether it is used; then the paths with a closing 0. They lie at fixed addresses, since a signal handler may
    /// read them at any time. Of a slot that was never used no memory is touched: a page for each takes a twentieth of a start.
    /// Nil until it is needed first.
    nonisolated(unsafe) private static var slots: UnsafeMutablePointer<CChar>?
    private static let writing = Mutex(())

    /// Allocates the memory that ``removeAll()`` needs.
    package static func prepare() { _ = writing.withLock { _ in allocated() } }

    private static func allocated() -> UnsafeMutablePointer<CChar> {
        if let slots { return slots }
        let new = UnsafeMutablePointer<CChar>.allocate(capacity: capacity * (1 + length))
        for slot in 0..<capacity { new[slot] = 0 }
        slots = new
        return new
    }

    private static func path(_ slot: Int, in slots: UnsafeMutablePointer<CChar>) -> UnsafeMutablePointer<CChar> {
        slots + capacity + slot * length
    }

    /// Removes all of the files.
    package static func removeAll() {
        guard let slots else { return }
        for slot in 0..<capacity where slots[slot] != 0 { unlink(path(slot, in: slots)) }
    }

    static func remember(_ path: Path) {
        let bytes = path.bytes.map(CChar.init(bitPattern:)) + [0]
        guard bytes.count <= length else { return }
        writing.withLock { _ in
            let slots = allocated()
            guard let slot = (0..<capacity).first(where: { slots[$0] == 0 }) else { return }
            self.path(slot, in: slots).update(from: bytes, count: bytes.count)
            // Last: from now on, the path is read.
            slots[slot] = 1
        }
    }

    static func forget(_ path: Path) {
        let bytes = path.bytes.map(CChar.init(bitPattern:)) + [0]
        writing.withLock { _ in
            guard let slots else { return }
            for slot in 0..<capacity where slots[slot] != 0 && strcmp(self.path(slot, in: slots), bytes) == 0 {
                slots[slot] = 0
            }
        }
    }
}

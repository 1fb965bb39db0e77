import Glibc
import Synchronization

/// The syncing of written files, so that they outlast a loss of power.
///
/// A file is synced before it gets its name, and its folder afterwards: a loss of power leaves the old file or the new one,
/// and the new one once it is written. A sync waits for the disk, some milliseconds. The environment variable
/// `LOUPE_NO_SYNC`, set to anything but 0, turns syncs off.
package enum FileSync {
    private struct State {
        var isOn = getenv("LOUPE_NO_SYNC").map { strcmp($0, "") == 0 || strcmp($0, "0") == 0 } ?? true
        /// Open folders that are synced later; nil where each is synced at once.
        var waiting: [FolderIdentity: Int32]?
    }

    fileprivate struct FolderIdentity: Hashable {
        let device: dev_t
        let node: ino_t
    }

    private static let state = Mutex(State())
    /// The most folders that are held open to be synced later; those beyond are synced at once.
    private static let mostWaiting = 64

    /// Whether files are synced. Off is for output that may be lost.
    package static var isOn: Bool {
        get { state.withLock(\.isOn) }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// Calls `body`, and syncs the folders of the files that it writes once at the end, instead of after each file.
    /// - Throws: what `body` throws, or ``FileError/unwritable(path:reason:)`` where a folder can't be synced.
    package static func withFoldersSyncedOnce<Value>(_ body: () throws -> Value) throws -> Value {
        let isFirst = state.withLock { state in
            defer { state.waiting = state.waiting ?? [:] }
            return state.waiting == nil
        }
        guard isFirst else { return try body() }
        let result = Result { try body() }
        var failure: FileError?
        let folders = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting ?? [:]
        }
        for folder in folders.values {
            let code = sync(folder)
            if code != 0 {
                let path = Path("/proc/self/fd/\(folder)").real?.description ?? "the folder of the output"
                failure = .unwritable(path: path, reason: FileError.text(of: code))
            }
            close(folder)
        }
        let value = try result.get()
        if let failure { throw failure }
        return value
    }

    /// Syncs what is open under a number. Returns `errno`, or 0 for success and for what can't be synced: devices, pipes,
    /// and folders of some file systems.
    static func sync(_ descriptor: Int32) -> Int32 {
        guard isOn else { return 0 }
        while fsync(descriptor) != 0 {
            if errno == EINTR { continue }
            return [EINVAL, ENOTSUP, ENOSYS, EROFS].contains(errno) ? 0 : errno
        }
        return 0
    }

    /// Takes over an open folder to sync it later; false where it has to be synced now.
    fileprivate static func postpone(_ number: Int32) -> Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { return false }
        let identity = FolderIdentity(device: status.st_dev, node: status.st_ino)
        return state.withLock { state in
            guard let waiting = state.waiting else { return false }
            if waiting[identity] != nil {
                close(number)
                return true
            }
            guard waiting.count < mostWaiting else { return false }
            state.waiting?[identity] = number
            return true
        }
    }
}

/// The folder in which a file gets its name. It is opened before, so that nothing has changed where that fails.
struct FolderOfFile: ~Copyable {
    /// Nil where the folder is not synced.
    private var folder: Descriptor?

    /// Nil, with `errno` set, where the folder can't be opened.
    init?(of target: Path) {
        guard FileSync.isOn else { return }
        folder = Descriptor(opening: TemporaryName.folder(of: target), O_RDONLY | O_DIRECTORY)
        // A folder that may be written to and not read can't be synced.
        if folder == nil, errno != EACCES { return nil }
    }

    /// Syncs the folder and returns `errno`, or 0 for success.
    consuming func sync() -> Int32 {
        guard let folder = folder.take() else { return 0 }
        let number = folder.release()
        if FileSync.postpone(number) { return 0 }
        defer { close(number) }
        return FileSync.sync(number)
    }
}

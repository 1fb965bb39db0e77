import Glibc

/// A new file that nobody sees until it is whole.
///
/// Where the file system can, it has no name at all until then (`O_TMPFILE`), so that whatever ends the process takes it
/// along. Elsewhere, as on NFS, it lies in the folder under a ``TemporaryName``.
final class TemporaryFile {
    /// To write to.
    let descriptor: Int32
    /// Where it is to go.
    private let place: String
    /// Nil while it has no name.
    private var name: TemporaryName?
    private var isClosed = false

    /// - Parameter mayBeNameless: false takes the way of file systems that can't do without a name.
    /// Nil, with `errno` set, where the folder takes no new file.
    init?(for place: String, mayBeNameless: Bool = true) {
        self.place = place
        if mayBeNameless, let number = Self.openNameless(in: place.folder) {
            descriptor = number
        } else if let (number, name) = Self.openNamed(for: place) {
            (descriptor, self.name) = (number, name)
        } else {
            return nil
        }
    }

    deinit {
        name?.remove()
        _ = close()
    }

    /// Puts the file in its place, over one that is there, and returns `errno`, 0 where all went well.
    func moveIntoPlace() -> Int32 {
        guard let name else { return linkIntoPlace() }
        // Some file systems tell of a full disk only when a file is closed.
        let code = close()
        if code != 0 { return code }
        guard rename(name.path, place) == 0 else { return errno }
        name.forget()
        self.name = nil
        return 0
    }

    /// Returns `errno`, 0 where all went well.
    private func close() -> Int32 {
        if isClosed { return 0 }
        isClosed = true
        return Glibc.close(descriptor) == 0 ? 0 : errno
    }
}

// MARK: - With a name

extension TemporaryFile {
    /// Nil, with `errno` set, where there can be none.
    private static func openNamed(for place: String) -> (Int32, TemporaryName)? {
        for name in TemporaryName.candidates(for: place) {
            guard let file = Descriptor(opening: name.path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666) else {
                if errno == EEXIST { continue }
                return nil
            }
            // Whoever took it for abandoned before it was locked has the lock, or has removed it.
            if flock(file.number, LOCK_EX | LOCK_NB) != 0 ? errno == EWOULDBLOCK : !name.leads(to: file) { continue }
            name.remember()
            return (file.release(), name)
        }
        return nil
    }
}

// MARK: - Without a name

extension TemporaryFile {
    /// `O_TMPFILE` of Linux, which Swift does not see.
    private static let unnamed = O_DIRECTORY | 0o20_000_000

    /// Nil where the file system can't, or where there is no /proc, without which it could not get a name later.
    private static func openNameless(in folder: String) -> Int32? {
        guard let file = Descriptor(opening: folder, O_WRONLY | unnamed, mode: 0o666),
            access(way(to: file.number), F_OK) == 0
        else { return nil }
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        return file.release()
    }

    private static func way(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private func link(as path: String) -> Bool {
        linkat(AT_FDCWD, Self.way(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    /// A link can't take the place of a file; a file with a name can.
    private func linkIntoPlace() -> Int32 {
        if link(as: place) { return 0 }
        guard errno == EEXIST else { return errno }
        for name in TemporaryName.candidates(for: place) {
            name.remember()
            guard link(as: name.path) else {
                let code = errno
                name.forget()
                if code == EEXIST { continue }
                return code
            }
            let code = rename(name.path, place) == 0 ? 0 : errno
            if code == 0 { name.forget() } else { name.remove() }
            return code
        }
        return EEXIST
    }
}

import Glibc

/// What a file is called in its folder until it takes its place.
///
/// Half of it tells the place, half of it nobody can foresee. Names in use are kept in ``TemporaryFiles``. A file that
/// SIGKILL left is removed by whoever next needs a name for that place; a lock tells it from one that another process is writing.
struct TemporaryName {
    let path: String

    /// More than one, as one may be taken.
    static func candidates(for place: String) -> [TemporaryName] {
        let start = start(for: place)
        for name in names(in: place.folder, startingWith: start) {
            TemporaryName(path: place.folder + name).removeAbandoned()
        }
        return (0..<4).map { _ in
            TemporaryName(path: place.folder + start + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp")
        }
    }

    /// Short and of plain letters, as the file's name may be as long as is allowed.
    private static func start(for place: String) -> String {
        ".loupe-" + String(fingerprint(of: place), radix: 36) + "-"
    }

    private static func names(in folder: String, startingWith start: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(start), name.hasSuffix(".tmp") { names.append(name) }
        }
        return names
    }

    /// FNV-1a, the same in each run.
    private static func fingerprint(of place: String) -> UInt64 {
        place.dropFirst(place.folder == "./" ? 0 : place.folder.count).utf8
            .reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    func remember() { TemporaryFiles.remember(path) }
    func forget() { TemporaryFiles.forget(path) }

    func remove() {
        unlink(path)
        forget()
    }

    /// Whether the file of this name is the one that is open.
    func leads(to file: borrowing Descriptor) -> Bool {
        var (named, open) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(file.number, &open) == 0
            && named.st_ino == open.st_ino && named.st_dev == open.st_dev
    }

    /// Removes a file of this name that is this user's and that nobody has locked.
    private func removeAbandoned() {
        var status = stat()
        guard let file = Descriptor(opening: path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            flock(file.number, LOCK_EX | LOCK_NB) == 0, leads(to: file)
        else { return }
        unlink(path)
    }
}

extension String {
    /// Of a path: up to the last slash, or `./`.
    var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "./" }
}

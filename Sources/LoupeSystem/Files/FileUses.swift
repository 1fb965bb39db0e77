import Glibc

/// The identity of the file that a path leads to, whatever the path is: links, `./`, `//` and hard links do not matter.
///
/// Where nothing is yet, it is the folder and the bytes of the name. If the folder is missing too, two names of one file may
/// count as two files.
enum FileIdentity: Hashable, Sendable {
    /// A regular file, by its device and inode.
    case file(device: UInt64, node: UInt64)
    /// Nothing yet: a name below a folder, which is given by its device and inode.
    case name(device: UInt64, node: UInt64, Path)

    /// Nil for what several may write to or read from: devices, pipes, sockets, folders; and for what can't be made.
    init?(of path: Path) {
        if let status = path.status() {
            self.init(status)
            return
        }
        // A link to nothing is refused when it is written to.
        if path.isEmpty || path.hasEnding("/") || path.status(followingLinks: false) != nil { return nil }
        self.init(ofNew: path)
    }

    /// The file that is open under a number, such as standard output that a shell has redirected.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .file(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }

    private init?(ofNew path: Path) {
        var (folder, name) = (path.folder, path.name)
        while true {
            if name == ".." || path.bytes.contains(0) { return nil }
            let place = folder.isEmpty ? "." : folder
            if let status = place.status() {
                guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
                self = .name(device: UInt64(status.st_dev), node: UInt64(status.st_ino), name)
                return
            }
            // `a/` is `a`, of which the folder and the name come next.
            var bytes = folder.bytes[...]
            while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            if bytes.isEmpty { return nil }
            let above = Path(bytes: bytes)
            if above.name == ".." { return nil }
            (folder, name) = (above.folder, above.name == "." ? name : above.name.child(name))
        }
    }
}

/// All that a command reads and all that it writes. No output may replace an input or another output.
///
/// Declare every file, then call ``check()`` before the first is written. Files are the same by ``FileIdentity``, so no
/// spelling of a path and no link hides one; devices and pipes are free. Races (TOCTOU) are not prevented: another
/// process can make a link between the check and the writing.
package struct FileUses: Sendable {
    /// A file in the use of a command.
    private struct Use {
        /// As it was named; `-` is standard input or output.
        let path: Path
        /// Who names it: a flag, or words such as `the scene's image`.
        let role: String
        /// Uses of one group may be of one file: a reference that is read and then drawn anew.
        let group: Int?

        /// The role and the path, for a sentence.
        var words: String { "\(role) \(path)" }
    }

    private var reads: [FileIdentity: [Use]] = [:]
    private var writes: [(use: Use, identity: FileIdentity)] = []
    /// The paths of all outputs but standard output.
    private var outputs: [Path] = []

    /// Nothing yet.
    package init() {}

    /// Whether nothing is written but devices and pipes, so that no check is needed.
    package var writesNothing: Bool { writes.isEmpty }

    /// Declares a file that is read.
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - role: who names it.
    ///   - group: a write of the same group may replace it.
    package mutating func read(_ path: Path, as role: String, group: Int? = nil) {
        let identities =
            path.isDash
            ? [FileIdentity(descriptor: STDIN_FILENO)] : PagePath.files(of: path).map { FileIdentity(of: $0) }
        for identity in identities.compactMap(\.self) {
            reads[identity, default: []].append(Use(path: path, role: role, group: group))
        }
    }

    /// Declares a file that is written.
    /// - Parameters:
    ///   - path: `-` is standard output.
    ///   - role: who names it.
    ///   - group: reads of the same group may be replaced.
    package mutating func write(_ path: Path, as role: String, group: Int? = nil) {
        let identity = path.isDash ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(of: path)
        if !path.isDash { outputs.append(path) }
        if let identity { writes.append((Use(path: path, role: role, group: group), identity)) }
    }

    /// Makes sure that all outputs can be written.
    /// - Throws: ``FileError/unwritable(path:reason:)``.
    package func checkPlaces() throws(FileError) {
        for path in outputs { try AtomicFile.check(path) }
    }

    /// - Throws: ``FileCollision`` for the first output that replaces something.
    package func check() throws(FileCollision) {
        var writers: [FileIdentity: Use] = [:]
        for (use, identity) in writes {
            if let other = writers.updateValue(use, forKey: identity) {
                throw FileCollision(
                    description: other.path == use.path
                        ? "\(other.role) and \(use.role) would both write \(use.path); give one of them another name"
                        : "\(other.words) and \(use.words) would both write one file; give one of them another name")
            }
            if let input = reads[identity]?.first(where: { $0.group == nil || $0.group != use.group }) {
                throw FileCollision(
                    description:
                        "\(use.words): it would replace \(input.words), which is read; give it another name")
            }
        }
    }
}

/// An output that would replace an input or another output. Its description is one sentence that names both.
package struct FileCollision: Error, CustomStringConvertible {
    package let description: String
}

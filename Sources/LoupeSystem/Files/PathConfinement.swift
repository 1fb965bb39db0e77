import Glibc

/// The folder below which a document's files must lie, so that a document from elsewhere reads no other files.
///
/// Neither an absolute path nor `..` nor a link leads out. A path's links are resolved first. Then the folders are opened
/// one below another without following links, so that another program that exchanges files meanwhile can't lead out.
package struct PathConfinement: Sendable {
    /// Any file may be named.
    package static let none = PathConfinement()

    private let isConfined: Bool
    /// The folder without links, and held open; nil where it can't be found, and then no file lies below it.
    private let root: (path: Path, folder: HeldFolder)?

    private init() { (isConfined, root) = (false, nil) }

    /// - Parameter folder: relative to the working directory; empty for the working directory itself.
    package init(below folder: Path) {
        isConfined = true
        root = (folder.isEmpty ? "." : folder).real.flatMap { path in HeldFolder(path).map { (path, $0) } }
    }

    /// The way from the folder to a file, or to one that can be made, without links; nil where it leads out.
    private func way(to file: Path) -> Path? { root.flatMap { file.realOfNew?.way(below: $0.path) } }

    /// Whether a path, relative to the working directory, is that of a file below the folder, or of one that can be
    /// made there.
    package func allows(_ path: Path) -> Bool { !isConfined || way(to: path) != nil }

    /// Why a file may not be named, as a clause of a sentence; nil where it may.
    /// - Parameters:
    ///   - path: relative to the working directory.
    ///   - name: the same path as the document has it.
    package func refusal(of path: Path, named name: some CustomStringConvertible) -> String? {
        allows(path) ? nil : "'\(name)' \(Self.problem)"
    }

    /// What is wrong with a file that lies elsewhere, and the fix.
    package static let problem =
        "leads out of the folder of the file that names it; name a file below that folder, or use --allow-outside"

    /// Opens a file to read; nil, with `errno` set, where that fails. It is EXDEV where the path leads out.
    func open(_ path: Path, _ flags: Int32) -> Descriptor? {
        guard isConfined else { return Descriptor(opening: path, flags) }
        guard let root, let way = way(to: path) else {
            errno = EXDEV
            return nil
        }
        if let file = root.folder.open(way, flags) { return file }
        // A link took the file's place after its links were resolved. One that leads nowhere leaves its own error.
        if errno == ELOOP, path.exists { errno = EXDEV }
        return nil
    }

    /// The place to write a path's file to, in a folder that is held open; nil where any path may be written.
    ///
    /// The folder can't be exchanged any more, and the name is no link, unless one is put there at this moment.
    /// - Throws: ``FileError/unwritable(path:reason:)``.
    func place(toWrite path: Path) throws(FileError) -> (folder: HeldFolder, path: Path)? {
        guard isConfined else { return nil }
        guard let root, let way = way(to: path) else {
            throw .unwritable(path: path.description, reason: Self.problem)
        }
        guard let held = root.folder.open(way.folder, Descriptor.pathOnly | O_DIRECTORY) else {
            throw .unwritable(
                path: path.description, reason: "\(FileError.text(of: errno)) (opening the folder '\(path.folder)')")
        }
        let place = Path("/proc/self/fd/\(held.number)/")
        // Without /proc an open folder has no path.
        return (HeldFolder(held), (place.exists ? place : root.path.child(way.folder)).child(way.name))
    }
}

/// A folder that stays open.
final class HeldFolder: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Nil, with `errno` set, where it can't be opened.
    convenience init?(_ path: Path) {
        guard let descriptor = Descriptor(opening: path, Descriptor.pathOnly | O_DIRECTORY) else { return nil }
        self.init(descriptor)
    }

    /// Opens what a way without links leads to; nil, with `errno` set, where that fails. The empty way leads to the folder.
    ///
    /// No link is followed, whatever is exchanged meanwhile.
    func open(_ way: Path, _ flags: Int32) -> Descriptor? {
        let names = way.parts
        var folder = self
        for name in names.dropLast() {
            let opened = Descriptor(opening: name, in: folder, Descriptor.pathOnly | O_DIRECTORY)
            guard let opened else { return nil }
            folder = HeldFolder(opened)
        }
        return Descriptor(opening: names.last ?? ".", in: folder, flags)
    }
}

extension Descriptor {
    /// Opens what has a name in a folder, unless that is a link.
    fileprivate init?(opening name: Path, in folder: HeldFolder, _ flags: Int32) {
        var number: Int32
        repeat {
            number = name.withCString { openat(folder.descriptor.number, $0, flags | O_NOFOLLOW | O_CLOEXEC) }
        } while number < 0 && errno == EINTR
        guard number >= 0 else { return nil }
        self.init(owning: number)
    }
}

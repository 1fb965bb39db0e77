import CLinux
import Glibc

/// The folder below which a document's files must lie, so that a document from elsewhere reads no other files.
///
/// Neither an absolute path nor `..` nor a link leads out. The kernel sees to that when it opens a file (`openat2` with
/// `RESOLVE_BENEATH`), so that another program that exchanges files meanwhile can't lead out either. Where the kernel
/// can't, or a sandbox does not allow the call, links are resolved and checked before a file is opened; such races are
/// not prevented then.
public struct PathConfinement: Sendable {
    /// Nil where any file may be named.
    private let root: ConfinementRoot?

    /// Any file may be named.
    public static let none = PathConfinement(root: nil)

    private init(root: ConfinementRoot?) { self.root = root }

    /// - Parameter folder: relative to the working directory; empty for the working directory itself.
    public init(below folder: Path) { self.init(below: folder, asksKernel: ConfinementRoot.mayAskKernel) }

    /// - Parameter asksKernel: false behaves as on a kernel without `openat2`.
    init(below folder: Path, asksKernel: Bool) { root = ConfinementRoot(folder, asksKernel: asksKernel) }

    /// Whether a path, relative to the working directory, is that of a file below the folder, or of one that can be
    /// made there.
    public func allows(_ path: Path) -> Bool {
        guard let root else { return true }
        if case .opened(let number) = root.ask(path, Descriptor.pathOnly) {
            _ = Descriptor(owning: number)
            return true
        }
        return root.way(to: path) != nil
    }

    /// Why a file may not be named, as a clause of a sentence; nil where it may.
    /// - Parameters:
    ///   - path: relative to the working directory.
    ///   - name: the same path as the document has it.
    public func refusal(of path: Path, named name: some CustomStringConvertible) -> String? {
        allows(path) ? nil : "'\(name)' \(Self.problem)"
    }

    /// What is wrong with a file that lies elsewhere, and the fix.
    public static let problem =
        "leads out of the folder of the file that names it; name a file below that folder, or use --allow-outside"

    /// Opens a file to read; nil, with `errno` set, where that fails. It is EXDEV where the path leads out.
    func open(_ path: Path, _ flags: Int32) -> Descriptor? {
        guard let root else { return Descriptor(opening: path, flags) }
        switch root.ask(path, flags) {
        case .opened(let number): return Descriptor(owning: number)
        case .failed(EXDEV), .unknown: break
        case .failed(let code):
            errno = code
            return nil
        }
        // An absolute path or link may lead back below the folder.
        guard let way = root.way(to: path) else {
            errno = EXDEV
            return nil
        }
        return root.open(way, flags)
    }

    /// The place to write a path's file to, in a folder that is held open; nil where any path may be written.
    ///
    /// The folder can't be exchanged any more, and the name is no link, unless one is put there at this moment.
    /// - Throws: ``FileError/unwritable(path:reason:)``.
    func place(toWrite path: Path) throws(FileError) -> (folder: HeldFolder, path: Path)? {
        guard let root else { return nil }
        guard let way = root.way(to: path) else { throw .unwritable(path: path.description, reason: Self.problem) }
        let folder = way.folder.isEmpty ? "." : way.folder
        guard let held = root.open(folder, Descriptor.pathOnly | O_DIRECTORY) else {
            throw .unwritable(
                path: path.description, reason: "\(FileError.text(of: errno)) (opening the folder '\(path.folder)')")
        }
        let place = Path("/proc/self/fd/\(held.number)/")
        let isNamed = place.exists
        // Without /proc an open folder has no path.
        return (HeldFolder(held), (isNamed ? place : root.child(folder)).child(way.name))
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
}

/// The folder of a confinement, held open.
private final class ConfinementRoot: Sendable {
    /// As it was given.
    private let given: Path
    /// Without links; nil where the folder can't be found, and then no file lies below it.
    private let path: Path?
    /// Nil where the kernel is not asked.
    private let folder: HeldFolder?

    /// False in tests of what is done without `openat2`.
    static let mayAskKernel = getenv("LOUPE_NO_OPENAT2") == nil

    init(_ folder: Path, asksKernel: Bool) {
        given = folder
        path = (folder.isEmpty ? "." : folder).real
        self.folder = asksKernel ? path.flatMap(HeldFolder.init) : nil
    }

    enum Answer {
        /// The number of a descriptor, which the caller closes.
        case opened(Int32)
        case failed(Int32)
        /// The kernel was not asked, or has no answer.
        case unknown
    }

    /// Asks the kernel to open a path that starts as the folder was given.
    func ask(_ path: Path, _ flags: Int32) -> Answer {
        let start = given.isEmpty || given.hasEnding("/") ? given.bytes : given.bytes + [UInt8(ascii: "/")]
        guard path.bytes.starts(with: start), path.bytes.count > start.count else { return .unknown }
        let way = Path(bytes: path.bytes[start.count...])
        return way.isAbsolute ? .unknown : openBeneath(way, flags)
    }

    /// Opens what a way without links leads to.
    func open(_ way: Path, _ flags: Int32) -> Descriptor? {
        switch openBeneath(way, flags) {
        case .opened(let number): return Descriptor(owning: number)
        case .failed(let code):
            errno = code
            return nil
        case .unknown: return Descriptor(opening: child(way), flags)
        }
    }

    private func openBeneath(_ way: Path, _ flags: Int32) -> Answer {
        guard let root = folder?.descriptor.number else { return .unknown }
        // EAGAIN: something was renamed meanwhile, so that the kernel is not sure.
        for _ in 0..<32 {
            let number = way.withCString {
                loupe_openat2(root, $0, UInt64(flags | O_CLOEXEC), UInt64(RESOLVE_BENEATH))
            }
            if number >= 0 { return .opened(number) }
            if errno != EAGAIN && errno != EINTR { break }
        }
        // A kernel before 5.6, or a sandbox.
        return errno == ENOSYS || errno == EPERM ? .unknown : .failed(errno)
    }

    /// The way from the folder to a file, or to one that can be made, without links; nil where it leads out.
    func way(to file: Path) -> Path? { path.flatMap { file.realOfNew?.way(below: $0) } }

    func child(_ way: Path) -> Path { path?.child(way) ?? way }
}

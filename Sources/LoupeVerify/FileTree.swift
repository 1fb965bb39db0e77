import Glibc
import LoupeFiles

/// The files in a folder and all folders below it.
enum FileTree {
    /// A file, and its folder relative to the searched one; nil for that one itself.
    typealias File = (path: Path, folder: Path?)

    /// All files, in the order of names. Hidden entries and links to folders are skipped.
    ///
    /// - Throws: `FileError.unreadable`.
    static func files(below root: Path) throws(FileError) -> [File] { try files(in: root, named: nil) }

    private static func files(in folder: Path, named name: Path?) throws(FileError) -> [File] {
        var found: [File] = []
        for entry in try entries(of: folder) {
            let path = folder.child(entry)
            switch kind(of: path) {
            case .folder: found += try files(in: path, named: name?.child(entry) ?? entry)
            case .file: found.append((path, name))
            case nil: break
            }
        }
        return found
    }

    enum Kind {
        case file, folder
    }

    /// Nil for what is neither, and for links to folders.
    static func kind(of path: Path) -> Kind? {
        guard var status = path.status(followingLinks: false) else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let target = path.status(), target.st_mode & S_IFMT == S_IFREG else { return nil }
            status = target
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : status.st_mode & S_IFMT == S_IFREG ? .file : nil
    }

    /// The names in a folder that do not start with a dot, sorted by their bytes.
    private static func entries(of folder: Path) throws(FileError) -> [Path] {
        guard let names = folder.entries() else {
            throw .unreadable(path: folder.description, reason: String(cString: strerror(errno)))
        }
        return names.filter { $0.bytes.first != UInt8(ascii: ".") }
    }
}

extension Path {
    /// Whether a folder lies there, or a link to one.
    package var isFolder: Bool { status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }
}

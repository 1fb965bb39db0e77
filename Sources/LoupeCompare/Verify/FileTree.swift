import Glibc
import LoupeSystem

/// The files in a folder and all folders below it.
enum FileTree {
    /// A file, and its folder relative to the searched one; nil for that one itself.
    typealias File = (path: Path, folder: Path?)

    /// All files and links, in the order of names. Hidden entries are skipped. Links to folders are not followed.
    ///
    /// - Parameter includesHidden: whether hidden files and those of hidden folders are among them, last of each folder, and what is
    ///   no regular file. Never those of `.git`.
    /// - Throws: `FileError.unreadable`.
    static func files(below root: Path, includesHidden: Bool = false) throws(FileError) -> [File] {
        try files(in: root, named: nil, includesHidden)
    }

    private static func files(in folder: Path, named name: Path?, _ includesHidden: Bool) throws(FileError) -> [File] {
        var found: [File] = []
        let hidden = includesHidden ? (folder.entries(startingWith: ".") ?? []).filter { $0 != ".git" } : []
        for entry in try folder.listed + hidden {
            let path = folder.child(entry)
            switch try kind(of: path) {
            case .folder: found += try files(in: path, named: name?.child(entry) ?? entry, includesHidden)
            case .file: found.append((path, name))
            // What a link leads to is not passed over unseen.
            case nil: if path.isLink || includesHidden && path.exists { found.append((path, name)) }
            }
        }
        return found
    }

    /// The suite of the files that lie in a searched folder itself: its name, or `.` where a folder in it has that name, too.
    /// - Parameter folders: those of all files.
    static func suite(of root: Path, besides folders: some Sequence<Path?>) -> Path {
        let name = root.parts.last ?? root
        return folders.contains(name) ? "." : name
    }

    enum Kind {
        case file, folder
    }

    /// Nil for what is neither, for links to folders and for what is not there, such as the target of a link.
    ///
    /// - Throws: `FileError.unreadable` where the system can't tell: a file that is passed over would seem to be right.
    static func kind(of path: Path) throws(FileError) -> Kind? {
        guard var status = try status(of: path, followingLinks: false) else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let target = try self.status(of: path, followingLinks: true), target.st_mode & S_IFMT == S_IFREG
            else {
                return nil
            }
            status = target
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : status.st_mode & S_IFMT == S_IFREG ? .file : nil
    }

    private static func status(of path: Path, followingLinks: Bool) throws(FileError) -> stat? {
        if let status = path.status(followingLinks: followingLinks) { return status }
        guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else {
            throw .unreadable(path: path.description, reason: String(cString: strerror(errno)))
        }
        return nil
    }
}

extension Path {
    /// Whether a link lies there, wherever it leads.
    fileprivate var isLink: Bool { status(followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    /// Whether neither a regular file nor a folder lies there, but such as a pipe, or a link to one.
    var isSpecial: Bool { status().map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false }

    /// Whether a folder lies there, or a link to one.
    package var isFolder: Bool { status().map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }
}

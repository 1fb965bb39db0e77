import Glibc

/// A new folder for one test, which is removed with its content at the end.
public final class TemporaryFolder: Sendable {
    /// The folder's path, without a slash at the end.
    public let path: String

    /// Makes a folder in /tmp.
    public init() {
        var template = Array("/tmp/loupe-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        path = String(cString: made)
    }

    deinit {
        Self.remove(path)
    }

    /// Removes a file of the folder, or a folder with its content.
    public func remove(_ name: String) { Self.remove(file(name)) }

    /// Removes a file, or a folder with its content. Links are not followed.
    private static func remove(_ path: String) { remove(Array(path.utf8CString)) }

    /// The same by the bytes of a path, which need not be UTF-8, and a closing 0.
    private static func remove(_ path: [CChar]) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) {
            var names: [[CChar]] = []
            while let entry = readdir(folder) {
                names.append(
                    withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) })
            }
            closedir(folder)
            let dot = CChar(UInt8(ascii: "."))
            for name in names where name != [dot] && name != [dot, dot] {
                remove(Array(path.dropLast()) + [CChar(UInt8(ascii: "/"))] + name + [0])
            }
        }
        Glibc.remove(path)
    }

    /// The names of everything in the folder, sorted.
    public var names: [String] { Self.names(in: path) }

    /// The names of everything in a folder of the folder, sorted; none if it does not exist.
    public func names(in folder: String) -> [String] { Self.names(in: file(folder)) }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file with system calls, without the code under test, and returns its path. Folders in the name are made.
    public func put(_ bytes: [UInt8], _ name: String, mode: mode_t = 0o644) -> String {
        for slash in name.indices where name[slash] == "/" { mkdir(file(String(name[..<slash])), 0o755) }
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        fchmod(descriptor, mode)
        close(descriptor)
        return file(name)
    }

    /// The content of a file, read with system calls; nil if it does not exist. This uses little more memory than the file's
    /// size, because some of the files are about memory.
    public static func bytes(at path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while case let count = Glibc.read(descriptor, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    /// The permissions of a file; 0 if it does not exist.
    public static func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

/// The folders of the project that tests read.
public enum Repository {
    /// The folder of Package.swift, without a slash at the end.
    public static let path: String = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    /// The folder of the references.
    public static let referenceImages = path + "/reference-images"
    /// The folder of the images that references show.
    public static let pages = referenceImages + "/pages"
}

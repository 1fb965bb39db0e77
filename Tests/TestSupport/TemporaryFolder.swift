import Glibc

/// A new folder for one test, removed with all that is in it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() {
        var template = Array("/tmp/loupe-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        path = String(cString: made)
    }

    deinit {
        Self.remove(path)
    }

    /// Removes one of its files, or a folder with all that is in it.
    public func remove(_ name: String) { Self.remove(file(name)) }

    /// With all that is in it; links are not followed.
    private static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove(path + "/" + name) }
        }
        Glibc.remove(path)
    }

    /// Of everything in the folder, sorted.
    public var names: [String] { Self.names(in: path) }

    /// Of everything in one of its folders, sorted; none where there is no such folder.
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

    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes plainly, without the code under test. Folders in the name are made.
    public func put(_ bytes: [UInt8], _ name: String, mode: mode_t = 0o644) -> String {
        for slash in name.indices where name[slash] == "/" { mkdir(file(String(name[..<slash])), 0o755) }
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        fchmod(descriptor, mode)
        close(descriptor)
        return file(name)
    }

    /// Reads plainly; nil where there is no such file. It takes little more memory than the file has bytes, as some that
    /// are read tell of memory.
    public static func bytes(at path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while case let count = Glibc.read(descriptor, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    public static func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

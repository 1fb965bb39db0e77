import Glibc

/// The machine that is examined: its files, its environment, and which libraries and device files open. Tests make up
/// machines of their own.
public struct Machine {
    /// A folder that is put before every absolute path; empty for the machine itself.
    let root: String
    /// The variables by name.
    let environment: [String: String]
    /// Tries to load a shared library. Returns the reason if that fails, nil otherwise.
    let loadingFailure: (_ library: String) -> String?
    /// Tries to open a device file for reading and writing, by its path without `root`. Returns the system's `errno`, 0 if
    /// it opens.
    let openingFailure: (_ path: String) -> Int32

    /// The machine that this program runs on, with its present environment.
    public static var this: Machine {
        Machine(
            root: "", environment: currentEnvironment, loadingFailure: SystemCalls.loadingFailure(of:),
            openingFailure: SystemCalls.openingFailure(of:))
    }

    private static var currentEnvironment: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}

// MARK: - Files

extension Machine {
    /// The system's message about a file that can't be read.
    struct Unreadable: Error {
        let reason: String
    }

    /// The bytes of a file, 1 MiB at most.
    func bytes(of path: String) throws(Unreadable) -> [UInt8] {
        let file = open(root + path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }

    /// The names in a folder, sorted by their bytes; none if there is no such folder.
    func names(in folder: String) -> [String] {
        guard let directory = opendir(root + folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The status of a file; nil if there is no such file.
    func status(of path: String) -> stat? {
        var status = stat()
        return stat(root + path, &status) == 0 ? status : nil
    }
}

/// The functions of the machine that this program runs on.
private enum SystemCalls {
    static func loadingFailure(of library: String) -> String? {
        guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else {
            return dlerror().map { String(cString: $0) } ?? "it can't be loaded"
        }
        dlclose(handle)
        return nil
    }

    static func openingFailure(of path: String) -> Int32 {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return errno }
        close(file)
        return 0
    }
}

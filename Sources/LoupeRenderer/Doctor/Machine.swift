import Glibc
import LoupeSystem

/// The machine that is examined: its files, its environment, and which libraries and device files open. Tests make up
/// machines of their own.
package struct Machine {
    /// A folder that is put before every absolute path; empty for the machine itself.
    let root: Path
    /// The value of a variable of the environment; nil where it is not set. Many are paths, so they are bytes.
    let variable: (_ name: String) -> Path?
    /// Tries to load a shared library. Returns the reason if that fails, nil otherwise.
    let loadingFailure: (_ library: String) -> String?
    /// Tries to open a device file for reading and writing, by its path without `root`. Returns the system's `errno`, 0 if
    /// it opens.
    let openingFailure: (_ path: Path) -> Int32

    /// The machine that this program runs on, with its present environment.
    package static var this: Machine {
        Machine(
            root: "", variable: { getenv($0).map { Path(cString: $0) } },
            loadingFailure: { library in
                guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else {
                    return dlerror().map { String(cString: $0) } ?? "it can't be loaded"
                }
                dlclose(handle)
                return nil
            },
            openingFailure: { path in
                let file = path.withCString { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
                guard file >= 0 else { return errno }
                close(file)
                return 0
            })
    }
}

// MARK: - Files

extension Machine {
    /// The system's message about a file that can't be read.
    struct Unreadable: Error {
        let reason: String
    }

    /// The bytes of a file, 1 MiB at most.
    func bytes(of path: Path) throws(Unreadable) -> [UInt8] {
        let file = root.appending(path).withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }

    /// The lines of a text file; none if it can't be read.
    func lines(of path: Path) -> [Substring] {
        String(decoding: (try? bytes(of: path)) ?? [], as: UTF8.self).split(separator: "\n")
    }

    /// The names in a folder, sorted by their bytes; none if there is no such folder.
    func names(in folder: Path) -> [Path] { root.appending(folder).entries() ?? [] }

    /// The status of a file; nil if there is no such file.
    func status(of path: Path) -> stat? { root.appending(path).status() }
}

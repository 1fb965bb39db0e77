import Glibc
import TestSupport

/// A library of the folder Faults, compiled once into the folder of the test runner.
private func library(_ name: String) -> String {
    let library = "\(Command.runnerFolder)/\(name).so"
    let source = "\(Repository.path)/Tests/CommandTests/Faults/\(name).c"
    let compile = "cc=$(command -v clang || command -v cc) && $cc -shared -fPIC -o '\(library)' '\(source)' -ldl"
    precondition(system(compile) == 0, "\(source) can't be compiled")
    return library
}

/// The library of Faults/faulty-driver.c, which lets one call of the driver fail.
enum FaultyDriver {
    private static let path = library("faulty-driver")

    /// What lets calls fail in a run of the command; the file's head says what a fault is.
    static func environment(_ fault: String) -> [String: String] {
        ["LD_PRELOAD": path, "LOUPE_FAULT": fault]
    }
}

/// The library of Faults/limited-system.c, which leaves the command without what other processes have.
enum LimitedSystem {
    private static let path = library("limited-system")

    /// Only so many threads can be made.
    static func threads(_ most: Int) -> [String: String] { ["LD_PRELOAD": path, "LOUPE_THREADS": "\(most)"] }

    /// There is no /proc.
    static var withoutProc: [String: String] { ["LD_PRELOAD": path, "LOUPE_NO_PROC": "1"] }
}

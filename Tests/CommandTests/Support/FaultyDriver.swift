import Glibc
import TestSupport

/// The library of Faults/faulty-driver.c, which lets one call of the driver fail.
enum FaultyDriver {
    /// Compiled once, into the folder of the test runner.
    private static let library: String = {
        let library = Command.runnerFolder + "/faulty-driver.so"
        let source = Repository.path + "/Tests/CommandTests/Faults/faulty-driver.c"
        let compile = "cc=$(command -v clang || command -v cc) && $cc -shared -fPIC -o '\(library)' '\(source)' -ldl"
        precondition(system(compile) == 0, "\(source) can't be compiled")
        return library
    }()

    /// What lets calls fail in a run of the command; the file's head says what a fault is.
    static func environment(_ fault: String) -> [String: String] {
        ["LD_PRELOAD": library, "LOUPE_FAULT": fault]
    }
}

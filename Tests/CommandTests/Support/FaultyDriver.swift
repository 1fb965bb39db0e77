import Glibc
import TestSupport

/// A library of the folder Faults, or a program, compiled once into the folder of the test runner.
private func compiled(_ name: String, flags: String = "-shared -fPIC") -> String {
    let file = "\(Command.runnerFolder)/\(name).so"
    let source = "\(Repository.path)/Tests/CommandTests/Faults/\(name).c"
    let compile = "cc=$(command -v clang || command -v cc) && $cc \(flags) -o '\(file)' '\(source)' -ldl"
    precondition(system(compile) == 0, "\(source) can't be compiled")
    return file
}

/// The program of Faults/peak-memory.c.
enum PeakMemory {
    private static let program = compiled("peak-memory", flags: "")

    /// Runs the command; the most memory that it held, in bytes.
    static func run(
        _ place: Workplace, _ arguments: [String], inputPath: String? = nil, seconds: Int = 120
    ) -> (outcome: Command.Outcome, bytes: Int) {
        let outcome = place.command.run(
            program: program, [place.folder.file("peak"), Command.path] + arguments, inputPath: inputPath,
            seconds: seconds)
        let text = String(decoding: place.bytes("peak") ?? [], as: UTF8.self)
        return (outcome, (Int(text) ?? .max >> 10) << 10)
    }
}

/// The library of Faults/faulty-driver.c, which lets one call of the driver fail.
enum FaultyDriver {
    private static let path = compiled("faulty-driver")

    /// What lets calls fail in a run of the command; the file's head says what a fault is.
    static func environment(_ fault: String) -> [String: String] {
        ["LD_PRELOAD": path, "LOUPE_FAULT": fault]
    }
}

/// The library of Faults/limited-system.c, which leaves the command without what other processes have.
enum LimitedSystem {
    private static let path = compiled("limited-system")

    /// Only so many threads can be made.
    static func threads(_ most: Int) -> [String: String] { ["LD_PRELOAD": path, "LOUPE_THREADS": "\(most)"] }

    /// There is no /proc.
    static var withoutProc: [String: String] { ["LD_PRELOAD": path, "LOUPE_NO_PROC": "1"] }
}

/// The library of Faults/sync-log.c, which logs how the command brings files to the disk.
enum SyncLog {
    private static let path = compiled("sync-log")

    /// Logs to a file. One sync may fail, by its number from 1.
    static func environment(_ log: String, fails number: Int = 0, _ error: Int32 = 0) -> [String: String] {
        ["LD_PRELOAD": path, "LOUPE_SYNC_LOG": log, "LOUPE_SYNC_FAILS": "\(number)", "LOUPE_SYNC_ERROR": "\(error)"]
    }
}

import CSandbox
import Glibc
import LoupeFiles
import Synchronization

/// The program that is started as a helper process: the command itself.
package enum HelperProgram {
    /// The first argument of a helper process, whose second names its service.
    package static let argument = "helper-process"

    private static let isThisProgram = Atomic(false)

    /// Makes the running program the helper's program too. The command calls this first; any other program, such as a test
    /// runner, takes `loupe-render`.
    package static func useThisProgram() { isThisProgram.store(true, ordering: .relaxed) }

    /// The path of the program, or a clause that says why there is none.
    static var path: Result<Path, HelperFailure> {
        if isThisProgram.load(ordering: .relaxed) {
            // The same file, even where another one has taken its name meanwhile.
            if isProgram("/proc/self/exe") { return .success("/proc/self/exe") }
            guard let started = pathAtStart else {
                return .failure(.notStarted(reason: "its own program file can't be found without /proc"))
            }
            return .success(started)
        }
        if let named = getenv("LOUPE_RENDER").map({ Path(cString: $0) }), !named.isEmpty {
            guard isProgram(named) else {
                return .failure(
                    .notStarted(reason: "LOUPE_RENDER names \(named), which is no program; name loupe-render"))
            }
            return .success(named)
        }
        for program in ["/proc/self/exe", pathAtStart ?? ""] {
            guard let real = program.real else { continue }
            let beside = real.folder.appending("loupe-render")
            if isProgram(beside) { return .success(beside) }
        }
        return .failure(
            .notStarted(
                reason:
                    "it is drawn by a second process, the program loupe-render, which is not beside this program; name it in the environment variable LOUPE_RENDER"
            ))
    }

    /// The path by which the kernel started the program; relative to the working folder of that moment.
    private static var pathAtStart: Path? { csandbox_path_at_start().map { Path(cString: $0) } }

    private static func isProgram(_ path: Path) -> Bool { path.withCString { access($0, X_OK) } == 0 }
}

/// Why a helper process gave no answer. The associated values are what a sentence needs.
package enum HelperFailure: Error, Equatable, Sendable {
    /// It can't be started; the reason is a clause.
    case notStarted(reason: String)
    /// It took longer than allowed, and was ended.
    case timedOut(seconds: Double)
    /// It asked for more memory than allowed, in bytes.
    case outOfMemory(limit: Int)
    /// It ended by itself; how, as a clause.
    case crashed(how: String)
    /// Its answer has not the form that was agreed on.
    case invalidAnswer
}

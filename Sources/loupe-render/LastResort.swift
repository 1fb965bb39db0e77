import Glibc
import LoupeFiles
import LoupeImaging

/// What is said where no memory is left, which Swift's runtime, the driver and the compiler in it meet by ending the process.
///
/// Large arrays ask before (`Memory`); this is for the small ones. Any other crash stays as it would be.
enum LastResort {
    private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP]
    fileprivate static let sentence: StaticString =
        "loupe-render: error: there is no memory left; see ulimit -v and -d\n"
    /// What would have met a signal, by its number.
    nonisolated(unsafe) fileprivate static let others = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

    static func prepare() {
        // Asked here, so that the handler finds it answered.
        _ = Memory.isExhausted
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = endWithoutMemory
            sigaction(number, &action, others + Int(number))
        }
        signal(SIGALRM) { number in
            if Memory.isExhausted { endWithoutMemory(number) } else { alarm(LastResort.patience) }
        }
    }

    /// In seconds; longer than any driver takes to start.
    fileprivate static let patience: UInt32 = 20

    /// Runs what starts a driver: one that finds no memory for its threads may wait for them without end.
    static func watching<Value, Problem: Error>(_ start: () throws(Problem) -> Value) throws(Problem) -> Value {
        alarm(patience)
        defer { alarm(0) }
        return try start()
    }
}

private func endWithoutMemory(_ number: Int32) {
    guard Memory.isExhausted else {
        sigaction(number, LastResort.others + Int(number), nil)
        raise(number)
        return
    }
    TemporaryFiles.removeAll()
    _ = write(STDERR_FILENO, LastResort.sentence.utf8Start, LastResort.sentence.utf8CodeUnitCount)
    _exit(Failure.Code.defect.rawValue)
}

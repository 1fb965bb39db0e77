// What the command needs around its work: signals, its end, and an end without memory.

import Glibc
import LoupeImaging
import LoupeSystem
import Synchronization

/// The command's handling of signals.
enum Signals {
    /// A closed pipe and a file over the size limit make a write fail instead of ending the process. Ctrl-C, a lost
    /// terminal and a polite request to end it leave no temporary file behind. What was ignored before stays ignored, as
    /// `nohup` asks for.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        TemporaryFiles.prepare()
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { signal(number, endTidily) }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Functions can't be compared.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Removes temporary files and lets the signal end the process, as if it had not been caught.
func endTidily(_ number: Int32) {
    TemporaryFiles.removeAll()
    signal(number, SIG_DFL)
    raise(number)
}

/// SIGINT (Ctrl-C) and SIGTERM, noticed between frames, so that the current frame is still written. A second one ends
/// the process at once.
enum Interruption {
    // Set by a signal handler, which may do no more than that.
    nonisolated(unsafe) fileprivate static var requested: sig_atomic_t = 0

    static var isRequested: Bool { requested != 0 }

    /// The exit code of the signal.
    static var code: Failure.Code { requested == SIGTERM ? .terminated : .interrupted }

    static func watch() {
        for number in [SIGINT, SIGTERM] where !Signals.isIgnored(number) { signal(number, noteRequest) }
    }

    /// - Throws: `Failure` after a signal, with a sentence about what is done.
    static func check(_ sentence: @autoclosure () -> String) throws {
        if isRequested { throw Failure(code, sentence()) }
    }
}

private func noteRequest(_ number: Int32) {
    Interruption.requested = number
    signal(number, endTidily)
}

/// The end of a command that has done its work.
enum Completion {
    /// Ends the process with code 0, without the exit handlers of the driver and its compiler. They take 3 ms to free what the
    /// kernel frees anyway. All output has been written by then.
    ///
    /// With LOUPE_COUNT_DECODES set it says before how often an image was decoded, which tests ask for.
    static func endProcess() -> Never {
        if getenv("LOUPE_COUNT_DECODES") != nil { StandardError.write("decoded \(DecodeCount.value)\n") }
        #if COVERAGE
            // Such a handler writes the counts.
            exit(0)
        #else
            _exit(0)
        #endif
    }
}

/// Reports that no memory is left. Swift's runtime, the driver and its compiler end the process with a signal then.
///
/// Large arrays check before (`Memory`); this is for small ones. Other crashes are passed on unchanged.
enum LastResort {
    /// The earlier handler of each signal, by its number; nil where there was no memory for them.
    nonisolated(unsafe) private static var others: UnsafeMutablePointer<sigaction>?

    /// Whether a thread has found that there is no memory left.
    fileprivate static let isEnding = Atomic(false)

    /// Needs no memory that may be missing, so that it can be the first thing that the command does.
    static func prepare() {
        // Evaluated here, since the handler may not initialize it.
        _ = Memory.isExhausted
        _ = isEnding.load(ordering: .relaxed)
        others = calloc(65, MemoryLayout<sigaction>.stride)?.assumingMemoryBound(to: sigaction.self)
        // One by one: an array needs memory.
        handle(SIGABRT)
        handle(SIGSEGV)
        handle(SIGBUS)
        handle(SIGILL)
        handle(SIGTRAP)
        signal(SIGALRM) { number in
            if Memory.isExhausted { endWithoutMemory(number) } else { alarm(LastResort.patience) }
        }
    }

    /// Ends the process with a line, without asking for memory or much stack.
    static func end(_ line: StaticString) -> Never {
        _ = write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
        _exit(Failure.Code.defect.rawValue)
    }

    /// Handles a signal from now on.
    private static func handle(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = endWithoutMemory
        if let others { sigaction(number, &action, others + Int(number)) } else { sigaction(number, &action, nil) }
    }

    /// Lets the earlier handler have a signal.
    fileprivate static func passOn(_ number: Int32) {
        if let others { sigaction(number, others + Int(number), nil) } else { signal(number, SIG_DFL) }
        raise(number)
    }

    /// Seconds; longer than any driver takes to start.
    fileprivate static let patience: UInt32 = 20

    /// Runs a function that starts a driver. A driver without memory for its threads may wait for them forever.
    static func watching<Value>(_ start: () throws -> Value) rethrows -> Value {
        alarm(patience)
        defer { alarm(0) }
        return try start()
    }
}

private func endWithoutMemory(_ number: Int32) {
    // Where the last call that failed was one for memory, that is the cause, even if there is memory again.
    guard errno == ENOMEM || Memory.isExhausted else { return LastResort.passOn(number) }
    // Another thread says it, and ends the process; unless it can't.
    guard !LastResort.isEnding.exchange(true, ordering: .relaxed) else {
        sleep(1)
        _exit(Failure.Code.defect.rawValue)
    }
    TemporaryFiles.removeAll()
    LastResort.end("loupe-render: error: there is no memory left; see ulimit -v and -d\n")
}

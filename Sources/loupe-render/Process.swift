// What a process of the command needs around its work: streams, memory, signals, its end, and an end without memory.

import CLinux
import CMalloc
import Glibc
import LoupeImaging
import LoupeSystem
import Synchronization

/// Standard input, output and error.
enum StandardStreams {
    /// Call it before any file is opened.
    ///
    /// If one of them is closed, the first file that is opened gets its number, and an error's sentence would be written
    /// into a picture. So a closed one is opened on /dev/null, in the direction that it is not used in.
    static func prepare() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
        }
    }
}

/// The stacks of this process's threads.
enum Stack {
    /// Of each thread, in bytes, as most systems have it.
    private static let usual = 8 << 20
    /// The least that documents of the greatest depth need, with room for libraries.
    private static let least = 1 << 20

    private static let sentence: StaticString =
        "loupe-render: error: there is too little stack to start: 1 MiB is needed; see ulimit -s\n"

    /// Gives all threads stacks of the usual size where `ulimit -s` asks for smaller ones; ends the process where the first
    /// thread may not have enough.
    ///
    /// Call it before any thread is started. It needs little stack itself.
    static func prepare() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_STACK.rawValue)), &limit) == 0, limit.rlim_cur < usual else {
            return
        }
        // The kernel asks for the limit as the first thread's stack grows. Others take theirs from the limit at the start.
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, usual)
        pthread_setattr_default_np(&attributes)
        limit.rlim_cur = min(rlim_t(usual), limit.rlim_max)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_STACK.rawValue)), &limit)
        if limit.rlim_cur >= least { return }
        _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        _exit(Failure.Code.defect.rawValue)
    }
}

/// The memory of this process: one heap in large pages, which keeps what is freed.
///
/// A render takes about 90 MB in a few large arrays. With fresh 4 KiB pages from the kernel for each array, that took
/// a third of its time.
enum Heap {
    /// Address space taken at once; memory is used only as it is written to.
    private static let reserve = 160 << 20

    /// Ends the process where there is too little memory to start.
    ///
    /// Call it before any thread is started.
    static func prepare() {
        guard Memory.hasAddressSpace(for: 0) else {
            let needed = Memory.spare >> 20
            Failure(.defect, "there is too little memory to start: \(needed) MiB are needed; see ulimit -v and -d")
                .exit()
        }
        mallopt(M_ARENA_MAX, 1)
        // The largest that glibc allows: smaller arrays come from the heap.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, Int32.max)
        // Where memory is limited it is taken piece by piece.
        guard Memory.hasAddressSpace(for: 4 * reserve) else { return }
        mallopt(M_TOP_PAD, Int32(reserve))
        // Asked for its size, the probe is not optimised away.
        guard let start = sbrk(0), let probe = malloc(1 << 20), malloc_usable_size(probe) > 0 else { return }
        let end: UnsafeMutableRawPointer = sbrk(0)
        free(probe)
        // A kernel without large pages says no; all works as well without.
        let page = 1 << 12
        let first = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: start) + UInt(page) - 1) & ~UInt(page - 1))
        if let first, first < end { madvise(first, end - first, MADV_HUGEPAGE) }
    }
}

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
        Waiting.end()
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
    fileprivate static let sentence: StaticString =
        "loupe-render: error: there is no memory left; see ulimit -v and -d\n"
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
    _ = write(STDERR_FILENO, LastResort.sentence.utf8Start, LastResort.sentence.utf8CodeUnitCount)
    _exit(Failure.Code.defect.rawValue)
}

import CSandbox
import Glibc
import Synchronization

/// Limits on the time and memory that a request to a helper process may take.
package struct HelperLimits: Equatable, Sendable {
    /// How long it may take, in seconds of real time.
    package var seconds: Double
    /// How much memory it may take beside the libraries, in bytes.
    package var memory: Int

    package init(seconds: Double, memory: Int) { (self.seconds, self.memory) = (seconds, memory) }
}

/// A running helper process, and the memory that both processes share.
///
/// Whatever the process does, a request ends: with an answer, or with a ``HelperFailure``, after which the process is gone,
/// unless it refused.
/// One thread at a time may use it; ``HelperPool`` sees to that.
package final class HelperProcess {
    package static let memoryDescriptor: Int32 = 3
    /// The most bytes of an answer; those about a PDF with very many fonts and pictures are the longest.
    private static let longestAnswer = 4 << 20

    private let process: pid_t
    private let socket: Int32
    /// What the process and its libraries write to standard error.
    private let errors: Int32
    private let memory: Int32
    private var memorySize = 0
    private var knownGreeting: HelperGreeting?
    /// The last bytes of standard error.
    private var lastWords: [UInt8] = []
    private var hasEnded = false

    /// Starts a process, and does not wait until it is ready.
    package init() throws(HelperFailure) {
        let program = try HelperProgram.path.get()
        let (ownEnd, itsEnd) = try Self.pair {
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0)
        }
        let (reading, writing) = try Self.pair { csandbox_pipe($0) }
        let memory = csandbox_shared_memory()
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { for number in [itsEnd, writing, null] where number >= 0 { Glibc.close(number) } }
        let reason: Int32
        (process, reason) =
            memory < 0 || null < 0
            ? (-1, errno)
            : Spawn.start(
                program, [HelperProgram.name],
                descriptors: [0: itsEnd, 1: null, 2: writing, Self.memoryDescriptor: memory])
        (socket, errors, self.memory) = (ownEnd, reading, memory)
        guard process > 0 else {
            hasEnded = true
            for number in [socket, errors, memory] where number >= 0 { Glibc.close(number) }
            throw .notStarted(reason: "its helper process can't be started: \(String(cString: strerror(reason)))")
        }
        for number in [socket, errors] { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
    }

    deinit {
        if !hasEnded { end() }
    }

    /// Whether it still runs, as far as is known without asking it.
    package var isRunning: Bool {
        guard !hasEnded else { return false }
        var state = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&state, 1, 0) == 0
    }

    // MARK: - Requests

    /// Sends a request whose answer begins with the number of a file's bytes, and fetches the file. No other request may come
    /// between, as a process keeps one file.
    /// - Returns: also the rest of the answer, which is to be read to its end.
    package func askForFile(
        _ request: [UInt8], limits: HelperLimits
    ) throws(HelperFailure) -> (bytes: [UInt8], answer: MessageReader) {
        var answer = MessageReader(try ask(request, limits: limits))
        let count = answer.number(UInt64.self)
        guard count > 0, count < 1 << 40 else { throw .invalidAnswer }
        var bytes: [UInt8] = []
        _ = try ask([HelperTask.fetch.rawValue], shared: Int(count), limits: limits) { bytes = Array($0) }
        return (bytes, answer)
    }

    /// Sends a request and waits for its answer.
    /// - Parameters:
    ///   - shared: the size of the memory that the answer fills, in bytes.
    ///   - use: is passed that memory with an answer. The other process may still change it.
    package func ask(
        _ request: [UInt8], shared: Int = 0, limits: HelperLimits, use: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(HelperFailure) -> [UInt8] {
        let deadline = Deadline(after: limits.seconds)
        do throws(HelperFailure) {
            let greeting = try greeting(deadline, limits)
            try greeting.sandbox.check()
            if shared > memorySize {
                guard ftruncate(memory, shared) == 0 else {
                    throw errno == EFBIG ? .overFileLimit : .outOfMemory(limit: shared)
                }
                memorySize = shared
            }
            let room = greeting.addressSpace + limits.memory + shared
            let spent = csandbox_processor_seconds(process)
            let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            _ = csandbox_limit_process(
                process, UInt64(room), spent + UInt64(limits.seconds.rounded(.up)) * UInt64(cores) + 1)
            var head = MessageWriter()
            head.write(UInt64(request.count))
            head.write(UInt64(shared))
            try send(head.bytes, deadline, limits)
            try send(request, deadline, limits)
            let (code, body) = try receive(deadline, limits)
            let refusal = HelperRefusal.Reason(rawValue: code)
            if code != 0, refusal == nil { throw .invalidAnswer }
            if refusal == .outOfMemory { throw .outOfMemory(limit: limits.memory) }
            if shared > 0 {
                if code == 0 { try read(shared, use) }
                // The next drawing begins with zeros, also after one that was refused half-way.
                guard csandbox_clear(memory, shared) == 0 else { throw .outOfMemory(limit: shared) }
            }
            if let refusal { throw .refused(HelperRefusal(refusal, String(decoding: body, as: UTF8.self))) }
            return body
        } catch {
            if case .refused = error { throw error }
            end()
            throw error
        }
    }

    /// Waits until the process is ready.
    func greet() throws(HelperFailure) -> HelperGreeting {
        let limits = HelperLimits(seconds: 20, memory: 0)
        return try greeting(Deadline(after: limits.seconds), limits)
    }

    private func greeting(_ deadline: Deadline, _ limits: HelperLimits) throws(HelperFailure) -> HelperGreeting {
        if let knownGreeting { return knownGreeting }
        guard case (0, let body) = try receive(deadline, limits), let greeting = HelperGreeting(body) else {
            throw .invalidAnswer
        }
        knownGreeting = greeting
        return greeting
    }

    /// Passes the shared memory to a function.
    private func read(_ count: Int, _ use: (UnsafeRawBufferPointer) -> Void) throws(HelperFailure) {
        let map = mmap(nil, count, PROT_READ, MAP_SHARED | Int32(MAP_POPULATE), memory, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else { throw .outOfMemory(limit: count) }
        use(UnsafeRawBufferPointer(start: map, count: count))
        munmap(map, count)
    }

    private func send(_ bytes: [UInt8], _ deadline: Deadline, _ limits: HelperLimits) throws(HelperFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if count < 0 && errno == EAGAIN {
                try wait(for: POLLOUT, deadline, limits)
            } else if count == 0 || errno != EINTR {
                throw ending(limits)
            }
        }
    }

    private func receive(_ deadline: Deadline, _ limits: HelperLimits) throws(HelperFailure) -> (UInt8, [UInt8]) {
        var head = MessageReader(try receive(5, deadline, limits))
        let (count, code) = (Int(head.number(UInt32.self)), head.number(UInt8.self))
        guard count <= Self.longestAnswer else { throw .invalidAnswer }
        return (code, try receive(count, deadline, limits))
    }

    private func receive(_ count: Int, _ deadline: Deadline, _ limits: HelperLimits) throws(HelperFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress! + filled, $0.count - filled, 0) }
            if got > 0 {
                filled += got
            } else if got < 0 && errno == EAGAIN {
                try wait(for: POLLIN, deadline, limits)
            } else if got == 0 || errno != EINTR {
                throw ending(limits)
            }
        }
        return bytes
    }

    /// Waits until the socket is ready, and reads what the process writes to standard error meanwhile.
    private func wait(for event: Int32, _ deadline: Deadline, _ limits: HelperLimits) throws(HelperFailure) {
        while true {
            let milliseconds = deadline.milliseconds
            guard milliseconds > 0 else { throw .timedOut(seconds: limits.seconds) }
            var states = [
                pollfd(fd: socket, events: Int16(event), revents: 0),
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            ]
            // A closed pipe is always ready.
            let count = poll(&states, hasClosedErrors ? 1 : 2, milliseconds)
            if count > 0, states[1].revents != 0 { readErrors() }
            if count > 0, states[0].revents != 0 { return }
        }
    }

    /// The number of the step that the process was at, of a request with many, as far as it said so.
    package var step: Int? {
        if !hasEnded { readErrors() }
        let lines = String(decoding: lastWords, as: UTF8.self).split(separator: "\n")
        return lines.last { $0.hasPrefix(Self.stepMark) }.flatMap { Int($0.dropFirst(Self.stepMark.count)) }
    }

    /// What a line of standard error begins with that says the number of a step.
    package static let stepMark = "step "

    // MARK: - The end

    private var hasClosedErrors = false

    private func readErrors() {
        var piece = [UInt8](repeating: 0, count: 4096)
        // As much as a pipe holds, and no more: a process that writes without pause must not outlast its deadline.
        for _ in 0..<16 {
            let count = Glibc.read(errors, &piece, piece.count)
            if count <= 0 {
                if count == 0 { hasClosedErrors = true }
                return
            }
            lastWords = (lastWords + piece.prefix(count)).suffix(4096)
        }
    }

    /// Why the process closed its socket.
    private func ending(_ limits: HelperLimits) -> HelperFailure {
        let status = end()
        let words = String(decoding: lastWords, as: UTF8.self)
        let ofMemory = [
            "memory allocation of", "failed to allocate", "ut of memory", "bad_alloc", "annot allocate memory",
        ]
        if ofMemory.contains(where: words.contains) { return .outOfMemory(limit: limits.memory) }
        if status >> 8 & 0xff == 127 {
            // The dynamic linker says: "…: error while loading shared libraries: libx.so.1: cannot …", or that a symbol is
            // missing.
            let start = words.firstRange(of: ": error while loading shared libraries: ")
            let file = start.map { words[$0.upperBound...].prefix { $0 != ":" } }
            return .noLibrary(file?.split(separator: "/").last.map(String.init) ?? "a newer version")
        }
        switch status & 0x7f {
        case 0: return .crashed(how: "it ended with code \(status >> 8 & 0xff)")
        case SIGXCPU: return .timedOut(seconds: limits.seconds)
        case SIGKILL: return .crashed(how: "the system ended it, perhaps for lack of memory")
        case let signal: return .crashed(how: "its library failed with signal \(signal)")
        }
    }

    /// Ends the process where it still runs, waits for its end, and returns its status.
    @discardableResult private func end() -> Int32 {
        guard !hasEnded else { return 0 }
        hasEnded = true
        var status: Int32 = 0
        var state = pollfd(fd: socket, events: 0, revents: 0)
        if poll(&state, 1, 0) == 1, state.revents & Int16(POLLHUP) != 0 {
            // One that has closed its socket is about to end, by a signal that says why. It gets a second for that.
            for _ in 0..<1000 {
                if waitpid(process, &status, WNOHANG) != 0 { return close(status) }
                usleep(1000)
            }
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return close(status)
    }

    private func close(_ status: Int32) -> Int32 {
        readErrors()
        for number in [socket, errors, memory] { Glibc.close(number) }
        return status
    }

    // MARK: - The start

    private static func pair(_ make: (UnsafeMutablePointer<Int32>) -> Int32) throws(HelperFailure) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard make(&ends) == 0 else {
            throw .notStarted(reason: "its helper process can't be started: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }
}

/// A moment on a clock that nobody sets.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(after seconds: Double) { end = .now + .seconds(seconds) }

    /// What is left, rounded up; at most an hour, 0 afterwards.
    var milliseconds: Int32 {
        let left = ContinuousClock.now.duration(to: end)
        return Int32(max(0, min(3_600_000, (left / .milliseconds(1)).rounded(.up))))
    }
}

import Dispatch
import Glibc
import Synchronization

/// Work on other threads, in a process that may not be allowed to make any.
///
/// Dispatch waits for ever for a thread that the system refuses (`ulimit -u`, the `pids.max` of a control group). So threads
/// are made here, and work for which there is none is done by its caller. A thread that has done its work waits for more.
package enum Threads {
    /// How many threads can run at once.
    package static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Calls `body` for each of 0 ..< `count`, on as many cores as there are, and returns when all calls have. The caller
    /// takes part, so it works without any other thread.
    package static func forEach(_ count: Int, _ body: @escaping (Int) -> Void) {
        guard count > 1, cores > 1 else { return (0..<count).forEach(body) }
        nonisolated(unsafe) let body = body
        let round = Round(count)
        let helpers = (1..<min(count, cores)).count { _ in
            Pool.shared.start({ round.run(body) }, then: { round.end.signal() }, isHelper: true)
        }
        round.run(body)
        for _ in 0..<helpers { round.end.wait() }
    }

    /// The results of `transform` for 0 ..< `count`, in order, worked out on as many cores as there are.
    package static func map<Value: Sendable>(_ count: Int, _ transform: @escaping @Sendable (Int) -> Value) -> [Value] {
        guard count > 1 else { return (0..<count).map(transform) }
        return [Value](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            // Each call writes to its own element.
            nonisolated(unsafe) let elements = buffer
            forEach(count) { index in elements.initializeElement(at: index, to: transform(index)) }
            initializedCount = count
        }
    }

    /// The same, one after another where memory for all at once is short: each then checks for its own beside what is held.
    /// - Parameter bytes: what all need together at most.
    package static func map<Value: Sendable>(
        _ count: Int, needing bytes: Int, _ transform: @escaping @Sendable (Int) -> Value
    ) -> [Value] {
        Memory.hasRoom(for: bytes) ? map(count, transform) : (0..<count).map(transform)
    }

    /// Starts `work` on a thread of its own, and calls `finish` there afterwards; false, and nothing is called, where no
    /// thread can be made.
    package static func start(
        _ work: @escaping @Sendable () -> Void, then finish: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        Pool.shared.start(work, then: finish, isHelper: false)
    }

    /// Whether so many threads could be made at once just now. They are made, and end again.
    package static func canMake(_ count: Int) -> Bool {
        let gate = DispatchSemaphore(value: 0)
        var made: [pthread_t] = []
        while made.count < count {
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { gate in
                    if let gate { Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait() }
                    return nil
                }, Unmanaged.passUnretained(gate).toOpaque())
            if code != 0 { break }
            made.append(thread)
        }
        for _ in made { gate.signal() }
        for thread in made { pthread_join(thread, nil) }
        return made.count == count
    }

    /// The calls of one `forEach`, which threads take one after another.
    private final class Round: Sendable {
        private let count: Int
        private let next = Atomic(0)
        /// Signalled by each helper at its end.
        let end = DispatchSemaphore(value: 0)

        init(_ count: Int) { self.count = count }

        func run(_ body: (Int) -> Void) {
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                body(index)
            }
        }
    }
}

/// The threads of this process.
private final class Pool: Sendable {
    static let shared = Pool()

    private struct State {
        var idle: [Worker] = []
        /// How many threads take part in a `forEach`. Those of `start` are not counted, as others wait for them.
        var helpers = 0
    }

    private let state = Mutex(State())

    /// - Parameter isHelper: whether nothing is to be started where there is a helper for each core beside the caller's.
    func start(
        _ work: @escaping @Sendable () -> Void, then finish: @escaping @Sendable () -> Void, isHelper: Bool
    ) -> Bool {
        let count = isHelper ? 1 : 0
        let (isAllowed, idle) = state.withLock { state -> (Bool, Worker?) in
            guard count == 0 || state.helpers + count < Threads.cores else { return (false, nil) }
            state.helpers += count
            return (true, state.idle.popLast())
        }
        guard isAllowed else { return false }
        let worker = idle ?? Worker()
        worker.task = { [self] in
            work()
            // Before anybody hears of the end, so that the next work finds this thread idle.
            state.withLock { state in
                state.helpers -= count
                state.idle.append(worker)
            }
            finish()
        }
        if idle == nil, !worker.makeThread() {
            worker.task = nil
            state.withLock { $0.helpers -= count }
            return false
        }
        worker.wake.signal()
        return true
    }

    /// A thread, and what it is to do next.
    private final class Worker: @unchecked Sendable {
        /// Written by the thread that has taken the idle worker; read after `wake`.
        var task: (() -> Void)?
        let wake = DispatchSemaphore(value: 0)

        /// Makes the thread, which lives as long as the process; false where the system refuses.
        func makeThread() -> Bool {
            // Signals are for the threads that the program began with, except those that a thread's own fault raises.
            var (blocked, before) = (sigset_t(), sigset_t())
            sigfillset(&blocked)
            for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&blocked, fault) }
            pthread_sigmask(SIG_SETMASK, &blocked, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            let own = Unmanaged.passRetained(self)
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { own in
                    guard let own else { return nil }
                    Unmanaged<Worker>.fromOpaque(own).takeRetainedValue().run()
                    return nil
                }, own.toOpaque())
            guard code == 0 else {
                own.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        private func run() {
            while true {
                wake.wait()
                let next = task
                task = nil
                next?()
            }
        }
    }
}

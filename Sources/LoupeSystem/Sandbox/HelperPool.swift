import Glibc
import Synchronization

/// Helper processes of one kind of documents, started when they are needed and kept until this process ends.
///
/// A request that no idle process can take starts another one, up to one for each processor, so that a slow document does
/// not hold up the others.
package final class HelperPool: Sendable {
    private let members = Mutex<[Member]>([])

    package init() {}

    /// A place for one process, which is replaced when it has ended.
    package final class Member: Sendable {
        /// How many threads use it or wait for it.
        fileprivate let load = Atomic(0)
        private let state = Mutex<Slot>(Slot())

        private struct Slot {
            nonisolated(unsafe) var process: HelperProcess?
            var generation = 0
        }

        package init() {}

        /// Calls a function with a running process, alone. `generation` changes with each new process.
        package func use<Value: Sendable>(
            _ body: (HelperProcess, _ generation: Int) throws(HelperFailure) -> Value
        ) throws(HelperFailure) -> Value {
            load.add(1, ordering: .relaxed)
            defer { load.subtract(1, ordering: .relaxed) }
            return try state.withLock { slot throws(HelperFailure) in
                if slot.process?.isRunning != true {
                    slot.process = try HelperProcess()
                    slot.generation += 1
                }
                return try body(slot.process!, slot.generation)
            }
        }
    }

    /// An idle process's place, a new one, or the one that fewest threads wait for.
    package func member() -> Member {
        members.withLock { members in
            let least = members.min { $0.load.load(ordering: .relaxed) < $1.load.load(ordering: .relaxed) }
            let most = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            if let least, least.load.load(ordering: .relaxed) == 0 || members.count >= most { return least }
            let member = Member()
            members.append(member)
            return member
        }
    }

    /// Starts a process that a request will need soon. An error is reported by that request.
    package func warmUp() { _ = try? member().use { (_, _) throws(HelperFailure) in } }
}

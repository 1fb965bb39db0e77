import Dispatch
import LoupeSystem

/// Work that runs on another thread while the caller continues; where there is none, it runs before the caller does.
final class Background<Value: Sendable>: @unchecked Sendable {
    // Written once, before `group` is left; read after it has been.
    private var result: Result<Value, any Error>?
    private let group = DispatchGroup()

    /// Starts the work.
    init(_ work: @escaping @Sendable () throws -> Value) {
        group.enter()
        let isStarted = Threads.start({ self.result = Result(catching: work) }, then: { self.group.leave() })
        if isStarted { return }
        result = Result(catching: work)
        group.leave()
    }

    /// Whether `take()` would return at once.
    var isDone: Bool { group.wait(timeout: .now()) == .success }

    /// Waits for the work and returns its result without keeping it. Call it once.
    func take() throws -> Value {
        group.wait()
        guard let result else { preconditionFailure("a result is taken once") }
        self.result = nil
        return try result.get()
    }
}

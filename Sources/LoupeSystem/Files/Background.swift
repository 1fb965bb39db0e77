import Dispatch

/// Work that runs on another thread while the caller continues; where there is none, it runs before the caller does.
package final class Background<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Written once, before `group` is left; read after it has been.
    private var result: Result<Value, Failure>?
    private let group = DispatchGroup()

    /// Starts the work.
    package init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        group.enter()
        let isStarted = Threads.start({ self.result = Result(catching: work) }, then: { self.group.leave() })
        if isStarted { return }
        result = Result(catching: work)
        group.leave()
    }

    /// Waits for the work and returns its result without keeping it. Call it once.
    package func take() throws(Failure) -> Value {
        group.wait()
        guard let result else { preconditionFailure("a result is taken once") }
        self.result = nil
        return try result.get()
    }
}

import Dispatch

/// Work on all cores, with results in order.
enum Parallel {
    /// `transform` of 0 ..< count, on as many threads as there are cores.
    static func map<Value: Sendable>(count: Int, _ transform: @Sendable (Int) -> Value) -> [Value] {
        guard count > 1 else { return (0..<count).map(transform) }
        return [Value](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            // Each iteration writes to a place of its own.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: count) { index in
                places.initializeElement(at: index, to: transform(index))
            }
            initializedCount = count
        }
    }
}

import LoupeMotion

/// A trace that is read is in the order of time.
func checkTrace(_ bytes: [UInt8]) {
    guard let trace = try? TraceDecoder.decode(bytes) else { return }
    precondition(zip(trace.events, trace.events.dropFirst()).allSatisfy { $0.time <= $1.time })
}

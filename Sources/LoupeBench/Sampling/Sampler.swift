import Glibc
import LoupeRenderer

/// Times things side by side, in blocks: each block runs every one of them in a new order, so that what changes in
/// the machine over time falls on all alike.
struct Sampler {
    /// How much, and how long.
    struct Effort: Hashable, Sendable {
        var blocks = Sampler.leastBlocks
        /// In nanoseconds; a batch repeats what it times until it takes at least this long.
        var batch: Double
    }

    /// Fewer blocks than this make no interval worth reporting.
    static let leastBlocks = 15

    /// Draws so many times without waiting.
    typealias Repeated = (_ times: Int) throws(RenderError) -> Void

    var clock: DeviceClock
    let effort: Effort
    private var random: SplitMix64

    init(clock: DeviceClock, effort: Effort, seed: UInt64) {
        self.clock = clock
        self.effort = effort
        random = SplitMix64(seed: seed)
    }

    /// - Parameter progress: told after each block which part of the blocks is done, 0…1.
    /// - Returns: for each thing its times, one a block.
    mutating func measure(
        _ things: [Repeated], progress: (Double) -> Void = { _ in }
    ) throws(BenchError) -> [Samples] {
        var samples: [Samples] = []
        for thing in things { samples.append(Samples(repetitions: try calibrate(thing))) }
        for block in 0..<effort.blocks {
            for index in things.indices.shuffled(using: &random) {
                let repetitions = samples[index].repetitions
                let (time, processor) = try time(things[index], repetitions)
                samples[index].times.append(time / Double(repetitions))
                samples[index].processorTimes.append(processor / Double(repetitions))
            }
            progress(Double(block + 1) / Double(effort.blocks))
        }
        return samples
    }

    /// How often something must be repeated for a batch. What it needs for the first time is done on the way.
    private mutating func calibrate(_ thing: Repeated) throws(BenchError) -> Int {
        var repetitions = 1
        for _ in 0..<2 { _ = try time(thing, repetitions) }
        while true {
            let time = try time(thing, repetitions).time
            if time >= effort.batch || repetitions >= 1 << 24 { return repetitions }
            let wanted = Double(repetitions) * 1.1 * effort.batch / max(time, 100)
            repetitions = min(max(repetitions + 1, Int(wanted)), repetitions * 32)
        }
    }

    /// One batch, again where the device's clock was disjoint; and the processor time that this process took for it.
    private mutating func time(
        _ thing: Repeated, _ repetitions: Int
    ) throws(BenchError) -> (time: Double, processor: Double) {
        for _ in 0..<Self.mostDisjoint {
            let before = processorTime()
            let result: Double?
            do {
                result = try clock.time { () throws(RenderError) in try thing(repetitions) }
            } catch {
                throw .render(error)
            }
            if let result { return (result, processorTime() - before) }
        }
        throw .alwaysDisjoint(clock.kind, attempts: Self.mostDisjoint)
    }

    private static let mostDisjoint = 20
}

/// What one thing took.
struct Samples: Hashable, Sendable {
    /// How often a batch drew it.
    let repetitions: Int
    /// Nanoseconds a repetition, one for each block.
    var times: [Double] = []
    /// The same of this process's threads.
    var processorTimes: [Double] = []
}

/// What all threads of this process have taken so far, in nanoseconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

import Glibc
import LoupeRenderer

/// Times things side by side, in blocks: each block runs every one of them in a new order, so that what changes in
/// the machine over time falls on all alike, and its drift can be told from what the things take.
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

    /// - Parameters:
    ///   - batches: how many of each thing a block has; one where that is left out.
    ///   - progress: told after each block which part of the blocks is done, 0…1.
    /// - Returns: for each thing its times, one a block.
    mutating func measure(
        _ things: [Repeated], batches: [Int]? = nil, progress: (Double) -> Void = { _ in }
    ) throws(BenchError) -> [Samples] {
        var repetitions: [Int] = []
        for thing in things { repetitions.append(try calibrate(thing)) }
        let block = things.indices.flatMap { [Int](repeating: $0, count: batches?[$0] ?? 1) }
        var order: [Int] = []
        var taken: [Batch] = []
        for done in 1...effort.blocks {
            for index in block.shuffled(using: &random) {
                order.append(index)
                taken.append(try batch(things[index], repetitions[index]))
            }
            progress(Double(done) / Double(effort.blocks))
        }
        let drift = Drift(taken.map(\.timeEach), of: order)
        var samples = [Samples](repeating: Samples(), count: things.count)
        for start in stride(from: 0, to: order.count, by: block.count) {
            let places = Dictionary(grouping: start..<start + block.count, by: { order[$0] })
            for (thing, places) in places {
                samples[thing].append(places.map { taken[$0] })
                samples[thing].steadyTimes.append(places.map { taken[$0].timeEach / drift.factors[$0] }.mean)
            }
        }
        return samples
    }

    /// About how often something must be repeated for a batch. What it needs for the first time is done on the way.
    private mutating func calibrate(_ thing: Repeated) throws(BenchError) -> Int {
        var repetitions = 1
        _ = try time(thing, repetitions)
        while true {
            let batch = try time(thing, repetitions)
            let wanted = Double(repetitions) * effort.batch / max(batch.time, 100)
            if batch.time >= effort.batch / 8 { return Int(wanted.rounded(.up)) }
            if repetitions >= 1 << 24 { return repetitions }
            repetitions = min(max(repetitions + 1, Int(wanted / 4)), repetitions * 32)
        }
    }

    /// Repeats something until a batch is long enough.
    private mutating func batch(_ thing: Repeated, _ repetitions: Int) throws(BenchError) -> Batch {
        var batch = try time(thing, repetitions)
        while batch.time < effort.batch, batch.repetitions < 1 << 24 {
            batch = batch + (try time(thing, max(1, repetitions / 16)))
        }
        return batch
    }

    /// One batch, again where the device's clock was disjoint; and the processor time that this process took for it.
    private mutating func time(
        _ thing: Repeated, _ repetitions: Int
    ) throws(BenchError) -> Batch {
        for _ in 0..<Self.mostDisjoint {
            let before = processorTime()
            let result: Double?
            do {
                result = try clock.time { () throws(RenderError) in try thing(repetitions) }
            } catch {
                throw .render(error)
            }
            if let result {
                return Batch(repetitions: repetitions, time: result, processor: processorTime() - before)
            }
        }
        throw .alwaysDisjoint(clock.kind, attempts: Self.mostDisjoint)
    }

    private static let mostDisjoint = 20
}

/// Something drawn again and again without a break.
struct Batch {
    var repetitions: Int
    /// Nanoseconds, as the clock tells it.
    var time: Double
    /// Nanoseconds of this process's threads.
    var processor: Double

    /// Nanoseconds a repetition.
    var timeEach: Double { time / Double(repetitions) }

    static func + (a: Batch, b: Batch) -> Batch {
        Batch(repetitions: a.repetitions + b.repetitions, time: a.time + b.time, processor: a.processor + b.processor)
    }
}

/// What one thing took.
struct Samples: Hashable, Sendable {
    /// How often it was drawn in all.
    var iterations = 0
    /// Nanoseconds a repetition, one for each block.
    var times: [Double] = []
    /// The same without the machine's drift, for holding it against what was timed beside it; empty where nothing was.
    var steadyTimes: [Double] = []
    /// The same as `times` of this process's threads.
    var processorTimes: [Double] = []

    mutating func append(_ batch: Batch) { append([batch]) }

    /// A block's batches, as their mean.
    mutating func append(_ batches: [Batch]) {
        iterations += batches.reduce(0) { $0 + $1.repetitions }
        times.append(batches.map(\.timeEach).mean)
        processorTimes.append(batches.map { $0.processor / Double($0.repetitions) }.mean)
    }
}

extension [Double] {
    fileprivate var mean: Double { reduce(0, +) / Double(count) }
}

/// What all threads of this process have taken so far, in nanoseconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

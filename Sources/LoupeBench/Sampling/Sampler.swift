import Glibc
import LoupeRenderer

/// Times things side by side, in blocks. Each block runs all of them in a new order, so changes of the machine over time
/// affect all alike, and its drift can be separated from the things' own times.
struct Sampler {
    /// How often, and for how long, each thing is timed.
    struct Effort: Hashable, Sendable {
        var blocks = BenchPlan.leastBlocks
        /// The least length of a batch in nanoseconds; a batch repeats what it times until it takes that long.
        var batch: Double
    }

    /// Draws a number of times without waiting.
    typealias Repeated = (_ times: Int) throws -> Void

    /// Something that is timed.
    enum Work {
        /// As often as a batch needs.
        case repeated(Repeated)
        /// Once a batch; it times itself.
        case single(() throws -> Batch)
    }

    /// Nil where all works time themselves.
    var clock: DeviceClock?
    let effort: Effort
    private var random: SplitMix64

    init(clock: DeviceClock?, effort: Effort, seed: UInt64) {
        self.clock = clock
        self.effort = effort
        random = SplitMix64(seed: seed)
    }

    /// Times each thing once a block.
    ///
    /// - Parameters:
    ///   - works: the things.
    ///   - batches: the number of batches of each thing in a block; nil is one of each.
    ///   - blocks: nil takes those of ``effort``.
    ///   - progress: called after each block with the part of the blocks that is done, 0…1.
    /// - Returns: the times of each thing, one a block.
    /// - Throws: `BenchError.alwaysDisjoint`, or a renderer's error.
    mutating func measure(
        _ works: [Work], batches: [Int]? = nil, blocks: Int? = nil, progress: (Double) -> Void = { _ in }
    ) throws -> [Samples] {
        var repetitions: [Int] = []
        for work in works { repetitions.append(try calibrate(work)) }
        let block = works.indices.flatMap { [Int](repeating: $0, count: batches?[$0] ?? 1) }
        let blocks = blocks ?? effort.blocks
        var order: [Int] = []
        var taken: [Batch] = []
        for done in 1...blocks {
            for index in block.shuffled(using: &random) {
                order.append(index)
                taken.append(try batch(works[index], repetitions[index]))
            }
            progress(Double(done) / Double(blocks))
        }
        return Self.samples(taken, of: order, block: block.count, count: works.count)
    }

    /// The batches of each thing as samples.
    private static func samples(_ taken: [Batch], of order: [Int], block: Int, count: Int) -> [Samples] {
        let drift = Drift(taken.map(\.timeEach), of: order)
        var samples = [Samples](repeating: Samples(), count: count)
        for start in stride(from: 0, to: order.count, by: block) {
            let indices = Dictionary(grouping: start..<start + block, by: { order[$0] })
            for (thing, indices) in indices {
                samples[thing].append(indices.map { taken[$0] })
                samples[thing].steadyTimes.append(indices.map { taken[$0].timeEach / drift.factors[$0] }.mean)
            }
        }
        return samples
    }

    /// How many results were discarded because the device's clock was disjoint.
    var disjointCount: Int { clock?.disjointCount ?? 0 }

    /// About how often a thing must be repeated for a batch. The first time, which may need preparation, is not counted.
    mutating func calibrate(_ work: Work) throws -> Int {
        guard case .repeated(let thing) = work else { return 1 }
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

    /// Repeats a thing until the batch is long enough.
    mutating func batch(_ work: Work, _ repetitions: Int) throws -> Batch {
        guard case .repeated(let thing) = work else {
            guard case .single(let run) = work else { preconditionFailure("a work is repeated or single") }
            return try run()
        }
        var batch = try time(thing, repetitions)
        while batch.time < effort.batch, batch.repetitions < 1 << 24 {
            batch = batch + (try time(thing, max(1, repetitions / 16)))
        }
        return batch
    }

    /// Times one batch, again if the device's clock was disjoint.
    private mutating func time(_ thing: Repeated, _ repetitions: Int) throws -> Batch {
        for _ in 0..<Self.mostDisjoint {
            let before = processorTime()
            guard clock != nil else { preconditionFailure("repeated work needs a clock") }
            if let result = try clock?.time({ try thing(repetitions) }) {
                return Batch(repetitions: repetitions, time: result, processor: processorTime() - before)
            }
        }
        throw BenchError.alwaysDisjoint(clock?.kind ?? .finish, attempts: Self.mostDisjoint)
    }

    private static let mostDisjoint = 20
}

/// A thing drawn a number of times without a break.
struct Batch {
    var repetitions: Int
    /// Nanoseconds by the clock.
    var time: Double
    /// Processor time of all threads of this process, in nanoseconds.
    var processor: Double

    /// Nanoseconds a repetition.
    var timeEach: Double { time / Double(repetitions) }

    static func + (a: Batch, b: Batch) -> Batch {
        Batch(repetitions: a.repetitions + b.repetitions, time: a.time + b.time, processor: a.processor + b.processor)
    }
}

/// The times of one thing.
struct Samples: Hashable, Sendable {
    /// How often it was drawn, in total.
    var iterations = 0
    /// Nanoseconds a repetition, one for each block.
    var times: [Double] = []
    /// The same without the machine's drift, for comparisons with things timed beside it; empty if there are none.
    var steadyTimes: [Double] = []
    /// Processor time of all threads of this process, in nanoseconds a repetition, one for each block.
    var processorTimes: [Double] = []

    /// Appends the mean of a block's batches.
    mutating func append(_ batches: [Batch]) {
        iterations += batches.reduce(0) { $0 + $1.repetitions }
        times.append(batches.map(\.timeEach).mean)
        processorTimes.append(batches.map { $0.processor / Double($0.repetitions) }.mean)
    }
}

extension [Double] {
    fileprivate var mean: Double { reduce(0, +) / Double(count) }
}

/// The processor time of all threads of this process so far, in nanoseconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

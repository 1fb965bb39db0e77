import Glibc

/// Times things side by side, in blocks. Each block runs all of them in a new order, so changes of the machine over time
/// affect all alike.
struct Sampler {
    /// Draws a number of times without waiting.
    typealias Draw = (_ times: Int) throws -> Void

    /// The least length of a batch in nanoseconds; a thing is repeated until it takes about that long.
    let batch: Double
    /// Waits until the device has done everything.
    private let wait: () throws -> Void
    private var random = SplitMix64(seed: 2026)

    init(batch: Double, waiting wait: @escaping () throws -> Void) { (self.batch, self.wait) = (batch, wait) }

    /// Times each thing once a block.
    /// - Parameter progress: called after each block with the part of the blocks that is done, 0…1.
    mutating func measure(
        _ things: [Draw], blocks: Int, progress: (Double) -> Void = { _ in }
    ) throws -> [Samples] {
        let repetitions = try things.map(calibrate)
        var samples = things.map { _ in Samples() }
        for done in 1...blocks {
            for index in things.indices.shuffled(using: &random) {
                let (time, processor) = try time(things[index], repetitions[index])
                samples[index].iterations += repetitions[index]
                samples[index].times.append(time)
                samples[index].processorTimes.append(processor)
            }
            progress(Double(done) / Double(blocks))
        }
        return samples
    }

    /// How often a thing must be repeated for a batch. The first time, which may need preparation, is not counted.
    func calibrate(_ thing: Draw) throws -> Int {
        _ = try time(thing, 1)
        var repetitions = 1
        while true {
            let taken = max(try time(thing, repetitions).wall, 1) * Double(repetitions)
            if taken >= batch / 2 || repetitions >= 1 << 24 {
                return Int((Double(repetitions) * batch / taken).rounded(.up))
            }
            repetitions = min(max(repetitions + 1, Int(Double(repetitions) * batch / taken)), repetitions * 32)
        }
    }

    /// Nanoseconds of a repetition: by the clock, from an idle device to an idle device, and of all threads of this process.
    func time(_ thing: Draw, _ repetitions: Int) throws -> (wall: Double, processor: Double) {
        try wait()
        let (processor, start) = (processorTime(), ContinuousClock.now)
        try thing(repetitions)
        try wait()
        let wall = (ContinuousClock.now - start) / .nanoseconds(1)
        return (wall / Double(repetitions), (processorTime() - processor) / Double(repetitions))
    }

    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// The times of one thing.
struct Samples: Hashable, Sendable {
    /// How often it was drawn, in total.
    var iterations = 0
    /// Nanoseconds a repetition by the clock, one for each block.
    var times: [Double] = []
    /// Processor time of all threads of this process, in nanoseconds a repetition, one for each block.
    var processorTimes: [Double] = []
}

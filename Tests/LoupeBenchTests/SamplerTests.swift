import Testing

@testable import LoupeBench

@Suite struct SamplerTests {
    /// What was drawn, in order.
    private final class Log {
        var draws: [(thing: Int, times: Int)] = []
        var waits = 0
    }

    @Test("Each block runs everything in a different order, and waits for the device") func orderOfBlocks() throws {
        let log = Log()
        let things = (0..<4).map { index -> Sampler.Draw in { times in log.draws.append((index, times)) } }
        var sampler = Sampler(batch: 1000) { log.waits += 1 }
        let samples = try sampler.measure(things, blocks: 15)
        let order = log.draws.suffix(4 * 15).map(\.thing)
        let blocks = stride(from: 0, to: order.count, by: 4).map { Array(order[$0..<($0 + 4)]) }
        #expect(blocks.allSatisfy { $0.sorted() == [0, 1, 2, 3] } && Set(blocks).count > 5)
        #expect(samples.allSatisfy { $0.times.count == 15 && $0.processorTimes.count == 15 })
        #expect(log.waits == 2 * log.draws.count)
        #expect(samples.map(\.iterations).reduce(0, +) == log.draws.suffix(4 * 15).reduce(0) { $0 + $1.times })
    }

    @Test("A thing is repeated until a batch is long enough, and the waiting is part of it") func batches() throws {
        var pending = 0
        let sampler = Sampler(batch: 20e6) {
            let end = ContinuousClock.now + .microseconds(500 * pending)
            while ContinuousClock.now < end {}
            pending = 0
        }
        let repetitions = try sampler.calibrate { pending += $0 }
        #expect((20...41).contains(repetitions), "\(repetitions)")
        let time = try sampler.time({ pending += $0 }, repetitions).wall
        #expect(time >= 500_000)
    }
}

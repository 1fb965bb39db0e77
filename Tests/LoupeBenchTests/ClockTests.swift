import LoupeRenderer
import Testing

@testable import LoupeBench

@Suite struct ClockTests {
    private func check(_ device: FakeDevice) throws -> ClockCheck {
        try ClockCheck(
            device,
            works: [
                { times in device.draw(.frames, times) }, { times in device.draw(.oneLayer, times) },
            ])
    }

    @Test func `a correct timer is used`() throws {
        #expect(try check(FakeDevice()).kind == .timerQuery)
    }

    @Test(arguments: [0.0, 0.01, 0.5, 0.69, 1.1, 2])
    func `a timer whose time differs from the wall time is not used`(factor: Double) throws {
        let device = FakeDevice()
        device.timerFactor = [.frames: factor, .oneLayer: factor]
        let check = try check(device)
        #expect(check.kind == .fence)
        #expect(check.findings.contains { $0.hasPrefix("timer queries report") })
    }

    @Test(arguments: [0.7, 0.9, 1.04])
    func `a timer that leaves out some waiting is used`(factor: Double) throws {
        let device = FakeDevice()
        device.timerFactor = [.frames: factor + 0.002, .oneLayer: factor + 0.002]
        #expect(try check(device).kind == .timerQuery)
    }

    @Test func `a timer that is wrong for one kind of work is not used`() throws {
        let device = FakeDevice()
        device.timerFactor = [.oneLayer: 0.01]
        #expect(try check(device).kind == .fence)
    }

    @Test func `without timer queries a fence that waits is used`() throws {
        let device = FakeDevice()
        device.hasTimer = false
        #expect(try check(device).kind == .fence)
    }

    @Test func `without a fence that waits glFinish is used`() throws {
        let device = FakeDevice()
        device.hasTimer = false
        device.hasHonestFences = false
        #expect(try check(device).kind == .finish)
    }

    @Test func `a clock that is always disjoint is not used`() throws {
        let device = FakeDevice()
        device.disjointResults = .max
        #expect(try check(device).kind == .fence)
    }

    @Test func `the check draws for at least 20 milliseconds`() throws {
        let device = FakeDevice()
        device.cost = 3000
        _ = try check(device)
        let longest = try #require(device.batches.max())
        #expect(longest >= 20e6 * 0.9)
    }

    @Test(arguments: ClockKind.allCases)
    func `every clock measures what a correct device took`(kind: ClockKind) throws {
        let device = FakeDevice()
        var clock = DeviceClock(kind, on: device)
        let time = try #require(try clock.time { device.draw(.frames, 10) })
        #expect(abs(time - 10e6) < 1e4)
    }
}

@Suite struct SamplerTests {
    private func sampler(_ device: FakeDevice, _ kind: ClockKind, batch: Double = 5e6) -> Sampler {
        Sampler(clock: DeviceClock(kind, on: device), effort: .init(batch: batch), seed: 3)
    }

    @Test func `disjoint results are discarded, counted and measured again`() throws {
        let device = FakeDevice()
        device.disjointResults = 3
        var sampler = sampler(device, .timerQuery)
        let samples = try sampler.measure([.repeated { times in device.draw(.frames, times) }])
        #expect(samples[0].times.count == BenchPlan.leastBlocks)
        #expect(samples[0].times.allSatisfy { abs($0 - 1e6) < 1 })
        #expect(sampler.disjointCount == 3)
    }

    @Test func `a clock that stays disjoint is an error`() {
        let device = FakeDevice()
        device.disjointResults = .max
        var sampler = sampler(device, .timerQuery)
        #expect(throws: BenchError.self) {
            try sampler.measure([.repeated { times in device.draw(.frames, times) }])
        }
    }

    @Test(arguments: [5e6, 50e6])
    func `batches are as long as requested, and there are as many blocks`(batch: Double) throws {
        let device = FakeDevice()
        device.cost = 40000
        var sampler = sampler(device, .finish, batch: batch)
        let samples = try sampler.measure([.repeated { times in device.draw(.frames, times) }])
        #expect(device.batches.suffix(BenchPlan.leastBlocks).allSatisfy { $0 >= batch * 0.99 })
        #expect(samples[0].times.count >= 15)
    }

    /// Measures a number of things on a fake device, four batches in each block.
    /// - Returns: the things in the order in which each block ran them, and their times.
    private func measured(_ count: Int, batches: [Int]? = nil) throws -> (blocks: [[Int]], samples: [Samples]) {
        let device = FakeDevice()
        device.cost = 10e6
        var order: [Int] = []
        let things = (0..<count).map { index in
            Sampler.Work.repeated { times in
                order.append(index)
                device.draw(.frames, times)
            }
        }
        var sampler = sampler(device, .finish)
        let samples = try sampler.measure(things, batches: batches)
        let measured = Array(order.suffix(4 * BenchPlan.leastBlocks))
        return (stride(from: 0, to: measured.count, by: 4).map { Array(measured[$0..<($0 + 4)]) }, samples)
    }

    @Test func `each block runs everything in a different order`() throws {
        let blocks = try measured(4).blocks
        #expect(blocks.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
        #expect(Set(blocks).count > 5)
    }

    @Test func `the base of more comparisons is timed more often in each block`() throws {
        let (blocks, samples) = try measured(2, batches: [3, 1])
        #expect(blocks.allSatisfy { $0.sorted() == [0, 0, 0, 1] })
        #expect(samples.allSatisfy { $0.times.count == BenchPlan.leastBlocks })
        #expect(samples.flatMap(\.times).allSatisfy { abs($0 / 10e6 - 1) < 0.01 })
        #expect(samples[0].iterations == 3 * samples[1].iterations)
    }
}

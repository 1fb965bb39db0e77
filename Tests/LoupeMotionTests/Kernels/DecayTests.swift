import Testing

@testable import LoupeMotion

@Suite struct DecayTests {
    /// Facebook Pop's decay with its threshold for bounds.
    @Test(arguments: [(1000.0, 2.646509, 496.505), (7223.021, 3.634156, 3601.792)])
    func popDurationsAndWays(velocity: Double, duration: Double, way: Double) {
        let decay = Deceleration.pop(from: 0, velocity: velocity)
        #expect(near(decay.duration, duration, 1e-6))
        #expect(near(decay.restValue, way, 1e-3))
        #expect(Deceleration.pop(from: 0, velocity: -velocity).restValue == -decay.restValue)
    }

    /// Pop's own loop: each millisecond slows down, then moves.
    @Test(arguments: [0.998, 0.99, 0.95]) func isTheSumOfMillisecondSteps(rate: Double) {
        let decay = Deceleration.pop(from: 3, velocity: 2000, rate: rate)
        var (x, v) = (3.0, 2000.0)
        for millisecond in 1...100 {
            v *= rate
            x += v / 1000
            let time = Double(millisecond) / 1000
            #expect(near(decay.value(at: time), x, 1e-9) && near(decay.velocity(at: time), v, 1e-9))
        }
    }

    @Test func restsUnderFiveThresholds() {
        #expect(Deceleration.pop(from: 5, velocity: 4.9).duration == 0)
        #expect(Deceleration.pop(from: 5, velocity: 4.9).value(at: 9) == 5)
        let custom = Deceleration.pop(from: 0, velocity: 1000, threshold: Deceleration.customPropertyThreshold)
        #expect(near(abs(custom.velocity(at: custom.duration - 1e-9)), 0.05, 1e-9))
        #expect(custom.velocity(at: custom.duration) == 0 && custom.isSettled(at: custom.duration))
    }

    @Test func timeOfAValueIsTheInverse() {
        let decay = Deceleration.pop(from: 100, velocity: -900)
        #expect(decay.time(reaching: 101) == nil && decay.time(reaching: -500) == nil)
        for time in [0.01, 0.5, 2] {
            #expect(near(decay.time(reaching: decay.value(at: time)) ?? -1, time))
        }
    }
}

import Testing

@testable import LoupeMotion

@Suite struct DecayTests {
    /// Facebook Pop's decay with its threshold for bounds.
    @Test(arguments: [(1000.0, 2.646509, 496.505), (7223.021, 3.634156, 3601.792)])
    func popDurationsAndWays(velocity: Double, duration: Double, way: Double) {
        let decay = Decay(from: 0, velocity: velocity)
        #expect(near(decay.duration, duration, 1e-6))
        #expect(near(decay.restValue, way, 1e-3))
        #expect(Decay(from: 0, velocity: -velocity).restValue == -decay.restValue)
    }

    /// Pop's own loop: each millisecond slows down, then moves.
    @Test(arguments: [0.998, 0.99, 0.9]) func isTheSumOfMillisecondSteps(deceleration: Double) {
        let decay = Decay(from: 3, velocity: 2000, deceleration: deceleration)
        var (x, v) = (3.0, 2000.0)
        for millisecond in 1...100 {
            v *= deceleration
            x += v / 1000
            let (value, velocity) = decay.free(at: Double(millisecond) / 1000)
            #expect(near(value, x, 1e-9) && near(velocity, v, 1e-9))
        }
    }

    @Test func stepsCompose() {
        let whole = Decay(from: 0, velocity: -1234).free(at: 0.7)
        let half = Decay(from: 0, velocity: -1234).free(at: 0.3)
        let rest = Decay(from: half.value, velocity: half.velocity).free(at: 0.4)
        #expect(near(whole.value, rest.value) && near(whole.velocity, rest.velocity))
    }

    @Test func restsUnderFiveThresholds() {
        #expect(Decay(from: 5, velocity: 4.9).duration == 0)
        #expect(Decay(from: 5, velocity: 4.9).value(at: 9) == 5)
        let custom = Decay(from: 0, velocity: 1000, threshold: Decay.customPropertyThreshold)
        #expect(near(abs(custom.free(at: custom.duration).velocity), 0.05, 1e-12))
        #expect(custom.velocity(at: custom.duration) == 0 && custom.isSettled(at: custom.duration))
    }

    @Test func timeOfAValueIsTheInverse() {
        let decay = Decay(from: 100, velocity: -900)
        #expect(decay.time(reaching: 101) == nil && decay.time(reaching: -500) == nil)
        for time in [0.01, 0.5, 2] {
            #expect(near(decay.time(reaching: decay.value(at: time)) ?? -1, time))
        }
    }
}

import Glibc
import Testing

@testable import LoupeMotion

@Suite struct SpringTests {
    private static let springs = [
        Spring(stiffness: 100, dampingRatio: 0.25), Spring(stiffness: 100, damping: 20),
        Spring(stiffness: 100, dampingRatio: 1.25), Spring(stiffness: 40, damping: 90, mass: 3),
        Spring(stiffness: 170, damping: 26), Spring(stiffness: 10, damping: 0), .popBounce,
        Spring(stiffness: 100, dampingRatio: 1 + 1e-7), Spring(stiffness: 100, dampingRatio: 1 - 1e-7),
    ]

    @Test(arguments: springs) func solvesTheEquationOfMotion(spring: Spring) {
        for (from, velocity) in [(0.0, 0.0), (3, -40), (-2, 90)] {
            let motion = SpringMotion(spring, from: from, to: 1, velocity: velocity)
            for time in [0.01, 0.2, 1.5] {
                let expected = integrate(from: (from, velocity), to: time) { x, v in
                    -(spring.stiffness * (x - 1) + spring.damping * v) / spring.mass
                }
                #expect(near(motion.value(at: time), expected.x, 1e-7))
                #expect(near(motion.velocity(at: time), expected.v, 1e-6))
            }
            #expect(near(motion.value(at: 0), from) && near(motion.velocity(at: 0), velocity))
        }
    }

    @Test func kinds() {
        #expect(Spring(stiffness: 100, damping: 20).kind == .critical)
        #expect(Spring(stiffness: 170, dampingRatio: 1).kind == .critical)
        #expect(Spring(stiffness: 100, dampingRatio: 0.75).kind == .under)
        #expect(Spring(stiffness: 100, dampingRatio: 1.25).kind == .over)
    }

    @Test func stiffOverdampedSpringNeitherOverflowsNorStalls() {
        let motion = SpringMotion(Spring(stiffness: 1, damping: 1e6), from: 1, to: 0)
        #expect(near(motion.value(at: 1e6), exp(-1), 1e-6))
        #expect(motion.value(at: 1e9) == 0)
    }

    /// Flutter's physics tests, from 0 to 500 or 300.
    @Test func flutterSprings() {
        let critical = SpringMotion(
            Spring(stiffness: 100, dampingRatio: 1), from: 0, to: 500,
            tolerance: SettlingTolerance(distance: 0.01, velocity: 0.01))
        #expect([0.25, 0.5, 0.75].map { critical.value(at: $0).rounded(.down) } == [356, 479, 497])
        #expect([0.25, 0.5, 0.75].map { critical.velocity(at: $0).rounded(.down) } == [1026, 168, 20])
        #expect(!critical.isSettled(at: 0) && critical.isSettled(at: 1.6))
        let over = SpringMotion(Spring(stiffness: 100, dampingRatio: 1.25), from: 0, to: 500)
        #expect([0.5, 1, 1.5].map { over.value(at: $0).rounded(.down) } == [445, 495, 499])
        #expect([0.5, 1, 1.5].map { over.velocity(at: $0).rounded(.down) } == [273, 22, 1])
        let under = SpringMotion(Spring(stiffness: 100, dampingRatio: 0.25), from: 0, to: 300)
        #expect(under.value(at: 1).rounded(.down) == 325 && under.velocity(at: 1).rounded(.down) == -65)
    }

    /// SwiftUI's parameters, as Flutter's tests give them for half a second.
    @Test(arguments: [(0.3, 17.59), (-0.3, 35.90)]) func durationAndBounce(bounce: Double, damping: Double) {
        let spring = Spring(perceptualDuration: 0.5, bounce: bounce)
        #expect(near(spring.stiffness, 157.91, 0.01) && near(spring.damping, damping, 0.01))
    }

    @Test(arguments: springs.filter { $0.kind != .under }) func settlingTimeIsTheLastTimeOutside(spring: Spring) {
        for velocity in [0.0, 50, -50, 300] {
            let motion = SpringMotion(spring, from: 0, to: 10, velocity: velocity)
            let time = motion.settlingTime(within: 0.05)
            #expect(abs(motion.value(at: time * 0.999) - 10) > 0.05)
            #expect(
                stride(from: time, to: time * 10, by: time / 500).allSatisfy {
                    abs(motion.value(at: $0) - 10) <= 0.05 + 1e-9
                })
        }
    }

    @Test func settlingTimeOfASwingIsItsEnvelopes() {
        let spring = Spring(stiffness: 500, dampingRatio: 0.2)
        let motion = SpringMotion(spring, from: 1, to: 0)
        let time = motion.settlingTime(within: 0.001)
        let peaks = stride(from: time, to: 3 * time, by: time / 5000).map { abs(motion.value(at: $0)) }
        #expect(peaks.allSatisfy { $0 <= 0.001 })
        #expect(peaks.prefix(600).max() ?? 0 > 0.0008)
        #expect(SpringMotion(spring, from: 1e-4, to: 0).settlingTime(within: 0.001) == 0)
        #expect(SpringMotion(Spring(stiffness: 1, damping: 0), from: 1, to: 0).settlingTime(within: 0.1) == .infinity)
    }

    // MARK: - By response

    /// UIKit's spring animations: the present and dismiss transitions of Titanium.
    @Test func responseFrequencies() {
        #expect(near(ResponseSpring(dampingRatio: 0.7, duration: 0.5).frequency, 19.679293, 1e-6))
        #expect(near(ResponseSpring(dampingRatio: 1, duration: 0.3, velocity: 1).frequency, 30.667742, 1e-6))
    }

    @Test func responsePeak() {
        let motion = ResponseSpring(dampingRatio: 0.7, duration: 0.5).motion
        #expect(near(motion.value(at: 0.22354), 1.045988, 1e-6))
        #expect(near(motion.velocity(at: 0.22354), 0, 1e-3))
    }

    @Test func responseIsTheWrittenFormula() {
        let spring = ResponseSpring(dampingRatio: 0.6, duration: 0.7, velocity: 2)
        let (ratio, frequency) = (0.6, spring.frequency)
        let damped = frequency * (1 - ratio * ratio).squareRoot()
        for time in [0.0, 0.1, 0.33, 0.69] {
            let swing = -cos(damped * time) + (2 - ratio * frequency) / damped * sin(damped * time)
            #expect(near(spring.motion.value(at: time), 1 + exp(-ratio * frequency * time) * swing))
        }
    }

    @Test func responseHasSettledToAThousandthForAnyParameters() {
        for ratio in [0.05, 0.3, 0.7, 0.95, 0.999, 1] {
            for duration in [0.01, 0.3, 2] {
                for velocity in [-30.0, -1, 0, 1, 8, 50] {
                    let spring = ResponseSpring(dampingRatio: ratio, duration: duration, velocity: velocity)
                    let rest = stride(from: duration, to: 3 * duration, by: duration / 50)
                    // The formula of the duration contains the sine only, so the oscillation may be larger by the
                    // cosine's part.
                    let damped = spring.frequency * (1 - ratio * ratio).squareRoot()
                    let sine = ratio < 1 ? abs(ratio * spring.frequency - velocity) / damped : .infinity
                    let bound = 0.001 * (1 + 1 / (sine * sine)).squareRoot() + 1e-9
                    #expect(rest.allSatisfy { abs(spring.motion.value(at: $0) - 1) <= bound })
                }
            }
        }
    }

    /// Core Animation's value for mass 1, stiffness 100, damping 10, and springs that do not oscillate.
    @Test func settlingDurationAsCoreAnimationGivesIt() {
        #expect(near(Spring(stiffness: 100, damping: 10).settlingDuration, 1.4727003, 5e-8))
        #expect(Spring(stiffness: 100, damping: 0).settlingDuration == .infinity)
        for spring in [Spring(stiffness: 100, damping: 20), Spring(stiffness: 100, damping: 50)] {
            let motion = SpringMotion(spring, from: 0, to: 1)
            #expect(near(motion.value(at: spring.settlingDuration), 0.999, 1e-9))
        }
    }
}

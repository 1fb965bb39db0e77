import Glibc
import Testing

@testable import LoupeMotion

@Suite struct SpringTests {
    private static let springs = [
        Spring(frequency: 10, dampingRatio: 0.25), Spring(frequency: 3, dampingRatio: 0), .bounce,
        Spring(frequency: 10, dampingRatio: 1 - 1e-7), Spring(frequency: 30, dampingRatio: 0.99),
    ]

    @Test(arguments: springs) func solvesTheEquationOfMotion(spring: Spring) {
        for (from, velocity) in [(0.0, 0.0), (3, -40), (-2, 90)] {
            let motion = SpringMotion(spring, from: from, to: 1, velocity: velocity)
            for time in [0.01, 0.2, 1.5] {
                let expected = integrate(from: (from, velocity), to: time) { x, v in
                    -spring.frequency * (spring.frequency * (x - 1) + 2 * spring.dampingRatio * v)
                }
                #expect(near(motion.value(at: time), expected.x, 1e-7))
                #expect(near(motion.velocity(at: time), expected.v, 1e-6))
            }
            #expect(near(motion.value(at: 0), from) && near(motion.velocity(at: 0), velocity))
        }
    }

    /// Pop's own animations have a tension of 342 and a friction of 30, which are its bounciness 4 and speed 12.
    @Test func popsBouncinessAndSpeed() {
        let usual = Spring(bounciness: 4, speed: 12)
        #expect(near(usual.frequency * usual.frequency, 342, 0.5))
        #expect(near(2 * usual.dampingRatio * usual.frequency, 30, 0.6))
        // Without bounciness it does not pass its end by a hundredth; the more there is, the further it passes.
        let peaks = [0.0, 8, 20].map { bounciness in
            let motion = SpringMotion(Spring(bounciness: bounciness, speed: 12), from: 0, to: 1)
            return (0...2000).map { motion.value(at: Double($0) / 1000) }.max() ?? 0
        }
        #expect(peaks[0] < 1.01)
        #expect(peaks[1] > 1.03)
        #expect(peaks[2] > peaks[1] + 0.2)
    }

    /// Flutter's physics tests, from 0 to 500 or 300.
    @Test func flutterSprings() {
        let critical = SpringMotion(Spring(frequency: 10, dampingRatio: 1), from: 0, to: 500)
        #expect([0.25, 0.5, 0.75].map { critical.value(at: $0).rounded(.down) } == [356, 479, 497])
        #expect([0.25, 0.5, 0.75].map { critical.velocity(at: $0).rounded(.down) } == [1026, 168, 20])
        #expect(!critical.isSettled(at: 0) && critical.isSettled(at: 2.2))
        let under = SpringMotion(Spring(frequency: 10, dampingRatio: 0.25), from: 0, to: 300)
        #expect(under.value(at: 1).rounded(.down) == 325 && under.velocity(at: 1).rounded(.down) == -65)
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
}

import Glibc
import Testing

@testable import LoupeMotion

/// Values from Flutter's physics tests, and the equation of motion itself.
@Suite struct FrictionTests {
    @Test func flutterFriction() {
        let friction = Friction(
            from: 100, velocity: 400, drag: 0.3, tolerance: SettlingTolerance(distance: 1e-3, velocity: 1))
        #expect(friction.value(at: 0) == 100 && friction.velocity(at: 0) == 400)
        #expect(near(friction.velocity(at: 1), 120) && near(friction.velocity(at: 2), 36))
        #expect((330...335).contains(friction.value(at: 1)) && (431...432).contains(friction.value(at: 5)))
        #expect(!friction.isSettled(at: 0) && friction.isSettled(at: 5))
    }

    @Test func flutterFrictionThrough() {
        for velocity in [600.0, -500] {
            let friction = Friction(from: 10, velocity: velocity, drag: 0.025)
            let end = (friction.value(at: 1), friction.velocity(at: 1))
            let through = Friction(from: 10, velocity: velocity, through: end.0, endVelocity: end.1)
            #expect(near(through.value(at: 1), end.0) && near(through.velocity(at: 1), end.1))
            #expect(!through.isSettled(at: 0.999) && through.isSettled(at: 1.001))
        }
    }

    @Test func flutterBoundedFriction() {
        let friction = BoundedMotion(Friction(from: 100, velocity: 400, drag: 0.3), in: 50...150)
        #expect(!friction.isSettled(at: 0) && friction.value(at: 0) == 100)
        #expect(friction.value(at: 1) == 150 && friction.isSettled(at: 1))
    }

    @Test func motionFromAnEndIsNotSettledThere() {
        let friction = BoundedMotion(Friction(from: 50, velocity: 400, drag: 0.3), in: 50...150)
        #expect(!friction.isSettled(at: 0))
    }

    @Test func slowsInProportionToItsVelocity() {
        let drag = 0.135
        let friction = Friction(from: -7, velocity: 321, drag: drag)
        for time in [0.1, 0.5, 2] {
            let expected = integrate(from: (-7, 321), to: time) { _, v in log(drag) * v }
            #expect(near(friction.value(at: time), expected.x, 1e-8))
            #expect(near(friction.velocity(at: time), expected.v, 1e-8))
            #expect(near(friction.time(reaching: friction.value(at: time)) ?? -1, time))
        }
        #expect(friction.time(reaching: -8) == nil && friction.time(reaching: 1e4) == nil)
        #expect(near(friction.restValue, friction.value(at: 100)))
    }

    /// Flutter's bouncing scroll: friction of drag .135 up to the end, then a spring.
    @Test func flutterOverscroll() {
        let motion = BouncingMotion(
            Friction(from: 500, velocity: -7500, drag: 0.135), in: 0...1000,
            spring: Spring(stiffness: 170, dampingRatio: 1.1),
            tolerance: SettlingTolerance(distance: 1.5, velocity: 45))
        #expect(near(motion.value(at: 0.065), 42, 1) && near(motion.velocity(at: 0.065), -6584, 1))
        #expect(near(motion.value(at: 0.1), -123, 1) && near(motion.velocity(at: 0.1), -2613, 1))
        #expect(near(motion.value(at: 0.5), -15, 1) && near(motion.velocity(at: 0.5), 124, 1))
        #expect(!motion.isSettled(at: 0.5) && motion.isSettled(at: 2) && motion.value(at: 2) == 0)
    }

    @Test func flutterScrollWithoutAnEnd() {
        let motion = BouncingMotion(Friction(from: 100, velocity: 400, drag: 0.135), in: 0...(.infinity))
        #expect(near(motion.value(at: 1), 272, 1) && near(motion.velocity(at: 1), 54, 1))
        #expect(near(motion.value(at: 5), 300, 1) && motion.springTime == nil)
    }

    @Test func fastestTransferCapsTheSpringInBothDirections() {
        for velocity in [-7500.0, 7500] {
            let motion = BouncingMotion(
                Friction(from: 500, velocity: velocity, drag: 0.135), in: 0...1000, fastestTransfer: 5000)
            #expect(near(abs(motion.velocity(at: motion.springTime ?? -1)), 5000))
        }
    }

    @Test func bounceIsContinuousAndEndsAtTheEnd() {
        let motion = BouncingMotion(Decay(from: 10, velocity: 3000), in: 0...200)
        let time = motion.springTime ?? -1
        #expect(time > 0)
        #expect(near(motion.value(at: time - 1e-9), motion.value(at: time), 1e-4))
        #expect(near(motion.velocity(at: time - 1e-9), motion.velocity(at: time), 1e-4))
        #expect(motion.value(at: time + 0.05) > 200)
        #expect(motion.value(at: 10) == 200 && motion.isSettled(at: 10))
    }

    @Test func startsOutsideWithASpring() {
        let motion = BouncingMotion(Decay(from: -40, velocity: 0), in: 0...200)
        #expect(motion.value(at: 0) == -40 && motion.springTime == 0)
        #expect(motion.value(at: 10) == 0)
    }
}

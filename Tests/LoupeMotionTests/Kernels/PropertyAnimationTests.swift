import Testing

@testable import LoupeMotion

@Suite struct PropertyAnimationTests {
    @Test func modelChangesAtOnceAndPresentationFollows() {
        var value = AnimatedValue(10)
        value.animate(to: 110, at: 2, duration: 0.3, timing: .curve(.easeOut))
        #expect(value.model == 110)
        #expect(value.presentation(at: 2) == 10)
        #expect(near(value.presentation(at: 2.15), 10 + 100 * 0.6846432, 1e-2))
        #expect(value.presentation(at: 2.3) == 110 && value.isSettled(at: 2.3))
    }

    @Test func startsAgainFromWhatIsShown() {
        var value = AnimatedValue(0)
        value.animate(to: 100, at: 0, duration: 1, timing: .curve(.linear))
        value.animate(to: 0, at: 0.25, duration: 1, timing: .curve(.linear))
        #expect(value.presentation(at: 0.25) == 25)
        #expect(value.presentation(at: 0.75) == 12.5)
        value.set(7)
        #expect(value.presentation(at: 0.75) == 7 && value.velocity(at: 0.75) == 0)
    }

    @Test func noDurationIsAChangeAtOnce() {
        let animation = PropertyAnimation(from: 1, to: 2, duration: 0, timing: .curve(.easeIn))
        #expect(animation.value(at: 0) == 2 && animation.isSettled(at: 0))
    }

    /// 0.1 + (0.3 − 0.1) is not 0.3 in binary.
    @Test func endIsExact() {
        #expect(PropertyAnimation(from: 0.1, to: 0.3, duration: 1, timing: .curve(.easeIn)).value(at: 1) == 0.3)
    }
}

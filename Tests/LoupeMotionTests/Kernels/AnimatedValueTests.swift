import Testing

@testable import LoupeMotion

@Suite struct AnimatedValueTests {
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
        #expect(value.presentation(at: 0.75) == 7)
    }

    /// 0.1 + (0.3 − 0.1) is not 0.3 in binary.
    @Test(arguments: [0.0, 1]) func endIsExact(duration: Double) {
        var value = AnimatedValue(0.1)
        value.animate(to: 0.3, at: 0, duration: duration, timing: .curve(.easeIn))
        #expect(value.presentation(at: duration) == 0.3 && value.isSettled(at: duration))
    }
}

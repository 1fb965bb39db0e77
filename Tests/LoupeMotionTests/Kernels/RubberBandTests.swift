import Testing

@testable import LoupeMotion

@Suite struct RubberBandTests {
    /// UIScrollView's formula: 10 points past the end of a view of 100.
    @Test func scrollViewValue() {
        #expect(near(RubberBand(length: 100).stretch(10), 5.213, 5e-4))
        #expect(near(RubberBand(length: 100).stretch(-10), -5.213, 5e-4))
    }

    @Test func inverseAndLimit() {
        let band = RubberBand(length: 320)
        for distance in [-2000, -3, 0, 0.5, 12, 9999.0] {
            #expect(near(band.distance(forStretch: band.stretch(distance)), distance, 1e-6))
        }
        #expect(band.stretch(1e9) < 320)
        #expect(band.offset(50, in: 0...100) == 50)
        #expect(near(band.offset(shownAs: band.offset(170, in: 0...100), in: 0...100), 170))
    }

    @Test func motionFromAnEndIsNotSettledThere() {
        let away = ScrollMotion.clamped(.pop(from: 0, velocity: 400), in: 0...150)
        #expect(!away.isSettled(at: 0) && away.value(at: 5) == 150 && away.isSettled(at: 5))
        #expect(ScrollMotion.clamped(.pop(from: 0, velocity: -400), in: 0...150).isSettled(at: 0))
    }

    @Test func velocityIsTheSlopeOfTheStretch() {
        let band = RubberBand(length: 320)
        for finger in [-300, -20, 5, 90.0] {
            let (shown, next) = (band.offset(finger, in: 0...50), band.offset(finger + 1e-5, in: 0...50))
            #expect(near(band.follow(at: shown, in: 0...50), (next - shown) / 1e-5, 1e-6))
        }
    }
}

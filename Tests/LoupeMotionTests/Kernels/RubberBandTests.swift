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

    @Test func followsAtTheStiffnessAtFirst() {
        #expect(near(RubberBand(length: 500).stretch(1e-6) / 1e-6, 0.55, 1e-6))
    }
}

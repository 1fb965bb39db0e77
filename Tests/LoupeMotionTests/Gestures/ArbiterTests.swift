import LoupeBase
import TestSupport
import Testing

@testable import LoupeMotion

/// The gesture that two jittery touches are recognized as.
@Suite struct ArbiterTests {
    private static let middle = GestureScript.center

    /// That only this gesture begins in 99 of 100 traces.
    private func expect(_ gesture: Gesture, _ comment: String, _ write: (inout GestureScript) -> Void) {
        let right = (0..<500).count { seed in
            var hand = GestureScript(seed: UInt64(seed), jitter: 0.5, rate: seed % 2 == 0 ? 60 : 120)
            write(&hand)
            hand.lift("left", "right")
            return SampleModels.loupe(hand).winners == [gesture]
        }
        #expect(right >= 495, "\(comment): \(right) of 500")
    }

    @Test func pinchTogether() {
        expect(.pinch, "pinch together") { hand in
            hand.pinch(at: Self.middle, by: -120, in: hand.number(0.2...0.6), span: 200, angle: hand.number(0...3))
        }
    }

    @Test func pinchOfOneFingerBesideARestingThumb() {
        expect(.pinch, "resting thumb") { hand in
            hand.put(around: Self.middle, span: 70)
            hand.move("right", to: Point(x: 680, y: 400 + hand.number(-40...40)), in: hand.number(0.2...0.5))
        }
    }

    /// Both fingers first move along an arc, as a Rewind's do.
    @Test func pinchThatBeginsLikeRewind() {
        expect(.pinch, "pinch that begins like Rewind") { hand in
            hand.put(around: Self.middle, span: 60, angle: hand.number(0...3))
            let radius = hand.number(40...90)
            let arc = hand.number(10...24)
            hand.circle(by: arc / radius * 180 / .pi, radius: radius, heading: hand.number(0...6), in: 0.12)
            hand.pinch(by: hand.number(80...160), in: hand.number(0.25...0.5))
        }
    }

    /// The fingers first spread, nearly as far as a pinch must.
    @Test func rewindThatBeginsLikeAPinch() {
        expect(.rewind, "Rewind that begins like a pinch") { hand in
            hand.put(around: Self.middle, span: hand.number(50...90), angle: hand.number(0...3))
            hand.pinch(by: hand.number(6...11), in: 0.1)
            hand.circle(by: 300, radius: hand.number(40...90), heading: hand.number(0...6), in: hand.number(0.7...1.5))
        }
    }

    /// Circles during which the span grows are neither.
    @Test func spiralIsNoRewind() {
        for seed in 0..<100 {
            var hand = GestureScript(seed: UInt64(seed))
            hand.put(around: Self.middle, span: 60)
            hand.circle(by: 60, radius: 60, in: 0.5, growing: 60)
            hand.lift("left", "right")
            #expect(!SampleModels.loupe(hand).winners.contains(.rewind))
        }
    }
}

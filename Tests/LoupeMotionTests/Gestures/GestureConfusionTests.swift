import LoupeBase
import TestSupport
import Testing

@testable import LoupeMotion

/// Simulated hands that land, rest for 40 ms and accelerate: how many of 20 in each cell are read rightly, and how soon.
/// `tools/measure/gestures` has 60 hands of its own in each of many more cells.
@Suite struct GestureConfusionTests {
    typealias Hand = (trace: Trace, start: Double)

    /// A gesture of two fingers on an empty page.
    static func hand(
        _ gesture: Gesture, seed: UInt64, noise: Double, rate: Double, profile: GestureScript.Profile = .constant
    ) -> Hand {
        var hand = GestureScript(seed: seed, jitter: noise, rate: rate)
        let heading = hand.number(-3.14...3.14)
        let way = Vector(dx: 1, dy: 0).turned(by: heading)
        hand.put(around: GestureScript.center, span: hand.number(70...110), angle: hand.number(-3...3))
        hand.rest("left", "right", for: 0.04)
        let start = hand.time
        hand.profile = profile
        switch gesture {
        case .pinch: hand.pinch(by: hand.number(90...160), in: hand.number(0.3...0.5))
        case .pan: hand.pan(by: hand.number(160...280) * way, in: hand.number(0.3...0.5))
        case .rewind:
            let sign = hand.number(-1...1) < 0 ? -1.0 : 1
            hand.circle(
                by: sign * hand.number(200...340), radius: hand.number(40...70), heading: heading,
                in: hand.number(0.6...1))
        }
        return (hand.trace, start)
    }

    private static let noises = [0.5, 1, 3]
    private static let profiles = GestureScript.Profile.allCases

    @Test(arguments: noises, profiles) func handsAreRecognized(noise: Double, profile: GestureScript.Profile) {
        for gesture in Gesture.allCases {
            var (right, delays) = (0, [Double]())
            for seed in 100..<120 as Range<UInt64> {
                let (trace, start) = Self.hand(
                    gesture, seed: seed, noise: noise, rate: seed % 2 == 0 ? 60 : 120, profile: profile)
                let model = SampleModels.loupe(trace)
                let first = model.timeline.states.compactMap(\.decision).first { $0.winner != nil }
                guard let first, first.winner == gesture else { continue }
                right += 1
                delays.append(first.time - start)
            }
            #expect(right >= 19, "\(gesture): \(right) of 20")
            #expect(delays.sorted()[delays.count / 2] <= (gesture == .rewind ? 0.4 : 0.25), "\(gesture)")
        }
    }

    /// Two parallel strokes in a held loupe stay strokes.
    @Test(arguments: noises, profiles) func strokesAreKept(noise: Double, profile: GestureScript.Profile) {
        var kept = 0
        for seed in 100..<120 as Range<UInt64> {
            var hand = GestureScript.held(seed: seed, jitter: noise, rate: seed % 2 == 0 ? 60 : 120)
            hand.put(
                "a", "b", around: Point(x: 500, y: 380), span: hand.number(50...90), angle: hand.number(-0.5...0.5))
            hand.rest("a", "b", for: 0.04)
            hand.profile = profile
            let way = Vector(dx: 1, dy: 0).turned(by: hand.number(-3.14...3.14))
            hand.pan("a", "b", by: hand.number(60...140) * way, in: hand.number(0.3...0.5))
            hand.lift("a", "b")
            let model = SampleModels.loupe(hand)
            if model.winners == [.pinch], model.end.count("history", "done") == 2 { kept += 1 }
        }
        #expect(kept >= 19, "\(kept) of 20")
    }
}

import LoupeGeometry
import TestSupport
import Testing

@testable import LoupeMotion

/// Simulated hands with jitter: how many of 60 pinches, pans and Rewinds are recognized, and how soon.
@Suite struct GestureConfusionTests {
    static func hand(_ gesture: Gesture, seed: UInt64, noise: Double, rate: Double) -> (trace: Trace, start: Double) {
        var hand = GestureScript(seed: seed, jitter: noise, rate: rate)
        let heading = hand.number(-3.14...3.14)
        let way = Vector(dx: 1, dy: 0).turned(by: heading)
        hand.put(around: GestureScript.center, span: hand.number(70...120), angle: hand.number(-3...3))
        let start = hand.time
        switch gesture {
        case .pinch: hand.pinch(by: hand.number(90...160), in: hand.number(0.25...0.4))
        case .pan: hand.pan(by: hand.number(160...280) * way, in: hand.number(0.25...0.4))
        case .rewind:
            let sign = hand.number(-1...1) < 0 ? -1.0 : 1
            hand.circle(
                by: sign * hand.number(200...340), radius: hand.number(40...70), heading: heading,
                in: hand.number(0.4...0.6))
        }
        return (hand.trace, start)
    }

    @Test(arguments: [0.0, 1, 2, 3], [60.0, 120, 240]) func handsAreRecognized(noise: Double, rate: Double) {
        for gesture in Gesture.allCases {
            var counts: [Gesture?: Int] = [:]
            var slowest = 0.0
            for seed in 0..<60 {
                let (trace, start) = Self.hand(gesture, seed: UInt64(seed), noise: noise, rate: rate)
                let model = SampleModels.loupe(trace)
                let first = model.timeline.states.compactMap(\.decision).first { $0.winner != nil }
                counts[first?.winner, default: 0] += 1
                if let first, first.winner == gesture { slowest = max(slowest, first.time - start) }
            }
            #expect(counts[gesture, default: 0] >= 57, "\(gesture): \(counts)")
            #expect(slowest <= 0.15, "\(gesture) decided after \(slowest) s")
        }
    }
}

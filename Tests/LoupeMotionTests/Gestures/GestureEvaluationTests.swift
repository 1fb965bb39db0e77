import LoupeBase
import Testing

@testable import LoupeBase
@testable import LoupeMotion

@Suite struct GestureEvaluationTests {
    private static func evaluation() -> GestureEvaluation {
        var evaluation = GestureEvaluation()
        for seed in 0..<4 as Range<UInt64> {
            for gesture in Gesture.allCases {
                let hand = GestureConfusionTests.hand(gesture, seed: seed, noise: 0, rate: 120)
                evaluation.add(hand.trace, name: "\(gesture)-\(seed)", label: gesture, group: gesture.rawValue)
            }
        }
        var still = TouchScript()
        still.tap(100, 100, at: 0)
        evaluation.add(still.trace, name: "tap", label: nil, group: "none")
        return evaluation
    }

    @Test func matrixCountsWhatWasRecognized() throws {
        let rows = Self.evaluation().rows
        #expect(rows.map(\.total) == [4, 4, 4, 1] && rows.allSatisfy { $0.right == $0.total })
        let slowest = try #require(rows[0].slowest)
        #expect(rows[0].delays.count == 4 && slowest > 0 && slowest < 0.25 && rows[3].slowest == nil)
    }

    /// The time is from the last touch to the decision of the model.
    @Test func delayIsFromTheSecondTouch() throws {
        let hand = GestureConfusionTests.hand(.pan, seed: 1, noise: 0, rate: 120)
        let states = SampleModels.loupe(hand.trace).timeline.states
        let decision = try #require(states.compactMap(\.decision).first { $0.winner != nil })
        let result = Self.evaluation().rows[1].results[1]
        #expect(result.found == .pan && (result.delay ?? .nan) > decision.time - hand.start)
    }

    @Test func thresholdsAreReadAsSessionsHaveThem() throws {
        let thresholds = try LoupeThresholds(parsing: Array(#"{"lead": 3, "ghostLife": 0.25}"#.utf8))
        #expect(thresholds.lead == 3 && thresholds.ghostLife == 0.25 && thresholds.pinchSpan == 16)
        #expect(throws: DocumentError.self) { try LoupeThresholds(parsing: Array(#"{"leed": 3}"#.utf8)) }
        #expect(throws: DocumentError.self) { try LoupeThresholds(parsing: Array(#"{"lead": 0}"#.utf8)) }
    }
}

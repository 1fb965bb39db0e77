import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// Gestures as tests: what a session expects, and what is said of what does not happen.
@Suite struct ExpectationTests {
    /// A loupe that a pinch opens by 0.42 s, and a pair that lands on its rim at 1 s and circles.
    private static let rewind: String = {
        var hand = GestureScript.held(seed: 4, jitter: 0.5)
        hand.time = 1
        hand.put("a", "b", around: Point(x: 500, y: 294), span: 60)
        hand.circle("a", "b", by: -200, radius: 55, in: 0.8)
        hand.lift("a", "b")
        return TraceEncoder.json(of: hand.trace).text()
    }()

    private func decode(_ expectations: String) throws -> Session {
        let layer = #"{"fill": "white", "rect": [0, 0, 1024, 768]}"#
        let scene = #"{"canvas": {"width": 1024, "height": 768}, "layers": [\#(layer)]}"#
        let text = #"{"model": "loupe", "scene": \#(scene), "trace": \#(Self.rewind), "expect": [\#(expectations)]}"#
        let decoder = SessionDecoder { _ in
            ImageSize(width: 1, height: 1)
        } file: { _ in
            []
        }
        return try decoder.decode(Array(text.utf8))
    }

    private func failures(_ expectations: String) throws -> [String] {
        try decode(expectations).failedExpectations.map(\.message)
    }

    @Test(
        "What happens is met",
        arguments: [
            #"{"at": 0.38, "gesture": "pinch"}"#, #"{"at": 1.5, "gesture": "rewind"}"#, #"{"at": 0.9, "radius": 110}"#,
            #"{"at": 0.9, "loupe.radius": 110.5, "within": 1}"#, #"{"at": 0.9, "loupes[0].radius": 110}"#,
            #"{"at": 0.9, "loupes[0].center.x": 500, "within": 2}"#, #"{"never": "drawing"}"#,
            #"{"never": "resizing"}"#,
            #"{"never": "pinch", "from": 0.6}"#, #"{"at": 0.9, "phase": "held"}"#,
        ]) func met(_ expectation: String) throws
    { #expect(try failures(expectation) == []) }

    @Test func failuresNameTheTimeTheValueAndTheReason() throws {
        let wrong = try failures(#"{"at": 1.5, "gesture": "pan"}, {"at": 0.9, "radius": 120, "within": 2}"#)
        try #require(wrong.count == 2)
        #expect(wrong[0].hasPrefix("at 1.5 s gesture is \"rewind\", not \"pan\"; pinch failed at "))
        #expect(wrong[0].contains("pan failed at 0 of its threshold: rewind has won"))
        #expect(wrong[0].contains("; the last decision, at 1."))
        #expect(wrong[1].hasPrefix("at 0.9 s radius is 110, not 120: 10 off, over 2; "))
    }

    @Test func whatNeverHappensIsLookedForAtEveryEvent() throws {
        let session = try decode(#"{"never": "rewind"}"#)
        let failure = try #require(session.failedExpectations.first)
        #expect(failure.message.contains("rewind occurs"))
        if case .loupe(let model) = session.model {
            #expect(failure.time == model.gestureDecisions.last?.time)
        }
    }

    /// A finger that comes and goes at one time shows in no frame, but it was there.
    @Test func whatBeginsAndEndsAtOneTimeHasOccurred() throws {
        let trace = [0.1, 0.1, 0.4, 0.5].enumerated().map { index, time in
            #"{"t": \#(time), "touch": 1, "phase": "\#(index % 2 == 0 ? "began" : "ended")", "at": [5, 5]}"#
        }.joined(separator: ", ")
        let canvas = #""canvas": {"width": 10, "height": 10}, "photo": "p.png""#
        func failures(_ never: String) throws -> [FailedExpectation] {
            let scroll = #""model": "scroll", \#(canvas), "content": [99, 99]"#
            let text = #"{\#(scroll), "trace": [\#(trace)], "expect": [\#(never)]}"#
            let decoder = SessionDecoder { _ in
                ImageSize(width: 9, height: 9)
            } file: { _ in
                []
            }
            return try decoder.decode(Array(text.utf8)).failedExpectations
        }
        #expect(try failures(#"{"never": "dragging"}"#).map(\.time) == [0.1])
        #expect(try failures(#"{"never": "dragging", "from": 0.2}"#).map(\.time) == [0.4])
        #expect(try failures(#"{"never": "dragging", "from": 0.2, "to": 0.3}"#).isEmpty)
    }

    /// What rests is not looked at frame by frame: a day at 1000 frames a second has 86 million.
    @Test(.timeLimit(.minutes(1))) func aLongRestTakesNoTime() throws {
        let layer = #"{"fill": "white", "rect": [0, 0, 1024, 768]}"#
        let scene = #"{"canvas": {"width": 1024, "height": 768}, "layers": [\#(layer)]}"#
        let long = #""fps": 1000, "duration": 86400, "expect": [{"never": "drawing"}, {"never": "pan"}]"#
        let decoder = SessionDecoder { _ in
            ImageSize(width: 1, height: 1)
        } file: { _ in
            []
        }
        let text = #"{"model": "loupe", "scene": \#(scene), "trace": \#(Self.rewind), \#(long)}"#
        #expect(try decoder.decode(Array(text.utf8)).failedExpectations.isEmpty)
    }

    @Test(
        "What can't be tested is refused",
        arguments: [
            (#"{"never": "drawn"}"#, "expect[0].never: \"drawn\" is not allowed; allowed are closed, held"),
            (#"{"at": 1}"#, "expect[0]: it has 0 values; one is needed"),
            (#"{"at": 1, "zoom": 1, "radius": 1}"#, "expect[0]: it has 2 values; one is needed"),
            (#"{"at": 1, "size": 1}"#, "expect[0].size: the model shows no such value at 1 s; it has gesture, phase"),
            (#"{"at": 1, "radius": "big"}"#, "expect[0].radius: the model shows 110; a value of that kind is needed"),
            (#"{"never": "pan", "from": 2, "to": 1}"#, "expect[0].to: 1 is before from, 2"),
            (#"{"gesture": "pan"}"#, "expect[0].at: missing"), (#"{"at": 500, "radius": 1}"#, "expect[0].at: 500"),
            (#"{"never": "pan", "from": 100}"#, "expect[0].from: 100"),
            (#"{"at": 1, "gesture": "pan", "within": 1}"#, "expect[0].within: it is for a number"),
        ]) func refused(_ expectation: String, _ sentence: String) throws
    {
        let said = complaint { try decode(expectation) }
        #expect(said.hasPrefix(sentence), "\(said)")
    }
}

import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeMotion

@Suite struct TraceDecoderTests {
    private func sentence(_ text: String) -> String {
        complaint { try TraceDecoder.decode(Array(text.utf8)).events }
    }

    @Test func readsTouchesAndRotations() throws {
        let trace = try TraceDecoder.decode(
            Array(
                """
                {"t": 0, "touch": 1, "phase": "began", "at": [1, 2.5]}

                {"t": 0.5, "rotation": [0.01, -0.4, 2]}\r
                {"t": 0.5, "touch": 1, "phase": "moved", "at": [-3, 4]}
                {"t": 1, "touch": 1, "phase": "ended", "at": [5, 6]}
                {"t": 1, "touch": 1, "phase": "began", "at": [5, 6]}
                {"t": 2, "touch": 1, "phase": "cancelled", "at": [5, 6]}
                """.utf8))
        try #require(trace.events.count == 6 && trace.duration == 2)
        #expect(trace.events[0].content == .touch(Touch(id: 1, phase: .began, position: Point(x: 1, y: 2.5))))
        #expect(trace.events[1] == Trace.Event(time: 0.5, .rotation(RotationRate(x: 0.01, y: -0.4, z: 2))))
    }

    private static let began = #"{"t": 1, "touch": 1, "phase": "began", "at": [0, 0]}"#

    @Test(arguments: [
        (
            #"{"t": 0.5, "rotation": [0, 0, 0]}"#,
            "line 2, column 1: the event is at 0.5 s, before the previous event at 1 s; events must be in the order of time"
        ),
        (
            #"{"t": 1, "touch": 2, "phase": "moved", "at": [0, 0]}"#,
            "line 2, column 1: touch 2 moved before it began"
        ),
        (
            #"{"t": 1, "touch": 2, "phase": "ended", "at": [0, 0]}"#,
            "line 2, column 1: touch 2 ended before it began"
        ),
        (
            #"{"t": 1, "touch": 1, "phase": "began", "at": [0, 0]}"#,
            "line 2, column 1: touch 1 began again before it ended"
        ),
        (
            #"{"t": 1, "rotation": [0, 0]}"#,
            "line 2, column 1: rotation: its length is 2; an array [x, y, z] is needed"
        ),
        ("[1, 2]", "line 2, column 1: the document: it is an array; an object is needed"),
        ("{\"t\": 1", "line 2, column 8: the text ends where \",\" or \"}\" is needed"),
    ])
    func refusesWithTheLine(line: String, expected: String) {
        #expect(sentence(Self.began + "\n" + line) == expected)
    }

    @Test func refusesTheEleventhTouch() {
        let lines = (1...11).map { #"{"t": 0, "touch": \#($0), "phase": "began", "at": [0, 0]}"# }
        #expect(
            sentence(lines.joined(separator: "\n"))
                == "line 11, column 1: the event is the eleventh touch at the same time; at most 10 are allowed")
    }

    @Test func refusesUnknownUnitsOfTime() {
        #expect(
            sentence("time (ticks),x,y,z\n1,2,3,4\n")
                == "line 1, column 1: \"ticks\" is not a unit of time; allowed are s, ms, us, ns, min and h")
    }

    @Test(arguments: [("t", 7.0), ("time [ms]", 0.007), ("time (min)", 420), ("Elapsed (min)", 420)])
    func unitsOfTime(title: String, seconds: Double) throws {
        let trace = try TraceDecoder.decode(Array("\(title),x,y,z\n7,2,3,4\n".utf8))
        #expect(trace.events[0].time == seconds)
    }

    @Test func refusesEmptyTraces() {
        #expect(sentence("time,x,y,z\n") == "line 1, column 1: the trace has no event; at least one is needed")
        #expect(sentence("") == "line 1, column 1: the trace has no event; at least one is needed")
    }

    @Test(arguments: [
        ("t,id,x,y,phase\n0,1,2,3,began\n", "csv"), (#"{"pointerId": 1, "type": "pointerdown"}"#, "w3c"),
        ("[ 1.0] EV_ABS ABS_MT_SLOT 00000000\n", "getevent"),
    ])
    func aRecordingIsNamed(text: String, format: String) {
        let advice = "make a trace of it with loupe-render trace convert"
        #expect(sentence(text) == "line 1, column 1: a recording of the format \(format); \(advice)")
    }

    @Test func readsAnInlineArray() throws {
        let reader = JSONReader(["trace": [["t": .number(1), "rotation": [.number(1), .number(2), .number(3)]]]])
        var session = reader
        let trace = try TraceDecoder.decode(try session.required("trace"))
        #expect(trace.events == [Trace.Event(time: 1, .rotation(RotationRate(x: 1, y: 2, z: 3)))])
        let wrong = JSONReader([
            ["t": .number(1), "touch": .number(1), "phase": "moved", "at": [.number(1), .number(2)]]
        ])
        #expect(throws: DocumentError(at: .key(path: "[0]"), "touch 1 moved before it began")) {
            try TraceDecoder.decode(wrong)
        }
    }

    /// A recording that ends while a finger is down: it is lifted where it is.
    @Test func fileMayBeAnArrayAndCutOff() throws {
        let drag = [
            #"{"t": 0.5, "touch": 3, "phase": "began", "at": [1, 2]}"#,
            #"{"t": 0.75, "touch": 3, "phase": "moved", "at": [5, 6]}"#,
        ]
        let array = try TraceDecoder.decode(Array("\n [\(drag.joined(separator: ",\n"))]\n".utf8))
        let lines = try TraceDecoder.decode(Array(drag.joined(separator: "\n").utf8))
        let lifted = Touch(id: 3, phase: .ended, position: Point(x: 5, y: 6))
        #expect(array == lines && array.events.count == 3)
        #expect(array.events.last == Trace.Event(time: 0.75, .touch(lifted)))
    }
}

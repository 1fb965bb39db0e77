import LoupeBase
import TestSupport
import Testing

@testable import LoupeMotion

/// Recordings in other formats, and what the trace leaves out of them.
@Suite struct RecordingTests {
    private func read(
        _ text: String, _ change: (inout RecordingOptions) -> Void = { _ in }
    ) throws(DocumentError) -> Recording {
        var options = RecordingOptions()
        change(&options)
        return try Recording(Array(text.utf8), options: options)
    }

    private func sentence(_ text: String, _ change: (inout RecordingOptions) -> Void = { _ in }) -> String {
        complaint { try read(text, change).trace.events }
    }

    private static func touch(_ t: Double, _ id: Int, _ phase: Touch.Phase, _ x: Double, _ y: Double) -> Trace.Event {
        Trace.Event(time: t, .touch(Touch(id: id, phase: phase, position: Point(x: x, y: y))))
    }

    private static let drag = [
        touch(0.25, 1, .began, 10, 20.5), touch(0.27, 1, .moved, 12.25, 21), touch(0.3, 1, .ended, 12.25, 21),
    ]

    @Test(arguments: RecordingFormat.allCases) func formatIsDetected(format: RecordingFormat) throws {
        let text = RecordingSamples.text(of: format)
        #expect(try read(text).format == format && read("\u{FEFF}\n" + text).format == format)
    }

    @Test(arguments: [RecordingFormat.trace, .w3c, .csv]) func sameDragInEachFormat(format: RecordingFormat) {
        #expect(sentence(RecordingSamples.text(of: format)) == "read as \(Self.drag)")
    }

    // MARK: - Formats

    @Test func pointerEventsMayBeAnArrayAndHover() throws {
        let text = """
            [{"type": "pointermove", "pointerId": 5, "clientX": 1, "clientY": 2, "timeStamp": 10, "width": 3},
             {"type": "pointerdown", "pointerId": 2000000000, "clientX": 1, "clientY": 2, "timeStamp": 10},
             {"type": "pointercancel", "pointerId": 2000000000, "clientX": 1, "clientY": 2, "timeStamp": 12.3456}]
            """
        let recording = try read(text)
        #expect(
            recording.trace.events == [
                Self.touch(0.01, 2_000_000_000, .began, 1, 2), Self.touch(0.0123456, 2_000_000_000, .cancelled, 1, 2),
            ])
        #expect(recording.notes == [])
    }

    @Test func eventLogIsScaledToTheCanvas() throws {
        let recording = try read(RecordingSamples.text(of: .getevent)) { $0.canvas = (360, 780) }
        #expect(
            recording.trace.events == [
                Self.touch(1200.25, 42, .began, 10, 20), Self.touch(1200.262001, 42, .moved, 12, 20),
                Self.touch(1200.3, 42, .ended, 12, 20),
            ])
        let plain = try read(RecordingSamples.text(of: .getevent)) { $0.start = 0 }
        #expect(plain.trace.events[1] == Self.touch(0.012001, 42, .moved, 36, 60))
    }

    /// The program complains of devices that it can't read, and Ctrl-C cuts its last line.
    @Test func eventLogMayComplainAndEndEarly() throws {
        let log = RecordingSamples.text(of: .getevent)
        let whole = try read(log)
        let complaint = "could not get driver version for /dev/input/mouse0, Not a typewriter\n"
        #expect(try read(complaint + log) == whole)
        let cut = try read(log + "\n[   1200.30")
        #expect(cut.trace == whole.trace)
        #expect(cut.notes == ["line that ends too early, the last one, once: left out"])
        #expect(sentence(log + "\n[   1200.30\n").contains("does not begin with a time"))
    }

    /// The slot keeps its position: a second touch at the same place sends only its identifier.
    @Test func slotsKeepTheirPositions() throws {
        let log = """
            [  1.000000] EV_ABS ABS_MT_SLOT 00000001
            [  1.000000] EV_ABS ABS_MT_TRACKING_ID 00000007
            [  1.000000] EV_ABS ABS_MT_POSITION_X 00000005
            [  1.000000] EV_ABS ABS_MT_POSITION_Y 00000006
            [  1.000000] EV_ABS ABS_MT_SLOT 00000000
            [  1.000000] EV_ABS ABS_MT_TRACKING_ID 00000008
            [  1.000000] EV_ABS ABS_MT_POSITION_X fffffffe
            [  1.000000] EV_ABS ABS_MT_POSITION_Y 00000001
            [  1.000000] EV_SYN SYN_REPORT 00000000
            [  1.010000] EV_ABS ABS_MT_SLOT 00000001
            [  1.010000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [  1.010000] EV_SYN SYN_REPORT 00000000
            [  1.020000] EV_ABS ABS_MT_TRACKING_ID 00000009
            [  1.020000] EV_SYN SYN_REPORT 00000000
            [  1.030000] 0003 0039 0000000a
            [  1.030000] 0000 0000 00000000
            [  1.040000] EV_ABS ABS_MT_TOOL_TYPE MT_TOOL_PALM
            [  1.040000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [  1.040000] EV_ABS ABS_MT_SLOT 00000000
            [  1.040000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [  1.040000] EV_SYN SYN_REPORT 00000000
            """
        #expect(
            try read(log).trace.events == [
                Self.touch(1, 7, .began, 5, 6), Self.touch(1, 8, .began, -2, 1), Self.touch(1.01, 7, .ended, 5, 6),
                Self.touch(1.02, 9, .began, 5, 6), Self.touch(1.03, 9, .ended, 5, 6),
                Self.touch(1.03, 10, .began, 5, 6), Self.touch(1.04, 10, .cancelled, 5, 6),
                Self.touch(1.04, 8, .ended, -2, 1),
            ])
    }

    @Test func rangesOfTheAxesAreNeededForACanvas() throws {
        let lines = RecordingSamples.text(of: .getevent).split(separator: "\n").drop { !$0.hasPrefix("[") }
        let log = lines.joined(separator: "\n")
        #expect(sentence(log) { $0.canvas = (100, 50) }.hasPrefix("line 5, column 1: the ranges of the axes"))
        let axes = """
            add device 1: /dev/input/event2
                ABS (0003): 0035  : value 0, min 100, max 299, fuzz 0, flat 0, resolution 0
                            0036  : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0

            """
        let recording = try read(axes + log) { $0.canvas = (100, 50) }
        #expect(recording.trace.events[0] == Self.touch(1200.25, 42, .began, -35, 30))
    }

    @Test func touchLogTakesUnits() throws {
        let text =
            "Time (ms);pointerId;X;Y;type\r\n1700000000500;3;1;2;pointerdown\r\n1700000000516;3;1.5;2;pointerup\r\n"
        #expect(
            try read(text).trace.events == [Self.touch(0, 3, .began, 1, 2), Self.touch(0.016, 3, .ended, 1.5, 2)])
    }

    @Test func timesOfAnAbsoluteClockStartAtZero() throws {
        let text = """
            {"type": "pointerdown", "pointerId": 1, "clientX": 0, "clientY": 0, "timeStamp": 1700000000000}
            {"type": "pointerup", "pointerId": 1, "clientX": 0, "clientY": 0, "timeStamp": 1700000000033.5}
            """
        #expect(try read(text).trace.events.map(\.time) == [0, 0.0335])
        #expect(try read(text) { $0.start = 2 }.trace.events.map(\.time) == [2, 2.0335])
    }

    @Test func positionsAreScaled() throws {
        let recording = try read(RecordingSamples.text(of: .w3c)) { $0.scale = 2 }
        #expect(recording.trace.events[1] == Self.touch(0.27, 1, .moved, 24.5, 42))
    }

    /// Ten digits of seconds, the rate of packets, and a recording that begins amid a touch: it is left out.
    @Test func eventLogMayBeginAmidATouch() throws {
        let log = """
            [1700000001.000000] EV_ABS ABS_MT_POSITION_X 00000005
            [1700000001.000000] EV_SYN SYN_REPORT 00000000 rate 60
            [1700000001.016000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [1700000001.016000] EV_SYN SYN_REPORT 00000000 rate 60
            [1700000001.500000] EV_ABS ABS_MT_TRACKING_ID 00000009
            [1700000001.500000] EV_SYN SYN_REPORT 00000000
            [1700000001.516000] EV_ABS ABS_MT_POSITION_Y 00000007
            [1700000001.516000] EV_SYN SYN_REPORT 00000000 rate 62
            [1700000001.532000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [1700000001.532000] EV_SYN SYN_REPORT 00000000 rate 62
            """
        let recording = try read(log)
        #expect(recording.trace.events == [Self.touch(0, 9, .began, 5, 7), Self.touch(0.016, 9, .ended, 5, 7)])
        #expect(recording.notes.count == 2)
        let pointers = try read("t,id,x,y,phase\n0,1,5,6,move\n1,1,5,6,up\n2,2,1,1,down\n3,2,1,1,up")
        #expect(pointers.trace.events == [Self.touch(2, 2, .began, 1, 1), Self.touch(3, 2, .ended, 1, 1)])
        #expect(pointers.notes == ["event of a touch that began before the recording, 2 times: left out"])
    }

    @Test func androidNamesFurtherFingers() throws {
        let text = """
            t,id,x,y,phase
            0,0,1,2,ACTION_DOWN
            0.1,1,3,4,ACTION_POINTER_DOWN
            0.2,1,3,4,ACTION_POINTER_UP(1)
            0.3,0,1,2,ACTION_UP
            """
        let phases = try read(text).trace.events.map { event -> Touch.Phase? in
            if case .touch(let touch) = event.content { touch.phase } else { nil }
        }
        #expect(phases == [.began, .began, .ended, .ended])
    }

    // MARK: - Refusals

    @Test(arguments: [
        (
            #"{"type": "pointerup", "pointerId": 1, "clientX": 0, "clientY": 0, "timeStamp": 1}"#,
            "line 1, column 1: the trace has no event; at least one is needed"
        ),
        (
            "{\"type\": \"pointerover\", \"pointerId\": 1}\n{\"type\": \"pointerup\",\n",
            "line 2, column 22: the text ends where a key in quotes is needed"
        ),
        (
            #"[{"type": "pointerdown", "pointerId": 1, "clientX": 0}]"#,
            #"[0].clientY: missing; the object has "type", "pointerId", "clientX""#
        ),
        (
            "t,id,x,y,phase\n0,1,2,3,hover",
            #"line 2, column 1: "hover" is not a phase; allowed are began, moved, ended, cancelled"#
        ),
        ("t,id,x,y,phase\n0,1.5,2,3,began", #"line 2, column 1: "1.5" is not an identifier; a whole number is needed"#),
        (
            "t,id,x,y,phase\n1,1,2,3,began\n0,1,2,3,ended",
            "line 3, column 1: the event is at 0 s, before the previous event at 1 s; events must be in the order of time"
        ),
        (
            "[ 1.0] EV_SYN SYN_MT_REPORT 00000000",
            "line 1, column 1: SYN_MT_REPORT is of multi-touch protocol A, which does not tell touches apart; protocol B is needed"
        ),
        (
            "[ 1.0] EV_ABS ABS_MT_POSITION_X 000g",
            #"line 1, column 1: "000g" is not a value of up to eight hexadecimal digits"#
        ),
        (
            "[ now] EV_ABS ABS_MT_POSITION_X 0001",
            "line 1, column 1: the event does not begin with a time such as [  12345.678901]"
        ),
        (
            "hello",
            "line 1, column 1: the text is none of the known recordings: trace, w3c, getevent, csv (columns t, id, x, y and phase), gyroscope (time, x, y and z)"
        ),
    ])
    func refusesWithTheLine(text: String, expected: String) {
        #expect(sentence(text) == expected)
    }
}

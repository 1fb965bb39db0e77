import LoupeGeometry
import LoupeJSON
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
        do {
            return "read as \(try read(text, change).trace.events)"
        } catch {
            return "\(error)"
        }
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

    @Test(arguments: [RecordingFormat.trace, .w3c, .dispatch, .csv]) func sameDragInEachFormat(format: RecordingFormat)
    {
        #expect(sentence(RecordingSamples.text(of: format)) == "read as \(Self.drag)")
    }

    // MARK: - Formats

    @Test func pointerEventsTellWhatIsLeftOut() throws {
        #expect(
            try read(RecordingSamples.text(of: .w3c)).notes == [
                "pointerover, once: left out; it is no part of a touch",
                "pressure, once: left out; a trace has none",
            ])
    }

    @Test func pointerEventsMayBeAnArrayAndHover() throws {
        let text = """
            [{"type": "pointermove", "pointerId": 5, "clientX": 1, "clientY": 2, "timeStamp": 10, "width": 3},
             {"type": "pointerdown", "pointerId": 2000000000, "clientX": 1, "clientY": 2, "timeStamp": 10},
             {"type": "pointercancel", "pointerId": 2000000000, "clientX": 1, "clientY": 2, "timeStamp": 12.3456}]
            """
        let recording = try read(text)
        #expect(
            recording.trace.events == [
                Self.touch(0.01, 1_000_000_000, .began, 1, 2), Self.touch(0.0123456, 1_000_000_000, .cancelled, 1, 2),
            ])
        #expect(
            recording.notes.count == 2
                && recording.notes[0] == "pointermove of a pointer that is not down, once: left out")
    }

    @Test func performanceTraceHasTheMouse() throws {
        let recording = try read(RecordingSamples.text(of: .devtools))
        #expect(
            recording.trace.events == [
                Self.touch(0, 0, .began, 100, 100), Self.touch(0.00523, 0, .moved, 110, 106),
                Self.touch(0.080141, 0, .ended, 150, 130),
            ])
        #expect(recording.notes == ["mousemove without a button, once: left out"])
    }

    @Test func oldPerformanceTraceHasTouches() throws {
        let recording = try read(RecordingSamples.latencyTrace)
        #expect(
            recording.trace.events == [
                Self.touch(5, 0, .began, 10, 20), Self.touch(5.01, 1, .began, 90, 20),
                Self.touch(5.02, 1, .moved, 95, 25), Self.touch(5.03, 0, .ended, 10, 20),
                Self.touch(5.04, 1, .ended, 95, 25),
            ])
    }

    @Test func performanceTraceWithoutPositionsIsRefused() {
        let text = """
            {"traceEvents": [
            {"name": "EventDispatch", "ts": 5, "args": {"data": {"type": "pointerdown"}}},
            {"name": "EventDispatch", "ts": 6, "args": {"data": {"type": "touchstart"}}},
            {"name": "EventDispatch", "ts": 7, "args": {"data": {"type": "mousedown", "x": 1, "y": 2, "buttons": 1}}}]}
            """
        #expect(sentence(text).hasPrefix("line 3, column 1: no touch has a position"))
        #expect(sentence("{\"traceEvents\": [{\"name\": \"x\"}]}").contains("no input event has a position"))
    }

    @Test func eventLogIsScaledToTheCanvas() throws {
        let recording = try read(RecordingSamples.text(of: .getevent)) { $0.canvas = (360, 780) }
        #expect(
            recording.trace.events == [
                Self.touch(1200.25, 42, .began, 10, 20), Self.touch(1200.262001, 42, .moved, 12, 20),
                Self.touch(1200.3, 42, .ended, 12, 20),
            ])
        #expect(recording.notes == ["ABS_MT_PRESSURE, once: left out; a trace has none"])
        let plain = try read(RecordingSamples.text(of: .getevent)) { $0.start = 0 }
        #expect(plain.trace.events[1] == Self.touch(0.012001, 42, .moved, 36, 60))
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

    @Test func rangesMayComeFromElsewhere() throws {
        let log = RecordingSamples.text(of: .getevent).split(separator: "\n").drop { !$0.hasPrefix("[") }
        let axes = """
            add device 1: /dev/input/event2
                ABS (0003): 0035  : value 0, min 100, max 299, fuzz 0, flat 0, resolution 0
                            0036  : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
            """
        let text = log.joined(separator: "\n")
        #expect(sentence(text) { $0.canvas = (100, 50) }.hasPrefix("line 5, column 1: the ranges of the axes"))
        let recording = try read(text) { options in
            options.canvas = (100, 50)
            options.axes = Array(axes.utf8)
        }
        #expect(recording.trace.events[0] == Self.touch(1200.25, 42, .began, -35, 30))
    }

    @Test func touchLogTakesUnitsAndReportsOtherColumns() throws {
        let text =
            "Time (ms);pointerId;X;Y;type\r\n1700000000500;3;1;2;pointerdown\r\n1700000000516;3;1.5;2;pointerup\r\n"
        #expect(
            try read(text).trace.events == [Self.touch(0, 3, .began, 1, 2), Self.touch(0.016, 3, .ended, 1.5, 2)])
        #expect(
            try read(RecordingSamples.text(of: .csv)).notes == ["column pressure, once: left out; a trace has none"])
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

    // MARK: - Refusals

    @Test(arguments: [
        (
            #"{"type": "pointerjump", "pointerId": 1}"#,
            #"line 1, column 1: type: "pointerjump" is not allowed; allowed are pointerdown, pointermove, pointerup, pointercancel"#
        ),
        (
            #"{"type": "pointerup", "pointerId": 1, "clientX": 0, "clientY": 0, "timeStamp": 1}"#,
            "line 1, column 1: touch 1 ended before it began"
        ),
        (
            #"{"type": "pointerdown", "pointerId": 1, "clientX": 0, "clientY": 0, "timeStamp": 1}"#,
            "line 1, column 1: touch 1 never ends; an event with the phase ended or cancelled is needed, or --cut-off lift"
        ),
        (
            "{\"type\": \"pointerdown\", \"pointerId\": 1,\n",
            "line 1, column 40: the text ends where a key in quotes is needed"
        ),
        (
            "[{\"touchPoints\": [], \"type\": \"touchStart\", \"timestamp\": 1}]",
            "line 1, column 1: touchPoints: it is empty; touchStart needs a point"
        ),
        (
            "[\n{\"touchPoints\": [{\"x\": 1, \"y\": 2}], \"type\": \"touchStart\"}]",
            #"line 2, column 1: timestamp: missing; the object has "touchPoints", "type""#
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
            "line 1, column 1: the text is none of the known recordings: trace, w3c, devtools, dispatch, getevent, csv, gyroscope"
        ),
    ])
    func refusesWithTheLine(text: String, expected: String) {
        #expect(sentence(text) == expected)
    }

    @Test func cutOffRecordingIsLifted() throws {
        let text = #"{"type": "pointerdown", "pointerId": 1, "clientX": 4, "clientY": 5, "timeStamp": 100}"#
        let recording = try read(text) { $0.cutOff = .lift }
        #expect(recording.trace.events == [Self.touch(0.1, 1, .began, 4, 5), Self.touch(0.1, 1, .ended, 4, 5)])
    }

    // MARK: - Round trips

    private static func hand(_ seed: UInt64) -> Trace {
        var hand = GestureScript(seed: seed, jitter: 1)
        hand.pinch(at: Point(x: 500, y: 400), by: 120, in: 0.2)
        hand.lift("left")
        hand.put("pen", at: Point(x: 450, y: 380))
        hand.move("pen", to: Point(x: 540, y: 425), in: 0.1)
        hand.lift("pen")
        hand.lift("right")
        // To a hundredth of a pixel and a microsecond, which every format can say.
        return Trace(
            hand.trace.events.map { event in
                guard case .touch(var touch) = event.content else { return event }
                touch.position = Point(
                    x: (touch.position.x * 100).rounded() / 100, y: (touch.position.y * 100).rounded() / 100)
                return Trace.Event(time: (event.time * 1e6).rounded() / 1e6, .touch(touch))
            })
    }

    /// From one format to another and back, all pairs.
    @Test(arguments: RecordingFormat.written, RecordingFormat.written)
    func everyPairIsExact(first: RecordingFormat, second: RecordingFormat) throws {
        var options = RecordingOptions()
        options.canvas = (1024, 768)
        for seed in 0..<3 as Range<UInt64> {
            var trace = Self.hand(seed)
            for format in [first, second, first] {
                let (text, notes) = try Recording.text(of: trace, as: format, options: options)
                #expect(notes.isEmpty)
                let recording = try Recording(Array(text.utf8), options: options)
                #expect(recording.format == format && recording.notes.isEmpty)
                trace = recording.trace
            }
            #expect(trace == Self.hand(seed))
        }
    }

    /// Times of nine decimals and any position survive in the formats that are JSON.
    @Test(arguments: [RecordingFormat.trace, .w3c, .dispatch]) func nanosecondsAndAnyPositionAreExact(
        format: RecordingFormat
    ) throws {
        var generator = SplitMix64(seed: 5)
        var events: [Trace.Event] = []
        for id in 0..<40 {
            let time = Double(Int.random(in: 0...3_000_000_000_000, using: &generator)) / 1e9
            let position = Point(
                x: .random(in: -1e5...1e5, using: &generator), y: .random(in: -1...1, using: &generator))
            events.append(Trace.Event(time: time, .touch(Touch(id: id, phase: .began, position: position))))
            events.append(Trace.Event(time: time, .touch(Touch(id: id, phase: .ended, position: position))))
        }
        let trace = Trace(events.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.element))
        let text = try Recording.text(of: trace, as: format).text
        #expect(try Recording(Array(text.utf8)).trace == trace)
    }

    @Test func whatAFormatCannotSayIsReported() throws {
        let trace = Trace([
            Self.touch(0.0000001, 1, .began, 1.25, 2), Self.touch(0.1, 2, .began, 3, 4),
            Trace.Event(time: 0.2, .rotation(RotationRate(x: 0, y: 1, z: 0))),
            Self.touch(0.3, 1, .cancelled, 1, 2), Self.touch(0.4, 2, .cancelled, 5, 4),
        ])
        let rotation = "rotation rate, once: left out; "
        #expect(try Recording.text(of: trace, as: .trace).notes.isEmpty)
        #expect(try Recording.text(of: trace, as: .w3c).notes == [rotation + "w3c has touches only"])
        #expect(
            try Recording.text(of: trace, as: .dispatch).notes == [
                rotation + "dispatch has touches only",
                "cancelled touch, once: written as ended, since others are down; touchCancel cancels all touches",
                "position of a cancelled touch, once: left out; touchCancel has none",
            ])
        #expect(
            try Recording.text(of: trace, as: .getevent).notes == [
                rotation + "getevent has touches only", "time, once: rounded to a microsecond",
                "position, once: rounded to whole units of the axes",
            ])
        let only = Trace([Trace.Event(time: 0, .rotation(RotationRate(x: 0, y: 1, z: 0)))])
        #expect(throws: DocumentError.self) { try Recording.text(of: only, as: .w3c) }
    }

    @Test func axesOfADeviceAreFilled() throws {
        var options = RecordingOptions()
        options.canvas = (100, 50)
        options.axes = Array(
            "ABS_MT_POSITION_X : value 0, min 100, max 299,\nABS_MT_POSITION_Y : value 0, min 0, max 99,".utf8)
        let trace = Trace([Self.touch(0, 1, .began, 50, 10), Self.touch(1, 1, .ended, 50, 10)])
        let text = try Recording.text(of: trace, as: .getevent, options: options).text
        #expect(text.contains("min 100, max 299") && text.contains("ABS_MT_POSITION_X    000000c8\n"))
        #expect(text.contains("[       1.000000] /dev/input/event0: EV_SYN       SYN_REPORT           00000000\n"))
        #expect(try Recording(Array(text.utf8), options: options).trace == trace)
    }
}

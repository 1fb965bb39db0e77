import TestSupport
import Testing

/// `loupe-render trace convert` and `loupe-render gestures evaluate`.
@Suite struct TraceCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static let pointers = """
        {"type": "pointerdown", "pointerId": 1, "clientX": 10, "clientY": 20.5, "timeStamp": 250, "pressure": 0.7}
        {"type": "pointerup", "pointerId": 1, "clientX": 12.25, "clientY": 21, "timeStamp": 300, "pressure": 0}

        """
    private static let trace = """
        {"t": 0.25, "touch": 1, "phase": "began", "at": [10, 20.5]}
        {"t": 0.3, "touch": 1, "phase": "ended", "at": [12.25, 21]}

        """

    private func convert(_ arguments: String..., input: String = "") -> Command.Outcome {
        place.command.run(["trace", "convert"] + arguments, input: Array(input.utf8))
    }

    @Test func convertsAndTellsWhatIsLeftOut() throws {
        place.put(Self.pointers, "in.jsonl")
        let outcome = convert("in.jsonl", "-o", "out.jsonl")
        #expect(outcome.code == 0 && outcome.output.isEmpty)
        #expect(outcome.errors == "loupe-render: note: in.jsonl: pressure, once: left out; a trace has none\n")
        #expect(place.bytes("out.jsonl") == Array(Self.trace.utf8))
    }

    @Test func readsStandardInputAndWritesStandardOutput() {
        let outcome = convert("-", "-o", "-", "--start", "1", "--scale", "2", input: Self.trace)
        place.expectSuccess(outcome)
        #expect(
            outcome.text.hasPrefix("{\"t\": 1, \"touch\": 1, \"phase\": \"began\", \"at\": [20, 41]}\n{\"t\": 1.05, "))
    }

    @Test func axesAreReadFromTheirFile() throws {
        let axes = """
            ABS_MT_POSITION_X : value 0, min 0, max 99,
            ABS_MT_POSITION_Y : value 0, min 0, max 99,
            """
        place.put(axes, "axes.txt")
        let events = """
            [ 0.250000] EV_ABS ABS_MT_TRACKING_ID 00000001
            [ 0.250000] EV_ABS ABS_MT_POSITION_X 0000000a
            [ 0.250000] EV_ABS ABS_MT_POSITION_Y 00000029
            [ 0.250000] EV_SYN SYN_REPORT 00000000
            [ 0.300000] EV_ABS ABS_MT_TRACKING_ID ffffffff
            [ 0.300000] EV_SYN SYN_REPORT 00000000
            """
        let outcome = convert("-", "-o", "-", "--canvas", "100x50", "--axes", "axes.txt", input: events)
        place.expectSuccess(outcome)
        #expect(outcome.text == Self.trace.replacing("12.25, 21", with: "10, 20.5"))
        place.expectFailure(
            convert("-", "-o", "out", "--canvas", "100x50", input: events), 65, naming: "standard input: line 4",
            "--axes", files: ["axes.txt", "page.png"])
        place.expectFailure(
            convert("none.jsonl", "-o", "out"), 66, naming: "none.jsonl", files: ["axes.txt", "page.png"])
    }

    /// Two fingers that spread, or move together.
    private static func hand(_ spread: Double, _ travel: Double) -> [UInt8] {
        var text = ""
        for (phase, step) in [("began", 0)] + (1...20).map({ ("moved", $0) }) + [("ended", 20)] {
            for (touch, side) in [(1, -1.0), (2, 1.0)] {
                let x = 500 + side * (30 + spread * Double(step)) + travel * Double(step)
                let time = Double(step) / 60 + (phase == "ended" ? 0.01 : 0)
                text += "{\"t\": \(time), \"touch\": \(touch), \"phase\": \"\(phase)\", \"at\": [\(x), 300]}\n"
            }
        }
        return Array(text.utf8)
    }

    /// The names and counts of a printed matrix.
    private static func rows(_ outcome: Command.Outcome) -> [String] {
        outcome.text.split(separator: "\n").map { $0.split(separator: " ").prefix(5).joined(separator: " ") }
    }

    @Test func evaluatesAFolderOfLabelledTraces() throws {
        _ = place.folder.put(Self.hand(4, 0), "hands/pinch-1.jsonl")
        _ = place.folder.put(Self.hand(3, 0), "hands/pinch-2.jsonl")
        _ = place.folder.put(Self.hand(0, 8), "hands/pan/quick.jsonl")
        _ = place.folder.put(Self.hand(4, 0), "hands/pan/wrong.jsonl")
        let outcome = place.run("gestures", "evaluate", "hands", "--json", "out.json")
        let rows = Self.rows(outcome)
        #expect(rows == ["traces pinch pan rewind none", "pan/quick 0 1 0 0", "pan/wrong 1 0 0 0", "pinch 2 0 0 0"])
        let json = try place.text("out.json")
        #expect(json.contains("\"trace\": \"pan/wrong.jsonl\", \"label\": \"pan\", \"recognized\": \"pinch\""))
        #expect(place.command.run("gestures", "evaluate", "hands", "--right", "100").code == 1)
        let strict = place.command.run("gestures", "evaluate", "hands", "--thresholds", #"{"pinchSpan": 900}"#)
        #expect(Self.rows(strict).last == "pinch 0 0 0 2")
    }

    @Test func evaluationRefusesWithOneSentence() {
        place.expectFailure(["gestures", "evaluate", "none"], 66, naming: "none")
        _ = place.folder.put(Self.hand(4, 0), "hands/other.jsonl")
        place.expectFailure(["gestures", "evaluate", "hands"], 65, naming: "hands/other.jsonl", "label")
        place.folder.remove("hands/other.jsonl")
        place.expectFailure(["gestures", "evaluate", "hands"], 65, naming: "no traces")
        place.put("[{\"t\": 0}]", "hands/pan-1.json")
        place.expectFailure(["gestures", "evaluate", "hands"], 65, naming: "hands/pan-1.json: [0]")
        place.expectFailure(
            ["gestures", "evaluate", "hands", "--thresholds", #"{"leed": 1}"#], 64, naming: "--thresholds", "leed")
    }
}

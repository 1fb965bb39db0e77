import TestSupport
import Testing

/// `loupe-render trace convert`.
@Suite struct TraceCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static let pointers = """
        {"type": "pointerup", "pointerId": 1, "clientX": 10, "clientY": 20.5, "timeStamp": 240, "pressure": 0}
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
        let note = "event of a touch that began before the recording, once: left out"
        #expect(outcome.errors == "loupe-render: note: in.jsonl: \(note)\n")
        #expect(place.bytes("out.jsonl") == Array(Self.trace.utf8))
    }

    @Test func readsStandardInputAndWritesStandardOutput() {
        let outcome = convert("-", "-o", "-", "--start", "1", "--scale", "2", input: Self.trace)
        place.expectSuccess(outcome)
        #expect(
            outcome.text.hasPrefix("{\"t\": 1, \"touch\": 1, \"phase\": \"began\", \"at\": [20, 41]}\n{\"t\": 1.05, "))
    }

    @Test func refusesWithTheNameOfTheInput() throws {
        place.put("t,id,x,y,phase\n0,1,2,3,hover\n", "in.csv")
        place.expectFailure(
            convert("in.csv", "-o", "out"), 65, naming: "in.csv: line 2", "hover", files: ["in.csv", "page.png"])
        place.expectFailure(
            convert("none.jsonl", "-o", "out"), 66, naming: "none.jsonl", files: ["in.csv", "page.png"])
    }
}

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

    // MARK: - trace explain

    private func explain(_ arguments: String..., input: String = "") -> Command.Outcome {
        place.command.run(["trace", "explain"] + arguments, input: Array(input.utf8))
    }

    /// Two fingers that spread by 120 points in 0.3 s, as pointer events of a browser.
    private static let spread: String = {
        func event(_ type: String, _ id: Int, _ x: Double, _ time: Double) -> String {
            #"{"type": "\#(type)", "pointerId": \#(id), "clientX": \#(x), "clientY": 200, "timeStamp": \#(time)}"#
        }
        let moves = (1...18).flatMap { step -> [String] in
            let (way, time) = (Double(step) * 60 / 18, 100 + Double(step) * 1000 / 60)
            return [event("pointermove", 1, 170 - way, time), event("pointermove", 2, 230 + way, time)]
        }
        let ends = [event("pointerup", 1, 110, 420), event("pointerup", 2, 290, 430)]
        let begins = [event("pointerdown", 1, 170, 100), event("pointerdown", 2, 230, 100)]
        return (begins + moves + ends).joined(separator: "\n") + "\n"
    }()

    @Test func explainsWhoWonAndWhy() throws {
        let outcome = explain("-", input: Self.spread)
        place.expectSuccess(outcome)
        #expect(outcome.text.hasPrefix("touch 1: waiting from 0.1 to 0."))
        #expect(outcome.text.contains(" s, holding from 0."))
        #expect(outcome.text.contains(" to 0.42 s\ntouch 2: waiting from 0.1 to "))
        #expect(outcome.text.contains("touches 1 and 2, from 0.1 s: pinch wins\n  pinch won at 0."))
        #expect(outcome.text.contains("\n  pan failed at 0."))
        #expect(outcome.text.contains(" of its threshold: pinch has won\n"))
    }

    @Test func explainsAsJSONAndAsAPicture() throws {
        place.put(Self.spread, "in.jsonl")
        place.expectSuccess(explain("in.jsonl", "--json", "out.json", "--plot", "out.svg"))
        let json = try place.text("out.json")
        #expect(json.contains(#""winner": "pinch""#))
        #expect(json.contains(#""gesture": "rewind""#))
        let svg = try place.text("out.svg")
        #expect(svg.contains("progress, in thresholds"))
        #expect(svg.contains("touch 2"))
        place.expectSuccess(explain("in.jsonl", "--plot", "out.png"))
        #expect(try place.image("out.png").width == 1920)
    }

    @Test func refusesToExplainARotation() {
        place.put("time,x,y,z\n0,0,1,0\n0.1,0,1,0\n", "in.csv")
        place.expectFailure(
            explain("in.csv"), 65, naming: "in.csv: line 1", "the recording has no touches",
            files: ["in.csv", "page.png"])
    }

    // MARK: - Errors

    @Test func refusesWithTheNameOfTheInput() throws {
        place.put("t,id,x,y,phase\n0,1,2,3,hover\n", "in.csv")
        place.expectFailure(
            convert("in.csv", "-o", "out"), 65, naming: "in.csv: line 2", "hover", files: ["in.csv", "page.png"])
        place.expectFailure(
            convert("none.jsonl", "-o", "out"), 66, naming: "none.jsonl", files: ["in.csv", "page.png"])
    }
}

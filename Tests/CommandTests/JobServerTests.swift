import LoupeBase
import LoupeImaging
import TestSupport
import Testing

/// `loupe-render batch -`: jobs from standard input, answered one by one.
@Suite struct JobServerTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// An answer, and the bytes that followed it.
    private struct Answer {
        let json: JSONValue
        let bytes: [UInt8]

        subscript(key: String) -> JSONValue { json[key] }
    }

    /// Sends jobs, each with the bytes that follow its line, and returns the answers.
    private func ask(_ jobs: [(String, [UInt8])], flags: [String] = []) throws -> [Answer] {
        let input = jobs.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] + $1 }
        let outcome = place.command.run(["batch", "-"] + flags, input: input)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        var (answers, rest): ([Answer], ArraySlice<UInt8>) = ([], outcome.output[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let json = try JSONValue(parsing: Array(rest[..<end]))
            let bytes = rest[(end + 1)...].prefix(json.keys.contains("bytes") ? Int(json["bytes"].number) : 0)
            answers.append(Answer(json: json, bytes: Array(bytes)))
            rest = rest[bytes.endIndex...]
        }
        #expect(rest.isEmpty)
        return answers
    }

    @Test func answersComeInOrderWithTheBytesThatRenderWrites() throws {
        let page = try #require(place.bytes("page.png"))
        let length = page.count
        let answers = try ask([
            (#"{"input": "page.png", "output": "-", "at": [9, 7], "radius": 6, "answer-stats": true}"#, []),
            (#"{"input": "-", "input-bytes": \#(length), "output": "-", "margin": 4}"#, page),
            ("  ", []),
            (#"{"input": {"layers": [{"image": "page.png"}]}, "output": "c.png"}"#, []),
            (#"{"input": "page.png", "output": "d.png", "at": [-900, 7], "radius": 6}"#, []),
        ])
        try #require(answers.map { $0["job"] } == [1, 2, 3, 4])
        #expect(answers.allSatisfy { $0["state"] == "drawn" })
        let first = place.command.run("page.png", "-o", "-", "--at", "9,7", "--radius", "6")
        #expect(answers[0].bytes == first.output)
        #expect(answers[0]["stats"].keys == ["device", "views", "images", "milliseconds"])
        let second = place.command.run(["-", "-o", "-", "--margin", "4"], input: page)
        #expect(answers[1].bytes == second.output)
        #expect(try place.image("c.png") == Workplace.page)
        // It lies off the canvas, and shows nothing of the page.
        #expect(answers[3]["warnings"].elements.count == 2)
    }

    @Test func comparisonsAndPixelsAreAnsweredWithoutAPicture() throws {
        let jobs: [(String, [UInt8])] = [
            (#"{"pixels": 9}"#, []), (#"{"diff": ["page.png", "page.png"]}"#, []),
            (#"{"diff": ["page.png", "gone.png"]}"#, []), (#"{"diff": ["page.png", "--metric=flop"]}"#, []),
        ]
        let answers = try ask(jobs, flags: ["--allow-outside"])
        try #require(answers.map { $0["state"] } == ["gone", "compared", "failed", "failed"])
        #expect(answers.map { $0["job"] } == [9, 1, 2, 3])
        let own = place.command.run("diff", "page.png", "page.png", "--json", "-").output
        #expect(try answers[1]["difference"] == JSONValue(parsing: own))
        #expect(answers[2]["code"] == 66 && answers[3]["code"] == 64)
        #expect(try ask([jobs[1]])[0]["error"].text?.contains("batch --allow-outside") == true)
    }

    @Test func aBrokenJobIsAnsweredAndTheNextOneIsDrawn() throws {
        let good = #"{"input": "page.png", "output": "-"}"#
        let broken: [(String, [UInt8], String)] = [
            ("no json", [], "line 1, column 1"),
            (#"{"input": "gone.png", "output": "-"}"#, [], "gone.png"),
            (#"{"input": "-", "output": "-"}"#, [], "input-bytes"),
            (#"{"input": "page.png", "input-bytes": 3, "output": "-"}"#, [1, 10, 3], "input-bytes"),
            (#"{"input": "-", "input-bytes": 4, "output": "-"}"#, Array("\n{}\n".utf8), "canvas.width: missing"),
            (#"{"input": "-", "input-bytes": 2, "output": "-", "zom": 3}"#, [10, 10], "zom"),
            (#"{"input": "page.png", "output": "-", "map": "-"}"#, [], "only the picture can be sent back"),
            (#"{"input": "page.png", "output": "a.gif"}"#, [], ".gif can't be written"),
            (#"{"input": "../page.png", "output": "-"}"#, [], "input: "),
            (#"{"input": "page.png", "output": "-", "allow-outside": true}"#, [], "batch --allow-outside"),
            ("[1]", [], "object"), ("null", [], "object"),
        ]
        let answers = try ask(broken.flatMap { [($0.0, $0.1), (good, [])] })
        try #require(answers.count == 2 * broken.count)
        let whole = place.command.run("page.png", "-o", "-").output
        for (index, (_, _, words)) in broken.enumerated() where answers.count == 2 * broken.count {
            let (failed, drawn) = (answers[2 * index], answers[2 * index + 1])
            #expect(failed["state"] == "failed" && failed.bytes.isEmpty)
            #expect(failed["error"].text?.contains(words) == true, "\(failed.json)")
            #expect(drawn.bytes == whole)
        }
        #expect(answers[2]["code"] == 66 && answers[0]["code"] == 65)
    }

    /// A job may forbid what the command line allows, not the other way round.
    @Test func aJobMayConfineItsScene() throws {
        place.put(#"{"layers": [{"image": "/dev/null"}]}"#, "scene.json")
        let answers = try ask(
            [
                (#"{"input": "scene.json", "output": "-", "allow-outside": false}"#, []),
                (#"{"input": "scene.json", "output": "-"}"#, []),
            ], flags: ["--allow-outside"])
        try #require(answers.count == 2)
        let (confined, free) = (try #require(answers[0]["error"].text), try #require(answers[1]["error"].text))
        #expect(confined.contains("layers[0].image") && !free.contains("layers[0].image"), "\(confined); \(free)")
    }

    @Test func aRenderedJobIsAnnouncedWithItsWarningsBeforeItsAnswer() throws {
        let answers = try ask([
            (#"{"input": "page.png", "output": "-", "at": [-900, 7], "radius": 6, "announce": true}"#, []),
            (#"{"input": "gone.png", "output": "-", "announce": true}"#, []),
        ])
        let states = answers.map { "\($0["job"]) \($0["state"])" }
        let rendered = try #require(answers.firstIndex { $0["state"] == "rendered" })
        let drawn = try #require(answers.firstIndex { $0["state"] == "drawn" })
        try #require(answers.count == 3 && rendered < drawn, "\(states)")
        #expect(answers[rendered]["warnings"] != .null && answers[rendered].bytes.isEmpty)
        #expect(answers[drawn]["warnings"] == .null && !answers[drawn].bytes.isEmpty)
    }

    @Test func bytesThatEndEarlyAreAnswered() throws {
        let answers = try ask([(#"{"input": "-", "input-bytes": 100, "output": "-"}"#, [1, 2, 3])])
        #expect(answers.count == 1 && answers[0]["state"] == "failed")
    }

    /// Nothing says where the next job begins.
    @Test func aLengthThatIsNoneEndsTheService() throws {
        let answers = try ask([
            (#"{"input": "-", "input-bytes": 1e12, "output": "-"}"#, Array("{}\n".utf8)),
            (#"{"input": "page.png", "output": "-"}"#, []),
        ])
        try #require(answers.count == 1)
        #expect(answers[0]["error"].text?.contains("input-bytes") == true)
    }

    @Test func jobsThatComeHaveNoParts() {
        place.expectFailure(["batch", "-", "--shard", "1/2"], 64, naming: "--shard", input: [])
    }
}

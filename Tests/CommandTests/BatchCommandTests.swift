import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// `loupe-render batch`: many renders by one process.
@Suite struct BatchCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func run(_ lines: String..., arguments: [String] = []) -> Command.Outcome {
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        return place.command.run(["batch", "jobs.jsonl"] + arguments)
    }

    @Test func jobDrawsWhatTheSameOptionsOfRenderDraw() throws {
        place.expectSuccess(
            run(
                #"{"input": "page.png", "output": "a.png", "at": [9.5, 7], "radius": 11, "rim-width": 2, "margin": 5, "letters": true}"#,
                ##"{"input": "page.png", "output": "b.png", "canvas": "90x70", "reference": true, "background": "#123"}"##,
                "",
                #"{"input": {"layers": [{"image": "page.png"}]}, "output": "c.png", "reference": false}"#))
        place.run(
            "page.png", "-o", "one.png", "--at", "9.5,7", "--radius", "11", "--rim-width", "2", "--margin", "5",
            "--letters")
        #expect(place.bytes("a.png") == place.bytes("one.png"))
        place.run("page.png", "-o", "two.png", "--canvas", "90x70", "--reference", "--background", "#123")
        #expect(place.bytes("b.png") == place.bytes("two.png"))
        #expect(try place.image("c.png") == Workplace.page)
    }

    /// Of a translucent page the other image's opacity does not matter, so it is first decoded when the job is drawn.
    @Test func aJobMayShowAnotherImageOverATranslucentPage() throws {
        let image = Image(width: 40, height: 30, pixels: (0..<1200).flatMap { [UInt8($0 % 256), 90, 30, 128] })
        for name in ["a.png", "b.png"] { try place.put(image, name) }
        place.expectSuccess(run(#"{"input": "a.png", "output": "out.png", "at": [20, 15], "versus": "b.png"}"#))
        place.run("a.png", "-o", "one.png", "--at", "20,15", "--versus", "b.png")
        #expect(place.bytes("out.png") == place.bytes("one.png"))
    }

    @Test func summaryTellsWhatBecameOfTheJobs() throws {
        let outcome = run(
            #"{"input": "page.png", "output": "a.png"}"#, #"{"input": "gone.png", "output": "b.png"}"#,
            #"{"input": "page.png", "output": "c.png", "zoom": 9}"#,
            ##"{"input": {"layers": [{"fill": "#fff"}]}, "output": "d.png"}"##,
            #"{"input": "page.png", "output": "e.png", "stats": "e.json"}"#)
        #expect(outcome.code == 1)
        let lines = outcome.errors.split(separator: "\n").sorted()
        #expect(lines.count == 3)
        for (line, words) in zip(
            lines, [["line 2: gone.png"], ["line 3: --zoom"], ["line 4: input.layers[0].rect: missing"]])
        {
            #expect(line.hasPrefix("loupe-render: error: jobs.jsonl: "))
            for word in words { #expect(line.contains(word), "\(line)") }
        }
        #expect(outcome.text.hasPrefix("5 jobs: 2 drawn, 3 failed; "))
        #expect(place.folder.names == ["a.png", "e.json", "e.png", "jobs.jsonl", "page.png"])
    }

    @Test func aWrongListIsRefusedBeforeAnythingIsDrawn() {
        let outcome = run(#"{"input": "page.png", "output": "first.png"}"#, #"{"input": "page.png", "zom": 3}"#)
        place.expectFailure(outcome, 65, naming: "jobs.jsonl: line 2: ", files: ["jobs.jsonl", "page.png"])
    }

    @Test func aListWithANumberOutOfRangeIsRefusedBeforeAnythingIsDrawn() {
        let outcome = run(
            #"{"input": "page.png", "output": "first.png"}"#,
            #"{"input": "page.png", "output": "second.png", "at": [1, 1], "zoom": 99}"#)
        place.expectFailure(
            outcome, 65, naming: "jobs.jsonl: line 2: --zoom: 99 is out of range; allowed is 1…64",
            files: ["jobs.jsonl", "page.png"])
    }

    @Test func listWithoutJobsIsRefused() {
        place.expectFailure(run("", " "), 65, naming: "jobs.jsonl: it has no job", files: ["jobs.jsonl", "page.png"])
        place.expectFailure(["batch", "gone.jsonl"], 66, naming: "gone.jsonl")
        place.expectFailure(
            run(#"{"input": "page.png", "output": "a.png"}"#, arguments: ["--device", "99"]), 69, naming: "device 99",
            files: ["jobs.jsonl", "page.png"])
    }

    @Test func aShareDrawsItsJobs() {
        let lines = (1...7).map { #"{"input": "page.png", "output": "\#($0).png", "at": [\#($0), 3]}"# }
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        place.run("batch", "jobs.jsonl", "--shard", "2/3", "--quiet", "--jobs", "3")
        #expect(place.folder.names == ["2.png", "5.png", "jobs.jsonl", "page.png"])
    }

    @Test func resumingMakesWhatIsMissingBesideAPicture() throws {
        let line = #"{"input": "page.png", "output": "a.png", "map": "a.json", "stats": "b.json"}"#
        place.expectSuccess(run(line))
        for name in ["a.json", "b.json"] {
            unlink(place.folder.file(name))
            #expect(run(line, arguments: ["--resume"]).text.hasPrefix("1 job: 1 drawn; "))
            #expect(place.bytes(name)?.isEmpty == false)
        }
        #expect(run(line, arguments: ["--resume"]).text.hasPrefix("1 job: 0 drawn, 1 skipped; "))
    }

    @Test func resumingDrawsOnlyWhatIsMissingCutShortOrOlderThanItsPage() throws {
        let lines = ["a", "b", "c", "d"].map { name in
            #"{"input": "\#(name == "d" ? "other.png" : "page.png")", "output": "out-\#(name).png", "at": [9, 9]}"#
        }
        let page = try #require(place.bytes("page.png"))
        _ = place.folder.put(page, "other.png")
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        place.run("batch", "jobs.jsonl")
        let whole = try #require(place.bytes("out-a.png"))
        // Whole, though not what would be drawn: it shows that nothing is.
        _ = place.folder.put(page, "out-a.png")
        unlink(place.folder.file("out-b.png"))
        _ = place.folder.put(whole.dropLast(1), "out-c.png")
        var times = [timespec(tv_sec: 4_000_000_000, tv_nsec: 0), timespec(tv_sec: 4_000_000_000, tv_nsec: 0)]
        utimensat(AT_FDCWD, place.folder.file("other.png"), &times, 0)
        let outcome = place.run("batch", "jobs.jsonl", "--resume")
        #expect(outcome.text.hasPrefix("4 jobs: 3 drawn, 1 skipped; "))
        #expect(place.bytes("out-a.png") == page)
        #expect(place.bytes("out-b.png") == whole && place.bytes("out-c.png") == whole)
    }
}

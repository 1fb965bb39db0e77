import TestSupport
import Testing

/// What jobs and options say where they are wrong, and how fast a long list is checked.
@Suite struct JobOptionsTests {
    @Test func tenThousandJobsAreCheckedInASecond() throws {
        let place = try Workplace()
        let count = 10_000
        var lines = (0..<count).map { line in
            #"{"input": "page.png", "output": "o\#(line).png", "at": [\#(line % 40), \#(line % 30)], "zoom": \#(1 + line % 9)}"#
        }
        lines.append(#"{"input": "page.png", "output": "o7.png"}"#)
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        let outcome = place.command.run("batch", "jobs.jsonl", "--shard", "2/100")
        place.expectFailure(outcome, 65, naming: "line 10001", "line 8", files: ["jobs.jsonl", "page.png"])
        // Processor time, as other tests run at the same time; the command of the tests is not optimised.
        #expect(outcome.processorSeconds < (Sample.isWhole ? 1 : 4))
    }

    @Test(arguments: ["input", "output", "stats", "map", "versus", "background"])
    func nullsAreRefused(key: String) throws {
        let place = try Workplace()
        var job: [String: String] = ["input": "page.png", "output": "o.png", "at": "9,9"]
        job[key] = (job[key] ?? "x") + #"\u0000.png"#
        let line = "{" + job.sorted { $0.key < $1.key }.map { #""\#($0)": "\#($1)""# }.joined(separator: ", ") + "}"
        place.put(line, "jobs.jsonl")
        place.expectFailure(["batch", "jobs.jsonl"], 65, naming: key, "U+0000")
    }

    /// One long value in every place that a sentence may quote.
    @Test func sentencesQuoteAtMost200Characters() throws {
        let place = try Workplace()
        for long in [String(repeating: "a", count: 3000), Array(repeating: "a b/c", count: 700).joined(separator: "'")]
        {
            place.put(#"{"layers": [{"image": "\#(long)"}]}"#, "scene.json")
            place.put(#"{"\#(long)": 1}"#, "key.json")
            place.put(#"{"input": "\#(long)", "output": "\#(long)"}"#, "jobs.jsonl")
            place.put(#"{"model": "\#(long)", "scene": "\#(long)"}"#, "session.json")
            let runs = [
                [long, "-o", "out.png"], ["page.png", "-o", long], ["page.png", "-o", "out.png", "--zoom", long],
                ["page.png", "-o", "out.png", "--\(long)"], ["page.png", "-o", "out.png", "--device", long],
                ["page.png", "-o", "out.png", "--shaders", long], ["page.png", "-o", "out.png", "--loupe", long],
                ["page.png", "-o", "out.png", "--loupe", "\(long)=3"],
                ["page.png", "-o", "out.png", "--at", "9,9", "--versus", long],
                ["scene.json", "-o", "out.png"], ["key.json", "-o", "out.png"], ["batch", "jobs.jsonl"],
                ["batch", long],
                ["replay", "session.json", "--dry-run", "--states", "s"], ["replay", long, "-o", "x.raw"],
                ["diff", long, "page.png"], ["diff", "page.png", "page.png", "--tolerance", long],
                ["verify", long], ["verify", ".", "--accept", long], ["report", "merge", long],
                ["inspect", long, "--at", "1,1"], ["bench", "--page", long], [long, long, long],
            ]
            for run in runs {
                let outcome = place.command.run(run, seconds: 60)
                let what = run.map { String($0.prefix(12)) }.joined(separator: " ")
                #expect([64, 65, 66, 69, 73, 1].contains(outcome.code), "\(what): \(outcome.code)")
                let parts = outcome.errors.split { "'\n".contains($0) }
                #expect((parts.map(\.count).max() ?? 0) < 900, "\(what): \(outcome.errors.prefix(1500))")
                let words = outcome.errors.split { " '\n".contains($0) }
                #expect((words.map(\.count).max() ?? 0) <= 210, "\(what): \(outcome.errors.prefix(600))")
            }
        }
    }
}

import TestSupport
import Testing

/// What jobs and options say where they are wrong, and how fast a long list is checked.
@Suite struct JobOptionsTests {
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
                ["inspect", long, "--at", "1,1"], ["bench", "--only", long], [long, long, long],
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

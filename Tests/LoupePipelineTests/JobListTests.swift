import Glibc
import LoupeSystem
import TestSupport
import Testing

@testable import LoupePipeline

/// Lists of jobs: what is wrong with one is said before anything is drawn.
@Suite struct JobListTests {
    private let folder = TemporaryFolder()

    init() { mkdir(folder.file("link"), 0o700) }

    /// The sentence about a list; `@` is the folder in which it lies. Nil where nothing is wrong.
    private func sentence(_ lines: String...) throws -> String? {
        let text = lines.joined(separator: "\n").replacing("@", with: folder.path)
        let list = Path(folder.put(Array(text.utf8), "jobs.jsonl"))
        do {
            _ = try [ListedJob](list: list, allowsOutside: false)
            return nil
        } catch let error as JobListError {
            return error.description.replacing(folder.path, with: "@")
        }
    }

    @Test(arguments: [
        (#"{"input": "@/page.png", "output": "@/a.png", "zom": 3}"#, "line 2: zom: unknown key"),
        (#"{"input": "@/page.png", "output": "@/a.png", "device": "cpu"}"#, "line 2: device: "),
        (#"{"input": "@/page.png", "output": "@/a.png", "no-fallback": true}"#, "batch --no-fallback"),
        (#"{"input": "@/page.png", "output": "@/a.png", "depth": 10}"#, "line 2: depth: '10' is not 8 or 16"),
        (#"{"input": "@/page.png", "output": "@/a.png", "width": "85"}"#, "line 2: width: '85' is not a length"),
        (#"{"input": "@/page.png", "output": "@/a.png", "print-scene": true}"#, "line 2: print-scene: "),
        (#"{"input": "@/page.png", "output": "@/a.png", "Zoom": 3}"#, "line 2: Zoom: unknown key"),
        (#"{"input": "@/page.png", "output": "@/a.png", "zoom": null}"#, "line 2: zoom: "),
        (#"{"input": "@/page.png", "output": "@/a.png", "zoom": "big"}"#, "line 2: "),
        (#"{"input": "@/page.png", "output": "@/a\u0000.png"}"#, "line 2: output: it holds the character U+0000"),
        (#"{"input": "@/page\u0000.png", "output": "@/a.png"}"#, "line 2: input: it holds the character U+0000"),
        (#"{"input": "@/page.png", "output": "@/a.png", "background": "\u0000"}"#, "background: "),
        (#"{"input": "@/page.png"}"#, "line 2: output: missing"), (#"{"output": "@/a.png"}"#, "line 2: input: missing"),
        (#"{"input": 7, "output": "@/a.png"}"#, "line 2: input: 7 is a number"),
        (#"{"input": "-", "output": "@/a.png"}"#, "line 2: input: "),
        (#"{"input": "@/page.png", "output": "-"}"#, "line 2: "),
        (#"{"input": "a", "output": "b", }"#, "line 2, column 29: "), (#"["page.png"]"#, "line 2: "),
        (#"{"input": "@/page.png", "output": "a.gif"}"#, "a.gif"),
        (#"{"input": "@/page.png", "output": "@/first.png"}"#, "line 1 and line 2 would both write @/first.png"),
        (
            #"{"input": "@/page.png", "output": "@/./link/../first.png"}"#,
            "line 1 @/first.png and line 2 @/./link/../first.png"
        ),
        (#"{"input": "@/page.png", "output": "@/a.png", "stats": "@/a.png"}"#, "would both write @/a.png"),
        (#"{"input": "@/page.png", "output": "@/link/../jobs.jsonl"}"#, "it would replace this list"),
        (
            #"{"input": "@/page.png", "output": "@/a.png", "map": "@/page.png"}"#,
            "line 2 @/page.png: it would replace line 1 @/page.png"
        ),
        (#"{"input": "@/page.png", "output": "@/b.png", "compare-with": ["@/c.png", "@/first.png"]}"#, "would replace"),
        (#"{"input": "@/link/../first.png#1", "output": "@/b.png"}"#, "would replace"),
    ])
    func whatIsWrongWithALineIsSaid(line: String, words: String) throws {
        let sentence = try sentence(#"{"input": "@/page.png", "output": "@/first.png"}"#, line)
        #expect(sentence?.hasPrefix("@/jobs.jsonl: ") == true && sentence?.contains(words) == true, "\(sentence ?? "")")
    }

    @Test func tenThousandJobsAreChecked() throws {
        var lines = (0..<10_000).map { line in
            #"{"input": "@/page.png", "output": "@/o\#(line).png", "at": [\#(line % 40), \#(line % 30)], "zoom": 2}"#
        }
        lines.append(#"{"input": "@/page.png", "output": "@/o7.png"}"#)
        let sentence = try sentence(lines.joined(separator: "\n"))
        #expect(sentence?.contains("line 8 and line 10001 would both write") == true, "\(sentence ?? "")")
    }
}

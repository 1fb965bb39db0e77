import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// Documents name files below their own folder alone, unless the command line says otherwise (SECURITY.md).
///
/// `docs` holds the documents; `page.png` beside it is what they must not reach.
@Suite struct ConfinementTests {
    private let place: Workplace
    private let flag = "--allow-outside"

    init() throws {
        place = try Workplace()
        _ = place.folder.put(try #require(place.bytes("page.png")), "docs/page.png")
        symlink("../page.png", place.folder.file("docs/link.png"))
    }

    /// Ways out of `docs`.
    private static let waysOut = ["../page.png", "link.png", "none/../../page.png"]

    /// That the document is refused naming the key, and drawn with the flag.
    private func expectRefusal(
        _ arguments: [String], naming key: String, input: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let outcome = place.command.run(arguments, input: input)
        #expect(outcome.code == 65, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(
            outcome.errors.contains("\(key): '") && outcome.errors.contains("use \(flag)"), "\(outcome.errors)",
            sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
        let allowed = place.command.run(arguments + [flag], input: input)
        #expect(allowed.code == 0, "\(allowed.errors)", sourceLocation: sourceLocation)
    }

    @Test func sceneNamesNoLayersImageElsewhere() {
        for way in Self.waysOut.prefix(2) + [place.folder.file("page.png")] {
            place.put(#"{"layers": [{"image": "page.png"}, {"image": "\#(way)"}]}"#, "docs/scene.json")
            expectRefusal(["docs/scene.json", "-o", "out.png"], naming: "docs/scene.json: layers[1].image")
        }
        place.put(#"{"layers": [{"image": "\#(place.folder.file("docs/page.png"))"}]}"#, "docs/scene.json")
        place.run("docs/scene.json", "-o", "out.png")
    }

    @Test func whetherThereIsAFileElsewhereIsNotTold() {
        place.put(#"{"layers": [{"image": "../gone.png"}]}"#, "docs/scene.json")
        let outcome = place.command.run("docs/scene.json", "-o", "out.png")
        #expect(outcome.code == 65 && outcome.errors.contains("layers[0].image: '../gone.png' leads out"))
    }

    @Test func sceneNamesNoOtherHalfElsewhere() {
        for versus in [#""../page.png""#, #"{"image": "../page.png"}"#] {
            place.put(
                """
                {"layers": [{"image": "page.png"}],
                 "loupes": [{"center": [9, 9], "radius": 5, "zoom": 2, "versus": \(versus)}]}
                """, "docs/scene.json")
            let key = "loupes[0].versus" + (versus.hasPrefix("{") ? ".image" : "")
            expectRefusal(["docs/scene.json", "-o", "out.png"], naming: key)
        }
    }

    @Test func sceneFromStandardInputBelongsToTheWorkingDirectory() {
        let text = #"{"layers": [{"image": "/dev/../\#(place.folder.path)/../x.png"}]}"#
        let outcome = place.command.run("-", "-o", "out.png", input: Array(text.utf8))
        #expect(outcome.code == 65 && outcome.errors.contains("standard input: layers[0].image: '"))
        place.run("-", "-o", "out.png", input: Array(#"{"layers": [{"image": "docs/page.png"}]}"#.utf8))
    }

    @Test func sceneOfDiffIsHeldToIt() {
        place.put(#"{"layers": [{"image": "../page.png"}]}"#, "docs/scene.json")
        expectRefusal(["diff", "page.png", "page.png", "--scene", "docs/scene.json"], naming: "layers[0].image")
    }

    @Test func sessionNamesNoSceneTraceOrPictureElsewhere() {
        let keyframes = #""keyframes": [{"t": 1, "layer": 0, "opacity": 0}]}"#
        place.put(#"{"layers": [{"image": "docs/page.png"}]}"#, "scene.json")
        place.put(#"{"t": 0, "touch": 1, "phase": "began", "at": [1, 1]}"#, "trace.jsonl")
        place.put(#"{"layers": [{"image": "page.png"}]}"#, "docs/scene.json")
        place.put(#"{"layers": [{"image": "../page.png"}]}"#, "docs/sub/scene.json")
        let canvas = #""canvas": {"width": 20, "height": 20}"#
        let sessions = [
            (#"{"model": "keyframes", "scene": "../scene.json", "# + keyframes, "scene"),
            (
                #"{"model": "keyframes", "scene": {"layers": [{"image": "../page.png"}]}, "# + keyframes,
                "scene.layers[0].image"
            ),
            (
                #"{"model": "keyframes", "scene": "sub/scene.json", "# + keyframes,
                "scene: sub/scene.json: layers[0].image"
            ),
            (#"{"model": "scroll", \#(canvas), "photo": "page.png", "trace": "../trace.jsonl"}"#, "trace"),
            (
                #"{"model": "scroll", \#(canvas), "photo": "../page.png", "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [1, 1]}, {"t": 1, "touch": 1, "phase": "ended", "at": [1, 1]}]}"#,
                "photo"
            ),
            (
                #"{"model": "loupe", \#(canvas), "page": "../page.png", "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [1, 1]}, {"t": 1, "touch": 1, "phase": "ended", "at": [1, 1]}]}"#,
                "page"
            ),
            (
                ##"{"model": "panorama", \##(canvas), "title": {"image": "../page.png"}, "items": [{"fill": "#fff"}], "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [1, 1]}, {"t": 1, "touch": 1, "phase": "ended", "at": [1, 1]}]}"##,
                "title.image"
            ),
        ]
        for (session, key) in sessions {
            place.put(session, "docs/session.json")
            let outcome = place.command.run("replay", "docs/session.json", "--dry-run", "--states", "-")
            #expect(outcome.code == 65, "\(outcome.errors)")
            #expect(
                outcome.errors.contains("session.json: \(key): '") && outcome.errors.contains(flag), "\(outcome.errors)"
            )
            #expect(
                !place.command.run("replay", "docs/session.json", "--dry-run", "--states", "-", flag).errors.contains(
                    flag))
        }
        place.put(#"{"model": "keyframes", "scene": "scene.json", "# + keyframes, "docs/session.json")
        place.run("replay", "docs/session.json", "-o", "f.apng", "--quiet")
    }

    @Test func jobsReadAndWriteBelowTheFolderOfTheirList() {
        let jobs = [
            (#"{"input": "page.png", "output": "docs/a.png"}"#, "input"),
            (#"{"input": "docs/link.png", "output": "docs/a.png"}"#, "input"),
            (#"{"input": "docs/page.png", "output": "a.png"}"#, "output"),
            (#"{"input": "docs/page.png", "output": "docs/a.png", "stats": "/tmp/../stats.json"}"#, "stats"),
            (#"{"input": "docs/page.png", "output": "docs/a.png", "map": "docs/../map.json"}"#, "map"),
            (#"{"input": "docs/page.png", "output": "docs/a.png", "at": [5, 5], "versus": "page.png"}"#, "versus"),
            (#"{"input": {"layers": [{"image": "page.png"}]}, "output": "docs/a.png"}"#, "input.layers[0].image"),
        ]
        for (job, key) in jobs {
            place.put(job, "docs/jobs.jsonl")
            let outcome = place.command.run("batch", "docs/jobs.jsonl", "--quiet")
            #expect(outcome.code == (key.contains(".") ? 1 : 65), "\(outcome.errors)")
            #expect(outcome.errors.contains("line 1: \(key): '") && outcome.errors.contains(flag), "\(outcome.errors)")
        }
        for (job, key) in jobs where key != "stats" {
            place.put(job, "docs/jobs.jsonl")
            place.run("batch", "docs/jobs.jsonl", "--quiet", flag)
        }
        place.put(#"{"input": "docs/page.png", "output": "docs/a.png", "allow-outside": true}"#, "docs/jobs.jsonl")
        #expect(
            place.command.run("batch", "docs/jobs.jsonl").errors.contains("allow-outside: it is for the command line"))
    }

    @Test func jobsDoNotWriteThroughALinkThatLeadsOut() {
        place.put(#"{"input": "docs/page.png", "output": "docs/link.png"}"#, "docs/jobs.jsonl")
        let page = place.bytes("page.png")
        #expect(place.command.run("batch", "docs/jobs.jsonl").code == 65)
        #expect(place.bytes("page.png") == page)
    }

    @Test func aJobsSceneIsHeldToItsOwnFolder() {
        place.put(#"{"layers": [{"image": "../page.png"}]}"#, "docs/scene.json")
        place.put(#"{"input": "docs/scene.json", "output": "a.png"}"#, "jobs.jsonl")
        let outcome = place.command.run("batch", "jobs.jsonl", "--quiet")
        #expect(outcome.code == 1 && outcome.errors.contains("layers[0].image: '../page.png' leads out"))
        place.run("batch", "jobs.jsonl", "--quiet", flag)
    }

    @Test func pictureThatIsDrawnAgainReachesNothingElsewhere() throws {
        place.run("page.png", "-o", "docs/a.png", "--at", "9,7")
        expectRefusal(["docs/a.png", "-o", "b.png"], naming: "scene.layers[0].image")
        let outcome = place.command.run("docs/a.png", "-o", "b.png")
        #expect(outcome.errors.contains("--margin 0"))
        place.run("docs/a.png", "-o", "b.png", "--margin", "0")
        #expect(try place.image("b.png") == place.image("docs/a.png"))
    }

    @Test func casesOfVerifyShowWhatLiesBelowTheFolderThatIsNamed() throws {
        let picture = try #require(place.bytes("page.png"))
        place.put(#"{"layers": [{"image": "../pages/page.png"}]}"#, "all/suite/case.json")
        _ = place.folder.put(picture, "all/pages/page.png")
        _ = place.folder.put(picture, "all/suite/case.png")
        #expect(place.command.run("verify", "all").code == 0)
        expectFailedCase("all/suite", naming: "layers[0].image: '../pages/page.png' leads out")
        #expect(place.command.run("verify", "all/suite", flag).code == 0)
        unlink(place.folder.file("all/suite/case.png"))
        symlink("../../page.png", place.folder.file("all/suite/case.png"))
        expectFailedCase("all", naming: "case.png: it leads out")
        #expect(place.command.run("verify", "all", "--update", "all").code == 1)
        #expect(place.bytes("page.png") == picture)
    }

    private func expectFailedCase(_ folder: String, naming words: String) {
        let outcome = place.command.run("verify", folder)
        #expect(outcome.code == 1 && outcome.text.contains(words), "\(outcome.text)")
    }

    @Test func whatTheCommandLineNamesMayLieAnywhere() {
        let elsewhere = TemporaryFolder()
        let page = elsewhere.put(place.bytes("page.png") ?? [], "page.png")
        place.run(page, "-o", elsewhere.file("out.png"), "--at", "9,7", "--versus", page)
        #expect(elsewhere.names == ["out.png", "page.png"])
    }

    // MARK: - What is said

    @Test(arguments: ["\u{1b}]0;title\u{7}", "a\nloupe-render: error: b", "\u{9b}2J", "\u{202e}gnp.egap", "\u{2028}"])
    func namesThatWouldSteerATerminalAreWrittenOut(name: String) {
        let scene = "{\"layers\": [{\"image\": \(JSONValue.string(name).line)}]}"
        place.put(scene, "scene.json")
        place.put("{\"input\": \(JSONValue.string(name).line), \"output\": \"a.png\"}", "jobs.jsonl")
        for outcome in [
            place.command.run("scene.json", "-o", "out.png"), place.command.run(name, "-o", "out.png"),
            place.command.run("batch", "jobs.jsonl", "--quiet"),
        ] {
            #expect(outcome.code == 66 || outcome.code == 1, "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(
                outcome.errors.contains(
                    "\\u{\(String(name.unicodeScalars.first { !$0.isASCII || $0 < " " }!.value, radix: 16))}"))
            #expect(!outcome.errors.dropLast().unicodeScalars.contains { $0 < " " || "\u{7f}"..."\u{9f}" ~= $0 })
        }
    }
}

import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// What `loupe-render verify` and `report merge` say, write and answer.
@Suite struct VerifyCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// Writes scenes of a green square, 20×10 pixels, by their paths without the ending.
    private func putScenes(_ names: String..., extra: String = "") {
        for name in names {
            let scene = """
                {"canvas": {"width": 20, "height": 10},
                 "layers": [{"fill": "#20a040", "rect": [4, 2, 12, 6]}]\(extra)}
                """
            place.put(scene, "scenes/\(name).json")
        }
    }

    private func verify(_ flags: String...) -> Command.Outcome {
        place.command.run(["verify", "scenes", "--device", "cpu"] + flags)
    }

    /// Draws the references of all scenes.
    private func record() { #expect(verify("--update", "all").code == 1) }

    /// Raises a byte of a reference's first pixel.
    private func spoil(_ name: String, by step: UInt8) throws {
        var image = try place.image("scenes/\(name).png")
        image.pixels[0] += step
        try place.put(image, "scenes/\(name).png")
    }

    // MARK: - References

    @Test func recordingNeverPassesAndTheNextRunDoes() throws {
        putScenes("a/one")
        let missing = verify()
        #expect(missing.code == 1 && missing.errors.isEmpty)
        #expect(missing.text.hasPrefix("missing  a/one  there is no reference scenes/a/one.png; draw it with --update"))
        #expect(place.folder.names(in: "scenes/a") == ["one.json"])
        let written = verify("--update", "missing")
        #expect(written.code == 1 && written.text.hasPrefix("written  a/one  scenes/a/one.png written"))
        place.run("scenes/a/one.json", "--reference", "--no-metadata", "-o", "oracle.png")
        #expect(place.bytes("scenes/a/one.png") == place.bytes("oracle.png"))
        let passed = verify("--update", "missing")
        place.expectSuccess(passed)
        #expect(passed.text.contains("1 case: 1 passed in "))
    }

    @Test func obsoleteReferenceIsNamedAndDoesNotFail() throws {
        putScenes("a/one", "a/gone")
        record()
        place.folder.remove("scenes/a/gone.json")
        let outcome = verify()
        place.expectSuccess(outcome)
        #expect(outcome.text.contains("obsolete scenes/a/gone.png: there is no scene beside it, and"))
    }

    // MARK: - Sessions

    /// A tap at 0.1 s, which opens a thumbnail.
    private func putSession(_ name: String, expect: String) {
        place.put(
            """
            {"model": "transition", "canvas": {"width": 64, "height": 96}, "photo": "../page.png",
             "thumbnail": {"rect": [8, 8, 20, 20]}, "expect": \(expect), "duration": 2,
             "trace": [{"t": 0.1, "touch": 1, "phase": "began", "at": [15, 15]},
                       {"t": 0.15, "touch": 1, "phase": "ended", "at": [15, 15]}]}
            """, "sessions/\(name).json")
        if !place.folder.names.contains("page.png") { place.put("", "page.png") }
    }

    @Test func sessionsAreTestedWithoutADevice() throws {
        putSession("met", expect: #"[{"at": 0.05, "phase": "thumbnail"}, {"never": "pinch"}]"#)
        putSession("other", expect: #"[{"at": 1.5, "phase": "thumbnail"}]"#)
        putSession("nothing", expect: "[]")
        let nothing = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        let outcome = place.command.run(
            ["verify", "sessions", "--allow-outside", "--junit", "j.xml", "--report", "r.html", "--json", "j.json"],
            environment: nothing)
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("3 cases: 1 passed, 1 failed, 1 broken in "))
        #expect(outcome.text.contains("failed   sessions/other    at 1.5 s phase is \"full\", not \"thumbnail\""))
        #expect(outcome.text.contains("broken   sessions/nothing  expect: missing; a session is verified by what"))
        let junit = try place.text("j.xml")
        #expect(junit.contains("<failure message=\"failed: at 1.5 s phase is "))
        let page = try place.text("r.html")
        #expect(page.contains("the last decision, at "))
        // Five frames of 64×96 pixels with gaps of 8.
        let plain = place.command.run(
            ["verify", "sessions/other.json", "--allow-outside", "--json", "p.json", "--json-pictures", "--quiet"],
            environment: nothing)
        #expect(plain.code == 1)
        let report = try JSONValue(parsing: Array(place.text("p.json").utf8))
        guard case .object(let found) = report, case .array(let cases)? = found["cases"],
            case .object(let first)? = cases.first, case .object(let pictures)? = first["pictures"],
            case .string(let strip)? = pictures["actual"]
        else { return fail("there is no strip") }
        #expect(strip.hasPrefix("iVBOR"))
        #expect(pictures["hash"] == nil)
    }

    /// A picture beside a session is no reference: nothing compares it. One that a session shows is its photo.
    @Test func aPictureBesideASessionIsNamed() throws {
        putSession("met", expect: #"[{"at": 0.05, "phase": "thumbnail"}]"#)
        _ = place.folder.put(try #require(place.bytes("page.png")), "sessions/met.png")
        let outcome = place.command.run("verify", "sessions", "--allow-outside")
        #expect(outcome.code == 1)
        #expect(outcome.text.contains("broken   sessions/met  sessions/met.png: nothing compares it: a session has no"))
        let session = try place.text("sessions/met.json")
        place.put(session.replacing("../page.png", with: "met.png"), "sessions/met.json")
        place.expectSuccess(place.command.run("verify", "sessions"))
        place.put(session.replacing("../page.png", with: "own.png"), "sessions/met.json")
        _ = place.folder.put(try #require(place.bytes("page.png")), "sessions/own.png")
        place.folder.remove("sessions/met.png")
        let shown = place.command.run("verify", "sessions")
        place.expectSuccess(shown)
        #expect(!shown.text.contains("obsolete"))
    }

    // MARK: - Results

    @Test func resultsOfSeveralRunsAreJoined() throws {
        putScenes("a/1", "b/2")
        record()
        place.run("verify", "scenes/a", "--device", "cpu", "--json", "1.json")
        place.run("verify", "scenes/b", "--device", "cpu", "--json", "2.json")
        let merged = place.run("report", "merge", "2.json", "1.json", "--json", "all.json")
        #expect(merged.text.contains("2 cases: 2 passed in "))
        let all = try place.json("all.json")
        #expect(all["same"] == .bool(true) && all["counts"]["passed"] == .number(2))
        #expect(all["cases"].elements.map { $0["name"].text } == ["1", "2"])
    }

    /// The hash of the drawn picture, not of its reference, also where there is none.
    @Test func hashesAreOfThePicturesThatWereDrawn() throws {
        putScenes("a/one", "b/two")
        record()
        try spoil("b/two", by: 9)
        putScenes("b/without-reference")
        let outcome = verify("--hashes", "-")
        place.run("scenes/a/one.json", "--device", "cpu", "--no-metadata", "-o", "drawn.png")
        let image = try place.image("drawn.png")
        // Width and height as four bytes each, most significant first, and the pixels.
        let hash = SHA256.hexadecimal(SHA256.hash([0, 0, 0, 20, 0, 0, 0, 10] + image.pixels))
        let titles = ["a/one", "b/two", "b/without-reference"]
        #expect(outcome.code == 1 && outcome.text == titles.map { "sha256:\(hash)  \($0)\n" }.joined())
        #expect(verify("--hashes", "hashes.txt").text.contains("3 cases: 1 passed"))
        #expect(place.bytes("hashes.txt") == Array(outcome.text.utf8))
    }

    @Test func thePageGoesToAFileOrToStandardOutputAlone() {
        putScenes("a/one")
        let outcome = verify("--report", "-")
        #expect(outcome.code == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("<!DOCTYPE html>") && outcome.text.hasSuffix("</html>\n"))
        #expect(outcome.text.contains("\"state\": \"missing\""))
    }

    @Test func acceptingWritesAReferenceAndEndsInOneUntilItIsRunAgain() throws {
        putScenes("a/one")
        #expect(verify("--json", "results.json", "--json-pictures").code == 1)
        let hash = try #require(try place.json("results.json")["cases"].elements.first?["pictures"]["hash"].text)
        let list = #"{"format": "loupe-accept/1", "cases": [{"scene": "./scenes/a/one.json", "picture": "\#(hash)"}]}"#
        place.put(list, "list.json")
        #expect(verify("--accept", "list.json").code == 1)
        #expect(try place.image("scenes/a/one.png").width == 20)
        #expect(verify().code == 0)
        place.put(list.replacing("one.json", with: "other.json"), "list.json")
        place.expectFailure(["verify", "scenes", "--accept", "list.json"], 65, naming: "cases[0].scene")
        place.expectFailure(["verify", "scenes", "--accept", "none.json"], 66, naming: "none.json")
    }

    // MARK: - What it refuses

    @Test func wrongUseIsRefused() {
        putScenes("a/one")
        place.expectFailure(["verify", "scenes", "--update", "never"], 64, naming: "--update")
        place.expectFailure(["verify", "scenes", "--json", "-", "--hashes", "-"], 64, naming: "standard output")
        place.expectFailure(["verify", "scenes", "--update", "all", "--accept", "list.json"], 64, naming: "--update")
        place.expectFailure(["verify", "scenes", "--json-pictures"], 64, naming: "--json-pictures")
        place.expectFailure(["verify"], 64, naming: "dir")
    }

    @Test func inputThatIsMissingOrNoSuchThingIsRefused() {
        place.expectFailure(["verify", "gone"], 66, naming: "gone")
        _ = place.folder.put([], "empty/note.txt")
        place.expectFailure(["verify", "empty"], 66, naming: "no scene")
        place.expectFailure(["report", "merge", "gone.json"], 66, naming: "gone.json")
        place.put(#"{"format": "loupe-verify/0"}"#, "old.json")
        place.expectFailure(["report", "merge", "old.json"], 65, naming: "old.json: format")
    }

    @Test func whatCanNotBeWrittenIsNamed() {
        putScenes("a/one")
        for flag in ["--json", "--report", "--hashes"] {
            let outcome = verify(flag, "gone/results", "--quiet")
            place.expectFailure(outcome, 73, naming: "gone/results", files: place.folder.names)
        }
        _ = place.folder.put([], "scenes/a/one.png/file")
        place.expectFailure(["verify", "scenes", "--device", "cpu", "--update", "all"], 73, naming: "scenes/a/one.png")
    }
}

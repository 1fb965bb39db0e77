import LoupeImaging
import TestSupport
import Testing

/// Each kind of failure: its exit code, one sentence that names the fault, and nothing written (docs/faults.md).
@Suite struct ExitCodeTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    // MARK: - 64, usage

    @Test func withoutArgumentsItSaysWhatIsMissing() {
        place.expectFailure([], 64, naming: "nothing to draw", "--help")
        place.expectFailure(["render", "-o", "out.png"], 64, naming: "input")
    }

    @Test func withoutAPlaceToWriteToNothingIsDrawn() {
        place.expectFailure(["page.png"], 64, naming: "-o OUT")
        place.expectFailure(["page.png", "-o", "-", "--stats", "-"], 64, naming: "--stats", "standard output")
    }

    @Test(arguments: [
        ["--zoom", "100"], ["--background", "red-ish"], ["--device", "gpu"],
        ["--no-such-flag", "1"],
    ])
    func wrongValueIsRefusedNamingItsFlag(_ flag: [String]) {
        place.expectFailure(["page.png", "-o", "out.png", "--at", "20,15", flag[0], flag[1]], 64, naming: flag[0])
    }

    @Test func whatIsLeftOverIsRefused() {
        let scene = Array(#"{"canvas": {"width": 10, "height": 10}}"#.utf8)
        for flags in [["--margin", "4"], ["--callout", "1,2@3,4"], ["--mark"]] {
            place.expectFailure(["-", "-o", "out.png"] + flags, 64, naming: flags[0] + ":", input: scene)
        }
        place.expectFailure(["page.png", "page.png", "-o", "out.png"], 64, naming: "page.png")
    }

    /// A name that promises another format than what is written there.
    @Test(arguments: [
        ["page.png", "-o", "a.b/OUT.EPS"], ["page.png", "-o", "out.png", "--show-plan", "plan.svg"],
        ["diff", "page.png", "page.png", "-o", "out.webp"],
        ["replay", "session.json", "--plot", "out.pdf"], ["batch", "jobs.jsonl"],
    ])
    func nameOfAnotherFormatIsRefused(_ arguments: [String]) {
        let session = """
            {"model": "keyframes", "keyframes": [{"t": 1, "layer": 0, "opacity": 0.5}],
            "scene": {"canvas": {"width": 9, "height": 9}, "layers": [{"fill": "#fff", "rect": [0, 0, 9, 9]}]}}
            """
        place.put(session, "session.json")
        place.put(#"{"input": "page.png", "output": "out.gif"}"#, "jobs.jsonl")
        place.expectFailure(arguments, arguments[0] == "batch" ? 65 : 64, naming: "can't be written", "end the name in")
    }

    @Test func anyOtherNameIsAllowed() {
        for name in ["out", "out.PNG", "out.tmp", "out.svg.part", ".png"] {
            place.run("page.png", "-o", name)
        }
    }

    // MARK: - 65, the input is not what it should be

    @Test func damagedPNGIsRefused() throws {
        let page = try #require(place.bytes("page.png"))
        place.put("Hello", "text.png")
        place.expectFailure(["text.png", "-o", "out.png"], 65, naming: "text.png")
        place.expectFailure(["-", "-o", "out.png"], 65, naming: "standard input", input: Array(page.dropLast(20)))
    }

    /// Two of the sentences that `DocumentErrorTests` lists.
    @Test(arguments: [
        (#"{"canvas": {"width": 16385, "height": 10}}"#, "canvas.width: 16385 is out of range; allowed is 1…16384"),
        (#"{"canvas": {"width": 10, "height": NaN}}"#, "line 1, column 36"),
    ])
    func wrongSceneIsRefusedNamingTheKey(scene: String, words: String) {
        place.put(scene, "scene.json")
        place.expectFailure(["scene.json", "-o", "out.png"], 65, naming: "scene.json: " + words)
        place.expectFailure(["-", "-o", "out.png"], 65, naming: "standard input: " + words, input: Array(scene.utf8))
    }

    @Test func pictureOverTheDevicesLimitIsRefused() throws {
        let wide = Image(width: 70_000, height: 1, pixels: [UInt8](repeating: 255, count: 280_000))
        try place.put(wide, "wide.png")
        place.expectFailure(["wide.png", "-o", "out.png", "--canvas", "100x100"], 65, naming: "wide.png", "70000×1")
        place.expectFailure(["page.png", "-o", "out.png", "--margin", "8190"], 65)
    }

    // MARK: - 66, the input can't be read

    @Test func inputThatCanNotBeReadIsRefused() {
        place.expectFailure(["missing.png", "-o", "out.png"], 66, naming: "missing.png")
        place.expectFailure([".", "-o", "out.png"], 66, naming: "directory")
        place.expectFailure(["page.png/x.png", "-o", "out.png"], 66, naming: "page.png/x.png")
        let scene = #"{"canvas": {"width": 9, "height": 9}, "layers": [{"image": "gone.png", "rect": [0, 0, 9, 9]}]}"#
        place.expectFailure(["-", "-o", "out.png"], 66, naming: "gone.png", input: Array(scene.utf8))
    }

    // MARK: - 69, no device

    @Test(arguments: ["99", "/dev/dri/renderD999"])
    func deviceThatIsNotThereIsRefusedWithTheTable(_ device: String) {
        let outcome = place.command.run("page.png", "-o", "out.png", "--device", device)
        place.expectFailure(outcome, 69, naming: "device " + device)
        #expect(outcome.errors.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("  ") })
        #expect(outcome.errors.contains("default display"))
    }

    // MARK: - 73, the output can't be written

    @Test func outputThatCanNotBeWrittenIsRefused() {
        place.expectFailure(["page.png", "-o", "missing/out.png"], 73, naming: "missing/out.png")
        place.expectFailure(["page.png", "-o", "."], 73, naming: "directory")
        place.expectFailure(["page.png", "-o", "page.png/out.png"], 73, naming: "page.png/out.png")
        place.expectFailure(["page.png", "-o", "/dev/full"], 73, naming: "/dev/full")
    }

    // MARK: - What may have been meant

    @Test(arguments: [("renderr", "render"), ("verfy", "verify"), ("device", "devices"), ("hlep", "help")])
    func aMisspeltCommandIsAnsweredWithTheRightOne(word: String, command: String) {
        place.expectFailure(
            [word, "page.png", "-o", "out.png"], 64, naming: "\(word) is neither a command nor a file", command)
    }

    @Test func aSingleWordThatIsNothingIsAnsweredWithHelp() {
        place.expectFailure(["page.png", "out.png"], 64, naming: "write -o out.png")
        for flag in [["-o", "out.png"], ["--output", "out.png"], ["--output=out.png"]] {
            let named = place.command.run(["page.png", "other.png"] + flag)
            #expect(named.code == 64 && !named.errors.contains("write -o"))
        }
        place.expectFailure(["live", "page.png", "-o", "out.png"], 64, naming: "only an HTML page")
        place.expectFailure(["foo"], 64, naming: "foo is neither a command nor a file; see loupe-render --help")
    }

    @Test(arguments: [
        (["--letters", "page.png"], "--letters=a page.png"), (["--frame", "page.png"], "--frame=auto page.png"),
        (["--frame", "--letters", "page.png"], "--letters=a page.png"),
        (["page.png", "--letters", "page.png"], "--letters=a page.png"),
        (["live", "--frame", "./page.png"], "--frame=auto ./page.png"),
    ])
    func anOptionThatTookTheFilesNameSaysSo(arguments: [String], right: String) {
        let flags = arguments + ["--callout", "40%,30%", "-o", "out.png"]
        place.expectFailure(flags, 64, naming: "it took the file's name", "write \(right), or name the file first")
    }

    @Test func aWordThatWouldBeDroppedIsAnError() {
        place.expectFailure(
            ["page.png", "--at", "9,9", "--at=5,5", "-o", "out.png"], 64, naming: "--at: it is given twice")
        place.expectFailure(
            ["page.png", "--at", "9,9", "-o", "a.png", "--output", "b.png"], 64, naming: "--output: it is given twice")
        place.expectFailure(
            ["diff", "page.png", "page.png", "--tolerance=1", "--tolerance", "200"], 64,
            naming: "--tolerance: it is given twice")
        place.expectFailure(
            ["--callout", "page.png", "40%,30%", "-o", "out.png"], 64, naming: "took the file's name, page.png")
    }

    @Test func anotherFaultIsNotTheTakenFile() {
        let flags = ["page.png", "--frame", "red..blue", "--callout", "40%,30%", "-o", "out.png"]
        place.expectFailure(flags + ["--zoom", "99"], 64, naming: "--zoom: 99 is out of range")
        place.expectFailure(flags + ["--letters", "b"], 64, naming: "--letters: 'b' is not one of a, A or 1")
        place.expectFailure(["diff", "--frame", "page.png"], 64, naming: "<actual>")
    }

    @Test(arguments: ["--color", "--colour=red"]) func anUnknownColourIsTheAccent(flag: String) {
        place.expectFailure(
            ["page.png", "-o", "out.png", flag, "red"], 64, naming: "Did you mean '--accent', the colour")
    }

    @Test func aFileMayHaveAlmostTheNameOfACommand() throws {
        try place.put(Workplace.page, "renders")
        #expect(place.command.run("renders", "-o", "out.png").code == 0)
        place.expectFailure(["picture", "-o", "out.png"], 66, naming: "picture")
    }
}

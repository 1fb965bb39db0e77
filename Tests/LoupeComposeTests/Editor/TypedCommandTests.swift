import LoupeBase
import LoupeCompose
import LoupeScene
import TestSupport
import Testing

@testable import LoupeCompose

@Suite struct TypedCommandTests {
    private let facts = PageFacts(
        size: ImageSize(width: 600, height: 400), pixels: [UInt8](repeating: 255, count: 600 * 400 * 4))

    @Test func wordsAreSplitAsByAShell() throws {
        let text = "a  'b c' \"d'\\\"e\" f\\ g \\\n h'i'j ''"
        #expect(try TypedCommand.words(of: text) == ["a", "b c", "d'\"e", "f g", "hij", ""])
        #expect(throws: ComposeError.self) { try TypedCommand.words(of: "a 'b") }
    }

    @Test func aCommandThatTheEditorWritesIsReadBack() throws {
        let one = editor([callout(at: Point(x: 400, y: 150), focus: Point(x: 100, y: 300))])
        let command = try TypedCommand(one.commandLine)
        #expect(command.page == "my figure.png")
        let json = try command.json(on: facts, after: one)
        let brief = try EditorBrief(from: JSONReader(parsing: Array(#require(json.value(at: "editor")).text().utf8)))
        let scene = try SceneDecoder { _ in facts.size }.decode(Array(#require(json.value(at: "scene")).text().utf8))
        let again = FigureEditor(scene, brief: brief, size: facts.size, isPage: true, isPixelArt: false)
        #expect(again.commandLine == one.commandLine)
        #expect(again.completed == one.completed)
    }

    @Test(arguments: [
        ("", "a command begins with loupe-render and the page's name"),
        ("loupe-render -o a.png", "the command names no page"),
        ("loupe-render a.png b.png", "'b.png': an editor has one page"),
        ("loupe-render a.png --zoom", "--zoom: its value is missing"),
        ("loupe-render a.png --scale 2", "--scale: the editor can't draw this; leave it out"),
        ("loupe-render a.png --compare-with=b.png", "--compare-with: the editor can't draw this; leave it out"),
        ("loupe-render a.png --at 9,9 --zoom 0", "--zoom: 0 is out of range; allowed is 1…64"),
        (
            "loupe-render a.png --callout 9,9 --place beside",
            "--place beside: an editor keeps the canvas; use --place auto"
        ),
    ])
    func aWrongCommandSaysWhy(text: String, sentence: String) {
        #expect(throws: ComposeError(.usage, sentence)) {
            _ = try TypedCommand(text).json(on: facts, after: editor([]))
        }
    }
}

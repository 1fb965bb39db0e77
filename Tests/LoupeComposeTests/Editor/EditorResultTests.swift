import Glibc
import LoupeBase
import LoupeCompose
import LoupePlan
import LoupeScene
import TestSupport
import Testing

@testable import LoupeCompose

@Suite struct EditorResultTests {
    private let loupe = callout(at: Point(x: 400, y: 150), focus: Point(x: 100, y: 300))

    @Test func theSceneIsReadBackAsItIsShown() throws {
        var one = editor([loupe])
        try one.perform(#"{"do": "set", "field": "letters", "value": "a"}"#)
        try one.perform(#"{"do": "set", "field": "connector", "value": "arrow"}"#)
        let shown = one.completed
        let decoder = SceneDecoder { _ in ImageSize(width: 600, height: 400) }
        let read = try decoder.decode(Array(one.document(of: shown).utf8))
        #expect(read == shown.renamingImages { _ in ImagePath("my figure.png") })
        #expect(read.labels.count == 2)
        #expect(read.loupes[0].filter != .auto)
    }

    @Test func theStyleIsTheCommands() {
        let one = editor([loupe])
        var scene = one.page.scene
        scene.loupes = [loupe]
        var expected = DefaultStyle(given: [[]]).applied(to: scene, tone: .light)
        expected = FilterChoice(includesPage: false)
            .applied(to: expected, pageSize: ImageSize(width: 600, height: 400), isPixelArt: false)
        #expect(one.completed == expected)
    }

    @Test func aLoupeIsPlacedWhereTheCommandPlacesIt() throws {
        var pixels = [UInt8](repeating: 255, count: 600 * 400 * 4)
        for y in 0..<400 {
            for x in 0..<300 where x % 6 < 3 { for channel in 0..<3 { pixels[(y * 600 + x) * 4 + channel] = 0 } }
        }
        let busy = ContrastGrid(width: 600, height: 400, pixels: pixels)
        var one = editor([callout(at: loupe.focus, focus: loupe.focus)])
        let brief = EditorBrief(
            command: ["loupe-render", "a.png"], output: "b.png", sceneName: "c.json", images: ["a.png"], contrast: busy)
        var scene = one.page.scene
        scene.loupes = [one.loupe(0)]
        one = FigureEditor(
            scene, brief: try read(brief), size: one.page.facts.size, isPage: true, isPixelArt: false)
        try one.perform(#"{"do": "placeAll"}"#)
        let placed = try LoupePlacer(one.page.styled(one.figure), contrast: busy).placing([0])
        #expect(one.loupe(0).center == placed.loupes[0].center)
        #expect(one.loupe(0).center.x > 300, "it covers what is busy")
        #expect(one.canUndo)
    }

    private func read(_ brief: EditorBrief) throws -> EditorBrief {
        try EditorBrief(from: JSONReader(parsing: Array(brief.json.text().utf8)))
    }

    @Test func aBriefIsReadAsItWasWritten() throws {
        var text = FigureText()
        (text.letters, text.showsZoom, text.marks) = (.numbers, true, [0: "x'y"])
        (text.pixelSize, text.barCorner) = (PhysicalLength(0.65, .um), .topLeft)
        (text.family, text.size, text.color) = ("DejaVu Sans", 17.5, Color(red: 1, green: 2, blue: 3, alpha: 4))
        let pixels = (0..<(40 * 20 * 4)).map { UInt8($0 * 7919 % 251) }
        let brief = EditorBrief(
            command: ["loupe-render", "a b.png", "--background", "#fff"], output: "o.png", sceneName: "s.json",
            images: ["a b.png"], given: [[.init(at: "rim.width"), .init(at: "callout.ring.color")], []],
            accent: .defaultMark, isPlain: true,
            text: text, contrast: ContrastGrid(width: 40, height: 20, pixels: pixels))
        #expect(try read(brief) == brief)
    }

    @Test func aGridComesThroughItsCodesWithoutLoss() throws {
        for start in stride(from: 0, to: 256, by: 16) {
            let codes = Array(start..<start + 16)
            let grid = ContrastGrid(width: 64, height: 16, codes: codes, edges: [nil, .defaultInk, nil, nil])
            #expect(grid?.codes == codes && grid?.edges[1] == .defaultInk)
        }
        #expect(ContrastGrid(width: 64, height: 16, codes: [1, 2], edges: [nil, nil, nil, nil]) == nil)
    }

    @Test func theCommandNamesWhatIsSetAndNothingElse() throws {
        var one = editor([loupe])
        #expect(
            one.commandLine
                == "loupe-render 'my figure.png' -o 'my figure-loupe.png' --loupe 'at=400,150 focus=100,300 radius=60 zoom=4 ring connector=lines'"
        )
        try one.perform(#"{"do": "set", "field": "rim.width", "value": 3.5}"#)
        try one.perform(#"{"do": "set", "field": "shadow.color", "value": "red"}"#)
        try one.perform(##"{"do": "set", "field": "callout.ring.color", "value": "#00f8"}"##)
        try one.perform(##"{"do": "set", "field": "accent", "value": "#123456"}"##)
        try one.perform(#"{"do": "set", "field": "letters", "value": "A"}"#)
        try one.perform(#"{"do": "set", "field": "filter", "value": "nearest"}"#)
        try one.perform(#"{"do": "set", "field": "grid", "value": true}"#)
        #expect(
            one.words == [
                "--loupe",
                "at=400,150 focus=100,300 radius=60 zoom=4 filter=nearest rim=3.5 shadow=#ff0000 ring=#0000ff88 connector=lines grid=#80808080",
                "--accent", "#123456", "--letters", "A",
            ])
        // The accent has no use where nothing takes it; the command refuses it then.
        try one.perform(##"{"do": "set", "field": "callout.connector.color", "value": "#111"}"##)
        #expect(!one.words.contains("--accent"))
        try one.perform(#"{"do": "set", "field": "shows", "value": "below"}"#)
        try one.perform(#"{"do": "set", "field": "shape", "value": "rectangle"}"#)
        #expect(one.words[1].hasPrefix("at=400,150 shape=180x120:6:4 zoom=4 "))
    }

    @Test func cornersThatDifferAreWritten() throws {
        var other = loupe
        let radii = try #require(CornerRadii(text: "5,10,0,3/4"))
        other.shape = .rectangle(.init(width: 170, height: 120, corner: Corner(radii: radii, exponent: 4)))
        #expect(editor([other]).words[1].contains(" shape=170x120:5,10,0,3/4:4 "))
    }

    /// A callout of another shape stays on the canvas.
    @Test func anotherShapeStaysOnTheCanvas() throws {
        var one = editor([callout(at: Point(x: 60, y: 60), focus: Point(x: 100, y: 300))])
        try one.perform(#"{"do": "set", "field": "shape", "value": "rectangle"}"#)
        #expect(one.figure.loupes[0].loupe.center == Point(x: 90, y: 60))
    }

    @Test func scaleBarsAreThoseOfTheFlag() throws {
        var one = editor([loupe])
        #expect(throws: DocumentError.self) {
            try one.perform(#"{"do": "set", "field": "pixelSize", "value": "0.65"}"#)
        }
        try one.perform(#"{"do": "set", "field": "pixelSize", "value": "0.65 µm"}"#)
        #expect(one.words.suffix(2) == ["--pixel-size", "0.65um"])
        #expect(one.completed.scaleBars.count == 2 && one.completed.pixelSize == PhysicalLength(0.65, .um))
        try one.perform(#"{"do": "delete"}"#)
        #expect(one.words == ["--pixel-size", "0.65um"])
    }

    /// A frame is the command's, and loupes move with the page.
    @Test func aFrameIsTheFlags() throws {
        var one = editor([loupe])
        try one.perform(#"{"do": "set", "field": "frame", "value": "light"}"#)
        let path = try #require(one.page.scene.layers[0].imagePath)
        var framed = try PageLayout(
            options: FlaggedPage.options(["--frame", "light"]), size: one.page.facts.size, path: path, kind: .light
        ).scene()
        framed.layers[0].filter = one.page.scene.layers[0].filter
        #expect(one.page.scene(in: .light) == framed && one.completed.canvas == framed.canvas)
        let margin = framed.layers[0].rect.x
        #expect(margin > 0 && one.loupe(0).focus == loupe.focus + Vector(dx: margin, dy: margin))
        #expect(one.words[0] == "--frame=light")
        try one.perform(#"{"do": "set", "field": "frame", "value": null}"#)
        #expect(one.loupe(0) == loupe && one.words[0] == "--loupe")
    }

    @Test func aStyleIsThatOfAllLoupes() throws {
        let below = Loupe(center: loupe.focus, radius: 60, zoom: 2)
        var one = editor([below, loupe])
        try one.perform(##"{"do": "set", "field": "callout.ring.color", "value": "#00f"}"##)
        try one.perform(#"{"do": "style", "connector": "cone"}"#)
        #expect(one.words[1] == "at=100,300 radius=60 zoom=2 filter=linear")
        #expect(one.words[3].hasSuffix(" zoom=4 ring connector=cone"))
        try one.perform(#"{"do": "style", "connector": null}"#)
        #expect(one.words[3].hasSuffix(" zoom=4 ring"))
        try one.perform(#"{"do": "undo"}"#)
        #expect(one.words[3].hasSuffix(" connector=cone"))
    }

    @Test func aSceneIsDrawnByItsName() {
        let one = editor([loupe], isPage: false)
        #expect(one.commandLine == "loupe-render 'my figure-loupe.json' -o 'my figure-loupe.png'")
    }

    @Test(arguments: ["plain", "", "it's", "a b", "$HOME `id` \"x\" \\", "-o", "*?[a]", "é\u{1F50D}", "#a;b&c|d", "'"])
    func aShellReadsAWordAsItWas(word: String) throws {
        let stream = try #require(popen("printf '%s' \(word.forShell)", "r"))
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
        #expect(bytes == Array(word.utf8))
    }

    @Test func wrongValuesAreRefusedAndChangeNothing() throws {
        var one = editor([loupe])
        let before = one.figure
        for (field, value) in [
            ("zoom", "65"), ("radius", "\"x\""), ("rim.width", "61"), ("callout.ring.color", "\"nocolour\""),
            ("filter", "\"best\""),
            ("width", "5"), ("nothing", "1"), ("focusX", "601"),
        ] {
            #expect(throws: DocumentError.self) {
                try one.perform("{\"do\": \"set\", \"field\": \"\(field)\", \"value\": \(value)}")
            }
        }
        #expect(throws: DocumentError.self) { try one.perform(#"{"do": "explode"}"#) }
        #expect(one.figure == before && !one.canUndo)
    }

    @Test func whatIsNotSetFollowsTheStyle() throws {
        var one = editor([loupe])
        let automatic = one.completed.loupes[0].rim
        try one.perform(#"{"do": "set", "field": "rim.width", "value": 11}"#)
        #expect(one.completed.loupes[0].rim?.width == 11)
        #expect(one.completed.loupes[0].rim?.color == automatic?.color)
        try one.perform(#"{"do": "set", "field": "rim.width", "value": null}"#)
        #expect(one.completed.loupes[0].rim == automatic)
        try one.perform(#"{"do": "set", "field": "plain", "value": true}"#)
        #expect(one.completed.loupes[0].rim == nil && one.completed.loupes[0].shadow == nil)
    }

    @Test func aSceneKeepsItsOwnLook() throws {
        var own = loupe
        own.rim = Loupe.Rim(width: 7, color: .defaultMark)
        var one = editor([own], isPage: false)
        #expect(one.completed.loupes == [own])
        try one.perform(#"{"do": "set", "field": "zoom", "value": 3}"#)
        own.zoom = 3
        #expect(one.completed.loupes == [own])
        // A part that the style is to choose; all others stay.
        try one.perform(#"{"do": "set", "field": "rim.width", "value": null}"#)
        #expect(one.completed.loupes[0].rim?.width == 1.5)
        #expect(one.completed.loupes[0].rim?.color == .defaultMark)
        #expect(one.completed.loupes[0].callout?.ring?.color == own.callout?.ring?.color)
    }

    @Test func labelsGoWithTheirLoupes() throws {
        let loupes = [loupe, callout(at: Point(x: 200, y: 100), focus: loupe.focus)]
        var scene = editor(loupes).page.scene
        scene.loupes = loupes
        scene.labels = [
            Label("first", at: .loupe(index: 0, angle: 0, side: .outside, distance: 1)),
            Label("second", at: .ring(index: 1, angle: 0, distance: 1)),
            Label("title", at: .point(.zero, align: .zero)),
        ]
        var two = FigureEditor(
            scene, brief: editor([]).brief, size: ImageSize(width: 600, height: 400), isPage: false, isPixelArt: false)
        try two.perform(#"{"do": "select", "loupe": 0}"#)
        try two.perform(#"{"do": "delete"}"#)
        #expect(two.figure.labels.map(\.text) == ["second", "title"])
        #expect(two.figure.labels[0].anchor == .ring(index: 0, angle: 0, distance: 1))
        try two.perform(#"{"do": "select", "loupe": 0}"#)
        try two.perform(#"{"do": "set", "field": "ring", "value": false}"#)
        #expect(two.figure.labels.map(\.text) == ["title"])
    }

    @Test func aNewLoupeShowsWhatWasAskedForAndCoversNoOther() throws {
        var one = editor([loupe])
        try one.perform(#"{"do": "add", "at": [500.4, 350]}"#)
        #expect(one.selection == 1)
        #expect(one.loupe(1).focus == Point(x: 500, y: 350))
        #expect(one.loupe(1).callout != nil)
        #expect(one.loupe(1).center.distance(to: one.loupe(0).center) >= one.loupe(0).radius + one.loupe(1).radius)
        try one.perform(#"{"do": "undo"}"#)
        #expect(one.figure.loupes.count == 1)
    }

    @Test func thePanelSeesTheSameAsTheHand() throws {
        let one = editor([loupe])
        let state = one.state(of: one.completed)
        guard case .object(let members) = state, case .object(let fields)? = members["fields"] else {
            return fail("no fields")
        }
        #expect(fields["zoom"] == .number(4))
        #expect(members["selected"] == .number(0))
        #expect(members["handles"].map { $0.line.contains("Radius of Loupe 1, 60 pixels") } == true)
        // What the style chose, marked as such.
        #expect(fields["rim.width"] == ["value": 1.5, "auto": .bool(true)])
    }

    @Test func anAutomaticAccentIsShown() throws {
        func accent(_ editor: FigureEditor) -> JSONValue? {
            guard case .object(let members) = editor.state(of: editor.completed),
                case .object(let figure)? = members["figure"]
            else { return nil }
            return figure["accent"]
        }
        var one = editor([loupe])
        let color = try #require(one.completed.loupes[0].callout?.ring?.color)
        #expect(accent(one) == ["value": .string(color.hex), "auto": .bool(true)])
        // A ring of another colour says nothing about the accent: the connector has it.
        try one.perform(##"{"do": "set", "field": "callout.ring.color", "value": "#123456"}"##)
        #expect(accent(one) == ["value": .string(color.hex), "auto": .bool(true)])
        try one.perform(##"{"do": "set", "field": "accent", "value": "#654321"}"##)
        #expect(accent(one) == ["value": .string("#654321"), "auto": .bool(false)])
        #expect(accent(editor([])) == ["value": "#e5484d", "auto": .bool(true)])
    }
}

import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

@Suite struct FigureEditorTests {
    /// A white page of 600×400 pixels with an editor of a command.
    private struct Figure {
        var facts = PageFacts(
            size: ImageSize(width: 600, height: 400), pixels: [UInt8](repeating: 255, count: 600 * 400 * 4))
        var editor: FigureEditor

        init(_ options: (PictureOption, String)...) {
            var given = GivenOptions()
            for (option, value) in options { given.add(option.name, value.utf8) }
            editor = FigureEditor(.init(given, others: []))
        }

        /// As it is drawn.
        func drawn() throws -> DrawnFigure {
            let request = try Request(editor.drawn)
            let path = ImagePath("page.png")
            let composed = try compose(request, page: path, facts: facts) { _ throws(ComposeError) in facts.size }
            return try DrawnFigure(composed.scene, composed.text, of: request, page: path, facts: facts)
        }

        mutating func apply(_ action: EditAction) throws { try editor.apply(action, on: drawn()) }

        mutating func drag(
            _ part: EditAction.Part, of loupe: Int = 0, from: Point, to: Point, gesture: String = "a",
            isFirst: Bool = true, snaps: Bool = false
        ) throws {
            let step = EditAction.DragStep(
                loupe: loupe, part: part, from: from, to: to, isFirst: isFirst, gesture: gesture, snaps: snaps, reach: 6
            )
            try apply(.drag(step))
        }

        /// The words of the command.
        var words: [String] { editor.drawn.commandWords }
    }

    // MARK: - What the hand does

    @Test func aRectangleIsACalloutOfThatRegion() throws {
        var figure = Figure()
        try figure.apply(.addRegion(Rect(x: 100, y: 50, width: 120, height: 80)))
        #expect(figure.words == ["--callout", "100,50..220,130"])
        let loupe = try #require(try figure.drawn().scene.loupes.first)
        #expect(loupe.focus == Point(x: 160, y: 90))
        #expect(figure.editor.added == 0)
    }

    @Test func aPointOfAPageInAMarginIsInThePagesPixels() throws {
        var figure = Figure((.margin, "40"))
        try figure.apply(.addPoint(Point(x: 340, y: 240)))
        #expect(figure.words == ["--margin", "40", "--callout", "page:300,200"])
    }

    @Test func aBoxThatWasFoundForWordsIsTheRegionOfALoupeThatIsMoved() throws {
        var figure = Figure((.callout, "280,196"))
        figure.facts.words = (0..<4).map { Rect(x: 200 + 46 * Double($0), y: 190, width: 40, height: 12) }
        let found = try #require(try figure.drawn().scene.loupes.first)
        try figure.drag(.loupe, from: found.center, to: Point(x: 300, y: 60))
        let target = try #require(figure.words.last.flatMap(CalloutTarget.init))
        #expect(target.focus.isRegion)
        #expect(target.center != nil)
        let moved = try #require(try figure.drawn().scene.loupes.first)
        #expect(moved.focus == found.focus)
    }

    @Test func aZoomThatWasFoundForWordsIsThatOfALoupeThatIsMoved() throws {
        var figure = Figure((.callout, "300,200"))
        figure.facts.words = [Rect(x: 280, y: 222, width: 40, height: 12)]
        let found = try #require(try figure.drawn().scene.loupes.first)
        try figure.drag(.loupe, from: found.center, to: Point(x: 120, y: 100))
        #expect(figure.words.last?.hasSuffix(" zoom=4") == true)
    }

    @Test func aPointOutsideIsTheNearestOfThePage() throws {
        var figure = Figure()
        try figure.apply(.addPoint(Point(x: -50, y: 1000)))
        #expect(figure.words == ["--callout", "0,400"])
    }

    @Test func aLoupeStaysWhereItIsPut() throws {
        var figure = Figure((.callout, "100,300@400,150"))
        try figure.drag(.loupe, from: Point(x: 410, y: 150), to: Point(x: 433, y: 181))
        #expect(figure.words == ["--callout", "100,300@423,181"])
        try figure.drag(.loupe, from: Point(x: 423, y: 181), to: Point(x: 900, y: 181))
        #expect(figure.words == ["--callout", "100,300"])
    }

    @Test func aLoupeSnapsToTheMiddleOfTheCanvas() throws {
        var figure = Figure((.callout, "100,300@400,150"))
        try figure.drag(.loupe, from: Point(x: 400, y: 150), to: Point(x: 304, y: 150), snaps: true)
        #expect(figure.words == ["--callout", "100,300@300,150"])
        #expect(figure.editor.guides == [.vertical(300)])
    }

    @Test func whatIsShownKeepsItsUnitAndItsSize() throws {
        var point = Figure((.callout, "50%,50%@400,100"))
        try point.drag(.source, from: Point(x: 300, y: 200), to: Point(x: 360, y: 160))
        #expect(point.words == ["--callout", "60%,40%@400,100"])
        var region = Figure((.callout, "100,100..180,140@400,300"))
        try region.drag(.source, from: Point(x: 140, y: 120), to: Point(x: 120, y: 90))
        #expect(region.words == ["--callout", "80,70..160,110@400,300"])
    }

    @Test func theCornerOfALoupeIsItsRadiusOrItsZoom() throws {
        var disc = Figure((.callout, "100,300@400,150"), (.radius, "60"))
        try disc.drag(.size, from: Point(x: 460, y: 150), to: Point(x: 490, y: 150))
        #expect(disc.words == ["--callout", "100,300@400,150 radius=90", "--radius", "60"])
        var region = Figure((.callout, "100,100..180,140@400,300 zoom=2"))
        try region.drag(.size, from: Point(x: 480, y: 340), to: Point(x: 520, y: 360), snaps: true)
        #expect(region.words == ["--callout", "100,100..180,140@400,300 zoom=3"])
    }

    @Test func theCornerOfWhatIsShownIsTheZoomOrTheRegion() throws {
        var point = Figure((.callout, "100,300@400,150"), (.zoom, "4"))
        try point.drag(.zoom, from: Point(x: 120, y: 300), to: Point(x: 140, y: 300), snaps: true)
        #expect(point.words == ["--callout", "100,300@400,150 zoom=2", "--zoom", "4"])
        var region = Figure((.callout, "100,100..180,140@400,300"))
        try region.drag(.zoom, from: Point(x: 180, y: 140), to: Point(x: 200, y: 130))
        #expect(region.words == ["--callout", "100,100..200,130@400,300"])
    }

    @Test func theLoupeOfFlagsMovesByItsFlags() throws {
        var figure = Figure((.at, "200,200"), (.zoom, "3"))
        try figure.drag(.loupe, from: Point(x: 200, y: 200), to: Point(x: 250, y: 230))
        #expect(figure.words == ["--at", "250,230", "--zoom", "3"])
        try figure.apply(.addPoint(Point(x: 80, y: 90)))
        #expect(figure.words.last == "focus=80,90 ring= connector=lines")
        #expect(try figure.drawn().scene.loupes.count == 2)
    }

    // MARK: - Options

    @Test func anOptionOfALoupeIsAWordOfItsCallout() throws {
        var figure = Figure((.callout, "10%,20%"), (.callout, "60%,70%"))
        try figure.apply(.set(.rimWidth, "5", loupe: 1))
        try figure.apply(.set(.rimColor, "gold", loupe: 1))
        try figure.apply(.set(.letters, "a", loupe: nil))
        #expect(figure.words == ["--callout", "10%,20%", "--callout", "60%,70% rim=5:gold", "--letters=a"])
        try figure.apply(.set(.rimWidth, nil, loupe: 1))
        try figure.apply(.set(.rimColor, nil, loupe: 1))
        #expect(figure.words == ["--callout", "10%,20%", "--callout", "60%,70%", "--letters=a"])
        #expect(throws: ComposeError.self) { try figure.apply(.set(.label, "a b", loupe: 0)) }
        #expect(throws: ComposeError.self) { try figure.apply(.set(.zoom, "2", loupe: 9)) }
    }

    @Test func whatWouldBeRefusedWithoutLoupesIsLeftOut() throws {
        var figure = Figure((.callout, "10%,20%"), (.zoom, "3"), (.accent, "teal"), (.place, "auto"), (.margin, "9"))
        try figure.apply(.set(.at, "50%,50%", loupe: 0))
        #expect(!figure.words.contains("--place"))
        try figure.apply(.delete(0))
        #expect(figure.words == ["--margin", "9"])
        try figure.apply(.undo)
        #expect(figure.words.contains("10%,20%@50%,50%"))
    }

    // MARK: - Undo

    @Test func theStepsOfAGestureAreUndoneTogether() throws {
        var figure = Figure((.callout, "100,300@400,150"))
        for (number, x) in [410.0, 420, 430].enumerated() {
            try figure.drag(.loupe, from: Point(x: 400, y: 150), to: Point(x: x, y: 150), isFirst: number == 0)
        }
        #expect(figure.words == ["--callout", "100,300@430,150"])
        try figure.drag(.loupe, from: Point(x: 430, y: 150), to: Point(x: 430, y: 160), gesture: "b")
        try figure.apply(.undo)
        #expect(figure.words == ["--callout", "100,300@430,150"])
        try figure.apply(.undo)
        #expect(figure.words == ["--callout", "100,300@400,150"])
        try figure.apply(.redo)
        #expect(figure.words == ["--callout", "100,300@430,150"])
    }

    // MARK: - Words

    @Test func wordsAreSplitAsByAShell() throws {
        let text = "a  'b c' \"d'\\\"e\" f\\ g \\\n h'i'j ''"
        #expect(try ShellWords.split(text) == ["a", "b c", "d'\"e", "f g", "hij", ""])
        #expect(throws: ComposeError.self) { try ShellWords.split("a 'b") }
        let words = ["a b", "it's", "--callout", "1,2..3,4@5%,6% zoom=2"]
        #expect(try ShellWords.split(ShellWords.line(words)) == words)
    }

    @Test(arguments: [
        ("40%,30%", "40%,30%", ""), ("1,2@3,4 zoom=3 rim=2", "1,2@3,4", "zoom=3 rim=2"),
        ("1,2 \t\n label=a", "1,2", "label=a"), ("1,2 zoom", "1,2 zoom", ""), ("zoom=3", "zoom=3", ""),
        ("text:Total due@1,2 zoom=3", "text:Total due@1,2", "zoom=3"),
        (#"text:"a zoom=3" rim=2"#, #"text:"a zoom=3""#, "rim=2"),
    ])
    func wordsBeginAfterATarget(_ text: String, _ target: String, _ words: String) {
        let parts = CalloutTarget.parts(of: text)
        #expect(parts.target == target)
        #expect(parts.words == words)
    }

    @Test func theWordsOfACalloutGoBeforeFlags() throws {
        let figure = Figure(
            (.callout, "20%,20%@50%,50% zoom=2 shape=80x60"), (.callout, "80%,80%@30%,70%"), (.zoom, "5"),
            (.radius, "40"))
        let loupes = try figure.drawn().scene.loupes
        #expect(loupes.map(\.zoom) == [2, 5])
        #expect(loupes.map(\.halfSides) == [Vector(dx: 40, dy: 30), Vector(dx: 40, dy: 40)])
    }

    @Test(arguments: [
        (PictureOption.callout, "1,2 at=3,4", "--callout.at: the callout says that before its words; leave it out"),
        (.callout, "1,2 zoom=99", "--callout.zoom: 99 is out of range; allowed is 1…64"),
        (.callout, "1,2 zoom=2 nothing=3", "--callout.nothing: unknown key"),
        (
            .loupe, "at=1,2 shape=circle",
            "--loupe.shape: only a callout's region has a form without a size; write shape=WxH"
        ),
    ])
    func wrongWordsAreNamed(_ option: PictureOption, _ value: String, _ sentence: String) throws {
        let error = #expect(throws: ComposeError.self) { try Figure((option, value)).drawn() }
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        "{}", "[]", #"{"do": "jump"}"#, #"{"do": "add"}"#, #"{"do": "add", "region": [1, 2, 3]}"#,
        #"{"do": "set", "option": "nothing", "value": "1"}"#, #"{"do": "undo", "x": 1}"#,
        #"{"do": "drag", "loupe": -1, "part": "loupe", "from": [0, 0], "to": [1, 1], "first": true, "gesture": "", "snaps": true, "reach": 1}"#,
    ])
    func actionsThatAreNoneAreRefused(_ text: String) {
        #expect(throws: DocumentError.self) { try EditAction(from: JSONReader(parsing: Array(text.utf8))) }
    }
}

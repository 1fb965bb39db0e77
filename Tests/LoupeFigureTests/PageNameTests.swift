import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// Positions that are given by what lies there.
@Suite struct PageNameTests {
    /// A page of 400×300. Nothing but its names says that it has no pixels, so that it is not enlarged.
    private func facts(
        _ boxes: [String: [Rect]], text: String = "", ids: [String]? = nil,
        room: Rect = Rect(x: 0, y: 0, width: 400, height: 300)
    ) -> PageFacts {
        var facts = PageFacts(size: ImageSize(width: 400, height: 300))
        var names = PageNames()
        (names.boxes, names.text, names.ids) = (boxes, text, ids)
        names.rooms = boxes.mapValues { [Rect](repeating: room, count: $0.count) }
        facts.names = names
        return facts
    }

    @Test(arguments: [
        ("text:Total due", "text:Total due", nil), (#"text:"Total due""#, "text:Total due", nil),
        ("text:Total due#2", "text:Total due", 2), (##"text:"Total due"#2"##, "text:Total due", 2),
        ("text:Issue #12", "text:Issue #12", nil), (##"text:"No#2""##, "text:No#2", nil), ("text:#2", "text:#2", nil),
        ("text:a@b.c", "text:a@b.c", nil), ("text: a b ", "text:a b", nil), ("text:1,2..3,4", "text:1,2..3,4", nil),
        ("id:a#2", "id:a#2", nil),
    ])
    func grammar(text: String, key: String, number: Int?) throws {
        let name = try #require(FocusTarget(text: text)?.name)
        #expect(name.key == key)
        #expect(name.number == number)
    }

    @Test(arguments: ["text:", "text: ", "id:", "Text:a", "text:" + String(repeating: "a", count: 1001)])
    func noName(text: String) { #expect(FocusTarget(text: text) == nil) }

    @Test(arguments: [("text:a b#2@70%,20%", "text:a b#2"), ("text:a@b.c@70%,20%", "text:a@b.c")])
    func calloutsHaveCentres(text: String, focus: String) throws {
        let target = try #require(CalloutTarget(text: text))
        #expect(target.focus == FocusTarget(text: focus))
        #expect(target.center == Position(text: "70%,20%"))
    }

    /// The region is the box with 0.4 of its height around it, and not more than 2 % of the page's shorter side.
    @Test(arguments: [
        ["--callout", "text:Total due#2@50,250"], ["--at", "50,250", "--focus", "text:Total due#2"],
        ["--loupe", ##"at=50,250 focus=text:"Total due"#2 zoom=3"##],
        ["--callout", "id:sum@text:Total due#1", "--zoom", "4", "--radius", "9"],
    ])
    func namesAreRegions(flags: [String]) throws {
        let (first, second) = (Rect(x: 40, y: 245, width: 20, height: 10), Rect(x: 100, y: 50, width: 60, height: 20))
        let facts = facts(["text:Total due": [first, second], "id:sum": [second]])
        let loupe = try #require(try FlaggedPage.scene(["--plain"] + flags, facts).loupes.first)
        #expect(loupe.center == Point(x: 50, y: 250))
        #expect(loupe.focus == Point(x: 130, y: 60))
        if flags.count == 2, flags[0] == "--callout" { #expect(loupe.halfSides == loupe.zoom * Vector(dx: 36, dy: 16)) }
    }

    /// What lies around the box ends where the next text is nearer.
    @Test func otherTextsEndTheRoom() throws {
        let room = Rect(x: 98, y: 40, width: 66, height: 40)
        let facts = facts(["text:Total": [Rect(x: 100, y: 50, width: 60, height: 20)]], room: room)
        let loupe = try #require(
            try FlaggedPage.scene(["--plain", "--callout", "text:Total@50,250"], facts).loupes.first)
        // As wide at both sides, and at least an eighth of its height.
        #expect(loupe.focus == Point(x: 130, y: 60))
        // A loupe has whole pixels.
        let half = loupe.halfSides - loupe.zoom * Vector(dx: 32.4, dy: 16)
        #expect(half.length < 0.5)
    }

    /// A canvas of twice the page's size, and a margin of 10.
    @Test func boxesAreOnTheCanvas() throws {
        let facts = facts(["id:legend": [Rect(x: 300, y: 200, width: 40, height: 20)]])
        let flags = ["--margin", "10", "--canvas", "820x620", "--callout", "id:legend@9,9"]
        #expect(try FlaggedPage.scene(flags, facts).loupes[0].focus == Point(x: 650, y: 430))
    }

    @Test(arguments: [
        (
            "text:Total",
            "--callout: 'Total' stands on the page at 25%,20% (#1), 75%,50% (#2); say which one is meant, as in text:\"Total\"#2"
        ), ("text:Total#3", "(#2); say which one"),
        ("text:Totl", "the page has no text 'Totl'; the nearest: 'Total', 'Sum', 'it';"),
        ("text:of my", "no text 'of my'; the nearest: 'of it', "),
        ("id:legnd", "no element with the id 'legnd'; the nearest: 'legend', 'line', 'axes'"),
        ("id:line", "the element with the id 'line' draws nothing"),
    ])
    func refusals(text: String, words: String) {
        let boxes = [Rect(x: 80, y: 50, width: 40, height: 20), Rect(x: 280, y: 140, width: 40, height: 20)]
        let facts = facts(
            ["text:Total": boxes], text: "Total\nTotal\n \nSum of it", ids: ["line", "axes", "legend", "other-one"])
        let error = thrown(ComposeError.self) { try FlaggedPage.scene(["--callout", text], facts) }
        #expect(error?.kind == .badInput)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func pagesOfPixelsHaveNoNames() {
        FlaggedPage.expectRefusal(["--callout", "id:a"], "--callout: a page of pixels has neither texts nor elements")
        FlaggedPage.expectRefusal(["--loupe", "at=1,1 focus=text:a"], "--loupe.focus: a page of pixels")
    }
}

import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// `loupe-render check`: for each finding a figure that has it and one that does not, both drawn by the command.
@Suite struct CheckCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// A canvas of 240×160 that is 60 mm wide, so that a pixel is 0.709 pt wide. Nothing is wrong with it.
    private static let good = """
        {"canvas": {"width": 240, "height": 160, "background": "#ffffff"}, "pixelSize": "0.65um", "alt": "White",
         "layers": [{"fill": "#ffffff", "rect": [0, 0, 240, 160]}],
         "loupes": [{"center": [190, 60], "radius": 40, "zoom": 4, "focus": [60, 60],
           "rim": {"width": 3, "color": "#203040"},
           "callout": {"ring": {"width": 2, "color": "#c0392b"},
                       "connector": {"style": "lines", "width": 2, "color": "#c0392b"}}}],
         "labels": [{"text": "a", "loupe": 0, "size": 12, "font": "DejaVu Sans"},
                    {"text": "a", "ring": 0, "size": 12, "font": "DejaVu Sans"}],
         "scaleBars": [{"layer": 0, "length": "20um", "size": 10, "corner": "bottomLeft", "font": "DejaVu Sans"},
                       {"loupe": 0, "length": "2um", "size": 10, "width": 2, "font": "DejaVu Sans"}]}
        """

    /// A change of the good figure, and what it is found for.
    struct Case: CustomTestStringConvertible {
        let changes: [(String, String)]
        let rule: String
        let element: String
        var severity = "error"
        var flags: [String] = []

        var testDescription: String { "\(rule) of \(element)" }
    }

    private static let callout = """
        "callout": {"ring": {"width": 2, "color": "#c0392b"},
                       "connector": {"style": "lines", "width": 2, "color": "#c0392b"}}
        """
    static let cases = [
        Case(
            changes: [("\(callout)", "\"filter\": \"cubic\""), ("\"ring\": 0", "\"at\": [9, 9]")], rule: "origin",
            element: "loupes[0]"),
        Case(
            changes: [
                ("\(callout)", "\"filter\": \"cubic\""), ("[60, 60]", "[190, 60]"), ("\"ring\": 0", "\"at\": [9, 9]"),
            ], rule: "origin",
            element: "loupes[0]", severity: "warning"),
        Case(changes: [("\"20um\"", "\"200um\"")], rule: "scale-bar", element: "scaleBars[0]"),
        Case(
            changes: [("\"loupe\": 0, \"length\": \"2um\"", "\"layer\": 0, \"length\": \"2um\"")], rule: "scale-bar",
            element: "loupes[0]", severity: "warning"),
        Case(
            changes: [
                ("\"loupe\": 0, \"length\": \"2um\"", "\"layer\": 0, \"length\": \"2um\""),
                ("\"text\": \"a\", \"loupe\"", "\"text\": \"14×\", \"loupe\""),
            ], rule: "scale-bar", element: "loupes[0]", severity: "warning"),
        Case(
            changes: [
                ("\"ring\": {\"width\": 2, \"color\": \"#c0392b\"", "\"ring\": {\"width\": 2, \"color\": \"#f2f2f2\"")
            ],
            rule: "line-contrast", element: "loupes[0].callout.ring"),
        Case(changes: [("#203040", "#f4f4f4")], rule: "line-contrast", element: "loupes[0].rim"),
        Case(
            changes: [("{\"fill\": \"#ffffff\"", "{\"fill\": \"#858f2a\""), ("#c0392b", "#d2553c")],
            rule: "color-vision",
            element: "loupes[0].callout.connector"),
        Case(
            changes: [("\"rim\": {\"width\": 3", "\"rim\": {\"width\": 0.3")], rule: "line-width",
            element: "loupes[0].rim"),
        Case(changes: [("\"size\": 12", "\"size\": 6")], rule: "text-size", element: "labels[0]"),
        Case(
            changes: [("\"ring\": 0,", "\"ring\": 0, \"color\": \"#b0b0b0\",")], rule: "text-contrast",
            element: "labels[1]"),
        Case(
            changes: [("\"fill\": \"#ffffff\"", "\"image\": \"page.png\"")], rule: "resolution", element: "layers[0]"),
    ]

    /// The findings of a scene that is drawn as a format, as `severity rule element`.
    private func findings(_ scene: String, as format: String, _ flags: [String] = []) throws -> [String] {
        place.put(scene, "scene.json")
        place.run("scene.json", "-o", "figure.\(format)", "--width", "60mm")
        let outcome = place.command.run(["check", "figure.\(format)", "--json", "-", "--min-dpi", "100"] + flags)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        let json = try JSONValue(parsing: outcome.output)
        let found = json["findings"].elements.map { finding in
            #expect(finding["problem"].text?.isEmpty == false && finding["fix"].text?.isEmpty == false)
            return ["severity", "rule", "element"].compactMap { finding[$0].text }.joined(separator: " ")
        }
        #expect(outcome.code == (found.contains { $0.hasPrefix("error") } ? 1 : 0))
        return found
    }

    @Test(arguments: ["png", "pdf", "svg"]) func aGoodFigureHasNoFindings(format: String) throws {
        #expect(try findings(Self.good, as: format) == [])
        let outcome = place.command.run("check", "figure.\(format)", "--min-dpi", "100", "--color", "never")
        #expect(outcome.code == 0 && outcome.text == "figure.\(format): 60 mm wide, no errors, no warnings\n")
    }

    @Test func eachFindingIsFoundWhereItIs() throws {
        for (index, change) in Sample.of(Array(Self.cases.enumerated()), every: 4) {
            let scene = change.changes.reduce(Self.good) { $0.replacing($1.0, with: $1.1) }
            #expect(scene != Self.good, "\(change.testDescription)")
            let found = try findings(scene, as: ["svg", "pdf", "png"][index % 3], change.flags)
            #expect(
                found.contains("\(change.severity) \(change.rule) \(change.element)"), "\(index): \(change): \(found)")
        }
    }

    /// The letter at the loupe and at what it shows are a mark of the origin, without a ring.
    @Test func theSameLetterAtBothPlacesIsAMark() throws {
        let scene = Self.good.replacing(Self.callout, with: "\"filter\": \"cubic\"")
        #expect(try findings(scene, as: "svg") == [])
    }

    @Test func widthsOnPaperComeFromTheFileOrTheFlag() throws {
        _ = try findings(Self.good, as: "pdf")
        // A third of the width: text of 10 pixels is 2.8 pt.
        let small = place.command.run("check", "figure.pdf", "--width", "20mm", "--color", "never")
        #expect(small.code == 1 && small.text.contains("2.83 pt on paper; at least 5 pt is needed"), "\(small.text)")
        let allowed = place.command.run("check", "figure.pdf", "--width", "20mm", "--min-text", "2", "--quiet")
        #expect(allowed.code == 0 && allowed.text.isEmpty)
        // Half of 0.709 pt.
        let thick = place.command.run("check", "figure.pdf", "--min-line", "2", "--color", "never")
        #expect(thick.code == 1 && thick.text.contains("loupes[0].callout.ring"), "\(thick.text)")
    }

    // MARK: - Figures of other programs

    @Test func ofOtherPicturesTheResolutionIsChecked() throws {
        // 40 pixels in 10 mm are 101.6 an inch.
        let low = place.command.run("check", "page.png", "--width", "10mm", "--color", "never")
        #expect(low.code == 1 && low.text.contains("102 pixels an inch on paper; at least 300"), "\(low.text)")
        #expect(place.command.run("check", "page.png", "--width", "3mm").code == 0)
        let unknown = place.command.run("check", "page.png", "--color", "never")
        #expect(unknown.code == 0 && unknown.text.contains("not checked: sizes on paper"), "\(unknown.text)")
        #expect(unknown.text.hasSuffix(" in what is checked\n"))
        place.put(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>"#, "a.svg")
        let drawing = place.command.run("check", "a.svg", "--color", "never")
        #expect(drawing.code == 0 && drawing.text.contains("the file has no scene"), "\(drawing.text)")
    }

    @Test func ofOtherPDFsTextsPicturesAndFontsAreChecked() throws {
        let content =
            "BT /F1 4 Tf 10 10 Td (small) Tj ET q 36 0 0 36 40 40 cm /I1 Do Q"
        let pdf = PDFPageTests.file([
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 144]/Resources<</Font<</F1 5 0 R>>/XObject<</I1 6 0 R>>>>/Contents 4 0 R>>",
            "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            "<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>>stream\nabcd\nendstream",
        ])
        _ = place.folder.put(pdf, "other.pdf")
        let outcome = place.command.run("check", "other.pdf", "--json", "-")
        #expect(outcome.code == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        let findings = try JSONValue(parsing: outcome.output)["findings"].elements
        #expect(
            findings.map { $0["element"].text } == ["font Helvetica", "images[0]", "text in Helvetica"],
            "\(outcome.text)")
        // Two pixels in half an inch; text of 4 pt.
        #expect(findings.map { $0["measured"] }.dropFirst() == [.number(4), .number(4)])
        // Twice as large on paper.
        let wide = place.command.run("check", "other.pdf", "--width", "4in", "--json", "-")
        let larger = try JSONValue(parsing: wide.output)["findings"].elements
        #expect(larger.map { $0["element"].text } == ["font Helvetica", "images[0]"])
        #expect(larger.last?["measured"] == .number(2))
    }

    /// As matplotlib writes them by default.
    @Test func fontsOfType3AreAWarning() throws {
        let pdf = PDFPageTests.file([
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 144]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
            "<</Length 31>>stream\nBT /F1 40 Tf 9 9 Td (aa) Tj ET \nendstream",
            "<</Type/Font/Subtype/Type3/Name/Drawn/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 6 0 R>>"
                + "/Encoding<</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<<>>>>",
            "<</Length 34>>stream\n1 0 0 0 1 1 d1 0.1 0.1 0.8 0.8 re f\nendstream",
        ])
        _ = place.folder.put(pdf, "drawn.pdf")
        let outcome = place.command.run("check", "drawn.pdf", "--color", "never")
        #expect(outcome.code == 0 && outcome.text.contains("its letters are drawings (Type 3)"), "\(outcome.text)")
    }

    /// What the helper process answers about a page may be long.
    @Test func ofAPDFWithThousandsOfTextsEachIsChecked() throws {
        let content = (0..<8000).map { "BT /F1 \(9 - Double($0) / 20_000) Tf \($0 % 100)0 \($0 / 50)0 Td (a) Tj ET" }
            .joined(separator: "\n")
        let pdf = PDFPageTests.file([
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000 1700]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
            "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ])
        let name = place.folder.put(pdf, "texts.pdf")
        #expect(try #require(try ImageFile(path: Path(name)).pdfFacts()).texts.count > 3500)
        let outcome = place.command.run("check", "texts.pdf", "--min-text", "8.7", "--json", "-")
        #expect(outcome.code == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        let findings = try JSONValue(parsing: outcome.output)["findings"].elements
        #expect(findings.map { $0["element"].text } == ["font Helvetica", "text in Helvetica"], "\(outcome.text)")
    }

    // MARK: - What is no figure

    @Test func brokenFiguresEndWith65() throws {
        let png = try #require(place.bytes("page.png"))
        _ = place.folder.put(Array(png.prefix(80)), "cut.png")
        place.put("%PDF-1.5\nnothing", "cut.pdf")
        place.put("<svg xmlns=\"http://www.w3.org/2000/svg\"", "cut.svg")
        place.put(Self.good, "scene.json")
        place.run("scene.json", "-o", "figure.svg")
        let text = try place.text("figure.svg")
        place.put(text.replacing("loupe-scene/1", with: "loupe-scene/9"), "other.svg")
        for (name, word) in [
            ("cut.png", "cut.png"), ("cut.pdf", "cut.pdf"), ("cut.svg", "cut.svg"), ("scene.json", "figure is needed"),
            ("other.svg", "loupe-scene/9"),
        ] {
            place.expectFailure(["check", name], 65, naming: word)
        }
        place.expectFailure(["check", "none.png"], 66, naming: "none.png")
        place.expectFailure(["check", "page.png", "--min-dpi", "-1"], 64, naming: "--min-dpi")
    }

    /// A figure whose pages lie elsewhere is checked but for their resolution, and one that was changed is not.
    @Test func whatCannotBeCheckedIsSaid() throws {
        let scene = Self.good.replacing("\"fill\": \"#ffffff\"", with: "\"image\": \"page.png\"")
        _ = try findings(scene, as: "svg")
        let other = TemporaryFolder()
        _ = other.put(try #require(place.bytes("figure.svg")), "figure.svg")
        let outcome = place.command.run("check", other.file("figure.svg"), "--color", "never")
        let unchecked = "not checked: the resolution of 'page.png', and text and lines within it"
        #expect(outcome.text.contains(unchecked), "\(outcome.text)")
        #expect(!outcome.text.contains("layers[0]"))
        place.put(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text font-size='1'>a</text></svg>", "a.svg")
        #expect(place.command.run("a.svg", "-o", "small.svg", "--at", "4,4", "--radius", "2").code == 0)
        let within = place.command.run("check", "small.svg", "--color", "never")
        #expect(within.text.contains("not checked: text and lines within 'a.svg'"), "\(within.text)")
        let alone = place.command.run("check", "a.svg", "--color", "never")
        #expect(alone.text.contains("not checked: text: "), "\(alone.text)")
        place.run("page.png", "-o", "b.png", "--at", "20,20")
        let pixels = place.command.run("check", "b.png", "--width", "80mm", "--color", "never")
        #expect(pixels.text.contains("not checked: text within 'page.png'"), "\(pixels.text)")
    }

    @Test func noMetadataLeavesTheSceneOut() throws {
        for format in ["pdf", "svg"] {
            place.put(Self.good, "scene.json")
            place.run("scene.json", "-o", "a.\(format)", "--no-metadata")
            let text = String(decoding: try #require(place.bytes("a.\(format)")), as: UTF8.self)
            #expect(!text.contains("loupe-scene"))
            #expect(place.command.run("check", "a.\(format)").text.contains("the file has no scene"))
        }
    }
}

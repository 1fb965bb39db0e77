import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// Callouts of texts and elements, on real pages. What a name means is drawn in red: the loupe shows all of it, in its middle.
@Suite struct NamedCalloutTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// That the page's red pixels fill the region that the callout shows, but for the room around it.
    private func expectRed(_ page: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        place.run([page, "-o", "page.png", "--scale", "4", "--background", "#fff"], sourceLocation: sourceLocation)
        let image = try place.image("page.png")
        let red = (0..<image.width * image.height).filter {
            image.pixels[$0 * 4] > 200 && image.pixels[$0 * 4 + 1] < 100
        }
        let (columns, rows) = (red.map { $0 % image.width }, red.map { $0 / image.width })
        let flags = ["--plain", "--scale", "1", "--callout", "\(name)@0,0", "--print-scene"]
        let printed = place.run([page] + flags, sourceLocation: sourceLocation).output
        let scene = try SceneDecoder { _ in ImageSize(width: image.width / 4, height: image.height / 4) }.decode(
            printed)
        let loupe = try #require(scene.loupes.first, sourceLocation: sourceLocation)
        let half = (4 / loupe.zoom) * loupe.halfSides
        let ends = try [#require(columns.min()), #require(columns.max()), #require(rows.min()), #require(rows.max())]
        let gaps = [
            Double(ends[0]) - (4 * loupe.focus.x - half.dx), 4 * loupe.focus.x + half.dx - Double(ends[1]),
            Double(ends[2]) - (4 * loupe.focus.y - half.dy), 4 * loupe.focus.y + half.dy - Double(ends[3]),
        ]
        for gap in gaps { #expect(-2...60 ~= gap, "\(name): \(gaps)", sourceLocation: sourceLocation) }
    }

    /// An SVG with its view box in the middle, and texts that are turned, moved and parted, of which one part is red.
    private func drawing(red marked: String) -> String {
        let parts = [
            "<text x='20' y='20'>Total</text>",
            "<text x='120' y='80'>Total <tspan font-weight='bold'>due</tspan></text>",
            "<g id='legend' transform='translate(60 20)'><path d='M0 0h50v12H0z'/><path d='M5 15h50' fill='none' stroke='#f00'/></g>",
            "<text x='20' y='40'>Total</text>",
            "<text transform='translate(20 90) rotate(-90)' opacity='0.9'>Up</text>",
        ].map { $0.contains(marked) ? "<g fill='#f00'>\($0)</g>" : $0.replacing("#f00", with: "#00f") }
        return """
            <svg xmlns='http://www.w3.org/2000/svg' width='5in' height='300' viewBox='0 0 200 100' font-family='DejaVu Sans' font-size='8'>
            \(parts.joined())</svg>
            """
    }

    @Test(arguments: [("due", "text:Total due"), ("legend", "id:legend"), ("Up", "text:Up")])
    func partsOfSVGs(marked: String, name: String) throws {
        place.put(drawing(red: marked), "page.svg")
        try expectRed("page.svg", name)
    }

    /// No ring touches the texts beside, above and beneath what it names, however near they are.
    @Test func otherTextsStayOutside() throws {
        let texts = [("Rate", 60, 50), ("7", 82, 50), ("x", 53, 50), ("above", 60, 42), ("below", 60, 58)]
        let all = texts.map { "<text x='\($0.1)' y='\($0.2)'>\($0.0)</text>" }
        func source(_ page: String) throws -> Rect {
            let printed = place.run([page, "--plain", "--scale", "1", "--callout", "text:Rate@0,0", "--print-scene"])
            let scene = try SceneDecoder { _ in ImageSize(width: 200, height: 100) }.decode(printed.output)
            let loupe = try #require(scene.loupes.first)
            let half = (1 / loupe.zoom) * loupe.halfSides
            return Rect(center: loupe.focus, width: 2 * half.dx, height: 2 * half.dy)
        }
        for (name, texts) in [("one.svg", [all[0]]), ("all.svg", all)] {
            let head = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100' font-size='8' "
            place.put(head + "font-family='DejaVu Sans'>\(texts.joined())</svg>", name)
        }
        let (alone, among) = (try source("one.svg"), try source("all.svg"))
        #expect(among.minX > alone.minX)
        #expect(among.maxX < alone.maxX)
        #expect(among.minY > alone.minY)
        #expect(among.maxY < alone.maxY)
        #expect(among.minX > 57)
        #expect(among.maxX < 82)
        #expect(among.minY > 41)
        // What is around it is as wide at both sides.
        #expect(abs(among.minX - alone.minX - alone.maxX + among.maxX) < 0.5)
    }

    /// A PDF of two pages that are cropped, of which the second is turned.
    private static var document: [UInt8] {
        let content =
            "BT /F 12 Tf 60 40 Td (Total) Tj 0 90 Td (Total) Tj 1 0 0 rg 90 -50 Td (Total) Tj 30 0 Td (due) Tj ET"
        let page =
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/CropBox[40 20 290 180]/Contents 5 0 R/Resources<</Font<</F 6 0 R>>>>"
        return PDFPageTests.file([
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>", page + ">>",
            page + "/Rotate 90>>",
            "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ])
    }

    @Test(arguments: ["page.pdf", "page.pdf#2"]) func textsOfPDFs(page: String) throws {
        _ = place.folder.put(Self.document, "page.pdf")
        try expectRed(page, "text:Total due")
    }

    @Test func refusals() throws {
        _ = place.folder.put(Self.document, "page.pdf")
        place.put(drawing(red: "due"), "page.svg")
        let flags = ["-o", "out.png", "--callout"]
        for page in ["page.pdf", "page.svg"] {
            place.expectFailure(
                [page] + flags + ["text:Totl"], 65, naming: "no text 'Totl'; the nearest: 'Total', ")
            place.expectFailure([page] + flags + ["text:Total"], 65, naming: "(#1), ", "(#3); say which one")
        }
        place.expectFailure(
            ["page.svg"] + flags + ["id:legen\u{1b}"], 65, naming: #"id 'legen\u{1b}'; the nearest: 'legend'"#)
        place.expectFailure(["page.pdf"] + flags + ["id:legend"], 65, naming: "a PDF has no ids")
        place.expectFailure(["page.png"] + flags + ["id:legend"], 64, naming: "a page of pixels")
    }

    @Test func jobsHaveNames() throws {
        place.put(drawing(red: "legend"), "page.svg")
        let job =
            ##"{"input": "page.svg", "output": "job.png", "callout": ["text:\"Total\"#2@20%,80%", "id:legend@80%,20%"]}"##
        place.run("batch", "-", "--quiet", input: Array(job.utf8))
        place.run(
            "page.svg", "-o", "flags.png", "--callout", "text:\"Total\"#2@20%,80%", "--callout", "id:legend@80%,20%")
        #expect(place.bytes("job.png") == place.bytes("flags.png"))
    }
}

import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// PDFs and SVGs that the command writes. They are read again by the command itself, by poppler and librsvg, and compared
/// with the reference renderer's picture of the same scene, which shares no drawing code with them.
@Suite struct VectorFigureTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        place.put(Self.drawing, "page.svg")
        try place.put(Self.blocks, "blocks.png")
    }

    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" width="240" height="160" font-family="DejaVu Sans">
          <rect width="240" height="160" fill="#f4f1ea"/>
          <path d="M20 130 L70 40 L120 100 L170 30 L220 120" fill="none" stroke="#1f5fa8" stroke-width="5"/>
          <circle cx="170" cy="30" r="9" fill="#c03028"/><text x="60" y="150" font-size="13">Selectable</text>
        </svg>
        """

    /// Large squares, which every resampling filter shows alike inside.
    private static let blocks: Image = {
        let colors: [[UInt8]] = [
            [200, 60, 40, 255], [40, 120, 200, 255], [250, 220, 90, 255], [30, 40, 50, 255], [120, 200, 120, 255],
        ]
        return Image(width: 12, height: 8, pixels: (0..<96).flatMap { colors[($0 * 7 + $0 / 12) % 5] })
    }()

    /// Where they differ: pixels whose value lies neither within 3 of the reference nor, give or take 3, between the least
    /// and the largest value of the nine reference pixels around it, as it does on an edge that is drawn with another
    /// anti-aliasing or a part of a pixel away.
    private func differences(_ actual: Image, _ expected: Image) -> Int {
        guard actual.size == expected.size else { return .max }
        let (a, b) = (actual.flattened.pixels, expected.flattened.pixels)
        var count = 0
        for y in 0..<actual.height {
            for x in 0..<actual.width {
                for channel in 0..<3 {
                    let index = (y * actual.width + x) * 4 + channel
                    if abs(Int(a[index]) - Int(b[index])) <= 3 { continue }
                    let around = (max(0, y - 1)...min(actual.height - 1, y + 1)).flatMap { row in
                        (max(0, x - 1)...min(actual.width - 1, x + 1)).map {
                            Int(b[(row * actual.width + $0) * 4 + channel])
                        }
                    }
                    if !((around.min() ?? 0) - 3...(around.max() ?? 0) + 3 ~= Int(a[index])) {
                        count += 1
                        break
                    }
                }
            }
        }
        return count
    }

    /// The author's text stands in every format, and the files are read as before. Without it, they say what loupes show.
    @Test func filesSayWhatTheyShow() throws {
        for format in ["pdf", "svg", "png"] {
            let words = ["page.svg", "-o", "a.\(format)", "--callout", "170,30@60,120", "--radius", "40"]
            let typst = place.command.run(words + ["--alt", "\"Ä\" \\", "--print-typst", "--width", "85mm"]).text
            #expect(typst == "#image(\"a.\(format)\", width: 85mm, alt: \"\\\"Ä\\\" \\\\\")\n")
            let latex = format == "svg" ? [] : ["--print-latex"]
            let outcome = place.command.run(words + ["--alt", "Ä <peak>", "--print-markdown"] + latex)
            let line = latex.isEmpty ? "" : "\\includegraphics[alt={Ä <peak>}]{a.\(format)}\n"
            #expect(outcome.text == line + "![Ä \\<peak\\>](<a.\(format)>)\n")
            #expect(!place.command.run("check", "a.\(format)", "--color", "never").text.contains("can't see it"))
            place.run("a.\(format)", "-o", "again.png")
            place.run(words.map { $0.hasPrefix("a.") ? "usual.\(format)" : $0 })
        }
        let pdf = String(decoding: try #require(place.bytes("a.pdf")), as: UTF8.self)
        #expect(pdf.contains("/Alt <feff00c40020003c007000650061006b003e>") && pdf.contains("/Lang (en)"))
        let svg = try place.text("a.svg")
        #expect(svg.contains("<svg role=\"img\"") && svg.contains("<title>Ä &lt;peak&gt;</title>"))
        #expect(try ImageFile(path: Path(place.folder.file("a.png"))).text("Description") == "Ä <peak>")
        let spoken = "A page with a loupe: 3 times as large, lower left."
        #expect(try place.text("usual.svg").contains("<title>\(spoken)</title>"))
        #expect(try ImageFile(path: Path(place.folder.file("usual.png"))).text("Description") == spoken)
    }

    @Test("LaTeX gets no line for a file that it can't include", arguments: ["a.SVG", "50%.pdf", "a#1.png"])
    func filesThatLaTeXCannotInclude(name: String) {
        let outcome = place.command.run("page.svg", "-o", name, "--print-latex")
        #expect(outcome.code == 64 && outcome.errors.contains("LaTeX can't include \(name); write"))
    }

    /// A PDF holds a JPEG's own bytes, in which a comment may look like the page's object, of any number.
    @Test func commentInAJPEGIsNoPage() throws {
        let jpeg = try #require(TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "colour-444.jpg"))
        let page = "<< /Type /Page /Parent 1 0 R /Contents 9999 0 R >>\nendobj\n"
        let comment = Array((1...20).map { "\n\($0) 0 obj\n\(page)" }.joined().utf8)
        let segment = [0xff, 0xfe, UInt8((comment.count + 2) / 256), UInt8((comment.count + 2) % 256)] + comment
        _ = place.folder.put(jpeg[..<2] + segment + jpeg[2...], "page.jpg")
        place.run("page.jpg", "-o", "figure.pdf", "--at", "9,9", "--alt", "a photograph")
        let pdf = try #require(place.bytes("figure.pdf"))
        #expect(pdf.firstRange(of: comment) != nil)
        let update = try #require(String(decoding: pdf, as: UTF8.self).split(separator: "/Alt <").last)
        #expect(update.contains("/Contents [ ") && !update.contains("9999"))
        place.run("figure.pdf", "-o", "again.png")
    }

    // MARK: - The picture

    private static let scenes: [String: String] = [
        "disc, rim, ring and lines": """
        {"canvas": {"width": 320, "height": 220, "background": "#dde3ea"},
         "layers": [{"image": "page.svg", "rect": [10, 10, 240, 160], "corner": {"radius": 24, "exponent": 5}}],
         "loupes": [{"center": [250, 140], "radius": 60, "zoom": 4, "focus": [180, 40], "strokes": "keep",
           "rim": {"width": 5, "color": "#203040", "casing": {"width": 2, "color": "#ffffff"}},
           "callout": {"ring": {"width": 3, "color": "#d02060"}, "connector": {"style": "lines", "color": "#d02060"}}}]}
        """,
        "translucent cone and casings as one shape": """
        {"canvas": {"width": 320, "height": 220, "background": "#ffffff"},
         "layers": [{"image": "page.svg", "rect": [0, 0, 240, 160]}],
         "loupes": [{"center": [240, 150], "shape": {"size": [120, 90], "radius": 30, "exponent": 4}, "zoom": 3,
           "focus": [70, 50], "rim": {"width": 4, "color": "#00000080"},
           "callout": {"ring": {"width": 6, "color": "#2060d080", "casing": {"width": 3, "color": "#ff000060"}},
             "connector": {"style": "cone", "color": "#20a04060", "casing": {"width": 4, "color": "#00000040"}}}}]}
        """,
        "pixels, strokes, arrow and a transparent loupe": """
        {"canvas": {"width": 320, "height": 220, "background": {"from": "#ffffff", "to": "#8090c0", "angle": 30}},
         "layers": [{"image": "blocks.png", "rect": [20, 20, 240, 160], "filter": "nearest", "opacity": 0.75,
           "corner": {"radii": {"topLeft": 40, "bottomRight": [60, 20]}, "exponent": 2},
           "strokes": [{"points": [[40, 40], [200, 150], [200, 60]], "width": 9, "color": "#ffffff90"}]},
           {"fill": "#00800060", "rect": [150, 90, 120, 90], "corner": {"radius": 20, "exponent": 1}}],
         "loupes": [{"center": [70, 150], "radius": 50, "zoom": 2, "filter": "nearest", "focus": [230, 60],
           "outside": "transparent", "rim": {"width": 3, "color": "#303030"},
           "callout": {"ring": {"width": 4, "color": "#202020"}, "connector": {"style": "arrow", "width": 4, "color": "#202020"}}},
          {"center": [250, 170], "radius": 40, "zoom": 4, "filter": "nearest", "focus": [80, 80], "outside": "clamp",
           "shadow": {"blur": 14, "offset": [3, 5], "color": "#000000a0"}, "grid": {"width": 1}, "mark": {"width": 2},
           "callout": {"ring": {}}}]}
        """,
        "halves and shadows": """
        {"canvas": {"width": 320, "height": 220, "background": "#b0b8b0"},
         "layers": [{"image": "page.svg", "rect": [20, 20, 240, 160], "corner": {"radius": 12},
           "shadow": {"blur": 20, "offset": [0, 6]}}],
         "loupes": [{"center": [240, 130], "radius": 70, "zoom": 3, "focus": [180, 60],
           "shadow": {"blur": 16, "offset": [0, 4]}, "rim": {"width": 4},
           "callout": {"ring": {"width": 3}, "connector": {"style": "leader", "width": 3, "color": "#40608080"}},
           "versus": {"image": "blocks.png", "angle": 30, "divider": {"width": 4}}, "filter": "nearest"}]}
        """,
    ]

    @Test("A figure is the picture that the reference renderer draws", arguments: ["pdf", "svg"])
    func figuresMatchPictures(format: String) throws {
        // librsvg 2.54 interpolates every image, whatever `image-rendering` says; browsers do not.
        let all = Self.scenes.sorted { $0.key < $1.key }.filter { format == "pdf" || !$0.value.contains("nearest") }
        for (name, scene) in Sample.of(all, every: 2, from: format == "pdf" ? 0 : 1) {
            place.put(scene, "scene.json")
            place.run("scene.json", "-o", "figure.\(format)", "--dpi", "96")
            for scale in Sample.isWhole ? ["1", "2", "4"] : ["2"] {
                place.run("figure.\(format)", "-o", "actual.png", "--scale", scale, "--no-metadata")
                place.run("scene.json", "-o", "expected.png", "--reference", "--scale", scale, "--no-metadata")
                let (actual, expected) = (try place.image("actual.png"), try place.image("expected.png"))
                let count = differences(actual, expected)
                #expect(count <= actual.width * actual.height / 500, "\(name), \(format) at \(scale)×: \(count)")
            }
        }
    }

    // MARK: - The file

    @Test("A picture in an SVG page keeps its own pixels in an SVG, also within a loupe")
    func picturesOfPagesKeepTheirPixels() throws {
        // 3×2 pixels.
        let picture =
            "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAHElEQVR42m"
            + "M4YaOhUXHi150oBjkNo4oTFZycnABRngcQQbD4AAAAAABJRU5ErkJggg=="
        place.put(
            #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="240" height="160">"#
                + #"<image width="240" height="160" xlink:href="data:image/png;base64,\#(picture)"/></svg>"#,
            "holder.svg")
        place.run("holder.svg", "--at", "60,60", "--zoom", "8", "--plain", "-o", "figure.svg")
        let words = try place.text("figure.svg")
        #expect(words.ranges(of: #"width="3" height="2" xlink:href="data:"#).count == 1)
        // Cairo 1.16 fills a pattern with a padded picture, and 1.18 with pixels of its own.
        #expect(!words.contains("<pattern") && !words.contains("feImage"))
        // Below a filter it is drawn as pixels, opaque up to its edges.
        place.put(
            try place.text("holder.svg").replacing(
                "<image ", with: #"<filter id="f"><feOffset/></filter><image filter="url(#f)" "#), "filtered.svg")
        place.run("filtered.svg", "-o", "filtered-figure.svg", "--background", "#000")
        place.run("filtered-figure.svg", "-o", "filtered.png", "--scale", "1")
        let drawn = try place.image("filtered.png")
        #expect(drawn.pixels.prefix(3).elementsEqual([200, 60, 40]))
    }

    @Test("Three loupes make the PDF of a drawing little larger, and the same scene gives the same bytes")
    func loupesAddLittle() throws {
        place.run("page.svg", "-o", "own.pdf")
        let loupes = ["--loupe", "at=60,60 zoom=4", "--loupe", "at=150,60 zoom=8", "--loupe", "at=205,105 zoom=3"]
        place.run(["page.svg", "-o", "three.pdf", "--plain"] + loupes)
        place.run(["page.svg", "-o", "again.pdf", "--plain"] + loupes)
        let (own, three) = (try #require(place.bytes("own.pdf")), try #require(place.bytes("three.pdf")))
        #expect(Double(three.count) < 1.3 * Double(own.count) + 20_000)
        #expect(three == place.bytes("again.pdf"))
        let words = try place.text("three.pdf")
        #expect(words.hasPrefix("%PDF-1.5") || words.hasPrefix("%PDF-1.4"), "1.4 with cairo 1.18")
        #expect(words.contains("/Title (page.svg)") && words.contains("/Producer") && !words.contains("/CreationDate"))
        // The text stays text, in a font that the file has.
        #expect(words.contains("/FontFile"))
        let job =
            #"{"input": "page.svg", "output": "job.pdf", "plain": true, "loupe": ["at=60,60 zoom=4", "at=150,60 zoom=8", "at=205,105 zoom=3"]}"#
        place.run("batch", "-", "--quiet", input: Array(job.utf8))
        #expect(place.bytes("job.pdf") == three)
        for name in ["a.svg", "b.svg"] {
            place.run(["page.svg", "-o", name, "--plain"] + loupes)
        }
        #expect(place.bytes("a.svg") == place.bytes("b.svg"))
    }

    @Test("Labels and scale bars are text in a PDF, and look as in a PNG") func textStaysText() throws {
        let flags = [
            "--callout", "60,40@190,60", "--radius", "40", "--letters", "a", "--pixel-size", "2um", "--label-font",
            "DejaVu Sans",
        ]
        // Flags may choose other colours for pictures of another size, a scene does not.
        let scene = place.command.run(["page.svg", "--print-scene"] + flags)
        _ = place.folder.put(scene.output, "scene.json")
        place.run("scene.json", "-o", "a.pdf", "--dpi", "96")
        #expect(try place.text("a.pdf").contains("DejaVuSans"))
        place.run("a.pdf", "-o", "actual.png", "--scale", "2")
        place.run("scene.json", "-o", "expected.png", "--reference", "--scale", "2")
        let (actual, expected) = (try place.image("actual.png"), try place.image("expected.png"))
        #expect(differences(actual, expected) <= actual.width * actual.height / 500)
    }

    @Test("An image is stored once, whatever the number of loupes") func imagesAreStoredOnce() throws {
        place.run("page.png", "-o", "a.pdf", "--plain", "--loupe", "at=9,9 zoom=2", "--loupe", "at=25,20 zoom=9")
        #expect(try place.text("a.pdf").ranges(of: "/Subtype /Image").count == 1)
    }

    @Test("Formats that can't be written, and what vectors can't say, are refused") func refusals() throws {
        place.expectFailure(["page.png", "-o", "a.eps"], 64, naming: "a PNG, a PDF, an SVG, a TIFF, a JPEG or a WebP")
        place.expectFailure(["page.png", "-o", "a.pdf", "--depth", "16"], 64, naming: "--depth 16")
        place.expectFailure(["page.png", "-o", "a.svg", "--blending", "linear"], 64, naming: "linear")
        place.expectFailure(["page.png", "-o", "a.pdf", "--stats", "s.json"], 64, naming: "--stats")
    }

    // MARK: - Sizes on paper

    @Test("Width, height and resolution set the size on paper") func sizeOnPaper() throws {
        // A4 has 595.28 points.
        place.run("page.svg", "-o", "a.pdf", "--width", "210mm")
        #expect(try place.text("a.pdf").contains("/MediaBox [ 0 0 595.27"))
        place.run("page.svg", "-o", "b.pdf", "--height", "2in")
        #expect(try place.text("b.pdf").contains("/MediaBox [ 0 0 216 144 ]"))
        place.run("page.svg", "-o", "c.png", "--width", "2in")
        let narrow = try ImageFile(path: Path(place.folder.file("c.png")))
        #expect(narrow.size.width == 1680 && narrow.size.height == 1120)
        // 840 pixels an inch.
        #expect(try narrow.density()?.x == 33071)
        place.run("page.svg", "-o", "d.png", "--width", "2in", "--dpi", "600")
        let fine = try ImageFile(path: Path(place.folder.file("d.png")))
        #expect(fine.size.width == 1200 && fine.size.height == 800)
        #expect(try fine.density()?.x == 23622)
        place.expectFailure(["page.svg", "-o", "e.png", "--width", "2in", "--height", "2in"], 64, naming: "--width")
        place.expectFailure(["page.svg", "-o", "e.png", "--width", "85"], 64, naming: "--width", "'85'")
        place.expectFailure(
            ["page.svg", "-o", "e.png", "--width", "2in", "--dpi", "300", "--scale", "2"], 64, naming: "--scale")
    }
}

/// PDFs as pages.
@Suite struct PDFPageTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// A PDF whose pages are 40×30 pixels with a rect of a colour in the upper half.
    static func document(_ colors: [String]) -> [UInt8] {
        let kids = colors.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(colors.count)>>", "<<>>",
        ]
        for (index, color) in colors.enumerated() {
            let content = "\(color) rg 0 11.25 30 11.25 re f"
            objects += [
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 30 22.5]/Resources<<>>/Contents \(5 + 2 * index) 0 R>>",
                "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            ]
        }
        return file(objects)
    }

    /// A PDF of objects, of which the first is the catalogue.
    static func file(_ objects: [String]) -> [UInt8] {
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\(object)endobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { text += String("0000000000\(offset)".suffix(10)) + " 00000 n \n" }
        text += "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    /// The pixel in the middle of a picture's upper half.
    private func color(_ name: String) throws -> [UInt8] {
        let image = try place.image(name)
        let start = (image.height / 4 * image.width + image.width / 2) * 4
        return Array(image.pixels[start..<start + 3])
    }

    @Test("Each page of a PDF is a page, in flags, scenes and batches") func pagesOfPDFs() throws {
        _ = place.folder.put(Self.document(["1 0 0", "0 1 0", "0 0 1"]), "doc.pdf")
        place.run("doc.pdf", "-o", "one.png")
        place.run("doc.pdf#3", "-o", "three.png")
        #expect(try color("one.png") == [255, 0, 0] && color("three.png") == [0, 0, 255])
        #expect(try place.image("one.png").size.width == 1600)
        place.put(
            #"{"layers": [{"image": "doc.pdf#2"}], "loupes": [{"center": [20, 15], "radius": 12, "zoom": 8}]}"#,
            "scene.json")
        place.run("scene.json", "-o", "two.png")
        #expect(try color("two.png") == [0, 255, 0])
        // Drawn again from what the picture stores.
        place.run("two.png", "-o", "again.png")
        #expect(place.bytes("again.png") == place.bytes("two.png"))
        let job =
            #"{"input": "doc.pdf#2", "output": "job.png"}"# + "\n" + #"{"input": "doc.pdf#3", "output": "job3.png"}"#
        place.run("batch", "-", "--quiet", input: Array(job.utf8))
        #expect(try color("job.png") == [0, 255, 0] && color("job3.png") == [0, 0, 255])
        // The edge is as sharp in a loupe as on the page.
        place.run("doc.pdf", "-o", "sharp.png", "--at", "20,15", "--radius", "10", "--zoom", "16", "--plain")
        let sharp = try place.image("sharp.png")
        let column = (6..<24).map { sharp.pixels[($0 * 40 + 20) * 4 + 1] }
        #expect(column.filter { $0 > 0 && $0 < 255 }.count <= 1)
    }

    @Test("A file of exactly the name comes before a page") func exactNames() throws {
        _ = place.folder.put(Self.document(["1 0 0", "0 1 0"]), "doc.pdf")
        _ = place.folder.put(Self.document(["0 0 1"]), "doc.pdf#2")
        place.run("doc.pdf#2", "-o", "a.png")
        #expect(try color("a.png") == [0, 0, 255])
        // And only PDFs have pages.
        place.expectFailure(["page.png#1", "-o", "b.png"], 66, naming: "page.png#1")
    }

    @Test("A page's file is not replaced, and scenes name only files beside them") func pageFilesAreSafe() throws {
        _ = place.folder.put(Self.document(["1 0 0", "0 1 0"]), "doc.pdf")
        place.expectFailure(["doc.pdf#2", "-o", "doc.pdf"], 64, naming: "doc.pdf")
        let other = TemporaryFolder()
        _ = other.put(Self.document(["1 0 0"]), "doc.pdf")
        place.put(#"{"layers": [{"image": "\#(other.file("doc.pdf"))#1"}]}"#, "scene.json")
        place.expectFailure(["scene.json", "-o", "a.png"], 65, naming: "doc.pdf#1")
    }

    @Test("What is no readable page ends in one sentence") func unreadablePages() throws {
        let good = Self.document(["1 0 0"])
        let key = String(repeating: "k", count: 32)
        let locked = String(decoding: good, as: UTF8.self).replacing(
            "/Root 1 0 R",
            with: "/Root 1 0 R/ID[(a)(a)]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(\(key))/U(\(key))>>")
        let files: [(String, [UInt8], String, String)] = [
            ("encrypted.pdf", Array(locked.utf8), "encrypted.pdf", "encrypted"),
            ("cut.pdf", Array(good.prefix(60)), "cut.pdf", "PDF"), ("none.pdf", Self.document([]), "none.pdf", "page"),
            ("good.pdf", good, "good.pdf#7", "only one page"),
            (
                "huge.pdf",
                Array(String(decoding: good, as: UTF8.self).replacing("30 22.5]", with: "900000 900000]").utf8),
                "huge.pdf", "over the limit"
            ),
        ]
        for (name, bytes, input, word) in files {
            _ = place.folder.put(bytes, name)
            place.expectFailure([input, "-o", "a.png"], 65, naming: input, word)
        }
    }

    @Test("What poppler leaves out of a page is named, with the page") func complaints() {
        let page = """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
            2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
            3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 80 60]/Contents 4 0 R/Resources<<>>>> endobj
            4 0 obj <</Length 33>> stream
            BT /F1 12 Tf 9 9 Td (text) Tj ET
            endstream endobj
            trailer <</Root 1 0 R>>
            """
        _ = place.folder.put(Array(page.utf8), "page.pdf")
        let words = "page.pdf: page 1: poppler says: Unknown font tag 'F1'"
        #expect(place.command.run("page.pdf", "-o", "a.png").errors.contains("warning: \(words)"))
        #expect(place.command.run("page.pdf", "-o", "b.png", "--strict").errors.contains("error: \(words)"))
        #expect(!place.folder.names.contains("b.png"))
    }

    @Test("A picture of a page of which a part is missing is named", arguments: [(0, false), (60, true)])
    func damagedPictures(missing: Int, isNamed: Bool) throws {
        let whole = try #require(TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "colour-444.jpg"))
        let hex = (whole.dropLast(2 + missing) + [0xff, 0xd9]).map { String(Int($0) + 0x100, radix: 16).dropFirst() }
        let content = "80 0 0 60 0 0 cm /A Do"
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 80 60]/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>",
            "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
            "<</Subtype/Image/Width 21/Height 14/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter[/ASCIIHexDecode/DCTDecode]/Length \(2 * hex.count)>>stream\n\(hex.joined())\nendstream",
        ]
        _ = place.folder.put(Self.file(objects), "page.pdf")
        let errors = place.command.run("page.pdf", "-o", "a.png").errors
        #expect(errors.contains("page.pdf: page 1: a picture is damaged") == isNamed)
    }

    @Test("A page of a PDF stays a drawing in a PDF") func drawingsStayDrawings() throws {
        _ = place.folder.put(Self.document(["1 0 0"]), "doc.pdf")
        place.run("doc.pdf", "-o", "a.pdf", "--plain", "--at", "20,15", "--zoom", "4")
        #expect(try !place.text("a.pdf").contains("/Subtype /Image"))
        place.run("a.pdf", "-o", "a.png")
        #expect(try color("a.png") == [255, 0, 0])
    }
}

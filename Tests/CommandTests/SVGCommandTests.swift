import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// SVG pages from the command line.
@Suite struct SVGCommandTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        put("<rect width='100%' height='100%' fill='white'/><path d='M20.03 0H40V30H20.03Z'/>")
    }

    private func put(_ content: String, _ name: String = "page.svg") {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'>\(content)</svg>"
        place.put(text, name)
    }

    /// The bytes of the red channel along a row.
    private func row(_ y: Int, of name: String) throws -> [UInt8] {
        let image = try place.image(name)
        return (0..<image.width).map { image.pixels[(y * image.width + $0) * 4] }
    }

    @Test func edgeIsAsSharpInTheLoupeAsOnThePage() throws {
        let flags = ["--canvas", "120x90", "--at", "60,45", "--radius", "40", "--zoom", "16"]
        place.run(["page.svg", "-o", "out.png"] + flags)
        let across = try row(45, of: "out.png")[25..<95]
        #expect(across.filter { $0 > 0 && $0 < 255 }.count <= 1, "\(across)")
        #expect(across.first == 255 && across.last == 0)
        place.run(["page.svg", "-o", "reference.png", "--reference"] + flags)
        let differences = zip(try place.image("out.png").pixels, try place.image("reference.png").pixels)
            .map { abs(Int($0) - Int($1)) }
        #expect(differences.allSatisfy { $0 <= 2 })
    }

    /// librsvg draws no HTML. draw.io writes its texts twice, and a line for programs that draw neither.
    @Test func textsThatAreHTMLAreNamed() throws {
        put("<foreignObject width='9' height='9'><div>text</div></foreignObject>", "mermaid.svg")
        let feature = #"requiredFeatures="http://www.w3.org/TR/SVG11/feature#Extensibility""#
        let html = "<foreignObject \(feature)><div>text</div></foreignObject>"
        put(
            "<switch>\(html)<path d='M0 0H9V9H0Z'/></switch><switch><g \(feature)/><path d='M20 0H40V30H20Z'/></switch>",
            "drawio.svg")
        let flags = ["--background", "#fff", "--scale", "1", "-o"]
        let warned = place.command.run(["mermaid.svg"] + flags + ["a.png"])
        #expect(warned.code == 0)
        #expect(warned.errors.contains("mermaid.svg: librsvg does not draw texts that are HTML"))
        #expect(place.command.run(["drawio.svg"] + flags + ["b.png"]).errors.isEmpty)
        #expect(try row(5, of: "b.png") == [UInt8](repeating: 0, count: 9) + [UInt8](repeating: 255, count: 31))
    }

    /// As `gzip` packs `<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'><path d='M0 0H2V3H0Z'/></svg>`.
    @Test func anSVGMayBePacked() throws {
        let packed: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x15, 0xcb, 0x2b, 0x0e, 0x80, 0x30,
            0x0c, 0x00, 0xd0, 0xab, 0xd4, 0xd5, 0xd1, 0x86, 0xa1, 0xc8, 0x36, 0x3d, 0x83, 0x45, 0xe0, 0x48,
            0x20, 0xeb, 0x12, 0x7e, 0x81, 0x86, 0x72, 0x7c, 0xc0, 0xbf, 0xe7, 0xaf, 0x3b, 0xc3, 0xb3, 0x2e,
            0xdb, 0x15, 0x50, 0x54, 0x8f, 0x96, 0xc8, 0xcc, 0x2a, 0x73, 0xd5, 0x7e, 0x66, 0xaa, 0x99, 0x99,
            0x3e, 0x81, 0x60, 0x65, 0x52, 0x09, 0xd8, 0x20, 0xc8, 0x5c, 0xb2, 0x68, 0x40, 0x87, 0xd1, 0x1f,
            0xa3, 0x0a, 0x4c, 0x01, 0x3b, 0x06, 0x4e, 0x75, 0xef, 0x12, 0x0f, 0x48, 0xd1, 0xff, 0x25, 0xbe,
            0x34, 0x9f, 0xc5, 0x67, 0x5a, 0x00, 0x00, 0x00,
        ]
        _ = place.folder.put(packed, "page.svgz")
        place.run("page.svgz", "-o", "out.png", "--scale", "1", "--background", "#fff")
        #expect(try row(1, of: "out.png") == [0, 0, 255, 255])
    }

    private static let hasBrowser = ChildProcess.path(of: "chromium") != nil

    @Test("a browser draws what librsvg does not, and it stays vectors", .enabled(if: hasBrowser, "no chromium"))
    func byBrowser() throws {
        let html = "<div xmlns='http://www.w3.org/1999/xhtml' style='height:30px;background:#00f'></div>"
        // Letters make a PDF of more bytes than the first that are read.
        let letters = "<text y='25' font-size='20'>Loupe</text>"
        put(
            "\(letters)<g style='--c:#f00'><path d='M0 0H20V30H0Z' style='fill:var(--c)'/></g><foreignObject x='20' width='20' height='30'>\(html)</foreignObject>"
        )
        let outcome = place.command.run("page.svg", "-o", "out.png", "--scale", "2", "--svg-by", "browser")
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let image = try place.image("out.png")
        #expect(image.size == ImageSize(width: 80, height: 60))
        let colors = [10, 70].map { Array(image.pixels[(30 * 80 + $0) * 4..<(30 * 80 + $0) * 4 + 3]) }
        #expect(colors == [[255, 0, 0], [0, 0, 255]])
        place.run("page.svg", "-o", "out.pdf", "--svg-by", "browser")
        #expect(try ImageFile(path: Path(place.folder.file("out.pdf"))).document != nil)
    }

    @Test func theBrowserThatIsMissingIsNamed() {
        place.expectFailure(
            ["page.svg", "-o", "out.png", "--svg-by", "browser"], 69, naming: "install Debian's package chromium",
            environment: ["PATH": place.folder.path])
    }

    @Test(
        "what becomes of the browser is said",
        arguments: [
            ("sleep 60", "the browser takes longer than 3 s; allow more time with --svg-timeout"),
            ("echo out of memory >&2; exit 3", "the browser failed (code 3): out of memory"),
            ("echo nothing to print", "the browser printed nothing: nothing to print"),
        ])
    func failingBrowser(script: String, words: String) {
        _ = place.folder.put(Array("#!/bin/sh\n\(script)\n".utf8), "chromium", mode: 0o755)
        let path = "\(place.folder.path):/usr/bin:/bin"
        place.expectFailure(
            ["page.svg", "-o", "out.png", "--svg-by", "browser", "--svg-timeout", "3"], 65, naming: words,
            environment: ["PATH": path])
    }

    @Test("a page of any size is printed whole", .enabled(if: hasBrowser, "no chromium"))
    func sizeByBrowser() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='101' height='61'><path fill='#cde' d='M0 0H101V61H0Z'/></svg>"
        place.put(text, "odd.svg")
        place.run("odd.svg", "-o", "out.png", "--scale", "1", "--svg-by", "browser")
        let image = try place.image("out.png")
        #expect(image.size == ImageSize(width: 101, height: 61))
        #expect(Set(stride(from: 0, to: image.pixels.count, by: 4).map { image.pixels[$0] }) == [0xcc])
    }

    @Test(
        "what no librsvg draws is named with how often it stands there",
        arguments: [
            ("<flowRoot/><flowRoot/>", "flowed text (flowRoot) 2×"),
            ("<rect width='9' height='9'><animate attributeName='x'/></rect>", "how animations go on 1×"),
            (
                "<style>@font-face{font-family:A;src:url(data:font/woff2;base64,AA)}</style>",
                "fonts of the file (@font-face) 1×"
            ),
            ("<s:flowRoot xmlns:s='http://www.w3.org/2000/svg'/>", "flowed text (flowRoot) 1×"),
            ("<text style='TEXT-SHADOW : 1px 1px red'>a</text>", "text-shadow 1×"),
            ("<style>svg { background: #123 }</style>", "a background of the whole 1×"),
            ("<style>.a { .b { fill: red } }</style>", "rules within rules 1×"),
            ("<image href='data:image/avif;base64,AA'/>", "AVIF pictures 1×"),
            (
                "<image href='data:image/svg+xml;base64,PHN2Zz48Zmxvd1Jvb3QvPjwvc3ZnPg=='/>",
                "SVGs in pictures as sharp as the rest 1×, flowed text (flowRoot) 1×"
            ),
            (
                "<image href='data:image/svg+xml,%3Csvg%3E%3CflowRoot/%3E%3C/svg%3E'/>",
                "SVGs in pictures as sharp as the rest 1×, flowed text (flowRoot) 1×"
            ),
            ("<image width='9' href='data:image/png;base64,AA'/>", "images with one side alone 1×"),
            ("<symbol><path width='100%' d='M0 0'/></symbol>", "sizes in percent in symbols without a viewBox 1×"),
            ("<g style='transform:translate(10,0)'/>", "that CSS needs units in transform 1×"),
            ("<g requiredExtensions='x'/>", "what a program has to know (requiredExtensions) 1×"),
        ])
    func undrawnConstructs(content: String, words: String) {
        put(content)
        let outcome = place.command.run("page.svg", "-o", "out.png")
        #expect(outcome.errors.contains("page.svg: librsvg does not draw \(words)"))
        let read = place.command.run("-", "-o", "out.png", input: place.bytes("page.svg") ?? [])
        #expect(read.errors.contains("librsvg does not draw \(words)"), "\(read.errors)")
        let checked = place.command.run("check", "page.svg")
        let said = String(decoding: checked.output, as: UTF8.self)
        #expect(said.contains("not checked: what is left out here: librsvg does not draw \(words)"), "\(said)")
    }

    @Test(
        "what only looks like a construct is not named",
        arguments: [
            "<title>flowRoot and var(--a)</title><!-- <flowRoot/> --><text>&lt;flowRoot/&gt; @font-face</text>",
            "<style>/* text-shadow: 1px */ svg { background: white }</style>",
            "<text dominant-baseline='alphabetic' dx='0 0 0'>ab</text>",
            "<foreignObject><div style='backdrop-filter:blur(5px)'/></foreignObject>",
            "<style>@media (prefers-color-scheme: dark) { rect { fill: white } }</style>",
            "<text style='white-space:pre'>one two</text>",
        ])
    func lookalikes(content: String) {
        put(content)
        #expect(place.command.run("page.svg", "-o", "out.png").errors == "")
    }

    @Test("a browser's masks are drawn", .enabled(if: hasBrowser, "no chromium"))
    func masksByBrowser() throws {
        let mask = "<mask id='m'><rect width='20' height='30' fill='white'/></mask>"
        put("\(mask)<rect width='40' height='30' fill='#00f' mask='url(#m)'/>")
        let outcome = place.command.run("page.svg", "-o", "out.png", "--scale", "1", "--svg-by", "browser")
        #expect(outcome.errors.isEmpty)
        let image = try place.image("out.png")
        let colors = [10, 30].map { Array(image.pixels[(15 * 40 + $0) * 4..<(15 * 40 + $0) * 4 + 3]) }
        #expect(colors[0] == [0, 0, 255])
        // Poppler's luminosity of white is a step below 1.
        #expect(colors[1].allSatisfy { $0 >= 254 })
    }

    @Test(
        "what is not compared is named",
        arguments: [
            (
                "<style>@import url(https://a.example/b.css);</style>",
                "what lies outside the file (url() or @import) 1×"
            ),
            ("<style>@import 'b.css';</style>", "what lies outside the file (url() or @import) 1×"),
            ("<rect width='9' height='9' fill='url(b.svg#c)'/>", "what lies outside the file (url() or @import) 1×"),
            (
                "<switch><foreignObject><p>a</p></foreignObject><text>a</text></switch>",
                "texts that are HTML (foreignObject)"
            ),
            ("<rect width='9' height='9' fill='url(#a)' style='mask:url( \"#b\")'/>", ""),
        ])
    func uncompared(content: String, words: String) {
        put(content)
        let outcome = place.command.run("diff", "page.svg", "page.svg")
        #expect(
            words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains("page.svg: librsvg does not draw \(words)")
        )
    }

    @Test("what is left out is an error where warnings are, and nothing is written", arguments: ["out.png", "out.pdf"])
    func strict(output: String) {
        put("<flowRoot/>")
        let outcome = place.command.run("page.svg", "-o", output, "--strict")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("error: page.svg: librsvg does not draw flowed text"))
        #expect(!place.folder.names.contains(output))
        let jobs = #"{"input": "page.svg", "output": "\#(output)", "strict": true}"#
        place.put(jobs, "jobs.jsonl")
        #expect(place.command.run("batch", "jobs.jsonl", "--quiet").code == 1)
        #expect(!place.folder.names.contains(output))
    }

    @Test("what is left out is an error for a live page too") func strictLive() {
        put("<flowRoot/>")
        let outcome = place.command.run("live", "page.svg", "--at", "9,9", "-o", "out.html", "--strict")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("error: page.svg: librsvg does not draw flowed text"))
        #expect(!place.folder.names.contains("out.html"))
    }

    /// `initial` letters of a browser have 16 pixels; librsvg's have 12.
    @Test(
        "what names no size of letters has those of a browser",
        arguments: [
            ("", 16), (" font-size='20'", 20), (" style='font-size:10px'", 10),
        ])
    func usualLetters(attribute: String, size: Int) throws {
        func picture(_ content: String, _ attribute: String) throws -> Image {
            place.put(
                "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'\(attribute)>\(content)</svg>", "a.svg")
            place.run("a.svg", "-o", "a.png", "--scale", "1")
            return try place.image("a.png")
        }
        #expect(
            try picture("<rect width='1em' height='1em'/>", attribute)
                == picture("<rect width='\(size)' height='\(size)'/>", ""))
    }

    @Test(
        "points are read as the grammar says",
        arguments: [
            "20-5 5 15 35,25", "20 -5 , 5,15 , 35,25", "20,-5 5,15 35,25 9", "20-5,5 15 35 25,",
        ])
    func points(list: String) throws {
        put("<polygon points='20,-5 5,15 35,25'/>")
        place.run("page.svg", "-o", "a.png", "--scale", "1")
        put("<polygon points='\(list)'/>")
        place.run("page.svg", "-o", "b.png", "--scale", "1")
        #expect(try place.image("a.png") == place.image("b.png"))
    }

    @Test(
        "a PDF keeps links of the web and no others",
        arguments: [
            ("https://a.b/c", true), ("mailto:a@b.c", true), ("javascript:alert(1)", false),
            ("FILE:///etc/passwd", false),
            (" javascript:alert(1)", false), ("other.html", true),
        ])
    func links(address: String, isKept: Bool) throws {
        put("<a href='\(address)'><rect width='9' height='9'/></a><rect x='20' width='9' height='9'/>")
        place.run("page.svg", "-o", "a.pdf")
        let pdf = String(decoding: try #require(place.bytes("a.pdf")), as: UTF8.self)
        #expect(pdf.contains("/URI") == isKept)
        #expect(!pdf.contains("alert"))
    }

    @Test("the first frame of a GIF is the page, and a warning says so") func firstFrame() throws {
        let fixtures = "\(#filePath)".split(separator: "/").dropLast(2).joined(separator: "/")
        let gif = try #require(
            TemporaryFolder.bytes(at: "/" + fixtures + "/LoupeImagingTests/Fixtures/frames.gif"))
        _ = place.folder.put(gif, "page.gif")
        let words = "page.gif: it is the first of 3 frames"
        let outcome = place.command.run("page.gif", "-o", "out.png", "--scale", "1")
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("warning: \(words)"))
        #expect(place.command.run("page.gif", "-o", "out.png", "--strict").errors.contains("error: \(words)"))
        place.expectFailure(["diff", "page.gif", "out.png"], 65, naming: "page.gif", "an animation")
        let session =
            #"{"model": "keyframes", "fps": 10, "duration": 0.2, "scene": {"layers": [{"image": "page.gif"}], "loupes": [{"center": [1, 1], "radius": 1, "zoom": 2}]}, "keyframes": [{"t": 0, "loupe": 0, "zoom": 2}]}"#
        place.put(session, "session.json")
        #expect(place.command.run("replay", "session.json", "-o", "out.apng").errors.contains("warning: \(words)"))
    }

    @Test(
        "a name's ending is a format of pixels, with the same pixels where it has no losses",
        arguments: [("out.tif", 0), ("out.webp", 0), ("out.jpg", 40)])
    func formats(output: String, most: Int) throws {
        put("<path d='M3 3H30V20Z' fill='#36c'/>")
        let flags = ["page.svg", "--background", "#fff", "--scale", "2", "--no-metadata", "-o"]
        #expect(place.command.run(flags + ["out.png"]).code == 0)
        #expect(place.command.run(flags + [output]).code == 0)
        let expected = try place.image("out.png").pixels
        let actual = try ImageFile.read(path: Path(place.folder.file(output))).pixels
        #expect(actual.count == expected.count)
        #expect(zip(actual, expected).allSatisfy { abs(Int($0) - Int($1)) <= most })
    }

    @Test("what a format of pixels can't hold is refused") func refusedFormats() {
        put("<path d='M3 3H30V20Z' fill='#36c'/>")
        let transparent = place.command.run("page.svg", "--background", "transparent", "-o", "out.jpg")
        #expect(transparent.code == 65)
        #expect(transparent.errors.contains("a JPEG can't be transparent"))
        #expect(place.command.run("page.svg", "--depth", "16", "-o", "out.webp").code == 65)
        #expect(place.command.run("page.svg", "--quality", "101", "-o", "out.jpg").code == 64)
        for output in ["out.png", "out.pdf", "out.tiff"] {
            let lost = place.command.run("page.svg", "--quality", "80", "-o", output)
            #expect(lost.code == 64)
            #expect(lost.errors.contains("--quality: only for a JPEG or WebP"))
        }
        #expect(!place.folder.names.contains { $0.hasPrefix("out") })
    }

    @Test("letters in large units are named")
    func largeUnits() throws {
        let text =
            #"<svg xmlns="http://www.w3.org/2000/svg" width="85mm" height="50mm" viewBox="0 0 8.5 5"><text x="1" y="2" font-size=".3">a</text></svg>"#
        place.put(text, "page.svg")
        let outcome = place.command.run("page.svg", "-o", "out.png")
        #expect(outcome.errors.contains("letters exactly (the viewBox has units of 38 pixels)"))
    }

    @Test("what every librsvg draws is not named")
    func drawnConstructs() {
        put(
            "<text x='1' y='9'>ab</text><g transform='scale(2)' clip-path='url(#c)'><rect width='9' height='9' style='fill:red'/></g>"
        )
        #expect(place.command.run("page.svg", "-o", "out.png").errors.isEmpty)
    }

    /// The page's outline feathers its edge once: a white page on white leaves no seam.
    @Test func edgeBetweenPixelsLeavesNoSeam() throws {
        put("<rect width='40' height='30' fill='white'/>")
        place.run("page.svg", "-o", "out.png", "--canvas", "57x43", "--margin", "3.4", "--background", "#fff")
        #expect(try place.image("out.png").pixels.allSatisfy { $0 == 255 })
    }

    @Test func everyWayOfReadingItGivesTheSameBytes() throws {
        let flags = ["--at", "20,15", "--plain", "--background", "#ccc", "--no-metadata", "--scale", "1"]
        place.run(["page.svg", "-o", "a.png"] + flags)
        place.run(["page.svg", "-o", "b.png"] + flags)
        let input = try #require(place.bytes("page.svg"))
        place.run(["-", "-o", "c.png"] + flags, input: input)
        place.put(
            #"{"layers": [{"image": "page.svg"}], "loupes": [{"center": [20, 15], "radius": 6, "zoom": 3}]}"#,
            "scene.json")
        place.run("scene.json", "-o", "d.png", "--no-metadata")
        let jobs =
            ##"{"input": "page.svg", "output": "e.png", "at": "20,15", "plain": true, "background": "#ccc", "no-metadata": true, "scale": 1}"##
        place.run("batch", "-", "--quiet", input: Array(jobs.utf8))
        for name in ["b.png", "c.png", "d.png", "e.png"] {
            #expect(place.bytes(name) == place.bytes("a.png"), "\(name)")
        }
    }

    @Test func sixteenBitsAndLinearLightAreDrawn() throws {
        for flags in [["--depth", "16"], ["--blending", "linear"]] {
            let all = ["--at", "5,15", "--corner", "6", "--margin", "4.5"] + flags
            place.run(["page.svg", "-o", "out.png"] + all)
            place.run(["page.svg", "-o", "reference.png", "--reference"] + all)
            let differences = zip(try place.image("out.png").pixels, try place.image("reference.png").pixels)
                .map { abs(Int($0) - Int($1)) }
            #expect(differences.allSatisfy { $0 <= 3 }, "\(flags)")
        }
    }

    @Test func pictureRemembersThePage() throws {
        place.run("page.svg", "-o", "out.png", "--at", "20,15", "--stats", "stats.json")
        let stats = try JSONValue(parsing: #require(place.bytes("stats.json")))
        let images = stats["images"].elements
        #expect(images.map { $0["vector"] } == [.bool(true)] && images.map { $0["image"] } == ["page.svg"])
        place.run("out.png", "-o", "again.png")
        #expect(place.bytes("again.png") == place.bytes("out.png"))
        put("<rect width='9' height='9'/>")
        let changed = place.command.run("out.png", "-o", "again.png")
        #expect(changed.code == 0 && changed.errors.contains("page.svg"))
    }

    @Test func missingProgramIsTold() {
        place.expectFailure(
            ["page.svg", "-o", "out.png"], 69, naming: "page.svg", "LOUPE_DOCUMENTS names /no/program",
            environment: ["LOUPE_DOCUMENTS": "/no/program"])
    }

    @Test func missingLibraryIsTold() {
        // The loader takes the first file of that name, and this is no library.
        _ = place.folder.put([], "libraries/librsvg-2.so.2")
        place.expectFailure(
            ["page.svg", "-o", "out.png"], 69, naming: "page.svg", "librsvg-2.so.2, which is missing", "librsvg2-2",
            environment: ["LD_LIBRARY_PATH": place.folder.file("libraries")])
        place.run("page.png", "-o", "out.png", environment: ["LD_LIBRARY_PATH": place.folder.file("libraries")])
    }
}

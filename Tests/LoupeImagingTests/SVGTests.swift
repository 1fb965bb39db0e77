import Glibc
import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// SVG pages: how they are detected, their size and their pixels.
@Suite struct SVGTests {
    private static let root = #"<svg xmlns="http://www.w3.org/2000/svg""#

    private func document(_ text: String) throws -> VectorDocument {
        try VectorDocument(Array(text.utf8), name: "a.svg")
    }

    @Test(arguments: [
        "<svg/>", "<svg>", " \r\n\t<svg xmlns='a'>", "\u{feff}<svg>", "<?xml version='1.0'?><svg>",
        "<?xml version='1.0'?>\n<!-- a > b --><!-- <html> -->\n<svg>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'><svg>",
        "<s:svg xmlns:s='http://www.w3.org/2000/svg'>",
    ])
    func svgIsDetectedByItsFirstElement(_ text: String) {
        #expect(ImageFile.Format(of: Array(text.utf8)) == .svg)
    }

    @Test(arguments: [
        "", "<", "<svgx>", "<html><svg>", "<!-- <svg> ", "<?xml <svg>", "<!DOCTYPE html><svg>", "svg", "{}",
    ])
    func otherTextIsNoSVG(_ text: String) {
        #expect(ImageFile.Format(of: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        (#"width="40" height="30""#, 40, 30), (#"width="1in" height="2.54cm""#, 96, 96),
        (#"viewBox="5 6 70 20.5""#, 70, 21), (#"width="100%" height="100%" viewBox="0 0 8 9""#, 8, 9),
        (#"width="0.2" height="3.49""#, 1, 3), (#"width="10" height="20" viewBox="0 0 1 1""#, 10, 20),
    ])
    func sizeIsTheDocumentsOwnOrElseItsViewBox(_ attributes: String, width: Int, height: Int) throws {
        let text = "\(Self.root) \(attributes)/>"
        #expect(try ImageFile(Array(text.utf8), name: "a.svg").size == ImageSize(width: width, height: height))
        let image = try ImageFile.decode(Array(text.utf8), name: "a.svg")
        #expect((image.width, image.height) == (width, height))
    }

    @Test("Strokes have the widths and dashes that are asked for, wherever these are said")
    func strokesAreScaled() throws {
        // Of each line the height at x = 4, and of the last one how much of its first 5 is drawn.
        let lines = try document(
            """
            <!DOCTYPE svg [<!ENTITY e "<svg>">]><!-- stroke-width="9" -->
            \(Self.root) width="40" height="60" stroke="#000"><style>.b{stroke-width : 4e0px} .c{stroke:#000;stroke-width:8}</style>
            <path d="M0 10H40"/><path d="M0 20H40" stroke-width='2'/><path class="b" d="M0 30H40"/>
            <path class="c" d="M0 40H40"/><path d="M0 50H40" style="stroke-dasharray:8, 4;stroke-width:+4.0"/>
            </svg>
            """)
        func lengths(_ image: Image) -> [Int] {
            func isDark(_ x: Int, _ y: Int) -> Bool { image.pixels[4 * (y * image.width + x) + 3] > 127 }
            let heights = [10, 20, 30, 40, 50].map { middle in
                (8 * middle - 40..<8 * middle + 40).count { isDark(4, $0) }
            }
            return heights + [(0..<40).count { isDark($0, 8 * 50) }]
        }
        #expect(try lengths(lines.draw(scaledBy: 8)) == [8, 16, 32, 64, 32, 40])
        #expect(try lengths(lines.scalingStrokes(by: 0.25).draw(scaledBy: 8)) == [2, 4, 8, 16, 8, 32])
    }

    @Test func pixelsAreStraight() throws {
        let image = try ImageFile.decode(
            Array(
                "\(Self.root) width='2' height='1'><path d='M0 0h1v1h-1z' fill='#c86432' fill-opacity='.5'/></svg>".utf8
            ),
            name: "a")
        #expect(image.pixels[4...] == [0, 0, 0, 0])
        #expect(image.pixels[3] == 128)
        for (channel, expected) in zip(image.pixels, [0xc8, 0x64, 0x32]) { #expect(abs(Int(channel) - expected) <= 1) }
    }

    /// A fraction of a pixel at 50 times its size has a sharp edge.
    @Test func documentIsDrawnAtTheSizeThatIsAskedFor() throws {
        let page = try document("\(Self.root) width='4' height='4'><path d='M1.5 0h9v9h-9z'/></svg>")
        let image = try page.draw(DrawingPlace(x: 0, y: 0, width: 200, height: 200, columns: 70..<80, rows: 3..<4))
        #expect(
            image.pixels.enumerated().filter { $0.offset % 4 == 3 }.map(\.element) == [
                0, 0, 0, 0, 0, 255, 255, 255, 255, 255,
            ])
    }

    /// librsvg blends a translucent element on a surface of the whole document's size, and cairo has none of that size.
    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='800'>",
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1000 800'>",
        "<?xml version='1.0'?><!-- <svg> --><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'a'>"
            + "<svg x='9' y='9' xmlns='http://www.w3.org/2000/svg' width='1000px' height='800px'\n"
            + "viewBox='0 0 1010 800' preserveAspectRatio='none' overflow='hidden'>",
    ])
    func translucentElementIsDrawnAtAnySize(_ start: String) throws {
        func image(_ property: String) throws -> Image {
            let shapes =
                "<rect width='100%' height='100%' fill='#fff'/><circle cx='260' cy='300' r='3.3' fill='red' \(property)='.6'/>"
            return try document("\(start)\(shapes)</svg><!-- end -->").draw(
                DrawingPlace(
                    x: -9000.25, y: -11000.5, width: 64_000, height: 51_200, columns: 7350..<7950, rows: 7950..<8450))
        }
        // This is drawn without such a surface.
        let (translucent, expected) = (try image("opacity"), try image("fill-opacity"))
        #expect(Set(expected.pixels).count > 10, "nothing of the circle is in this part")
        let difference = zip(translucent.pixels, expected.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
        #expect(difference <= 1)
    }

    @Test func blockIsCutFromTheWhole() throws {
        let page = try document(
            "\(Self.root) width='30' height='20'><circle cx='14.3' cy='9.1' r='8' fill='#9cf' stroke='#123' stroke-width='.7'/></svg>"
        )
        let whole = try page.draw(DrawingPlace(x: 3.3, y: 1.7, width: 61, height: 35, columns: 0..<70, rows: 0..<40))
        let part = try page.draw(DrawingPlace(x: 3.3, y: 1.7, width: 61, height: 35, columns: 11..<50, rows: 9..<31))
        for y in 9..<31 {
            let start = (y * 70 + 11) * 4
            #expect(part.pixels[(y - 9) * 39 * 4..<(y - 8) * 39 * 4] == whole.pixels[start..<start + 39 * 4])
        }
    }

    @Test func changedPixelsAreNoVectorPicture() throws {
        var image = try ImageFile.decode(Array("\(Self.root) width='2' height='1'/>".utf8), name: "a")
        #expect(image.vector != nil)
        #expect(image.flattened.vector == nil && image.flattened.pixels == image.pixels)
        image.pixels[0] = 1
        #expect(image.vector == nil)
    }
}

/// What can't be drawn ends in words, and soon.
@Suite struct BrokenSVGTests {
    private static let root =
        #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">"#

    private func failure(_ text: String) -> ImageError? {
        thrown(ImageError.self) { try ImageFile.decode(Array(text.utf8), name: "a.svg") }
    }

    @Test(arguments: [
        "<svg", root, root + "<path d='M0", root + "<rect></svg>", root + "</svg><svg/>", root + "\u{0}</svg>",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&nothing;</svg>",
    ])
    func brokenTextIsReportedWithTheLibrarysMessage(_ text: String) {
        let error = failure(text)
        guard case .damaged("a.svg", .svg, let reason) = error else { return fail("\(String(describing: error))") }
        #expect(reason.contains("XML") && !reason.contains("\n"))
        #expect(error?.description.hasPrefix("a.svg: the SVG can't be used (") == true)
    }

    @Test func documentCutShortAnywhereIsAnError() {
        let whole = Self.root + "<g><rect width='3' height='2' fill='red'/></g><path d='M1 1L2 2'/></svg>"
        for count in stride(from: 5, to: whole.utf8.count, by: 9) { _ = failure(String(whole.prefix(count))) }
    }

    @Test(arguments: [
        "", "width='0' height='0'", "width='-4' height='4'", "width='50%' height='4'", "viewBox='0 0 0 9'",
    ])
    func documentWithoutSizeIsRefused(_ attributes: String) {
        guard case .damaged(_, .svg, let reason) = failure("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>")
        else { return fail("no size, no error") }
        #expect(reason.contains("viewBox"))
    }

    @Test func hugeDocumentIsRefusedWithoutBeingDrawn() {
        func svg(_ width: String) -> String { "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='4'/>" }
        #expect(
            failure(svg("40000")) == .overLimit(name: "a.svg", width: 40000, height: 4, limit: "32767 pixels a side"))
        #expect(failure(svg("1e8"))?.description.contains("100000000×4 pixels") == true)
        #expect(failure(svg("1e30")) != nil)
    }

    @Test func documentFarLargerThanThePictureIsRefused() throws {
        let page = try VectorDocument(Array((Self.root + "</svg>").utf8), name: "a.svg")
        #expect(throws: ImageError.self) {
            try page.draw(DrawingPlace(x: -9e6, y: 0, width: 1e7, height: 9, columns: 0..<9, rows: 0..<9))
        }
    }

    /// Ten times ten times … of one element: by entities, and by references.
    @Test func whatMultipliesItselfIsRefused() {
        let levels = (1...9).map { level in
            "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>"
        }
        let laughs = "<!DOCTYPE svg [<!ENTITY e0 'ha'>\(levels.joined())]>\(Self.root)<text>&e9;</text></svg>"
        #expect(failure(laughs) != nil)
        let groups = (1...9).map { level in
            "<g id='g\(level)'>" + String(repeating: "<use xlink:href='#g\(level - 1)'/>", count: 10) + "</g>"
        }
        let uses =
            "\(Self.root)<defs><path id='g0' d='M0 0h1v1z'/>\(groups.joined())</defs><use xlink:href='#g9'/></svg>"
        guard case .undrawable("a.svg", let reason)? = failure(uses) else { return fail("a thousand million elements") }
        #expect(!reason.isEmpty)
    }

    /// An element that shows itself shows nothing; the rest is there.
    @Test func loopsOfReferencesEnd() throws {
        let text =
            Self.root
            + "<g id='a'><use xlink:href='#b'/></g><g id='b'><use xlink:href='#a'/></g><rect width='9' height='9'/></svg>"
        let image = try ImageFile.decode(Array(text.utf8), name: "a.svg")
        #expect(image.pixels[3] == 255)
    }
}

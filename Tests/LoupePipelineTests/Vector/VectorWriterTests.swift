import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeScene
import TestSupport
import Testing

@testable import LoupePipeline

/// Files that the helper process writes.
@Suite struct VectorWriterTests {
    /// A page of 80×60 points whose text "aa" is two squares of 40 points: the glyph of a font of Type 3.
    private static let typeThree = """
        %PDF-1.4
        1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
        2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
        3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 80 60]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj
        4 0 obj <</Length 30>> stream
        BT /F 40 Tf 0 10 Td (aa) Tj ET
        endstream endobj
        5 0 obj <</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 6 0 R>>
        /Encoding<</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<<>>>> endobj
        6 0 obj <</Length 33>> stream
        1 0 0 0 1 1 d1 0.1 0.1 0.8 0.8 re f
        endstream endobj
        trailer <</Root 1 0 R>>
        """

    private static let plain = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>"#.utf8)

    @Test("A document's own names stay apart from those of other documents") func names() throws {
        let root = #"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">"#
        func page(_ color: String) -> [UInt8] {
            let gradient = "<linearGradient id='g'><stop stop-color='\(color)'/></linearGradient>"
            return Array("\(root)\(gradient)<rect width='400' height='300' fill='url(#g)'/></svg>".utf8)
        }
        let size = ImageSize(width: 400, height: 300)
        let layers = ["a.svg", "b.svg"].enumerated().map { index, path in
            Layer(
                content: .image(path: ImagePath(bytes: Array(path.utf8))),
                rect: Rect(x: Double(200 * index), y: 0, width: 200, height: 300))
        }
        let scene = Scene(canvas: .init(width: 400, height: 300, background: .color(.transparent)), layers: layers)
        let traits = ImageTraits(size: size, isOpaque: true)
        let drawing = try VectorDrawing(scene, images: ["a.svg": traits, "b.svg": traits], resolution: 1)
        let bytes = try VectorWriter.write(
            drawing, [.svg(page("#f00")), .svg(page("#00f"))], as: .svg, width: 300, height: 225, title: ""
        ).bytes
        let image = try ImageFile.decode(bytes, name: "figure").flattened
        let row = image.pixels[(image.width * 4 * image.height / 2)...]
        #expect(Array(row.prefix(4)) == [255, 0, 0, 255])
        #expect(Array(row.dropFirst(image.width * 2).prefix(4).reversed()) != [255, 0, 0, 255])
        #expect(Array(row.dropFirst(image.width * 3).prefix(4)) == [0, 0, 255, 255])
    }

    /// A page of 400×300 pixels with 2,000 markers, each two discs: one with an edge, as scatter plots have, and one without.
    private static let plot: [UInt8] = {
        let markers = (0..<2000).map { index in
            let place = "cx=\"\(Double(index % 50) * 8.01 + 3.3)\" cy=\"\(Double(index / 50) * 7.49 + 3.7)\""
            return "<circle \(place) r=\"2.7\" fill=\"#369\" stroke=\"#900\" stroke-width=\"1\"/>"
                + "<circle \(place) r=\"1.3\" fill=\"#fc0\"/>"
        }
        let root = #"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">"#
        return Array("\(root)<rect width=\"400\" height=\"300\" fill=\"#fff\"/>\(markers.joined())</svg>".utf8)
    }()

    @Test(
        "A shape that is drawn often is stored once, and lies where it was",
        arguments: [(VectorFormat.pdf, 60_000), (.svg, 260_000)])
    func repeatedShapes(format: VectorFormat, most: Int) throws {
        let size = ImageSize(width: 400, height: 300)
        let loupe = Loupe(center: Point(x: 70, y: 90), radius: 60, zoom: 4, focus: Point(x: 201, y: 150))
        let drawing = try drawing(of: "page.svg", size, loupes: [loupe])
        let bytes = try VectorWriter.write(
            drawing, [.svg(Self.plot)], as: format, width: 300, height: 225, title: ""
        ).bytes
        #expect(bytes.count < most)
        #expect(try largestDifference(bytes, Self.plot) < 12)
    }

    /// With the disc that each is: cairo's own edge over a filling mixes the two where both end within a pixel.
    @Test(
        "Opaque discs that follow each other are dots of a path, and lie where they were",
        arguments: [
            ("<circle r='2.7' fill='#369'/>", "<circle r='2.7' fill='#369'/>"),
            ("<circle r='2.7' fill='#369' stroke='#369'/>", "<circle r='3.2' fill='#369'/>"),
            (
                "<circle cx='2' r='2.7' fill='#369' stroke='#369' transform='rotate(90) scale(2)'/>",
                "<circle cy='4' r='6.4' fill='#369'/>"
            ),
            ("<circle r='2.7' fill='#369' stroke='#900'/>", nil),
            ("<circle r='2.7' fill='#369' fill-opacity='.5'/>", nil),
            ("<circle r='2.7' fill='#369' stroke='#369' stroke-opacity='.5'/>", nil),
            ("<circle r='5.7' fill='#369' stroke='#369' stroke-dasharray='3'/>", nil),
            ("<circle r='2.7' fill='#369' transform='scale(2,1)'/>", nil),
            ("<circle r='.001' fill='#369'/>", nil),
            // Half around, and back.
            (
                "<path d='M-3 0C-3-1.657-1.657-3 0-3C1.657-3 3-1.657 3 0C3-1.657 1.657-3 0-3C-1.657-3-3-1.657-3 0Z' fill='#369'/>",
                nil
            ),
            ("<path d='M-3 0C-3-2 3-2 3 0C3 4 -3 4 -3 0Z' fill='#369'/>", nil),
        ])
    func dots(shape: String, disc: String?) throws {
        func page(_ shape: String) -> [UInt8] {
            let shapes = (0..<300).map {
                "<g transform='translate(\(Double($0 % 20) * 19.7 + 8.3) \(Double($0 / 20) * 19.3 + 9.7))'>\(shape)</g>"
            }
            let root = "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'>"
            return Array("\(root)<rect width='400' height='300' fill='#fff'/>\(shapes.joined())</svg>".utf8)
        }
        let bytes = try VectorWriter.write(
            drawing(of: "page.svg", ImageSize(width: 400, height: 300)), [.svg(page(shape))], as: .svg, width: 300,
            height: 225, title: ""
        ).bytes
        let dots = bytes.split(separator: UInt8(ascii: "M")).count { $0.firstRange(of: "h.01".utf8) != nil }
        #expect(dots == (disc == nil ? 0 : 300))
        #expect(try largestDifference(bytes, page(disc ?? shape)) < 12)
    }

    @Test("Discs are dots also where they are written as cairo 1.18 does, a hundred a path") func dotsAsAttributes() {
        let arc = "M 2 0 C 2 1.104569 1.104569 2 0 2 C -1.104569 2 -2 1.104569 -2 0 C -2 -1.104569 -1.104569 -2 0 -2 "
        let paint = #"fill-rule="nonzero" fill="rgb(20%, 40%, 60%)" fill-opacity="1""#
        let lines = (0..<101).map {
            "<path \(paint) d=\"\(arc)C 1.104569 -2 2 -1.104569 2 0 Z M 2 0 \" transform=\"matrix(3, 0, 0, -3, \($0), 5)\"/>"
        }
        let dots = (0..<100).map { "M\($0) 5h.01" }.joined()
        let shared = SVGShapes.shared(in: Array((["<g>"] + lines + ["</g>", ""]).joined(separator: "\n").utf8))
        let expected = """
            <g>
            <path fill="none" stroke="rgb(20%, 40%, 60%)" stroke-width="12" stroke-linecap="round" d="\(dots)"/>
            <path id="s0"\(lines[100].dropFirst("<path".count))
            </g>

            """
        #expect(String(decoding: shared, as: UTF8.self) == expected)
    }

    /// The largest difference of two pictures of one size, in their right halves.
    private func largestDifference(_ one: [UInt8], _ other: [UInt8]) throws -> UInt8 {
        let (one, other) = (
            try ImageFile.decode(one, name: "figure").flattened, try ImageFile.decode(other, name: "page").flattened
        )
        try #require(one.size == other.size)
        var largest: UInt8 = 0
        for row in 0..<one.height {
            let half = 4 * (row * one.width + one.width / 2)..<4 * (row + 1) * one.width
            for (a, b) in zip(one.pixels[half], other.pixels[half]) { largest = max(largest, max(a, b) - min(a, b)) }
        }
        return largest
    }

    /// What cairo alone loses in an SVG: masks of documents that are scaled, and glyphs that consist of pixels.
    @Test("What an SVG shows of a PDF is what the page shows", arguments: lost)
    func lostParts(name: String, resources: String, content: String, objects: String) throws {
        let page = """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
            2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
            3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 80 60]/Contents 4 0 R/Resources<<\(resources)>>>> endobj
            4 0 obj <</Length \(content.utf8.count)>> stream
            \(content)
            endstream endobj
            \(objects)
            trailer <</Root 1 0 R>>
            """
        let drawing = try drawing(of: "page.pdf", ImageSize(width: 107, height: 80))
        let written = try VectorWriter.write(
            drawing, [.pdf(Array(page.utf8), page: 1)], as: .svg, width: 80, height: 60, title: "")
        #expect(try meanDifference(written.bytes, Array(page.utf8)) < 4)
        #expect(written.pixelated.isEmpty)
    }

    private static let lost = [
        ("a stencil", "", "0 0 1 rg 60 0 0 40 10 10 cm BI /W 2 /H 2 /IM true /BPC 1 ID @\u{7F} EI", ""),
        (
            "a mask", "/ExtGState<</a<</SMask<</S/Luminosity/G 5 0 R>>>>>>", "/a gs 0 0 1 rg 10 10 60 40 re f",
            """
            5 0 obj <</Type/XObject/Subtype/Form/BBox[0 0 80 60]/Group<</S/Transparency/CS/DeviceGray>>/Length 20>> stream
            1 g 30 0 20 60 re f 
            endstream endobj
            """
        ),
        (
            "glyphs of pixels",
            """
            /Font<</F<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 5 0 R>>/Encoding
            <</Type/Encoding/Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<<>>>>>>
            """, "0 0 1 rg BT /F 40 Tf 0 10 Td (aa) Tj ET",
            """
            5 0 obj <</Length 64>> stream
            1 0 0 0 1 1 d1 .8 0 0 .8 .1 .1 cm BI /W 2 /H 2 /IM true /BPC 1 ID @\u{7F} EI
            endstream endobj
            """
        ),
    ]

    @Test("A mode of blending that an SVG lacks is drawn as pixels, and named") func blendingInSVG() throws {
        let root = #"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">"#
        let below = "<rect width='400' height='300' fill='#fc8'/>"
        let above = "<circle cx='200' cy='150' r='120' fill='#8cf' style='mix-blend-mode:multiply'/>"
        let page = Array("\(root)\(below)\(above)</svg>".utf8)
        let drawing = try drawing(of: "page.svg", ImageSize(width: 400, height: 300))
        let written = try VectorWriter.write(drawing, [.svg(page)], as: .svg, width: 300, height: 225, title: "")
        #expect(written.pixelated == ["page.svg"])
        #expect(try meanDifference(written.bytes, page) < 1)
    }

    /// The mean difference of two pictures of one size, in levels.
    private func meanDifference(_ one: [UInt8], _ other: [UInt8]) throws -> Double {
        let (one, other) = (
            try ImageFile.decode(one, name: "figure").flattened, try ImageFile.decode(other, name: "page").flattened
        )
        try #require(one.size == other.size)
        let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + Int(max($1.0, $1.1) - min($1.0, $1.1)) }
        return Double(sum) / Double(one.pixels.count)
    }

    @Test("A page that can't be written as vectors is written as pixels") func pixelsInPlace() throws {
        let image = try ImageFile.decode(Self.plain, name: "page")
        let drawing = try drawing(of: "page.svg", image.size)
        var tries = 0
        let written = try Pipeline.written(
            drawing, [.svg(Self.plain)], of: ["page.svg": image]
        ) { contents throws(VectorError) in
            tries += 1
            guard case .pixels(let pixels) = contents[0] else { throw .helper("its font is broken") }
            return ([UInt8(pixels.width / 400)], [])
        }
        // 300 pixels an inch of paper.
        #expect(tries == 2 && written.bytes == [4])
        #expect(written.warnings == ["the figure has pixels in place of vectors: its font is broken"])
        #expect(throws: VectorError.self) {
            try Pipeline.written(drawing, [], of: [:]) { _ throws(VectorError) in throw .helper("") }
        }
    }

    @Test("Glyphs of a Type 3 font are drawn, which cairo asks for last", arguments: VectorFormat.allCases)
    func type3Fonts(format: VectorFormat) throws {
        let image = try ImageFile.decode(written(Self.typeThree, as: format), name: "figure")
        func red(_ x: Int, _ y: Int) -> UInt8 { image.flattened.pixels[(y * image.width + x) * 4] }
        #expect(image.size == ImageSize(width: 80, height: 60))
        #expect(red(20, 30) == 0 && red(60, 30) == 0 && red(40, 30) == 255 && red(20, 57) == 255)
    }

    @Test("A page's colours blend with each other, and not with the paper") func blending() throws {
        let page = """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
            2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
            3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 80 60]/Contents 4 0 R/Resources<</ExtGState<</D <</BM/Difference>>>>>>>> endobj
            4 0 obj <</Length 64>> stream
            1 1 0 rg 0 0 40 60 re f /D gs 0 1 0 rg 20 0 40 60 re f          
            endstream endobj
            trailer <</Root 1 0 R>>
            """
        for bytes in [Array(page.utf8), try written(page, as: .pdf)] {
            let image = try ImageFile.decode(bytes, name: "page").flattened
            let row = image.pixels[(image.height / 2 * image.width * 4)...].prefix(image.width * 4)
            let colors = [1, 3, 5, 7].map { Array(row.dropFirst($0 * image.width / 8 * 4).prefix(3)) }
            #expect(colors == [[255, 255, 0], [255, 0, 0], [0, 255, 0], [255, 255, 255]])
        }
    }

    /// A page of 80×60 points as a vector file of a canvas of 80×60 pixels.
    private func written(_ page: String, as format: VectorFormat) throws -> [UInt8] {
        let drawing = try drawing(
            of: "page.pdf", ImageSize(width: 80, height: 60), background: .color(.transparent))
        return try VectorWriter.write(
            drawing, [.pdf(Array(page.utf8), page: 1)], as: format, width: 60, height: 45, title: ""
        ).bytes
    }

    /// An opaque page that fills a canvas of its size.
    private func drawing(
        of path: ImagePath, _ size: ImageSize, background: Backdrop = .color(.defaultBackground), loupes: [Loupe] = []
    ) throws -> VectorDrawing {
        let rect = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let scene = Scene(
            canvas: .init(width: size.width, height: size.height, background: background),
            layers: [Layer(content: .image(path: path), rect: rect)], loupes: loupes)
        return try VectorDrawing(scene, images: [path: ImageTraits(size: size, isOpaque: true)], resolution: 1)
    }
}

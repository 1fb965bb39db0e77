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

    @Test(arguments: VectorFormat.allCases)
    func `glyphs of a Type 3 font are drawn, which cairo asks for last`(format: VectorFormat) throws {
        let page = Layer(content: .image(path: "page.pdf"), rect: Rect(x: 0, y: 0, width: 80, height: 60))
        let scene = Scene(canvas: .init(width: 80, height: 60, background: .color(.transparent)), layers: [page])
        let traits = ImageTraits(size: ImageSize(width: 80, height: 60), isOpaque: true)
        let drawing = try VectorDrawing(scene, images: ["page.pdf" as ImagePath: traits], resolution: 1)
        let bytes = try VectorWriter.write(
            drawing, [.pdf(Array(Self.typeThree.utf8), page: 1)], as: format, width: 60, height: 45, title: "")
        let image = try ImageFile.decode(bytes, name: "figure")
        func red(_ x: Int, _ y: Int) -> UInt8 { image.flattened.pixels[(y * image.width + x) * 4] }
        #expect(image.size == ImageSize(width: 80, height: 60))
        #expect(red(20, 30) == 0 && red(60, 30) == 0 && red(40, 30) == 255 && red(20, 57) == 255)
    }
}

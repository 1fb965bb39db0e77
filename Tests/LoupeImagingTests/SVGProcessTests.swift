import Glibc
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// Drawing in a helper process: the same pixels, and no document harms another one or this process.
@Suite struct SVGProcessTests {
    private static func svg(_ content: String) -> [UInt8] {
        Array("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'>\(content)</svg>".utf8)
    }

    private static let text = svg("<text x='2' y='20' font-size='16'>Ag</text>")
    private static let drawing = svg("<circle cx='14.3' cy='9' r='8' fill='#9cf' fill-opacity='.6' stroke='#123'/>")
    private static let placement = DrawingPlace(x: 3.3, y: 1.7, width: 61, height: 35, columns: 0..<70, rows: 0..<40)
    /// Patterns in patterns: librsvg's stack overflows; from 2.59 on it refuses them.
    private static let deadly = svg(
        "<pattern id='a0'/>"
            + (1..<20000).map { number in
                "<pattern id='a\(number)' width='1' height='1' patternUnits='userSpaceOnUse'><rect width='1' height='1' fill='url(#a\(number - 1))'/></pattern>"
            }.joined() + "<rect width='9' height='9' fill='url(#a19999)'/>")

    private func remote(_ document: [UInt8], _ placement: DrawingPlace) throws -> [UInt8] {
        let pool = HelperPool()
        return try RemoteDocument(document, .svg, in: pool.member()).draw(placement) { Array($0) }
    }

    @Test func processThatADocumentEndsIsReplaced() throws {
        let pool = HelperPool()
        let member = pool.member()
        let good = RemoteDocument(Self.drawing, .svg, in: member)
        let before = try good.draw(Self.placement) { Array($0) }
        let bad = RemoteDocument(Self.deadly, .svg, in: member)
        for _ in 0..<Sample.count(1, whole: 2) {
            let failure = thrown(HelperFailure.self) { try bad.draw(Self.placement) { Array($0) } }
            switch failure {
            case .crashed(let how): #expect(how.contains("signal 11"))
            case .refused: break
            default: fail("\(String(describing: failure))")
            }
            #expect(try good.draw(Self.placement) { Array($0) } == before)
        }
        let image = thrown(ImageError.self) { try ImageFile.decode(Self.deadly, name: "a.svg") }
        #expect(image?.kind == .invalid && image?.description.contains("a.svg") == true)
    }

    /// Uses of uses: librsvg draws the red page and then gives up.
    private static let refused = svg(
        "<rect width='40' height='30' fill='red'/><g id='a0'><path d='M0 0'/></g>"
            + (1..<8).map { number in
                "<g id='a\(number)'>" + String(repeating: "<use href='#a\(number - 1)'/>", count: 10) + "</g>"
            }.joined() + "<use href='#a7'/>")

    @Test func nothingIsLeftOfADrawingThatWasRefused() throws {
        let member = HelperPool().member()
        let bad = RemoteDocument(Self.refused, .svg, in: member)
        let failure = thrown(HelperFailure.self) { try bad.draw(Self.placement) { Array($0) } }
        guard case .refused = failure else { return fail("\(String(describing: failure))") }
        let pixels = try RemoteDocument(Self.drawing, .svg, in: member).draw(Self.placement) { Array($0) }
        #expect(try pixels == remote(Self.drawing, Self.placement))
    }

    /// Documents come and go, on several threads.
    @Test func manyDocumentsShareTheProcesses() async throws {
        let expected = try remote(Self.drawing, Self.placement)
        let pool = HelperPool()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let document = RemoteDocument(Self.drawing, .svg, in: pool.member())
                    return (try? document.draw(Self.placement) { Array($0) }) == expected
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}

/// Text has the right outlines at every scale, whatever was drawn before.
@Suite struct SVGTextTests {
    /// The alpha of a document of text, drawn from a fresh reading in one process.
    private func alpha(_ document: RemoteDocument, scale: Int) throws -> [UInt8] {
        let (width, height) = (20 * scale, 24 * scale)
        return try document.draw(
            DrawingPlace(
                x: 0, y: 0, width: Double(width), height: Double(height), columns: 0..<width, rows: 0..<height)
        ) { bytes in stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }
    }

    private func document(_ content: String, _ member: HelperPool.Member) -> RemoteDocument {
        RemoteDocument(
            Array("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='24'>\(content)</svg>".utf8), .svg,
            in: member)
    }

    /// Each scale against twice that scale, of which 2×2 pixels are averaged.
    @Test(arguments: [
        "<text x='1' y='18' font-size='16'>A</text>", "<text x='1' y='20' font-size='24'>g</text>",
        "<text x='1' y='18' font-size='9' text-decoration='underline'>Ag<tspan font-size='12'>f</tspan></text>",
    ])
    func textIsTheSameAtEachScaleUpTo64(_ content: String) throws {
        let member = HelperPool().member()
        let page = document(content, member)
        for scale in [8, 16, 32] {
            let (small, large) = (try alpha(page, scale: scale), try alpha(page, scale: 2 * scale))
            let width = 20 * scale
            var (worst, ink) = (0, 0)
            for y in 0..<24 * scale {
                for x in 0..<width {
                    let corner = 2 * y * 2 * width + 2 * x
                    let sum =
                        Int(large[corner]) + Int(large[corner + 1]) + Int(large[corner + 2 * width])
                        + Int(large[corner + 2 * width + 1])
                    worst = max(worst, abs((sum + 2) / 4 - Int(small[y * width + x])))
                    ink += Int(small[y * width + x])
                }
            }
            // Coverage is exact to a 15th of a pixel each way, and edges of few texels are steep.
            #expect(worst <= 40, "at \(2 * scale): \(worst)")
            #expect(ink > 255 * width)
        }
    }

    /// Pango's fonts keep an error after the first text of more than 65,536 pixels × scale.
    @Test func earlierDrawingsChangeNoText() throws {
        let content = "<text x='1' y='18' font-size='16'>A</text>"
        func fresh(_ scale: Int) throws -> [UInt8] {
            try alpha(document(content, HelperPool().member()), scale: scale)
        }
        let (one, large) = (try fresh(1), try fresh(64))
        let member = HelperPool().member()
        for scale in [1, 64, 1, 64, 64, 1] {
            #expect(try alpha(document(content, member), scale: scale) == (scale == 1 ? one : large))
        }
    }
}

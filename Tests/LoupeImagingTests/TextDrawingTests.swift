import LoupeBase
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// Text, drawn by Pango in a helper process. The tests need the fonts of Debian's `fonts-dejavu-core`.
@Suite struct TextDrawingTests {
    private static func specimen(
        _ text: String, size: Double = 24, at x: Double = 40, _ y: Double = 60, align: Vector = .zero,
        family: String = "DejaVu Sans"
    ) -> TextRequest {
        TextRequest(
            text: text, family: family, size: size, weight: 400, color: [0, 0, 0, 255],
            halo: nil, anchor: Point(x: x, y: y), align: align)
    }

    private static let canvas = PixelRect(width: 400, height: 300)

    private func draw(_ specimen: TextRequest) throws -> DrawnText {
        try #require(try TextDrawing.draw(specimen, on: Self.canvas))
    }

    /// The columns and rows of pixels that are at least half covered.
    private func ink(_ drawn: DrawnText) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        var (xs, ys): ([Int], [Int]) = ([], [])
        for index in 0..<drawn.block.pixelCount where drawn.image.pixels[index * 4 + 3] >= 128 {
            xs.append(drawn.block.minX + index % drawn.block.width)
            ys.append(drawn.block.minY + index / drawn.block.width)
        }
        return (xs.min()!...xs.max()!, ys.min()!...ys.max()!)
    }

    @Test func theFontOfTheTestsIsInstalled() throws {
        #expect(
            try TextDrawing.substitution(in: Self.specimen("a")) == nil,
            "install fonts-dejavu-core, as tools/setup does")
    }

    /// A box of capitals reaches from their top to the baseline: DejaVu Sans's are 0.729 of the size high.
    @Test func theBoxIsThatOfCapitals() throws {
        let top = ink(try draw(Self.specimen("H", size: 100, at: 40, 60)))
        #expect(top.rows.lowerBound == 60 && abs(top.rows.upperBound - 132) <= 1)
        let bottom = ink(try draw(Self.specimen("Hgy", size: 100, at: 40, 160, align: Vector(dx: 0, dy: 1))))
        #expect(bottom.rows.lowerBound == 87 && bottom.rows.upperBound > 170)
        let middle = ink(try draw(Self.specimen("H", size: 100, at: 200, 150, align: Vector(dx: 0.5, dy: 0.5))))
        #expect(abs(middle.columns.lowerBound + middle.columns.upperBound + 1 - 400) <= 1)
        #expect(abs(middle.rows.lowerBound + middle.rows.upperBound + 1 - 300) <= 1)
    }

    @Test func linesLieBelowEachOther() throws {
        let one = ink(try draw(Self.specimen("HH")))
        let two = ink(try draw(Self.specimen("HH\nHH")))
        #expect(two.columns == one.columns && two.rows.lowerBound == one.rows.lowerBound)
        #expect(two.rows.count > 2 * one.rows.count)
    }

    @Test func aPixelFartherIsTheSamePictureAPixelFarther() throws {
        let (one, other) = (
            try draw(Self.specimen("Loupe", at: 40.25, 60.5)), try draw(Self.specimen("Loupe", at: 47.25, 63.5))
        )
        #expect(one.image == other.image)
        #expect(other.block.minX == one.block.minX + 7 && other.block.minY == one.block.minY + 3)
        #expect(try draw(Self.specimen("Loupe", at: 40.5, 60.5)).image != one.image)
    }

    /// The weight of a text lies where its anchor says, to a twentieth of a pixel.
    @Test func aFractionOfAPixelMovesThePictureByThat() throws {
        func middle(_ x: Double) throws -> Double {
            let drawn = try draw(Self.specimen("illi", at: x, 60))
            var (sum, moment) = (0.0, 0.0)
            for index in 0..<drawn.block.pixelCount {
                let alpha = Double(drawn.image.pixels[index * 4 + 3])
                sum += alpha
                moment += alpha * (Double(drawn.block.minX + index % drawn.block.width) + 0.5)
            }
            return moment / sum
        }
        let start = try middle(40)
        for shift in [0.1, 0.25, 0.5, 0.7, 0.9] { #expect(try abs(middle(40 + shift) - start - shift) < 0.05) }
    }

    /// Markup is letters like any other.
    @Test func textIsNeverMarkup() throws {
        let texts = ["<b>H</b>", "&lt;", "<span font='99'>H", "%s%n", "\u{202e}abc", "\\0"]
        for text in texts {
            let columns = ink(try draw(Self.specimen(text))).columns
            #expect(columns.count > 8 * text.unicodeScalars.count / 2, "\(text)")
        }
    }

    @Test(arguments: [
        "😀👩‍👩‍👧", "שלום abc سلام", "e\u{301}\u{20dd}", "日本語", "\u{fffd}\u{10ffff}", " ", "\n\n", "a\u{ad}\u{200b}b",
    ])
    func anyTextIsDrawnOrIsNothing(_ text: String) throws {
        _ = try TextDrawing.draw(Self.specimen(text), on: Self.canvas)
        let long = String(repeating: text, count: 1000 / text.unicodeScalars.count)
        do {
            _ = try TextDrawing.draw(Self.specimen(long, size: 1024), on: Self.canvas)
        } catch {
            #expect("\(error)".hasPrefix("the text '"))
        }
    }

    @Test func otherFontsAreNamed() throws {
        let sentence = try #require(try TextDrawing.substitution(in: Self.specimen("a", family: "No Such Font")))
        #expect(sentence.contains("'No Such Font'") && sentence.contains("instead"))
        for family in ["sans-serif", "Sans", "monospace", "dejavu sans"] {
            #expect(try TextDrawing.substitution(in: Self.specimen("a", family: family)) == nil)
        }
        let missing = try #require(try TextDrawing.substitution(in: Self.specimen("a\u{10ffff}b")))
        #expect(missing.contains("one of the characters"))
    }
}

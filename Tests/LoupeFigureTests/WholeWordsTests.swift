import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

/// A white page of 600×400 pixels with words: rectangles of dark stripes.
private struct WordPage {
    static let size = ImageSize(width: 600, height: 400)
    let pixels: [UInt8]

    init(_ words: [Rect]) {
        var pixels = [UInt8](repeating: 255, count: 4 * Self.size.width * Self.size.height)
        for word in words {
            for y in Int(word.minY)..<Int(word.maxY) {
                for x in Int(word.minX)..<Int(word.maxX) where x % 2 == 0 {
                    for channel in 0..<3 { pixels[4 * (y * Self.size.width + x) + channel] = 20 }
                }
            }
        }
        self.pixels = pixels
    }

    var facts: PageFacts {
        var facts = PageFacts(
            size: Self.size, tone: .light,
            contrast: ContrastGrid(width: Self.size.width, height: Self.size.height, pixels: pixels))
        facts.words = boxes
        return facts
    }

    var boxes: [Rect] { WordBoxes.found(width: Self.size.width, height: Self.size.height, pixels: pixels) }

    /// A line of words from the left, 40 pixels each, with gaps of 6.
    static func line(at y: Double, from x: Double = 200, words count: Int) -> [Rect] {
        (0..<count).map { Rect(x: x + 46 * Double($0), y: y, width: 40, height: 12) }
    }
}

@Suite struct WholeWordsTests {
    /// What a loupe shows, in canvas pixels.
    private func source(of loupe: Loupe) -> Rect {
        Rect(
            center: loupe.focus, width: 2 * loupe.halfSides.dx / loupe.zoom,
            height: 2 * loupe.halfSides.dy / loupe.zoom)
    }

    private func isDisc(_ loupe: Loupe) -> Bool { if case .circle = loupe.shape { true } else { false } }

    private func loupe(_ flags: [String], over words: [Rect]) throws -> Loupe {
        try #require(try FlaggedPage.scene(flags, WordPage(words).facts).loupes.first)
    }

    @Test func aViewWithoutWordsIsADiscOfTheUsualZoom() throws {
        let loupe = try loupe(["--callout", "300,200"], over: WordPage.line(at: 350, words: 3))
        #expect(isDisc(loupe))
        #expect(loupe.zoom == 3)
    }

    @Test func theZoomGrowsUntilNoRimRunsThroughAWord() throws {
        // The disc shows 27 pixels around the point; this word begins 22 pixels beneath it.
        let word = Rect(x: 280, y: 222, width: 40, height: 12)
        let loupe = try loupe(["--callout", "300,200"], over: [word])
        #expect(isDisc(loupe))
        #expect(loupe.zoom == 4)
        #expect(loupe.radius / loupe.zoom <= 22)
    }

    @Test func oneZoomIsThatOfAllDiscs() throws {
        let word = Rect(x: 280, y: 222, width: 40, height: 12)
        let scene = try FlaggedPage.scene(["--callout", "300,200", "--callout", "100,80"], WordPage([word]).facts)
        #expect(scene.loupes.map(\.zoom) == [4, 4])
    }

    @Test func wordsThatNoDiscSparesAreShownInWholeLines() throws {
        let lines = WordPage.line(at: 190, words: 4) + WordPage.line(at: 210, words: 4)
        let loupe = try loupe(["--callout", "280,200"], over: lines + WordPage.line(at: 330, words: 4))
        #expect(!isDisc(loupe))
        let source = source(of: loupe)
        for word in lines { #expect(source.contains(word)) }
        #expect(source.maxY < 330)
    }

    @Test func aBoxEndsBetweenItsLinesAndTheNext() throws {
        let lines = (0..<12).flatMap { WordPage.line(at: 100 + 18 * Double($0), words: 4) }
        let loupe = try loupe(["--callout", "280,200"], over: lines)
        let source = source(of: loupe)
        #expect(!isDisc(loupe))
        for word in lines where word.overlaps(source) { #expect(source.contains(word)) }
    }

    @Test func boxesOfTwoPointsNeverOverlap() throws {
        let lines = (0..<4).flatMap { WordPage.line(at: 150 + 20 * Double($0), words: 4) }
        let scene = try FlaggedPage.scene(
            ["--callout", "280,156", "--callout", "280,216"], WordPage(lines).facts)
        try #require(scene.loupes.count == 2)
        #expect(!isDisc(scene.loupes[0]))
        #expect(!source(of: scene.loupes[0]).overlaps(source(of: scene.loupes[1])))
    }

    @Test(arguments: [
        ["--zoom", "3"], ["--radius", "60"], ["--shape", "circle"], ["--plain"], ["--grid"],
    ])
    func whatIsSaidOfTheViewStays(_ flags: [String]) throws {
        let loupe = try loupe(["--callout", "280,196"] + flags, over: WordPage.line(at: 190, words: 4))
        #expect(isDisc(loupe))
        #expect(loupe.zoom == 3)
        #expect(loupe.focus == Point(x: 280, y: 196))
    }

    @Test func aLoupeWithAPlaceStays() throws {
        let loupe = try loupe(["--callout", "280,196@450,300"], over: WordPage.line(at: 190, words: 4))
        #expect(isDisc(loupe))
        #expect(loupe.zoom == 3)
    }

    @Test func aPhotographHasNoWords() throws {
        var facts = WordPage(WordPage.line(at: 190, words: 4)).facts
        facts.tone = PageTone(kind: .photograph, accent: .defaultInk, cells: [.defaultRim], columns: 1)
        let loupe = try #require(try FlaggedPage.scene(["--callout", "280,196"], facts).loupes.first)
        #expect(isDisc(loupe))
        #expect(loupe.zoom == 3)
    }

    @Test func markersOfAPlotAreNoText() throws {
        let markers = (0..<60).map { (index: Int) -> Rect in
            let (right, down) = (index * 37 % 160, index * 53 % 160)
            return Rect(x: Double(200 + right), y: Double(120 + down), width: 7, height: 8)
        }
        #expect(isDisc(try loupe(["--callout", "280,200"], over: markers)))
    }

    @Test func aBoxThatHardlyMagnifiesIsNotTaken() throws {
        let lines = (0..<3).flatMap { WordPage.line(at: 180 + 16 * Double($0), from: 20, words: 12) }
        #expect(isDisc(try loupe(["--callout", "280,200"], over: lines)))
    }

    // MARK: - Words

    @Test func lettersThatNearlyTouchAreOneWordAndOthersAreTwo() {
        let boxes = WordPage([
            Rect(x: 100, y: 100, width: 8, height: 12), Rect(x: 110, y: 100, width: 8, height: 12),
            Rect(x: 200, y: 100, width: 8, height: 12),
        ]).boxes
        #expect(boxes.count == 2)
        #expect(boxes.first?.contains(Rect(x: 100, y: 100, width: 18, height: 12)) == true)
    }

    @Test(arguments: [1, 7, 64])
    func wordsInBandsAreThoseOfTheWhole(_ rows: Int) {
        let page = WordPage(WordPage.line(at: 57, words: 5) + WordPage.line(at: 77, words: 2))
        var words = WordBoxes(width: WordPage.size.width, height: WordPage.size.height)
        page.pixels.withUnsafeBytes { pixels in
            for first in stride(from: 0, to: WordPage.size.height, by: rows) {
                let end = min(WordPage.size.height, first + rows)
                let band = pixels[4 * WordPage.size.width * first..<4 * WordPage.size.width * end]
                words.take(UnsafeRawBufferPointer(rebasing: band), rows: first..<end)
            }
        }
        #expect(words.boxes == page.boxes)
        #expect(!page.boxes.isEmpty)
    }

    @Test func faintLinesOfAGridAreNoWords() {
        var pixels = [UInt8](repeating: 255, count: 4 * 64 * 64)
        for x in 0..<64 { for channel in 0..<3 { pixels[4 * (64 * 32 + x) + channel] = 230 } }
        #expect(WordBoxes.found(width: 64, height: 64, pixels: pixels).isEmpty)
    }
}

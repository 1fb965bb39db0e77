import LoupeBase
import LoupePlan
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// Where letters, zoom factors and scale bars lie that nobody gave a place.
@Suite struct FigureTextTests {
    private static func scene(_ loupes: [Loupe], width: Int = 800, height: Int = 600) -> Scene {
        Scene(
            canvas: .init(width: width, height: height),
            layers: [
                Layer(
                    content: .fill(.defaultRim),
                    rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
            ], loupes: loupes)
    }

    private static func loupe(_ x: Double, _ y: Double, of fx: Double, _ fy: Double, radius: Double = 90) -> Loupe {
        Loupe(
            center: Point(x: x, y: y), radius: radius, zoom: 4, focus: Point(x: fx, y: fy),
            rim: .init(width: 3, color: .defaultRim),
            callout: Callout(ring: .init(), connector: .init(.lines(width: 2))))
    }

    @Test func lettersMatchAndCountOn() {
        #expect(
            [0, 1, 25, 26, 27, 701, 702].map { FigureText.Letters.lowercase.mark($0) } == [
                "a", "b", "z", "aa", "ab", "zz", "aaa",
            ])
        #expect(FigureText.Letters.uppercase.mark(2) == "C" && FigureText.Letters.numbers.mark(2) == "3")
        var text = FigureText()
        text.letters = .lowercase
        let scene = text.added(
            to: Self.scene([Self.loupe(600, 150, of: 200, 200), Self.loupe(600, 450, of: 300, 420)]))
        #expect(scene.labels.map(\.text) == ["a", "b", "a", "b"])
        let indices = scene.labels.map { label -> Int in
            switch label.anchor {
            case .loupe(let index, _, _, _), .ring(let index, _, _): index
            case .point: -1
            }
        }
        #expect(indices == [0, 1, 0, 1])
    }

    @Test func factorsHaveOneDigitAtMost() {
        #expect(
            [4, 2.5, 1, 10, 3.14159, 1.8049, 63.999].map { TextRun.factor($0) } == [
                "4×", "2.5×", "1×", "10×", "3.1×", "1.8×", "64×",
            ])
    }

    /// Letters count in the order in which the loupes were asked for, wherever these lie.
    @Test func lettersCountInTheOrderOfTheCommand() {
        var text = FigureText()
        text.letters = .lowercase
        let scene = text.added(
            to: Self.scene([
                Self.loupe(650, 450, of: 300, 420), Self.loupe(650, 150, of: 200, 200),
                Self.loupe(150, 470, of: 300, 100),
            ]))
        let marks = scene.labels.compactMap { label -> (Int, String)? in
            if case .loupe(let index, _, _, _) = label.anchor { (index, label.text) } else { nil }
        }
        #expect(Dictionary(uniqueKeysWithValues: marks) == [0: "a", 1: "b", 2: "c"])
        // All in the same corner.
        let corners = scene.labels.compactMap { label -> Double? in
            if case .loupe(_, let angle, _, _) = label.anchor { angle } else { nil }
        }
        #expect(Set(corners).count == 1)
    }

    /// In hundreds of arrangements where no loupe hides a ring, no letter lies on a loupe or on what it shows, unless there is
    /// no other place.
    @Test func textCoversNoLoupeAndNoRing() {
        var generator = SplitMix64(seed: 7)
        var (covered, total) = (0, 0)
        for _ in 0..<3000 where total < 1000 {
            let loupes = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                Self.loupe(
                    .random(in: 90...710, using: &generator), .random(in: 90...510, using: &generator),
                    of: .random(in: 30...770, using: &generator), .random(in: 30...570, using: &generator),
                    radius: .random(in: 30...90, using: &generator))
            }
            let isHidden = loupes.contains { loupe in
                loupes.contains { $0.focus.distance(to: loupe.center) < loupe.radius + 40 }
                    || loupes.filter { $0.center.distance(to: loupe.center) < loupe.radius + $0.radius }.count > 1
            }
            if isHidden { continue }
            var text = FigureText()
            (text.letters, text.pixelSize) = (.uppercase, PhysicalLength(0.65, .um))
            let scene = text.added(to: Self.scene(loupes))
            for label in scene.labels {
                if case .loupe(_, _, .inside, _) = label.anchor { continue }
                guard let box = TextRun(label, in: scene)?.estimatedBox else { continue }
                total += 1
                let corners = [(box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY)]
                let isOver = scene.loupes.contains { loupe in
                    corners.contains {
                        let corner = Point(x: $0, y: $1)
                        return corner.distance(to: loupe.center) < loupe.radius - 1e-6
                            || corner.distance(to: loupe.focus) < loupe.radius / loupe.zoom
                    }
                }
                if isOver { covered += 1 }
            }
        }
        #expect(total >= 1000 && covered <= total / 100, "\(covered) of \(total)")
    }

    /// A zoom factor stands beside its loupe where there is room, across from the letter, and over nothing of the picture.
    @Test func factorsStandBesideLoupes() {
        var text = FigureText()
        (text.letters, text.showsZoom) = (.lowercase, true)
        let loupes = [Self.loupe(600, 150, of: 200, 200), Self.loupe(600, 450, of: 300, 420)]
        let scene = text.added(to: Self.scene(loupes))
        let angles = scene.labels.compactMap { label -> Double? in
            guard case .loupe(_, let angle, .outside, _) = label.anchor, label.text == "4×" else { return nil }
            return angle
        }
        #expect(angles == [45, 45])
    }

    /// Journals ask for 5 points; bars have four fifths of the size of letters.
    @Test(arguments: [2.0, 3.3, 5, 10]) func textIsReadableOnPaper(inches: Double) {
        var text = FigureText()
        (text.letters, text.pixelSize, text.paper.width) = (.lowercase, PhysicalLength(0.65, .um), inches)
        let scene = text.added(to: Self.scene([Self.loupe(600, 300, of: 200, 200)]))
        let point = Double(scene.canvas.width) / inches / 72
        for size in scene.labels.map(\.style.size) + scene.scaleBars.map(\.style.size) { #expect(size >= 5 * point) }
        #expect((text.size(in: scene) == FigureText().size(in: scene)) == (inches >= 5))
        text.paper = FigureText.Paper(
            width: nil, height: inches * Double(scene.canvas.height) / Double(scene.canvas.width))
        #expect(text.size(in: scene) == scene.labels[0].style.size)
        text.paper = FigureText.Paper(width: 0.001, height: nil)
        #expect(text.size(in: scene) == 1024)
    }

    @Test func barsAreAsLongAsTheyShouldBe() throws {
        for zoom in [1.0, 2.5, 4, 13.7, 64] {
            var loupe = Self.loupe(600, 300, of: 200, 200)
            loupe.zoom = zoom
            var text = FigureText()
            text.pixelSize = PhysicalLength(0.65, .um)
            let scene = text.added(to: Self.scene([loupe]))
            let bars = DrawPlan(scene, images: [:]).bars
            let lengths = scene.scaleBars.map(\.length.metres)
            #expect(abs(bars[0].rect.width - lengths[0] / 0.65e-6) < 1e-9 * bars[0].rect.width)
            #expect(abs(bars[1].rect.width - lengths[1] / 0.65e-6 * zoom) < 1e-9 * bars[1].rect.width)
            // Near a fifth of the width: within the factor between round lengths.
            #expect((0.12...0.32).contains(bars[0].rect.width / 800))
            #expect((0.12...0.32).contains(bars[1].rect.width / 180))
        }
    }

    /// A bar lies in the corner that was asked for, and within a disc.
    @Test(arguments: CornerPosition.allCases) func barsLieInTheirCorner(_ corner: CornerPosition) {
        var text = FigureText()
        (text.pixelSize, text.barCorner) = (PhysicalLength(1, .mm), corner)
        let loupe = Self.loupe(400, 300, of: 200, 200)
        let scene = text.added(to: Self.scene([loupe]))
        let bars = DrawPlan(scene, images: [:]).bars.map(\.rect)
        for (bar, middle) in zip(bars, [Point(x: 400, y: 300), loupe.center]) {
            #expect(
                (bar.center.x < middle.x) == corner.isLeft
                    && (bar.center.y < middle.y) == [.topLeft, .topRight].contains(corner))
        }
        for (x, y) in [(bars[1].minX, bars[1].minY), (bars[1].maxX, bars[1].maxY), (bars[1].minX, bars[1].maxY)] {
            #expect(Point(x: x, y: y).distance(to: loupe.center) < loupe.radius - 3)
        }
    }

    /// The page's bar avoids the corner where a loupe lies.
    @Test func thePagesBarAvoidsLoupes() {
        var text = FigureText()
        text.pixelSize = PhysicalLength(1, .mm)
        let free = text.added(to: Self.scene([Self.loupe(400, 300, of: 200, 200)])).scaleBars[0].corner
        let taken = text.added(to: Self.scene([Self.loupe(700, 500, of: 200, 200)])).scaleBars[0].corner
        #expect(free == .bottomRight && taken == .bottomLeft)
    }

    @Test func textIsDarkOnLightPagesAndLightOnDarkOnes() throws {
        for (page, color) in [(Color.defaultRim, Color.defaultInk), (.defaultInk, .defaultRim)] {
            let tone = PageTone(of: ImageSize(width: 800, height: 600)) { _, _ in page }
            let facts = PageFacts(size: ImageSize(width: 800, height: 600), tone: tone)
            let flags = ["--callout=200,200@400,300", "--letters=a", "--pixel-size=1mm"]
            let scene = try FlaggedPage.scene(flags, facts)
            let bars = scene.scaleBars.map(\.style)
            #expect(bars.map(\.color) == [color, color])
            #expect(bars.allSatisfy { OKLab($0.halo?.color ?? color).contrast(to: OKLab(color)) > 0.9 })
            let letters = scene.labels.map(\.style)
            #expect(letters.count == 2)
            #expect(letters.allSatisfy { ($0.halo?.color ?? $0.color).contrastRatio(to: $0.color) >= 4.5 })
        }
    }
}

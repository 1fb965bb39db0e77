import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure
@testable import LoupePlan

/// From options and facts to a scene, without a page's pixels and without a process.
@Suite struct ComposeTests {
    private static let size = ImageSize(width: 1200, height: 800)

    /// A page of one colour, and dots of another on a part of it.
    private static func facts(
        _ paper: Color, _ dots: Color = Color(red: 60, green: 90, blue: 160), busy: Range<Int> = 0..<0
    ) -> PageFacts {
        func color(_ x: Int, _ y: Int) -> Color { busy.contains(x) && (x + y) % 3 == 0 ? dots : paper }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.width * size.height * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = color(x, y)
                pixels += [color.red, color.green, color.blue, 255]
            }
        }
        return PageFacts(
            size: size, tone: PageTone(of: size, color: color),
            contrast: ContrastGrid(width: size.width, height: size.height, pixels: pixels))
    }

    private static let light = facts(.defaultRim, busy: 0..<500)
    private static let full = facts(.defaultRim, busy: 0..<1200)
    private static let dark = facts(Color(red: 0x16, green: 0x18, blue: 0x1d), .defaultRim, busy: 0..<500)

    /// The scene of flags, written without their dashes.
    private func composed(_ words: String..., of facts: PageFacts) throws -> Scene { try composed(words, of: facts) }

    private func composed(_ words: [String], of facts: PageFacts) throws -> Scene {
        try FlaggedPage.scene(words.map { "--" + $0 }, facts)
    }

    // MARK: - Values

    /// A region becomes a rectangle of its aspect that shows it whole.
    @Test func aRegionIsShownWhole() throws {
        let scene = try composed("callout=page:200,310..470,370@600,600", of: Self.light)
        let loupe = try #require(scene.loupes.first)
        guard case .rectangle(let rectangle) = loupe.shape else { return fail("it is no rectangle") }
        #expect(abs(rectangle.width / loupe.zoom - 270) < 1 && abs(rectangle.height / loupe.zoom - 60) < 1)
        #expect((6...12).contains(rectangle.corner.radius))
        let circle = try composed("shape=circle", "callout=page:200,310..260,340@600,600", of: Self.light)
        #expect(circle.loupes[0].outline == nil && abs(circle.loupes[0].radius - 160) < 0.01)
    }

    /// A frame without a colour is dark around a dark page.
    @Test func aFrameTakesItsToneFromThePage() throws {
        let backdrops = try [Self.light, Self.dark].map { try composed("frame=", of: $0).canvas.background }
        let named = try ["light", "dark"].map { try composed("frame=\($0)", of: Self.light).canvas.background }
        #expect(backdrops == named)
    }

    // MARK: - Style

    @Test func theKindOfAPageIsThatOfItsPaper() {
        #expect(Self.light.tone.kind == .light && Self.dark.tone.kind == .dark)
        var generator = SplitMix64(seed: 5)
        let photograph = PageTone(of: Self.size) { x, y in
            Color(
                red: UInt8((x / 5 + Int.random(in: 0..<16, using: &generator)) % 256), green: UInt8(y / 4 % 256),
                blue: UInt8((x + y) / 8 % 256))
        }
        #expect(photograph.kind == .photograph)
    }

    /// Neither the accent nor the casing depends on where a callout lies. It is white on light pages and dark on dark ones, so
    /// that nobody sees it on paper, and translucent. No rim of a plain page has one, and no ring on transparent paper.
    @Test func colorsDoNotDependOnTheFocus() throws {
        var generator = SplitMix64(seed: 9)
        for (facts, accent) in [(Self.light, "#e5484d"), (Self.dark, "#ffd60a")] {
            for _ in 0..<20 {
                let (x, y) = (Int.random(in: 0..<1200, using: &generator), Int.random(in: 0..<800, using: &generator))
                let scene = try composed("callout=\(x),\(y)@900,500", "connector=leader", of: facts)
                let callout = try #require(scene.loupes[0].callout)
                #expect(callout.ring?.color.hex == accent)
                #expect(callout.connector?.color.hex == accent)
                let level: UInt8 = facts == Self.light ? 255 : 0
                let casing = Casing(width: 1.25, color: Color(red: level, green: level, blue: level, alpha: 0x99))
                #expect(callout.ring?.casing == casing)
                #expect(callout.connector?.casing == casing)
                #expect(scene.loupes[0].rim?.casing == nil)
            }
        }
        var transparent = Self.light
        transparent.isOpaque = false
        let callout = try composed("callout=20%,30%@900,500", of: transparent).loupes[0].callout
        #expect(callout?.ring?.color.hex == "#e5484d" && callout?.ring?.casing == nil)
    }

    /// On a page with red lines the accent is another one, and where it has blue ones, too, that of which it has less.
    @Test func theAccentIsNoColourOfThePage() {
        let (red, blue) = (Color(red: 0xd0, green: 0x40, blue: 0x40), Color(red: 0x20, green: 0x60, blue: 0xd0))
        func accent(red redWidth: Int, blue blueWidth: Int) -> String {
            PageTone(of: Self.size) { x, _ in x < redWidth ? red : x >= 1200 - blueWidth ? blue : .defaultRim }.accent
                .hex
        }
        #expect(accent(red: 0, blue: 0) == "#e5484d")
        #expect(accent(red: 12, blue: 0) == "#006adc")
        #expect(accent(red: 0, blue: 12) == "#e5484d")
        #expect(accent(red: 60, blue: 24) == "#006adc")
        #expect(accent(red: 24, blue: 60) == "#e5484d")
    }

    /// A ring on an orange bar is not orange, and one that the bar doesn't reach has the first hue.
    @Test func aHueStandsOutFromWhatItsRingLiesOn() throws {
        let orange = Color(red: 0xe4, green: 0x6c, blue: 0x00)
        var bars = Self.facts(.defaultRim)
        bars.tone = PageTone(of: Self.size) { x, _ in x >= 600 ? orange : .defaultRim }
        let loupes = try composed(
            "place=beside", "callout=25%,50%", "callout=75%,50%", "callout=85%,20%", of: bars
        ).loupes
        let colors = loupes.compactMap { $0.callout?.ring?.color }
        try #require(colors.count == 3)
        #expect(colors[0] == CropsFigure.palette[0])
        for color in colors[1...] { #expect(OKLab(color).distance(to: OKLab(orange)) > 0.2) }
        #expect(Set(colors).count == 3)
    }

    /// The canvas has room for a ring at the page's corner.
    @Test func aRingAtThePagesCornerIsWhole() throws {
        // The right side has a thin line, as dots reach it.
        let page = Self.facts(.defaultRim, busy: 1190..<1200)
        let scene = try composed("place=beside", "callout=100%,0%", "callout=30%,50%", of: page)
        #expect(scene.layers.count == 2)
        for loupe in scene.loupes {
            let source = scene.shownFocus(of: loupe)
            let reach = loupe.radius / loupe.zoom + (loupe.callout?.ring?.reach ?? 0)
            let inner = scene.canvas.rect.inset(by: reach - 1e-6)
            #expect(inner.contains(source))
        }
    }

    /// Beneath a wide page loupes stand under what they show, where that leaves their order; one that is far from there would
    /// belong to nothing, so that all are in the middle.
    @Test func beneathAWidePageLoupesStandUnderWhatTheyShow() throws {
        func facts(_ width: Int, _ height: Int) -> PageFacts {
            let size = ImageSize(width: width, height: height)
            let pixels = (0..<width * height).flatMap { [UInt8]([UInt8($0 * 7 % 251), 80, 90, 255]) }
            return PageFacts(
                size: size, tone: PageTone(of: size, pixels: pixels),
                contrast: ContrastGrid(width: width, height: height, pixels: pixels))
        }
        let page = facts(1200, 300)
        let apart = try composed("callout=20%,50%", "callout=70%,50%", of: page).loupes
        for loupe in apart { #expect(abs(loupe.center.x - loupe.focus.x) <= 1) }
        let close = try composed("letters=a", "callout=12%,50%", "callout=10%,50%", "callout=8%,50%", of: page)
        let left = close.loupes.map { $0.center.x - $0.radius }.min() ?? 0
        let right = close.loupes.map { $0.center.x + $0.radius }.max() ?? 0
        #expect(abs(left - (1200 - right)) <= 1)
        #expect(close.loupes[0].center.x < close.loupes[1].center.x)
        // A disc is under the region of a column, in its middle.
        let mixed = try composed("callout=10%,10%", "callout=page:400,300,200x150", of: facts(900, 700)).loupes
        #expect(mixed[0].center.y > mixed[1].center.y)
        #expect(abs(mixed[0].center.x - mixed[1].center.x) <= 1)
    }

    /// Loupes with letters on the page are read row by row.
    @Test func lettersOnThePageAreReadRowByRow() throws {
        var card = Self.facts(.defaultRim)
        let pixels = (0..<1200 * 800).flatMap { place -> [UInt8] in
            let (y, x) = place.quotientAndRemainder(dividingBy: 1200)
            let isCard = 450..<750 ~= x && 200..<600 ~= y
            return isCard && (x / 3 + y / 3) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
        }
        card.contrast = ContrastGrid(width: 1200, height: 800, pixels: pixels)
        let scene = try composed("letters=a", "radius=110", "callout=60%,50%", "callout=40%,50%", of: card)
        try #require(scene.canvas.width == 1200)
        let centers = scene.loupes.map(\.center)
        #expect(centers[1].y >= centers[0].y + 110 || centers[1].x > centers[0].x)
    }

    /// A map in even colours is a drawing, though paper covers less than half of it.
    @Test func aMapOnPaperIsALightPage() {
        let tone = PageTone(of: Self.size) { x, y in
            x < 480 ? .defaultRim : Color(red: UInt8(x / 60 * 12), green: 180, blue: UInt8(y / 40 * 12))
        }
        #expect(tone.kind == .light)
        #expect(tone.paper == .defaultRim)
    }

    /// A dark micrograph, whose noise makes few neighbours equal, though most of it is near-black.
    @Test func aDarkMicrographIsAPhotograph() {
        var generator = SplitMix64(seed: 6)
        let noise = (0..<1200 * 800).map { _ in UInt8.random(in: 20...23, using: &generator) }
        let tone = PageTone(of: Self.size) { x, y in
            let level = noise[y * 1200 + x]
            return Color(red: level, green: level, blue: level)
        }
        #expect(tone.kind == .photograph)
    }

    /// A scan has paper of many greys; a photograph that is as light has colours, and one that is grey is darker.
    @Test func aScanIsALightPage() {
        func tone(_ color: @escaping (_ level: Int) -> (Int, Int, Int)) -> PageTone {
            PageTone(of: Self.size) { x, y in
                let (red, green, blue) = color((x + y / 8) % 100)
                return Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
            }
        }
        let scan = tone { (150 + $0, 150 + $0, 150 + $0) }
        #expect(scan.kind == .light && scan.accent.hex == "#006adc")
        #expect(tone { (150 + $0, 150 + $0, 60 + $0) }.kind == .photograph)
        #expect(tone { (50 + $0, 50 + $0, 50 + $0) }.kind == .photograph)
    }

    /// A loupe's rim is as its ring; on a photograph it has the casing of the ring, too, and beside one none.
    @Test func aRimIsAsItsRing() throws {
        var photograph = Self.light
        photograph.tone = PageTone(
            kind: .photograph, accent: .defaultRim, paper: .defaultInk, cells: [.defaultInk], columns: 1)
        let beside = try composed("place=beside", "callout=80%,30%", of: photograph).loupes[0]
        let over = try composed("callout=80%,30%@900,500", of: photograph).loupes[0]
        #expect(beside.callout?.ring?.color == over.callout?.ring?.color)
        for loupe in [beside, over] {
            #expect(loupe.rim?.width == loupe.callout?.ring?.width)
            #expect(loupe.rim?.color == loupe.callout?.ring?.color)
            #expect(loupe.callout?.connector == nil, "a photograph has no paper")
        }
        #expect(beside.rim?.casing == nil)
        #expect(over.rim?.casing == over.callout?.ring?.casing)
        let own = try composed("callout=80%,30%@900,500", "ring-color=#123456", of: photograph).loupes[0]
        #expect(own.rim?.color.hex == "#123456")
    }

    /// Several callouts without letters have a hue each, unless an accent is given.
    @Test func calloutsWithoutLettersHaveOneHueEach() throws {
        let callouts = (0..<7).map { "callout=\(10 + 12 * $0)%,30%@\(10 + 12 * $0)%,80%" }
        func colors(_ words: String...) throws -> [Color?] {
            try composed(["radius=40"] + words + callouts, of: Self.light).loupes.map { $0.callout?.ring?.color }
        }
        let found = try colors().compactMap(\.self)
        try #require(found.count == 7)
        #expect(Set(found.prefix(6)) == Set(CropsFigure.palette))
        // The first have no near relations among each other.
        let labs = found.prefix(4).map { OKLab($0) }
        for index in labs.indices {
            for other in labs[..<index] { #expect(labs[index].distance(to: other) >= 0.15) }
        }
        #expect(found[6] == found[0])
        #expect(try Set(colors("letters=a")) == [Self.light.tone.accent])
        #expect(try Set(colors("accent=#204060")) == [Color(text: "#204060")])
    }

    /// The hues have a contrast of 3 with white and with a near-black paper.
    @Test(arguments: CropsFigure.palette) func aHueStandsOutFromLightAndDarkPaper(hue: Color) {
        func luminance(_ color: Color) -> Double {
            func linear(_ level: UInt8) -> Double {
                let value = Double(level) / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        #expect(1.05 / (luminance(hue) + 0.05) >= 3)
        #expect((luminance(hue) + 0.05) / (luminance(Color(red: 0x1e, green: 0x1e, blue: 0x1e)) + 0.05) >= 3)
    }

    // MARK: - Text

    /// A connector is drawn where under it is nothing but paper, with letters and without, and else only if it is asked for.
    @Test func connectorsRunOverPaperAlone() throws {
        func connectors(_ words: String...) throws -> [Connector.Style?] {
            try composed(["radius=100"] + words, of: Self.light).loupes.map { $0.callout?.connector?.shape.style }
        }
        #expect(try connectors("letters=a", "callout=700,400@900,300") == [.leader])
        #expect(try connectors("callout=600,100@1080,690") == [.leader])
        // Dots end at x = 500.
        #expect(try connectors("callout=300,100@900,200", "callout=600,600@900,600") == [nil, nil], "all or none")
        #expect(try connectors("connector=lines", "callout=300,100@900,200") == [.lines])
        // What lies in the ring is not under the line.
        #expect(try connectors("callout=490,400@800,400") == [.leader])
        // Over another loupe, another ring and an earlier line there is none.
        #expect(try connectors("callout=600,200@1050,200", "callout=700,500@800,200") == [nil, nil])
        #expect(try connectors("callout=560,200@1050,200", "callout=700,200@800,600") == [nil, nil])
        #expect(try connectors("callout=600,200@1000,600", "callout=600,600@1000,200") == [nil, nil])
        let asked = ["callout=300,100@900,200 connector=arrow", "callout=600,600@900,600"]
        #expect(
            try composed(["radius=100"] + asked, of: Self.light).loupes.map { $0.callout?.connector?.shape.style } == [
                .arrow, .leader,
            ])
    }

    /// Letters lie on what is empty where there is room, in the same corner of all loupes.
    @Test func lettersLieOverNoData() throws {
        let scene = try composed("letters=a", "radius=100", "callout=560,400@820,300", of: Self.light)
        for label in scene.labels {
            // Dots end at x = 500.
            let box = try #require(TextRun(label, in: scene)?.estimatedBox)
            #expect(box.minX >= 500)
        }
    }

    /// Letters of rectangles stand outside at a corner, that of all loupes; in a photograph they are white, but for almost white.
    @Test(arguments: [(UInt8(150), Color.defaultRim), (240, .defaultInk)])
    func lettersOfRectanglesStandAtACorner(level: UInt8, ink: Color) throws {
        var photograph = Self.light
        photograph.tone = PageTone(
            kind: .photograph, accent: .defaultRim, paper: .defaultInk,
            cells: [Color(red: level, green: level, blue: level)], columns: 1)
        let callouts = ["callout=page:200,310..470,370", "callout=page:700,100..800,300"]
        let scene = try composed(["letters=a"] + callouts, of: photograph)
        #expect(scene.labels.count == 4)
        for label in scene.labels {
            let box = try #require(TextRun(label, in: scene)?.estimatedBox)
            guard case .loupe(let index, _, let side, _) = label.anchor else {
                #expect(label.style.color == ink)
                continue
            }
            let (half, way) = (scene.loupes[index].halfSides, box.center - scene.loupes[index].center)
            #expect(side == .outside && way.dx < -0.9 * half.dx && abs(way.dy) > 0.9 * half.dy)
        }
    }

    // MARK: - Places

    /// The letters of rectangles have room outside, also where the rectangle is longer than the page, and rectangles of other
    /// sizes begin at one line.
    @Test func rectanglesBesideThePageStandInLineWithTheirLetters() throws {
        let (long, others) = (
            "callout=page:20,100..1180,700", ["callout=page:200,310..470,370", "callout=page:700,100..800,300"]
        )
        for callouts in [[long], others] {
            let scene = try composed(["place=beside", "letters=a"] + callouts, of: Self.full)
            let letters = scene.labels.compactMap { label in
                if case .loupe(_, _, let side, _) = label.anchor { side } else { nil }
            }
            #expect(letters == callouts.map { _ in .outside })
        }
        let loupes = try composed(["place=beside", "letters=a"] + others, of: Self.full).loupes
        let corners = loupes.map { $0.center - $0.halfSides }
        #expect(corners[0].x == corners[1].x || corners[0].y == corners[1].y)
    }

    /// The loupe of a region is no longer than the page, but where it would hardly magnify: the canvas grows.
    @Test func aRegionMayBeAlmostAsLongAsItsPage() throws {
        let scene = try composed("place=beside", "callout=page:20,100..1180,700", of: Self.light)
        let (half, center) = (scene.loupes[0].halfSides, scene.loupes[0].center)
        #expect(scene.loupes[0].zoom == 1.25 && scene.loupes[0].isBeside(scene.layers[0].rect))
        #expect(center.x - half.dx >= 0 && center.x + half.dx <= Double(scene.canvas.width))
        #expect(center.y - half.dy >= 0 && center.y + half.dy <= Double(scene.canvas.height))
    }

    /// Regions have one zoom, from 2 to 5, and begin at one line.
    @Test(arguments: [
        ["100,100,200x100", "100,400,210x90", "700,600,60x20"], ["100,100,200x100", "100,400,290x90"],
        ["100,100,20x10"],
    ])
    func regionsHaveOneZoom(regions: [String]) throws {
        let loupes = try composed(regions.map { "callout=page:\($0)" }, of: Self.full).loupes
        try #require(loupes.count == regions.count)
        let left = loupes[0].center.x - loupes[0].halfSides.dx
        for loupe in loupes {
            #expect(loupe.zoom == loupes[0].zoom)
            #expect((2...5).contains(loupe.zoom))
            #expect(abs(loupe.center.x - loupe.halfSides.dx - left) <= 1)
        }
    }

    /// Letters have the colour of their ring, as dark as text has to be; in photographs they are white.
    @Test func lettersHaveTheColourOfTheirRing() throws {
        for (facts, hex) in [(Self.light, "#ce4145"), (Self.dark, "#ffd60a")] {
            let scene = try composed("letters=a", "callout=20%,30%", "callout=60%,70%", of: facts)
            #expect(scene.labels.count == 4)
            #expect(Set(scene.labels.map { $0.style.color.hex }) == [hex])
        }
        let given = try composed("letters=a", "callout=20%,30%", "label-color=#123456", of: Self.light)
        #expect(Set(given.labels.map { $0.style.color.hex }) == ["#123456"])
    }

    /// What is magnified less than twice, as there is no room, is said.
    @Test func aRegionThatIsHardlyMagnifiedIsAWarning() throws {
        func warnings(_ region: String) throws -> [String] {
            let request = try Request(FlaggedPage.options(["--callout", "page:\(region)"]))
            return try compose(request, page: "page.png", facts: Self.full) { _ in Self.full.size }.warnings
        }
        let sentence = "the loupe magnifies its region only 1.25 times; name a smaller one"
        #expect(try warnings("20,100,1160x600") == [sentence])
        #expect(try warnings("20,100,300x200").isEmpty)
    }

    /// A page wider than twice its height has a row beneath it, and one higher than twice its width a column in which each loupe is
    /// at the height of what it shows.
    @Test func aLongPageHasItsLoupesAlongItsLongSide() throws {
        func page(_ width: Int, _ height: Int) -> PageFacts {
            let pixels = (0..<width * height).flatMap { index -> [UInt8] in
                let isInk = index / width % 2 == 0 && index % 3 == 0
                return (isInk ? [0, 0, 0] : [255, 255, 255]) + [255]
            }
            return PageFacts(size: ImageSize(width: width, height: height), pixels: pixels)
        }
        let callouts = ["callout=20%,30%", "callout=70%,80%"]
        let wide = try composed(callouts, of: page(900, 400))
        #expect(wide.canvas.width == 900)
        #expect(wide.loupes.allSatisfy { $0.center.y > 400 })
        #expect(wide.loupes[0].center.y == wide.loupes[1].center.y)
        let high = try composed(callouts, of: page(300, 1000))
        #expect(high.canvas.height == 1000)
        #expect(high.loupes.map(\.center.y) == [300, 800])
        let usual = try composed(callouts, of: page(800, 400))
        #expect(usual.canvas.height == 400)
        #expect(usual.loupes.allSatisfy { $0.center.x > 800 })
    }

    /// Also where nothing is on it, as nobody knows what of a photograph is free. Who asks for the canvas gets it.
    @Test func aPhotographHasItsLoupesBesideIt() throws {
        var photograph = Self.light
        photograph.tone = PageTone(
            kind: .photograph, accent: .defaultRim, paper: .defaultInk, cells: [.defaultInk], columns: 1)
        for (facts, words, isBeside) in [
            (photograph, [], true), (photograph, ["place=page"], false), (Self.light, [], false),
        ] {
            let scene = try composed(words + ["callout=20%,30%"], of: facts)
            #expect(scene.loupes[0].isBeside(scene.layers[0].rect) == isBeside)
        }
        let framed = try composed(["frame=", "callout=20%,30%"], of: photograph)
        guard case .gradient = framed.canvas.background else { return fail("a frame keeps its backdrop") }
    }

    /// Beside the page: in lanes, off the page, on white paper. With letters, loupes stand in the order of the command; without, in
    /// that of what they show.
    @Test(arguments: [2, 3, 5], [[], ["letters=a"]])
    func besideThePageLoupesAreInLine(count: Int, letters: [String]) throws {
        let callouts = (0..<count).map { "callout=page:\(200 + 30 * $0),\(700 - 120 * $0)" }
        let scene = try composed(["place=beside"] + letters + callouts, of: Self.full)
        let page = scene.layers[0].rect
        for loupe in scene.loupes {
            let across = max(page.minX - loupe.center.x, loupe.center.x - page.maxX, 0)
            let down = max(page.minY - loupe.center.y, loupe.center.y - page.maxY, 0)
            #expect(max(across, down) >= loupe.radius)
        }
        #expect(scene.canvas.background.plainColor == .defaultRim)
        #expect(scene.labels.count == 2 * count * letters.count)
        let first = scene.loupes.filter { abs($0.center.x - scene.loupes[0].center.x) < 1 }
        // The command goes up the page.
        let ordered = first.sorted { $0.center.y < $1.center.y }.map(\.focus.y)
        #expect(ordered == ordered.sorted(by: letters.isEmpty ? (<) : (>)))
    }

    /// The first loupe of the command is "a", wherever it is on the page, and letters beside the page are read in order.
    @Test func lettersFollowTheCommand() throws {
        let callouts = ["callout=63%,31%", "callout=77%,72%", "callout=29%,34%", "callout=44%,74%"]
        let scene = try composed(["place=beside", "letters=a"] + callouts, of: Self.light)
        #expect(scene.labels.count == 8)
        for label in scene.labels {
            switch label.anchor {
            case .loupe(let index, _, _, _), .ring(let index, _, _): #expect(label.text == ["a", "b", "c", "d"][index])
            case .point: break
            }
        }
        for (one, next) in zip(scene.loupes, scene.loupes.dropFirst()) {
            let (one, next) = (one.center, next.center)
            #expect(one.y < next.y || (one.y == next.y && one.x < next.x))
        }
    }

    /// Nobody gets letters who does not ask for them, nor lines over text.
    @Test func nothingIsAddedThatNobodyAskedFor() throws {
        for words in [["callout=50%,50%"], ["callout=50%,50%", "callout=40%,20%"], ["callout=50%,50%@90%,50%"]] {
            let scene = try composed(words, of: Self.full)
            #expect(scene.loupes.allSatisfy { $0.callout?.connector == nil }, "\(words)")
            #expect(scene.labels.isEmpty, "\(words)")
        }
    }

    /// On the page a loupe lies within one even area, also of the pages that it is compared with; else all stand beside it.
    @Test func onThePageALoupeCoversNothing() throws {
        // A card, a little darker than its backdrop, and no more room than a loupe needs at either side of its edge.
        func page(_ edge: Int, _ level: UInt8 = 245) -> PageFacts {
            let pixels = (0..<600 * 400).flatMap { index -> [UInt8] in
                let (x, y) = (index % 600, index / 600)
                let isText = x < 300 && (x / 3 + y / 3) % 2 == 0
                return (isText ? [0, 0, 0] : x < edge ? [255, 255, 255] : [level, level, level]) + [255]
            }
            return PageFacts(size: ImageSize(width: 600, height: 400), pixels: pixels)
        }
        func isOnPage(_ facts: PageFacts) throws -> Bool {
            let scene = try composed("callout=150,200", of: facts)
            return !scene.loupes[0].isBeside(scene.layers[0].rect)
        }
        #expect(try isOnPage(page(600)))
        #expect(try !isOnPage(page(450)))
        var compared = page(600)
        compared.contrast?.join(try #require(page(450).contrast))
        #expect(try !isOnPage(compared))
    }

    /// Loupes that do not fit beside each other stand in a second column.
    @Test func manyLoupesStandOnOneSide() throws {
        let callouts = (0..<10).map { "callout=\(10 + 20 * ($0 % 5))%,\(30 + 40 * ($0 / 5))%" }
        let scene = try composed(["place=beside"] + callouts, of: Self.full)
        let page = scene.layers[0].rect
        #expect(page.x == 0)
        #expect(page.y == 0)
        #expect(scene.loupes.allSatisfy { $0.center.x - $0.radius > page.maxX })
        #expect(Set(scene.loupes.map { $0.center.x.rounded() }).count == 4)
    }

    /// The bare paper at a page's side is part of the room for loupes beside it, so that the gap before them is the same on each
    /// page; nothing is covered, neither what is on the page nor a ring. A border of another colour is no paper. A line is
    /// around the page where something on it reaches the edge, and would seem to be cut off in the middle of the canvas.
    @Test func loupesBesideThePageBeginWhereItsContentEnds() throws {
        let size = ImageSize(width: 600, height: 400)
        func gap(
            right: Int, border: Color = .defaultRim, focus: String = "50%,50%"
        ) throws -> (gap: Double, wider: Int, hasLine: Bool) {
            var pixels: [UInt8] = []
            for index in 0..<600 * 400 {
                let (x, y) = (index % 600, index / 600)
                let isOnPlot = (40..<360).contains(y) && (40..<600 - right).contains(x)
                let isInk = isOnPlot && (x / 4 + y / 4) % 2 == 0
                let color: Color = isInk ? .defaultInk : x < 600 - right ? .defaultRim : border
                pixels += [color.red, color.green, color.blue, 255]
            }
            let words = ["place=beside", "radius=60", "connector=none", "callout=\(focus)"]
            let scene = try composed(words, of: PageFacts(size: size, pixels: pixels))
            let (loupe, page) = (scene.loupes[0], scene.layers[0].rect)
            let gap = loupe.center.x - loupe.radius - page.maxX + Double(right)
            return (gap, scene.canvas.width - 600, scene.layers.count > 1)
        }
        let (none, some, much) = try (gap(right: 0), gap(right: 80), gap(right: 200))
        #expect(none.gap > 8 && abs(some.gap - none.gap) <= 8 && abs(much.gap - none.gap) <= 8)
        #expect(none.wider > some.wider && much.wider == 0)
        #expect(none.hasLine && !some.hasLine && !much.hasLine)
        #expect(try gap(right: 80, border: Color(red: 0xd0, green: 0xe0, blue: 0xff)).gap > 80)
        #expect(try gap(right: 80, focus: "95%,50%").gap > 40)
    }

    /// A portrait has its loupes at its right side, as the picture would be more than twice as high as wide with them below.
    @Test(arguments: [1, 2, 4]) func aPortraitHasItsLoupesAtItsSide(count: Int) throws {
        let portrait = PageFacts(
            size: ImageSize(width: 550, height: 660), pixels: [UInt8](repeating: 90, count: 4 * 550 * 660))
        let callouts = ["29%,36%", "63%,31%", "44%,68%", "77%,72%"].prefix(count).map { "callout=\($0)" }
        let scene = try composed(["place=beside", "letters=a"] + callouts, of: portrait)
        #expect(scene.canvas.height == 660 && scene.layers[0].rect.x == 0)
    }

    /// An SVG has 1,600 pixels or more and small pages with loupes 512, by whole numbers, unless something else is asked for.
    @Test func pagesWithoutPixelsAreEnlarged() throws {
        var vector = PageFacts(size: ImageSize(width: 240, height: 160))
        vector.isVector = true
        let sprite = PageFacts(size: ImageSize(width: 32, height: 32), isPixelArt: true)
        func width(_ facts: PageFacts, _ flags: String...) throws -> Int {
            try FlaggedPage.scene(flags, facts).canvas.width
        }
        let callout = ["--callout", "50%,50%@20%,20%"]
        #expect(try width(vector) == 1680 && width(vector, "--scale", "1") == 240)
        #expect(try width(vector, "--canvas", "300x200") == 300)
        #expect(try width(sprite) == 32)
        let blends = PageFacts(size: ImageSize(width: 32, height: 32))
        #expect(try width(blends, "--at", "50%,50%") == 512)
        #expect(try width(blends, "--loupe", "at=50%,50%") == 512)
        #expect(try width(blends, "--at", "50%,50%", "--scale", "2") == 64)
        let enlarged = try FlaggedPage.scene(["--at", "50%,50%"], blends)
        #expect(enlarged.layers[0].filter == .sharp)
        #expect(enlarged.loupes[0].filter == .sharp)
        #expect(
            try FlaggedPage.scene(["--at", "50%,50%", "--page-filter", "cubic"], blends).layers[0].filter == .cubic)
        let scene = try FlaggedPage.scene(callout, sprite)
        #expect(scene.canvas.width == 512 && scene.loupes[0].callout?.ring?.width == 3)
        let aids = try FlaggedPage.scene(callout + ["--grid", "--mark"], sprite).loupes[0]
        #expect(aids.grid?.width == 1 && aids.mark?.width == 2)
        #expect(try FlaggedPage.scene(callout + ["--plain"], sprite).canvas.width == 32)
        #expect(try FlaggedPage.scene(callout, PageFacts(size: ImageSize(width: 200, height: 300))).canvas.width == 200)
        #expect(try FlaggedPage.scene(callout, PageFacts(size: ImageSize(width: 200, height: 150))).canvas.width == 600)
        var request = try Request(FlaggedPage.options(callout))
        request.writesVectors = true
        let drawn = try compose(request, page: "page.svg", facts: vector) { _ in vector.size }.scene
        #expect(drawn.canvas.width == 240 && abs((drawn.loupes[0].callout?.ring?.width ?? 0) - 0.75) < 0.01)
    }

    /// On paper, lines and text of an SVG or PDF are as large at each resolution, and where the page's own size follows it.
    @Test func linesOnPaperDoNotDependOnTheResolution() throws {
        var facts = PageFacts(size: ImageSize(width: 320, height: 240))
        facts.isVector = true
        func lengths(_ facts: PageFacts, _ flags: String...) throws -> [Double] {
            let scene = try FlaggedPage.scene(["--callout", "50%,50%@20%,20%", "--letters", "a"] + flags, facts)
            let loupe = scene.loupes[0]
            let found: [Double] = try [#require(loupe.callout?.ring).width, #require(loupe.rim).width]
            return (found + scene.labels.map { $0.style.size }).map { $0 / Double(scene.canvas.width) }
        }
        let usual = try lengths(facts)
        func check(_ found: [Double], sourceLocation: SourceLocation = #_sourceLocation) {
            let isEqual = zip(usual, found).allSatisfy { abs($0 / $1 - 1) < 0.01 }
            #expect(found.count == usual.count && isEqual, "\(usual) \(found)", sourceLocation: sourceLocation)
        }
        for scale in ["0.5", "1", "2.5", "12"] { check(try lengths(facts, "--scale", scale)) }
        facts.size = ImageSize(width: 1920, height: 1440)
        check(try lengths(facts, "--scale", "1"))
    }

    /// Units that say nothing new are understood, and two fractions are taken for parts of the page.
    @Test func whatPeopleWriteIsUnderstood() throws {
        let loupe = try composed("callout=40%,30%@900,500", "zoom=5x", "radius=100px", of: Self.light).loupes[0]
        #expect(loupe.zoom == 5 && loupe.radius == 100)
        FlaggedPage.expectRefusal(["--callout", "0.4,0.3"], "--callout", "40%,30%")
    }

    // MARK: - Rules for any figure

    /// Rectangles of random colours on light or dark paper, 600×400.
    private static func anyPage(_ generator: inout SplitMix64) -> PageFacts {
        let (width, height) = (600, 400)
        func anyByte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
        let paper = Bool.random(using: &generator) ? [255, 255, 255, 255] : [16, 18, 24, 255] as [UInt8]
        var pixels = [[UInt8]](repeating: paper, count: width * height)
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            let (x, y) = (Int.random(in: 0..<550, using: &generator), Int.random(in: 0..<380, using: &generator))
            let color = [anyByte(), anyByte(), anyByte(), 255]
            for row in y..<y + Int.random(in: 2...20, using: &generator) {
                for column in x..<x + Int.random(in: 2...50, using: &generator) { pixels[row * width + column] = color }
            }
        }
        let tone = PageTone(of: ImageSize(width: width, height: height)) { x, y in
            let color = pixels[y * width + x]
            return Color(red: color[0], green: color[1], blue: color[2])
        }
        let contrast = ContrastGrid(width: width, height: height, pixels: pixels.flatMap { $0 })
        return PageFacts(size: ImageSize(width: width, height: height), tone: tone, contrast: contrast)
    }

    /// The marks of a figure are those of its command, rims are as rings, a page has one accent, no loupe is smaller than 0.7
    /// of the default size and all have one, no label lies over another one, and no line runs under a loupe.
    @Test(arguments: 0..<6) func theRulesHoldForAnyFigure(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let page = Self.anyPage(&generator)
        var accents: Set<String> = []
        for (count, places) in (1...4).flatMap({ [($0, []), ($0, ["place=beside"])] }) {
            var words = ["letters=a"] + places
            for _ in 0..<count {
                let x = Int.random(in: 8...92, using: &generator)
                words.append("callout=\(x)%,\(Int.random(in: 8...92, using: &generator))%")
            }
            let scene = try composed(words, of: page)
            accents.formUnion(scene.loupes.compactMap { $0.callout?.ring?.color.hex })
            #expect(scene.loupes.allSatisfy { $0.rim?.color == $0.callout?.ring?.color })
            #expect(scene.loupes.allSatisfy { $0.radius >= 0.7 * 80 })
            #expect(Set(scene.loupes.map(\.radius)).count == 1)
            for label in scene.labels {
                if case .loupe(let index, _, _, _) = label.anchor {
                    #expect(label.text == ["a", "b", "c", "d"][index])
                }
                #expect(label.style.size >= 7 / 72 * Double(scene.canvas.width) / (180 / 25.4))
            }
            let boxes = scene.labels.compactMap { TextRun($0, in: scene)?.estimatedBox }
            for (index, box) in boxes.enumerated() {
                #expect(boxes[..<index].allSatisfy { !box.meets($0) }, "\(seed), \(count)")
            }
            for (index, places) in LinePlaces.all(of: scene).enumerated() {
                for (other, loupe) in scene.loupes.enumerated() where other != index {
                    #expect(!places.connector.contains { Border(of: loupe).contains($0.point) }, "\(seed), \(count)")
                }
            }
        }
        #expect(accents.count == 1)
    }
}

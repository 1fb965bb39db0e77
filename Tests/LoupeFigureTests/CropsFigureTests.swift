import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

/// Where crops lie in a figure, and how their numbers look.
@Suite struct CropsFigureTests {
    private static func measure(
        _ whole: [Double], _ regions: [[Double]] = [], isHigherBetter: Bool = false, decimals: Int = 3
    ) -> CropsFigure.Measure {
        CropsFigure.Measure(
            name: "flip", title: "FLIP", isHigherBetter: isHigherBetter, decimals: decimals, whole: whole,
            regions: regions)
    }

    private static func figure(
        methods: Int, regions: [PixelRect], size: ImageSize = ImageSize(width: 640, height: 480)
    ) -> CropsFigure {
        let subjects = (0...methods).map {
            CropsFigure.Subject(name: $0 == 0 ? "Reference" : "method \($0)", image: ImagePath("\($0).png"))
        }
        let numbers = (1...methods).map { 0.1 * Double($0) }
        return CropsFigure(
            size: size, subjects: subjects, regions: regions, measures: [measure(numbers, regions.map { _ in numbers })]
        )
    }

    private static let regions = [
        PixelRect(minX: 300, minY: 200, maxX: 396, maxY: 264), PixelRect(minX: 0, minY: 448, maxX: 48, maxY: 480),
    ]

    @Test func numbersHaveTheDigitsThatTellThemApart() {
        func texts(_ values: [Double], decimals: Int = 3) -> [String] {
            Self.measure(values, decimals: decimals).texts(of: values).map(\.text)
        }
        #expect(texts([0.1, 0.25]) == ["0.100", "0.250"])
        #expect(texts([0.10004, 0.10006]) == ["0.1000", "0.1001"])
        #expect(texts([0.2, 0.2, 0.3]) == ["0.200", "0.200", "0.300"])
        #expect(texts([0.00002, 0.5]) == ["0.00002", "0.50000"])
        #expect(texts([0.1, 0.1 + 1e-9]) == ["0.100", "0.100"], "no digit in reach tells these apart")
        #expect(texts([255, 3], decimals: 0) == ["255", "3"])
        #expect(texts([.infinity, 31.256], decimals: 2) == ["∞", "31.26"])
        #expect(texts([-0.4, -1.5]) == ["−0.400", "−1.500"])
    }

    @Test func theBestAreBoldAndShareIt() {
        func best(_ values: [Double], isHigherBetter: Bool = false) -> [Bool] {
            Self.measure(values, isHigherBetter: isHigherBetter).texts(of: values).map(\.isBest)
        }
        #expect(best([0.3, 0.1, 0.1]) == [false, true, true])
        #expect(best([0.3, 0.1, 0.2], isHigherBetter: true) == [true, false, false])
        #expect(best([0.1]) == [false], "one number is not better than others")
    }

    /// Crops lie on whole pixels, all as wide, and each pixel of the widest region is a square of whole pixels.
    @Test(arguments: [false, true]) func cropsLieOnWholePixels(isTurned: Bool) throws {
        var figure = Self.figure(methods: 3, regions: Self.regions)
        figure.isTurned = isTurned
        let scene = try figure.scene()
        let crops = scene.layers.filter { $0.crop != nil }
        try #require(crops.count == 8)
        #expect(scene.canvas.width >= 2100)
        for layer in crops {
            let crop = try #require(layer.crop)
            #expect([crop.minX, crop.minY, crop.width, crop.height].allSatisfy { $0 == $0.rounded() })
            #expect(crop.width == crops[0].crop?.width && layer.filter == .nearest)
            let zoom = layer.rect.width / 640
            #expect(zoom == zoom.rounded() && layer.rect.height == 480 * zoom)
            let (x, y) = ((crop.minX - layer.rect.minX) / zoom, (crop.minY - layer.rect.minY) / zoom)
            #expect(Self.regions.contains { Double($0.minX) == x && Double($0.minY) == y })
        }
        #expect(scene.layers[0].imagePath == "0.png" && scene.layers[0].strokes.count == 4)
    }

    /// Many pictures stand in bands, so that a crop is at least 15 mm wide on paper, and three times as high as its numbers.
    @Test(arguments: [3, 6, 9, 14]) func cropsStayLegible(methods: Int) throws {
        let scene = try Self.figure(methods: methods, regions: Self.regions).scene()
        let crops = scene.layers.compactMap(\.crop)
        try #require(crops.count == 2 * (methods + 1))
        let millimetre = Double(scene.canvas.width) / 7 / 25.4
        #expect(crops.allSatisfy { $0.width >= 15 * millimetre })
        #expect(crops.allSatisfy { $0.height >= 3 * 7 / 72 * 25.4 * millimetre })
        let rows = Set(crops.map(\.minY)).count
        #expect((rows > 2) == (methods > 6), "\(methods) methods in \(rows) rows")
    }

    @Test(
        arguments: [(1, 1), (3, 2), (10, 4)],
        [ImageSize(width: 640, height: 480), ImageSize(width: 300, height: 500)])
    func everythingIsOnTheCanvasAndNoCropsMeet(count: (methods: Int, regions: Int), size: ImageSize) throws {
        let regions = (0..<count.regions).map { PixelRect(minX: 40 * $0, minY: 9, maxX: 40 * $0 + 36, maxY: 33) }
        for isTurned in [false, true] {
            var figure = Self.figure(methods: count.methods, regions: regions, size: size)
            figure.isTurned = isTurned
            let scene = try figure.scene()
            let canvas = scene.canvas.rect
            let outlines = scene.layers.filter { $0.imagePath == nil }.map(\.bounds) + [scene.layers[0].bounds]
            #expect(outlines.count == count.regions * (count.methods + 1) + 1)
            for (index, rect) in outlines.enumerated() {
                #expect(rect.minX >= 0 && rect.minY >= 0 && rect.maxX <= canvas.maxX && rect.maxY <= canvas.maxY)
                let others = outlines[..<index]
                #expect(
                    !others.contains {
                        $0.minX < rect.maxX && rect.minX < $0.maxX && $0.minY < rect.maxY && rect.minY < $0.maxY
                    })
            }
            for label in scene.labels {
                guard case .point(let point, _) = label.anchor else { return }
                #expect(canvas.contains(point) && !outlines.contains { $0.contains(point) }, "\(label.text)")
            }
        }
    }

    /// The left half of a method's crop is another picture's, in the same place, and the rest its own.
    @Test(arguments: [0, 2]) func aSplitCropHoldsTwoPictures(left: Int) throws {
        var figure = Self.figure(methods: 2, regions: Self.regions)
        let plain = try figure.scene().layers.filter { $0.crop != nil }
        figure.leftHalf = left
        let split = try figure.scene().layers.filter { $0.crop != nil }
        let other = ImagePath("\(left).png")
        // Not in its own crops.
        let halves = left == 0 ? 4 : 2
        try #require(plain.count == 6 && split.count == 6 + halves)
        #expect(split.filter { $0.imagePath == other }.count == 2 + halves)
        for half in split where half.imagePath == other && half.crop?.width != plain[0].crop?.width {
            let crop = try #require(half.crop)
            let whole = try #require(plain.compactMap { $0.crop }.first { $0.x == crop.x && $0.y == crop.y })
            #expect(crop.width == (whole.width / 2).rounded() && crop.height == whole.height)
            let own = try #require(plain.first { $0.crop == whole })
            #expect(half.rect == own.rect, "the same pixels lie in the same place")
        }
    }

    /// A page of 100×80 pixels at twice its size, and loupes in a disc, in a rectangle, over its edge and beyond it.
    @Test func loupesShowRegions() {
        let page = Layer(content: .image(path: "page.png"), rect: Rect(x: 10, y: 20, width: 200, height: 160))
        func loupe(_ focus: Point, _ shape: Loupe.Shape) -> Loupe {
            var loupe = Loupe(center: Point(x: 300, y: 300), radius: 40, zoom: 4, focus: focus)
            loupe.shape = shape
            return loupe
        }
        let wide = Loupe.Shape.rectangle(.init(width: 160, height: 80))
        let scene = Scene(
            canvas: .init(width: 400, height: 400), layers: [page],
            loupes: [
                loupe(Point(x: 110, y: 100), .circle(radius: 40)), loupe(Point(x: 70, y: 60), wide),
                loupe(Point(x: 10, y: 20), wide), loupe(Point(x: 390, y: 390), wide),
            ])
        #expect(
            scene.shownRegions(ofPageOf: ImageSize(width: 100, height: 80)) == [
                PixelRect(minX: 45, minY: 35, maxX: 55, maxY: 45), PixelRect(minX: 20, minY: 15, maxX: 40, maxY: 25),
                PixelRect(minX: 0, minY: 0, maxX: 10, maxY: 5),
            ])
    }

    @Test func longNamesAreBrokenAndCut() throws {
        var figure = Self.figure(methods: 10, regions: Self.regions)
        figure.subjects[1].name = "kernel-predicting network of two scales"
        figure.subjects[2].name = "Donaudampfschifffahrtsgesellschaftskapitän"
        let names = try figure.scene().labels.prefix(11).map(\.text)
        #expect(names[1].hasPrefix("kernel-predic") || names[1].contains("\n"))
        #expect(names[2].hasSuffix("…") && names[3] == "method 3")
        #expect(names.allSatisfy { $0.split(separator: "\n").count <= 2 })
    }

    @Test func aFigureThatIsTooLargeIsRefused() {
        var figure = Self.figure(
            methods: 10, regions: [PixelRect(minX: 0, minY: 0, maxX: 600, maxY: 400)])
        figure.zoom = 8
        #expect(throws: CropsFigure.TooLarge.self) { try figure.scene() }
    }

    @Test func readersWhoCannotSeeItGetTheNumbers() {
        let text = Self.figure(methods: 2, regions: Self.regions).alternativeText
        #expect(
            text == "Reference and crops of it at 2 regions, beside those of method 1, method 2. FLIP of the whole "
                + "pictures, lower is better: method 1 0.100, method 2 0.200.")
    }
}

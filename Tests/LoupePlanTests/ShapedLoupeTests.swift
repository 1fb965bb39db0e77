import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// Shaped loupes: which pixels they cover, and which lie wholly inside.
@Suite struct ShapedLoupeTests {
    private static let outlines = [
        Outline(rect: Rect(x: 5.3, y: 4, width: 50, height: 33.5), radius: 12, exponent: 4),
        Outline(rect: Rect(x: -20, y: 4.5, width: 60, height: 30), radius: 15, exponent: 1),
        Outline(
            rect: Rect(x: 3, y: -8, width: 44, height: 70),
            radii: CornerRadii { CornerRadius(x: $0.isLeft ? 40 : 4, y: $0.isTop ? 60 : 9) }, exponent: 2.3),
        Outline(rect: Rect(x: 10.2, y: 10.7, width: 2, height: 2), radius: 1, exponent: 2),
    ]
    private static let canvas = PixelRect(width: 64, height: 48)

    @Test("The runs of pixels are those of the distance", arguments: outlines, [-0.5, 0.5, 4])
    func runs(outline: Outline, depth: Double) {
        let region = Region(of: .outline(outline), deeperThan: depth, within: Self.canvas)
        for y in -2..<50 {
            let run = region.columns(inRow: y, of: Self.canvas)
            for x in 0..<64 {
                let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let isDeep = y >= 0 && y < 48 && outline.signedDistance(to: center) > depth
                // A row whose few pixels lie off the middle may be left out where blocks are asked for.
                if depth < 0 { #expect(run.contains(x) == isDeep, "\(x), \(y)") }
                if run.contains(x) { #expect(isDeep && region.bounds.minX <= x && x < region.bounds.maxX) }
            }
        }
    }

    @Test("the rim of a rectangle is drawn around it, not over it")
    func rectangle() {
        let rect = Rect(x: 10.5, y: 10.5, width: 399, height: 299)
        let border = Border.outline(Outline(rect: rect, radii: CornerRadii(8), exponent: 2))
        let canvas = PixelRect(width: 430, height: 330)
        let region = Region(of: border, deeperThan: -0.5, within: canvas)
        let inside = Region(of: border, deeperThan: 3.5, within: canvas)
        let drawn = region.blocks(without: inside).reduce(0) { $0 + $1.pixelCount }
        #expect(drawn < 2 * (region.pixelCount - inside.pixelCount))
    }

    /// How many blocks hold each pixel of the canvas.
    private static func counts(_ blocks: [PixelRect]) -> [Int] {
        var counts = [Int](repeating: 0, count: canvas.pixelCount)
        for block in blocks {
            for y in block.minY..<block.maxY { for x in block.minX..<block.maxX { counts[y * canvas.width + x] += 1 } }
        }
        return counts
    }

    private static let borders =
        outlines.map(Border.outline) + [Circle(center: Point(x: 30.2, y: 21.7), radius: 19.4)].map(Border.disc)

    @Test("A region's blocks hold its pixels once, and its border's all that is not its inside", arguments: borders)
    func blocks(border: Border) {
        let region = Region(of: border, deeperThan: -0.5, within: Self.canvas)
        let inside = Region(of: border, deeperThan: 4, within: Self.canvas)
        // However it is cut.
        let cut = [5, 17, 18, 30].reduce(into: [Self.canvas]) { parts, line in
            parts = parts.flatMap { part -> [PixelRect] in
                var (left, right) = (part, part)
                if line % 2 == 0 {
                    (left.maxX, right.minX) = (min(part.maxX, line), max(part.minX, line))
                } else {
                    (left.maxY, right.minY) = (min(part.maxY, line), max(part.minY, line))
                }
                return [left, right].filter { !$0.isEmpty }
            }
        }
        let edge = Self.counts(region.blocks(without: inside))
        for counts in [Self.counts(region.blocks(in: [Self.canvas])), Self.counts(region.blocks(in: cut))] {
            for (index, count) in counts.enumerated() {
                let (x, y) = (index % Self.canvas.width, index / Self.canvas.width)
                let isIn = region.columns(inRow: y, of: Self.canvas).contains(x)
                let isInside = inside.columns(inRow: y, of: Self.canvas).contains(x)
                #expect(count <= 1 && edge[index] <= 1 && (count == 1 || !isIn))
                if count == 1, !isInside { #expect(edge[index] == 1, "\(x), \(y)") }
            }
        }
        let extra = edge.reduce(0, +) - region.pixelCount + inside.pixelCount
        #expect(extra <= 2 * (region.bounds.width + region.bounds.height) * (DeviceBlock.side - 1))
    }

    @Test(arguments: [
        PixelRect(minX: 10, minY: 0, maxX: 12, maxY: 9), PixelRect(minX: 2, minY: 12, maxX: 40, maxY: 20),
        PixelRect(minX: 5, minY: 5, maxX: 6, maxY: 6), PixelRect(minX: 40, minY: 5, maxX: 50, maxY: 6),
    ])
    func aBlockWithoutAnotherIsTheRestOfIt(_ other: PixelRect) {
        let block = PixelRect(minX: 2, minY: 3, maxX: 30, maxY: 40)
        let rest = block.without(other)
        let count = rest.reduce(0) { $0 + $1.pixelCount }
        #expect(count == block.pixelCount - other.intersection(block).pixelCount)
        for (index, part) in rest.enumerated() {
            for other in [other] + rest[..<index] { #expect(part.intersection(other).isEmpty) }
        }
    }

    @Test func aRectanglesRadiusIsHalfItsShorterSideAndScalesItAsAWhole() {
        var loupe = Loupe(
            center: .zero, shape: .rectangle(.init(width: 40, height: 20, corner: Corner(radius: 5))), zoom: 2)
        #expect(loupe.radius == 10)
        loupe.radius = 30
        #expect(loupe.shape == .rectangle(.init(width: 120, height: 60, corner: Corner(radius: 15))))
    }

    @Test func aSplitLoupeIsPlannedTwiceAndAnyOtherOnce() {
        let layer = Layer(content: .image(path: "a"), rect: Rect(x: 0, y: 0, width: 9, height: 9))
        var scene = Scene(
            canvas: .init(width: 20, height: 20), layers: [layer],
            loupes: [Loupe(center: Point(x: 5, y: 5), radius: 4, zoom: 2)])
        let traits = ImageTraits(size: ImageSize(width: 9, height: 9), isOpaque: true)
        #expect(DrawPlan(scene, images: ["a": traits]).otherHalves.isEmpty)
        scene.loupes[0].split = .init(image: "b")
        #expect(scene.imagePaths == ["a", "b"])
        let plan = DrawPlan(scene, images: ["a": traits, "b": traits])
        #expect(plan.otherHalves[0]?.layers[0].imagePath == "b")
        #expect(plan.views[1].layers[0].imagePath == "a")
        #expect(scene.renamingImages { ImagePath("x/\($0)") }.imagePaths == ["x/a", "x/b"])
    }

    @Test func theHalvesOfASplitLoupeGoByTheirOwnTexels() {
        let layer = Layer(content: .image(path: "a"), rect: Rect(x: 0, y: 0, width: 16, height: 16))
        var loupe = Loupe(center: Point(x: 8, y: 8), radius: 6, zoom: 4, filter: .auto)
        loupe.split = .init(image: "b")
        loupe.grid = TexelGrid()
        loupe.mark = TexelMark()
        let scene = Scene(canvas: .init(width: 20, height: 20), layers: [layer], loupes: [loupe])
        let images: [ImagePath: ImageTraits] = [
            "a": ImageTraits(size: ImageSize(width: 16, height: 16), isOpaque: true),
            "b": ImageTraits(size: ImageSize(width: 4, height: 4), isOpaque: true),
        ]
        let plan = DrawPlan(scene, images: images)
        #expect(plan.views[1].layers[0].grid == nil && plan.otherHalves[0]?.layers[0].grid != nil)
        // The other half has a grid, whose lines take a pixel of each texel.
        #expect(plan.views[1].mark?.inner.width == 4 && plan.otherHalves[0]?.mark?.inner.width == 15)
    }
}

import LoupeBase
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// Grids and marks lie on whole pixels, wherever the texels lie.
@Suite struct TexelAidsTests {
    private static let size = ImageSize(width: 40, height: 30)

    /// A loupe over the page at a zoom, its focus anywhere.
    private struct Aided {
        let grid: PlacedGrid?
        let mark: PlacedMark?
        let lines: [Float]
        let view: View

        init(zoom: Double, width: Double = 1, rect: Rect, focus: Point, hasGrid: Bool = true) {
            let layer = Layer(content: .image(path: "page.png"), rect: rect)
            var loupe = Loupe(center: Point(x: 100, y: 80), radius: 90, zoom: zoom, focus: focus)
            if hasGrid { loupe.grid = TexelGrid(width: width) }
            loupe.mark = TexelMark(width: 2)
            let scene = Scene(canvas: .init(width: 200, height: 160), layers: [layer], loupes: [loupe])
            view = scene.views[1]
            let plan = DrawPlan(scene, images: ["page.png": ImageTraits(size: TexelAidsTests.size, isOpaque: true)])
            grid = plan.views[1].layers[0].grid
            mark = plan.views[1].mark
            lines = grid?.lines(in: PixelRect(width: 200, height: 160)) ?? []
        }

        /// The pixel columns that belong to lines.
        var columns: [Int] { (0..<200).filter { lines[$0] == 1 } }
        /// The pixel rows that belong to lines.
        var rows: [Int] { (0..<160).filter { lines[200 + $0] == 1 } }
    }

    private static let places = [(7.3, 0.0, 0.0), (9, 0.5, 0.25), (12, 0.49999, 0), (8.5, -3.3, 2.7), (31, 0.1, 0.9)]

    @Test(arguments: places)
    func eachBorderHasOneLineOfOnePixelNextToIt(zoom: Double, x: Double, y: Double) {
        let rect = Rect(x: 3 + x, y: 2 + y, width: 40, height: 30)
        let aided = Aided(zoom: zoom, rect: rect, focus: Point(x: 20.3, y: 15.6))
        // Where borders lie in real numbers; those too near the block's end to tell are left out.
        let borders = (0...40).map { aided.view.output(of: Point(x: rect.x + Double($0), y: 0)).x }
            .filter { 2 < $0 && $0 < 197 }
        #expect(aided.columns.filter { (3..<196).contains($0) }.count >= borders.count - 2)
        for border in borders {
            let near = aided.columns.filter { abs(Double($0) + 0.5 - border) <= 1 + 1e-9 }
            #expect(near.count == 1, "the line of the border at \(border)")
        }
        let gaps = Set(zip(aided.columns.dropFirst(), aided.columns).map { $0 - $1 })
        #expect(gaps.allSatisfy { abs(Double($0) - zoom) < 1 }, "lines are as far apart as texels are wide: \(gaps)")
    }

    @Test(arguments: places, [1.0, 2])
    func noLineLiesInsideTheMark(place: (Double, Double, Double), width: Double) throws {
        let (zoom, x, y) = place
        let aided = Aided(
            zoom: zoom, width: width, rect: Rect(x: x, y: y, width: 40, height: 30), focus: Point(x: 20.3, y: 15.6))
        guard aided.grid != nil else { return }
        let inner = try #require(aided.mark).inner
        #expect(!inner.isEmpty)
        #expect(aided.columns.allSatisfy { !(inner.minX..<inner.maxX).contains($0) })
        #expect(aided.rows.allSatisfy { !(inner.minY..<inner.maxY).contains($0) })
        #expect(aided.columns.contains(inner.minX - 1) && aided.columns.contains(inner.maxX))
        #expect(aided.rows.contains(inner.minY - 1) && aided.rows.contains(inner.maxY))
        let focus = aided.view.output(of: Point(x: x + (20.3 - x).rounded(.down) + 0.5, y: 0)).x
        #expect(Double(inner.minX) < focus && focus < Double(inner.maxX), "it is the texel at the focus")
    }

    @Test func theImagesOwnBordersHaveLinesThatLieOnIt() {
        let rect = Rect(x: 0, y: 0, width: 40, height: 30)
        let first = Aided(zoom: 20, width: 3, rect: rect, focus: Point(x: 1, y: 1))
        let left = Int(first.view.output(of: .zero).x)
        #expect(Array(first.columns.prefix(3)) == [left, left + 1, left + 2])
        let last = Aided(zoom: 20, width: 3, rect: rect, focus: Point(x: 39, y: 29))
        let right = Int(last.view.output(of: Point(x: 40, y: 30)).x)
        #expect(Array(last.columns.suffix(3)) == [right - 3, right - 2, right - 1])
    }

    /// The lines' colour is at full strength from 8 line widths a texel on, and absent to 4.
    @Test(arguments: [
        (4.0, 1.0, 0.0), (5, 1, 0.25), (6, 1, 0.5), (8, 1, 1), (64, 1, 1), (8, 2, 0), (12, 2, 0.5), (6, 0.3, 0.5),
    ])
    func gridLinesFadeInWithTheSizeOfTexels(zoom: Double, width: Double, strength: Double) {
        let aided = Aided(
            zoom: zoom, width: width, rect: Rect(x: 0, y: 0, width: 40, height: 30), focus: Point(x: 20, y: 15))
        #expect(aided.grid?.strength ?? 0 == strength)
    }

    @Test func aMarkWithoutAGridIsAroundTheWholeTexel() throws {
        let aided = Aided(
            zoom: 10, rect: Rect(x: 0, y: 0, width: 40, height: 30), focus: Point(x: 20.5, y: 15.5), hasGrid: false)
        let mark = try #require(aided.mark)
        #expect(mark.inner == PixelRect(minX: 95, minY: 75, maxX: 105, maxY: 85))
        let rects = mark.rects(in: PixelRect(width: 200, height: 160))
        let pixels = rects.reduce(0) { $0 + $1.pixelCount }
        #expect(pixels == 14 * 14 - 10 * 10)
    }
}

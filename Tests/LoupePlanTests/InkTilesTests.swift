import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// Lists of strokes for each tile: they say what the strokes say, and no more than a tile needs.
@Suite struct InkTilesTests {
    /// A layer all over a canvas and far beyond it, in the base view and one loupe.
    private func plan(_ strokes: [Stroke], side: Int = 200, loupe: Loupe? = nil) -> DrawPlan {
        let rect = Rect(x: -2e6, y: -2e6, width: 4e6, height: 4e6)
        let layer = Layer(content: .fill(.transparent), rect: rect, strokes: strokes)
        let scene = Scene(canvas: .init(width: side, height: side), layers: [layer], loupes: loupe.map { [$0] } ?? [])
        return DrawPlan(scene, images: [:])
    }

    private func ink(
        _ strokes: [Stroke], side: Int = 200, loupe: Loupe? = nil, limit: Int = .max
    ) -> [InkTiles] {
        let views = plan(strokes, side: side, loupe: loupe).views
        return views[loupe == nil ? 0 : 1].layers[0].ink(limit: limit, colors: \.premultiplied)
    }

    // MARK: - What the lists say

    @Test(arguments: 0..<40)
    func listsGiveTheInkThatTheStrokesDefine(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let strokes = (0..<Int.random(in: 1...6, using: &random)).map { _ in Stroke.random(using: &random) }
        let zoom = [1, 2.5, 16, 64][seed % 4]
        let loupe = Loupe(
            center: Point(x: 100, y: 100), radius: 60, zoom: zoom,
            focus: seed % 3 == 0 ? strokes[0].points[0] : Point(x: 90.3, y: 101.7))
        let limit = seed % 2 == 0 ? Int.max : 40
        let bands = ink(strokes, loupe: loupe, limit: limit)
        var worst: (difference: Float, x: Int, y: Int) = (0, 0, 0)
        for y in stride(from: 41, to: 160, by: 3) {
            for x in 41..<160 {
                let offset = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - loupe.center
                guard offset.length < 60 else { continue }
                let expected = strokes.color(at: loupe.focus + (1 / zoom) * offset, magnification: zoom)
                let steps = bands.color(x, y) - expected
                let difference = max(steps.max(), -steps.min())
                if difference > worst.difference { worst = (difference, x, y) }
            }
        }
        #expect(worst.difference < 0.004, "\(worst)")
    }

    @Test func bandsTogetherServeEveryPixelOnce() {
        let scribble = Stroke(
            points: (0..<300).map { Point(x: Double($0 * 37 % 200), y: Double($0 * 91 % 200)) }, width: 2)
        let bands = ink([scribble], limit: 300)
        #expect(bands.count > 3)
        #expect(bands.first?.block.minY == 0)
        #expect(bands.last?.block.maxY == 200)
        for (upper, lower) in zip(bands, bands.dropFirst()) { #expect(upper.block.maxY == lower.block.minY) }
    }

    @Test func aPartOfAViewHasTheListsOfTheWhole() throws {
        var random = SplitMix64(seed: 4)
        let strokes = (0..<6).map { _ in Stroke.random(using: &random) }
        let view = plan(strokes).views[0]
        let whole = view.layers[0].ink(limit: .max, colors: \.premultiplied)
        let block = PixelRect(minX: 50, minY: 21, maxX: 133, maxY: 90)
        let part = view.cut(to: block).layers[0].ink(limit: .max, colors: \.premultiplied)
        #expect(part.first?.block == block)
        for y in block.minY..<block.maxY {
            for x in block.minX..<block.maxX { #expect(part.color(x, y) == whole.color(x, y)) }
        }
    }

    // MARK: - What is left out

    @Test func strokesOutOfSightAreNoInk() {
        let far = Stroke(points: [Point(x: 300, y: 0), Point(x: 300, y: 200)], width: 100)
        #expect(ink([far]).isEmpty)
        #expect(!ink([Stroke(points: far.points, width: 201)]).isEmpty)
        #expect(ink([]).isEmpty)
    }

    @Test func aLoupeNeedsOnlyTheSegmentsThatItShows() {
        let long = Stroke(points: (0..<10_000).map { Point(x: Double($0), y: 50) }, width: 2)
        let loupe = Loupe(center: Point(x: 100, y: 100), radius: 40, zoom: 4, focus: Point(x: 100, y: 50))
        let sorter = InkSorter(
            [long], in: .loupe(0, of: plan([long], loupe: loupe).scene),
            over: PixelRect(minX: 59, minY: 59, maxX: 141, maxY: 141))
        #expect(sorter.segments.count < 30)
        #expect(sorter.entryCount < 300)
    }

    @Test func aLongDiagonalTouchesOnlyTheTilesAlongIt() {
        let diagonal = Stroke(points: [Point(x: -1e6, y: -1e6), Point(x: 1e6, y: 1e6)], width: 1)
        let touched = ink([diagonal], side: 800).flatMap(\.starts).filter { $0 > 0 }.count
        #expect(touched >= 100 && touched <= 300)
    }

    // MARK: - Where there is ink

    @Test func aSplitIsAPartitionWhosePlainPartHasNoInk() {
        let strokes = [
            Stroke(points: [Point(x: 70, y: 70), Point(x: 300, y: 90)], width: 5),
            Stroke(points: [Point(x: 500, y: 480)], width: 30),
        ]
        let sheet = ink(strokes, side: 600)
        let rect = PixelRect(minX: 3, minY: 10, maxX: 590, maxY: 597)
        let split = sheet[0].split(rect)
        #expect((split.inked + split.plain).reduce(0) { $0 + $1.pixelCount } == rect.pixelCount)
        for (index, one) in (split.inked + split.plain).enumerated() {
            #expect(one == one.intersection(rect))
            for other in (split.inked + split.plain).dropFirst(index + 1) { #expect(one.intersection(other).isEmpty) }
        }
        for part in split.plain {
            for y in part.minY..<part.maxY {
                for x in part.minX..<part.maxX where sheet.color(x, y) != .zero { Issue.record("\(x), \(y)") }
            }
        }
        #expect(split.inked.reduce(0) { $0 + $1.pixelCount } < rect.pixelCount / 6)
    }
}

extension Color {
    fileprivate var premultiplied: SIMD4<Float> {
        SIMD4(Float(red), Float(green), Float(blue), 255) / 255 * (Float(alpha) / 255)
    }
}

extension Stroke {
    fileprivate static func random(using random: inout SplitMix64) -> Stroke {
        let reaches: [Double] = [0, 40, 1e6]
        let reach = reaches.randomElement(using: &random) ?? 0
        let points = (0..<Int.random(in: 1...7, using: &random)).map { _ in
            Point(
                x: .random(in: 0 - reach...200 + reach, using: &random),
                y: .random(in: 0 - reach...200 + reach, using: &random))
        }
        return Stroke(
            points: points, width: [0.3, 2, 17, 150, 1024].randomElement(using: &random) ?? 1,
            color: Color(red: 200, green: 90, blue: 30, alpha: Bool.random(using: &random) ? 255 : 100))
    }
}

extension Stroke {
    fileprivate func distance(to point: Point) -> Double {
        var least = point.distance(to: points[0])
        for (start, end) in zip(points, points.dropFirst()) {
            let (way, offset) = (end - start, point - start)
            let square = way.dx * way.dx + way.dy * way.dy
            let share = square > 0 ? (way.dx * offset.dx + way.dy * offset.dy) / square : 0
            least = min(least, point.distance(to: start + min(max(share, 0), 1) * way))
        }
        return least
    }
}

extension [Stroke] {
    /// The ink at a canvas point, straight from what a stroke means.
    fileprivate func color(at point: Point, magnification: Double) -> SIMD4<Float> {
        reduce(.zero) { below, stroke in
            let coverage = magnification * (stroke.width / 2 - stroke.distance(to: point)) + 0.5
            let laid = stroke.color.premultiplied * Float(Swift.min(Swift.max(coverage, 0), 1))
            return laid + below * (1 - laid.w)
        }
    }
}

extension [InkTiles] {
    /// The ink at a pixel, read from the lists as the shader reads them.
    fileprivate func color(_ x: Int, _ y: Int) -> SIMD4<Float> {
        guard let tiles = first(where: { $0.block.minY <= y && y < $0.block.maxY }) else { return .zero }
        let (column, row) = (x / InkTiles.side - tiles.columns.lowerBound, y / InkTiles.side - tiles.rows.lowerBound)
        let place = SIMD2(Float(x % InkTiles.side), Float(y % InkTiles.side)) - 3.5
        var stroke = Int(tiles.starts[row * tiles.columns.count + column])
        var sum = SIMD4<Float>.zero
        while stroke > 0 {
            let head = tiles.entries[stroke]
            let squares = tiles.entries[stroke + 2..<stroke + 2 + Int(head.x)].map { segment in
                let way = SIMD2(segment.z, segment.w)
                let offset = place - SIMD2(segment.x, segment.y)
                let share = (offset * way).sum() / Swift.max((way * way).sum(), 1e-12)
                let nearest = offset - Swift.min(Swift.max(share, 0), 1) * way
                return (nearest * nearest).sum()
            }
            let least = Swift.min(head.w, squares.min() ?? head.w)
            let laid = tiles.entries[stroke + 1] * Swift.min(Swift.max(head.y - least.squareRoot(), 0), 1)
            sum += laid * (1 - sum.w)
            stroke = Int(head.z)
        }
        return sum
    }
}

import LoupeBase
import LoupeFigure
import LoupeScene
import TestSupport
import Testing

/// Where loupes go that nobody gave a place.
@Suite struct LoupePlacerTests {
    private static func scene(_ loupes: [Loupe], width: Int = 800, height: Int = 600) -> Scene {
        let page = Layer(
            content: .fill(.defaultInk), rect: Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
        return Scene(canvas: .init(width: width, height: height), layers: [page], loupes: loupes)
    }

    private static func loupe(_ x: Double, _ y: Double, radius: Double = 70, ring: Double = 3) -> Loupe {
        let focus = Point(x: x, y: y)
        return Loupe(
            center: focus, radius: radius, zoom: 4, focus: focus, callout: Callout(ring: Callout.Ring(width: ring)))
    }

    /// The distance of a point from a rect about another.
    private func gap(_ point: Point, _ center: Point, _ half: Vector) -> Double {
        Vector(dx: max(0, abs(point.x - center.x) - half.dx), dy: max(0, abs(point.y - center.y) - half.dy)).length
    }

    @Test func aRectangleTakesNoMoreThanItsSides() throws {
        let rectangle = Loupe(center: Point(x: 200, y: 150), shape: .rectangle(.init(width: 240, height: 180)), zoom: 4)
        let scene = Self.scene([rectangle, Self.loupe(200, 150, radius: 40)], width: 600, height: 400)
        let placed = try LoupePlacer(scene).placing([1])
        #expect(gap(placed.loupes[1].center, rectangle.center, rectangle.halfSides) >= 40)
        // Circles around such rectangles would not fit.
        let pills = (0..<3).map { index in
            Loupe(
                center: .zero, shape: .rectangle(.init(width: 180, height: 40)), zoom: 4,
                focus: Point(x: 150 + Double(index), y: 20))
        }
        let column = try LoupePlacer(Self.scene(pills, width: 200, height: 200)).placing([0, 1, 2]).loupes.map(
            \.center.y)
        #expect(zip(column.sorted(), column.sorted().dropFirst()).allSatisfy { $1 - $0 >= 40 })
    }

    @Test func theRingOfARectangleStaysInSight() throws {
        let rectangle = Loupe(
            center: Point(x: 130, y: 80), shape: .rectangle(.init(width: 240, height: 100)), zoom: 2,
            focus: Point(x: 300, y: 250), callout: Callout(ring: .init(width: 8)))
        let scene = Self.scene([rectangle, Self.loupe(300, 262, radius: 40)], width: 600, height: 400)
        let placed = try LoupePlacer(scene).placing([1]).loupes[1]
        #expect(gap(placed.center, rectangle.focus, Vector(dx: 60, dy: 25)) >= 8 + 40)
        #expect(placed.center.distance(to: placed.focus) >= 10 + 3 + 40)
    }

    @Test func nothingIsHidden() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<40 {
            let loupes = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Self.loupe(
                    .random(in: 0...800, using: &random), .random(in: 0...600, using: &random),
                    radius: .random(in: 20...80, using: &random))
            }
            let scene = Self.scene(loupes)
            let placed = try LoupePlacer(scene).placing(Array(loupes.indices))
            PlacementLayoutTests.expectSound(placed, "")
            #expect(placed.loupes.map(\.focus) == loupes.map(\.focus))
            #expect(try LoupePlacer(scene).placing(Array(loupes.indices)) == placed)
        }
    }

    @Test func loupesThatHaveAPlaceKeepIt() throws {
        var fixed = Self.loupe(100, 100)
        fixed.center = Point(x: 300, y: 300)
        let placed = try LoupePlacer(Self.scene([fixed, Self.loupe(320, 120)])).placing([1])
        #expect(placed.loupes[0] == fixed)
        PlacementLayoutTests.expectSound(placed, "")
    }

    @Test func itStaysNearWhatItShows() throws {
        let placed = try LoupePlacer(Self.scene([Self.loupe(400, 300)])).placing([0])
        // Its radius, half of it, and its source with the ring: 70 + 35 + 20.5.
        #expect(abs(placed.loupes[0].center.distance(to: Point(x: 400, y: 300)) - 125.5) < 3)
    }

    /// The larger one fits in one corner alone, where the smaller one would rather go.
    @Test func aLoupeGivesWayToOneThatFitsNowhereElse() throws {
        let loupes = [Self.loupe(60, 60, radius: 30), Self.loupe(190, 60, radius: 55)]
        let placed = try LoupePlacer(Self.scene(loupes, width: 250, height: 200)).placing([0, 1])
        PlacementLayoutTests.expectSound(placed, "")
    }

    @Test func whereThereIsNoRoomItSaysSo() {
        let tooLarge = Self.scene([Self.loupe(100, 100), Self.loupe(400, 300, radius: 301)])
        #expect(throws: PlacementError.self) { try LoupePlacer(tooLarge).placing([0, 1]) }
        let crowded = Self.scene((0..<6).map { Self.loupe(400 + Double($0), 300, radius: 190) })
        let complaint = complaint { try LoupePlacer(crowded).placing(Array(0..<6)) }
        #expect(complaint.contains("radius 190 on a canvas of 800×600"))
    }

    // MARK: - Contrasts

    /// Cells of 8 pixels: an edge belongs to the cells on both sides of it, an even surface hardly counts.
    @Test func contrastIsThatOfNeighbours() {
        let (width, height) = (40, 24)
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        for row in 8..<16 {
            for column in 16..<32 {
                for channel in 0..<3 { pixels[4 * (row * width + column) + channel] = 51 }
            }
        }
        let grid = ContrastGrid(width: width, height: height, pixels: pixels)
        #expect(grid.columns == 5 && grid.rows == 3 && grid.cell == 8)
        let edge: Float = 0.8
        // The cell to the left of the surface and those above it see its first pixels; its own cells end beside white.
        #expect(Array(grid.values[0..<5]) == [0, edge, edge, edge, 0])
        #expect(Array(grid.values[5..<10]) == [0, edge, edge, edge, 0])
        #expect(grid.values[10...].allSatisfy { $0 == 0 })
        let even = ContrastGrid(width: 8, height: 8, pixels: [UInt8](repeating: 255, count: 256))
        #expect(even.values == [0])
    }

    @Test func translucentPixelsShowTheBackground() {
        let clear = [UInt8](repeating: 0, count: 8 * 8 * 4)
        var dot = clear
        dot.replaceSubrange(0..<4, with: [255, 255, 255, 255])
        let white = Color(red: 255, green: 255, blue: 255)
        #expect(ContrastGrid(width: 8, height: 8, pixels: dot, over: white).values == [0])
        #expect(ContrastGrid(width: 8, height: 8, pixels: dot, over: .defaultInk).values == [1])
    }
}

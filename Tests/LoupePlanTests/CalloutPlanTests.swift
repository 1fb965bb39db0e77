import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// Where callouts run, and where there is none.
@Suite struct CalloutPlanTests {
    private static let canvas = Scene.Canvas(width: 400, height: 300)

    private static func loupe(_ shape: Connector.Shape, center: Point, focus: Point, ring: Double? = 3) -> Loupe {
        Loupe(
            center: center, radius: 40, zoom: 4, focus: focus,
            callout: Callout(ring: ring.map { Callout.Ring(width: $0) }, connector: Connector(shape)))
    }

    private static func plan(_ loupe: Loupe) -> CalloutPlan? {
        CalloutPlan(of: loupe, in: Scene(canvas: canvas, loupes: [loupe]))
    }

    /// Pairs of places that lie apart, in any direction.
    private static let places: [(center: Point, focus: Point)] = {
        var random = SplitMix64(seed: 8)
        return (0..<60).compactMap { _ in
            let center = Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random))
            let focus = Point(x: .random(in: 0...400, using: &random), y: .random(in: 0...300, using: &random))
            return center.distance(to: focus) > 60 ? (center, focus) : nil
        }
    }()
    /// For tests that look at every pixel.
    private static let somePlaces = Sample.of(places, every: 6)

    @Test(arguments: places)
    func linesTouchBothCirclesFromWithin(place: (center: Point, focus: Point)) throws {
        let plan = try #require(Self.plan(Self.loupe(.lines(width: 2), center: place.center, focus: place.focus)))
        #expect(plan.connector.count == 2)
        for piece in plan.connector {
            let outer = piece.polygons[0].sides[0]
            // The line's outer side leaves both circles on its inner side and touches them: 10 + 3 and 40 pixels away.
            #expect(abs(outer.depth(of: place.focus) - 13) < 1e-9)
            #expect(abs(outer.depth(of: place.center) - 40) < 1e-9)
            let inner = piece.polygons[0].sides[1]
            #expect(abs(inner.depth(of: place.focus) - (2 - 13)) < 1e-9)
        }
    }

    @Test func aCircleThatHoldsTheOtherHasNoConnector() throws {
        for style in Connector.Style.allCases {
            let held = Self.loupe(
                style.shape(), center: Point(x: 100, y: 100), focus: Point(x: 126.9, y: 100))
            #expect(try #require(Self.plan(held)).connector.isEmpty, "13 + 26.9 is less than 40")
        }
        let apart = Self.loupe(.cone, center: Point(x: 100, y: 100), focus: Point(x: 127.1, y: 100))
        #expect(try #require(Self.plan(apart)).connector.count == 1)
    }

    @Test func aLineThatIsShorterThanTwiceItsWidthIsNotDrawn() throws {
        // The circles' radii are 13 and 40: at a distance of D, the tangents are √(D² − 27²) long.
        func pieces(_ length: Double) throws -> Int {
            let distance = (length * length + 27 * 27).squareRoot()
            let loupe = Self.loupe(
                .lines(width: 6), center: Point(x: 100, y: 100), focus: Point(x: 100 + distance, y: 100))
            return try #require(Self.plan(loupe)).connector.count
        }
        #expect(try pieces(11.9) == 0)
        #expect(try pieces(12.1) == 2)
    }

    @Test func anArrowHasNoRoomBetweenCirclesThatTouch() throws {
        func pieces(_ x: Double) throws -> Int {
            let loupe = Self.loupe(.arrow(width: 2), center: Point(x: 100, y: 100), focus: Point(x: x, y: 100))
            return try #require(Self.plan(loupe)).connector.count
        }
        // A ring and a loupe that touch are 153 apart; an arrow needs twice its width.
        #expect(try pieces(153.1) == 0)
        #expect(try pieces(156.9) == 0)
        #expect(try pieces(157.1) == 1)
    }

    @Test func nothingInSightIsNoPlan() {
        #expect(Self.plan(Self.loupe(.cone, center: Point(x: -500, y: 0), focus: Point(x: -500, y: 300))) == nil)
        #expect(Self.plan(Loupe(center: .zero, radius: 9, zoom: 2)) == nil)
        let plain = Scene(canvas: Self.canvas, loupes: [Loupe(center: .zero, radius: 9, zoom: 2)])
        #expect(DrawPlan(plain, images: [:]).callouts.isEmpty)
    }

    /// Against each pixel of a block, tried one by one.
    @Test(arguments: somePlaces)
    func thePartInABlockHoldsEveryPixelThatIsReached(place: (center: Point, focus: Point)) throws {
        let plan = try #require(Self.plan(Self.loupe(.lines(width: 5), center: place.center, focus: place.focus)))
        let block = PixelRect(minX: 50, minY: 40, maxX: 330, maxY: 260)
        let bounds = plan.bounds(in: block)
        for polygon in plan.connector.flatMap(\.polygons) {
            for y in block.minY..<block.maxY {
                for x in block.minX..<block.maxX {
                    let pixel = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    guard polygon.sides.allSatisfy({ $0.depth(of: pixel) > -0.5 }) else { continue }
                    #expect((bounds.minX..<bounds.maxX).contains(x) && (bounds.minY..<bounds.maxY).contains(y))
                }
            }
        }
    }
}

extension CalloutPlan {
    /// What draws each pixel of a block that begins at the canvas's first, row by row: 0 nothing, 1 a plain fill, 2 the
    /// shader; none may be drawn twice.
    func drawings(in block: PixelRect) -> [Int] {
        let (filled, shaded) = cut(in: block)
        var drawn = [Int](repeating: 0, count: block.pixelCount)
        for (kind, rects) in [(1, filled), (2, shaded)] {
            for rect in rects {
                for y in rect.minY..<rect.maxY {
                    for x in rect.minX..<rect.maxX {
                        #expect(drawn[y * block.width + x] == 0)
                        drawn[y * block.width + x] = kind
                    }
                }
            }
        }
        return drawn
    }
}

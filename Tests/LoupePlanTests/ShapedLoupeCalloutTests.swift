import Glibc
import LoupeBase
import TestSupport
import Testing

import func Glibc.cos
import func Glibc.pow
import func Glibc.sin

@testable import LoupeBase
@testable import LoupePlan
@testable import LoupeScene

/// Callouts of loupes of every shape: where their connectors run, and where there is none.
@Suite struct ShapedLoupeCalloutTests {
    private static let canvas = Scene.Canvas(width: 400, height: 300)

    /// A loupe and its source that lie apart.
    struct Case {
        var loupe: Loupe
        var ringWidth: Double { loupe.callout?.ring?.width ?? 0 }
    }

    private static func loupe(
        _ shape: Loupe.Rectangle, zoom: Double = 4, center: Point, focus: Point, ring: Double?,
        _ connector: Connector.Shape = .cone
    ) -> Loupe {
        Loupe(
            center: center, shape: .rectangle(shape), zoom: zoom, focus: focus,
            callout: Callout(ring: ring.map { .init(width: $0) }, connector: Connector(connector)))
    }

    /// The distance of a point from a border, positive inside.
    private static func depth(of point: Point, in border: Border) -> Double {
        switch border {
        case .disc(let disc): disc.radius - disc.center.distance(to: point)
        case .outline(let outline): outline.signedDistance(to: point)
        }
    }

    private static func plan(_ loupe: Loupe) throws -> CalloutPlan {
        try #require(CalloutPlan(of: loupe, in: Scene(canvas: canvas, loupes: [loupe])))
    }

    private static let shapes = [
        Loupe.Rectangle(width: 80, height: 50, corner: Corner(radius: 14, exponent: 4)),
        Loupe.Rectangle(width: 120, height: 16, corner: Corner(radius: 8, exponent: 2)),
        Loupe.Rectangle(width: 30, height: 70, corner: Corner(radius: 15, exponent: 1)),
        Loupe.Rectangle(width: 60, height: 60, corner: Corner(radius: 0)),
        Loupe.Rectangle(
            width: 70, height: 50,
            corner: Corner(
                radii: CornerRadii { CornerRadius(x: $0.isLeft ? 40 : 4, y: $0.isTop ? 30 : 9) }, exponent: 2.6)),
    ]

    private static let cases: [Case] = {
        var random = SplitMix64(seed: 21)
        return (0..<60).map { index in
            let angle = Double.random(in: 0...(2 * .pi), using: &random)
            let center = Point(x: .random(in: 100...300, using: &random), y: .random(in: 80...220, using: &random))
            return Case(
                loupe: loupe(
                    shapes[index % shapes.count], zoom: [1.25, 2, 4, 30][index / shapes.count % 4], center: center,
                    focus: center + 140 * Vector(dx: cos(angle), dy: sin(angle)), ring: index % 3 == 0 ? nil : 3))
        }
    }()

    /// For tests that look at every pixel, or at thousands of points: each shape and each zoom.
    private static let someCases = Sample.of(cases, every: 7)
    private static let discs = cases.prefix(20).map { entry in
        var loupe = entry.loupe
        loupe.shape = .circle(radius: 40)
        return Case(loupe: loupe)
    }

    /// Points of a border, close together.
    private static func points(of outline: Outline) -> [Point] {
        CornerPosition.allCases.flatMap { place in
            (0...1000).map { step in
                let angle = Double(step) / 1000 * .pi / 2
                let radius = outline.radii[place]
                let (u, v) = (pow(cos(angle), 2 / outline.exponent), pow(max(0, sin(angle)), 2 / outline.exponent))
                let (across, down) = (radius.x * (1 - u), radius.y * (1 - v))
                return Point(
                    x: place.isLeft ? outline.rect.minX + across : outline.rect.maxX - across,
                    y: place.isTop ? outline.rect.minY + down : outline.rect.maxY - down)
            }
        }
    }

    private static func sourceOutline(of plan: CalloutPlan) throws -> Outline {
        guard case .outline(let outline) = plan.source else {
            throw DocumentError(at: .key(path: "source"), "a circle")
        }
        return outline
    }

    @Test func theSourceIsTheShapeDividedByTheZoom() throws {
        let shape = Self.shapes[4]
        let plan = try Self.plan(
            Self.loupe(shape, zoom: 4, center: Point(x: 300, y: 200), focus: Point(x: 80, y: 60), ring: 3))
        let outline = try Self.sourceOutline(of: plan)
        #expect(outline.rect == Rect(x: 71.25, y: 53.75, width: 17.5, height: 12.5))
        #expect(outline.exponent == 2.6)
        #expect(CornerPosition.allCases.allSatisfy { outline.radii[$0] == 0.25 * shape.corner.radii[$0] })
    }

    @Test(arguments: someCases)
    func tangentsTouchTheRingAndTheLoupeFromOutside(of entry: Case) throws {
        let plan = try Self.plan(entry.loupe)
        let flanks = try #require(plan.connector.first).polygons[0].sides.prefix(2)
        let source = Self.points(of: try Self.sourceOutline(of: plan))
        let border = Self.points(of: try #require(entry.loupe.outline))
        #expect(plan.connector.count == 1)
        for flank in flanks {
            let (near, far) = (source.map(flank.depth).min() ?? 0, border.map(flank.depth).min() ?? 0)
            #expect(near > entry.ringWidth - 1e-9 && near < entry.ringWidth + 0.02)
            #expect(far > -1e-9 && far < 0.02)
        }
    }

    /// The map from the loupe to its source leaves one point where it is; it maps a common tangent to itself.
    @Test(arguments: cases)
    func withoutARingTangentsRunThroughThePointThatTheZoomLeavesAlone(of entry: Case) throws {
        var loupe = entry.loupe
        loupe.callout?.ring = nil
        let way = loupe.focus - loupe.center
        let still = loupe.focus + (1 / (loupe.zoom - 1)) * way
        for flank in try #require(Self.plan(loupe).connector.first).polygons[0].sides.prefix(2) {
            #expect(abs(flank.depth(of: still)) < 1e-7)
        }
    }

    @Test func linesAreParallelWhereNothingIsEnlarged() throws {
        let loupe = Self.loupe(
            Self.shapes[0], zoom: 1, center: Point(x: 300, y: 200), focus: Point(x: 80, y: 60), ring: nil,
            .lines(width: 2))
        let normals = try Self.plan(loupe).connector.map { $0.polygons[0].sides[0].normal }
        #expect(normals.count == 2)
        for normal in normals { #expect(abs(220 * normal.dx + 140 * normal.dy) < 1e-7) }
    }

    @Test func aTangentAlongAStraightSideTouchesItsNearerEnd() throws {
        // Both upper sides lie at y = 20: from 35 to 65, and from 100 to 160.
        let loupe = Self.loupe(
            Loupe.Rectangle(width: 60, height: 40, corner: Corner(radius: 0)), zoom: 2, center: Point(x: 130, y: 40),
            focus: Point(x: 50, y: 30), ring: nil, .lines(width: 2))
        let lines = try Self.plan(loupe).connector.map { $0.polygons[0].sides }
        let upper = try #require(lines.first { abs($0[0].normal.dx) < 1e-9 })
        #expect(abs(upper[0].depth(of: Point(x: 0, y: 20))) < 1e-9)
        #expect(abs(upper[2].depth(of: Point(x: 65, y: 20))) < 1e-9)
        #expect(abs(upper[3].depth(of: Point(x: 100, y: 20))) < 1e-9)
    }

    @Test(arguments: cases + discs)
    func theArrowsTipLiesOnTheRing(of entry: Case) throws {
        var loupe = entry.loupe
        loupe.callout?.connector = Connector(.arrow(width: 2))
        let plan = try Self.plan(loupe)
        let head = try #require(plan.connector.first?.polygons.last)
        let way = loupe.center - loupe.focus
        // The tip is where both flanks of the head cross the line between the centres.
        let (first, start) = (head.sides[0], head.sides[0].depth(of: loupe.focus))
        let tip = loupe.focus + (-start / (first.normal.dx * way.dx + first.normal.dy * way.dy)) * way
        #expect(abs(head.sides[1].depth(of: tip)) < 1e-9)
        // The distance to corners that differ is exact to 1e-10 of their largest radius, 40 pixels.
        #expect(abs(Self.depth(of: tip, in: plan.source) + entry.ringWidth) < 4e-9)
    }

    /// Sources beside and across the border of a wide loupe, and within it.
    @Test(arguments: [
        (Point(x: 150, y: 122), 1, 1), (Point(x: 150, y: 112.9), 1, 0), (Point(x: 150, y: 106), 0, 0),
        (Point(x: 290, y: 100), 1, 0), (Point(x: 200, y: 100), 0, 0),
    ])
    func whatHoldsItsSourceHasNoConnector(focus: Point, cones: Int, arrows: Int) throws {
        // From 100 to 300 across, from 90 to 110 down; the source is 50 by 5, with a ring 0.5 wide.
        let shape = Loupe.Rectangle(width: 200, height: 20, corner: Corner(radius: 10, exponent: 2))
        func pieces(_ connector: Connector.Shape) throws -> Int {
            let loupe = Self.loupe(shape, center: Point(x: 200, y: 100), focus: focus, ring: 0.5, connector)
            return try Self.plan(loupe).connector.count
        }
        #expect(try pieces(.cone) == cones)
        #expect(try pieces(.lines(width: 2)) == 2 * cones)
        #expect(try pieces(.arrow(width: 2)) == arrows)
    }

    @Test func whatCrossesItsRingMoreThanTwiceHasNoConnector() throws {
        let shape = Loupe.Rectangle(width: 200, height: 10, corner: Corner(radius: 5, exponent: 2))
        let center = Point(x: 200, y: 100)
        for style in Connector.Style.allCases {
            let loupe = Self.loupe(shape, center: center, focus: center, ring: 30, style.shape())
            #expect(try Self.plan(loupe).connector.isEmpty)
        }
    }

    /// Each pixel of the cone against what its place means.
    @Test(arguments: someCases + Sample.of(discs, every: 4))
    func theCutDrawsEachPixelOnceAndMeasuresWhatItMust(of entry: Case) throws {
        let plan = try Self.plan(entry.loupe)
        let piece = try #require(plan.connector.first)
        let border = Border(of: entry.loupe)
        let drawn = plan.drawings(in: Self.canvas.pixels)
        for (index, kind) in Sample.of(Array(drawn.enumerated()), every: 7) {
            let pixel = Point(
                x: Double(index % Self.canvas.width) + 0.5, y: Double(index / Self.canvas.width) + 0.5)
            let depth = piece.hull.sides.map { $0.depth(of: pixel) }.min() ?? 0
            let outside = -Self.depth(of: pixel, in: plan.source)
            let isOnRing = entry.ringWidth > 0 && outside > -0.5 && outside < entry.ringWidth + 0.5
            if kind == 1 {
                #expect(depth >= 0.5 - 1e-9 && outside >= (entry.ringWidth > 0 ? entry.ringWidth + 0.5 : 0.5))
            } else if kind == 0, isOnRing || depth > -0.5 && outside > -0.5 {
                #expect(Self.depth(of: pixel, in: border) >= 0.5)
            }
        }
    }

    @Test func theBoundsHoldTheRing() throws {
        let loupe = Self.loupe(
            Self.shapes[0], center: Point(x: 300, y: 200), focus: Point(x: 80, y: 60), ring: 5, .arrow(width: 1))
        let bounds = try Self.plan(loupe).bounds(in: PixelRect(minX: 0, minY: 0, maxX: 100, maxY: 300))
        // The source is 20 by 12.5.
        #expect(bounds.minX <= 64 && bounds.minY <= 48 && bounds.maxX >= 96 && bounds.maxY >= 72)
    }
}

import Glibc
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

import func Glibc.atan2
import func Glibc.cos
import func Glibc.sin

/// Figures with placed loupes, on pages of several kinds. What must hold of them is computed here from the pixels and the
/// circles alone.
@Suite struct PlacementLayoutTests {
    // MARK: - Pages

    /// A page and places on it worth enlarging.
    struct Page: CustomStringConvertible {
        let description: String
        let image: Image
        let foci: [Point]

        /// The commonest colour: what is behind texts and marks.
        var paper: [UInt8] {
            var counts: [UInt32: Int] = [:]
            for pixel in stride(from: 0, to: image.pixels.count, by: 4) {
                let color = image.pixels[pixel..<(pixel + 3)].reduce(0) { $0 << 8 | UInt32($1) }
                counts[color, default: 0] += 1
            }
            let color = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
            return [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
        }
    }

    /// A table of an interface, 1100×620, with more free rows below.
    static func table(freeRows: Int) throws -> Page {
        let foci = [(335.0, 140.0), (785, 214), (1020, 289), (60, 164), (470, 438), (914, 513), (372, 28), (560, 326)]
        let page = try page("Tests/LoupePipelineTests/Pages/interface-table.png", foci)
        let white = [UInt8](repeating: 255, count: page.image.width * freeRows * 4)
        return Page(
            description: "a table and \(freeRows) rows",
            image: Image(
                width: page.image.width, height: page.image.height + freeRows, pixels: page.image.pixels + white),
            foci: page.foci)
    }

    /// A file of the project.
    static func page(_ file: String, _ foci: [(Double, Double)]) throws -> Page {
        Page(
            description: file, image: try ImageFile.read(path: Path("\(Repository.path)/\(file)")),
            foci: foci.map { Point(x: $0.0, y: $0.1) })
    }

    // MARK: - Figures

    private static func scene(_ page: Page, count: Int, radius: Double, zoom: Double = 4) -> Scene {
        let (width, height) = (page.image.width, page.image.height)
        let loupes = page.foci.prefix(count).map { focus in
            Loupe(
                center: focus, radius: radius, zoom: zoom, focus: focus,
                callout: Callout(ring: .init(width: 3), connector: Connector(.lines(width: 2))))
        }
        let rect = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        return Scene(
            canvas: .init(width: width, height: height), layers: [Layer(content: .image(path: "page"), rect: rect)],
            loupes: Array(loupes))
    }

    private static func contrast(_ page: Page) -> ContrastGrid {
        ContrastGrid(width: page.image.width, height: page.image.height, pixels: page.image.pixels)
    }

    private static func placed(_ page: Page, count: Int, radius: Double, zoom: Double = 4) throws -> Placement {
        let scene = scene(page, count: count, radius: radius, zoom: zoom)
        return try LoupePlacer(scene, contrast: contrast(page)).placement(of: Array(scene.loupes.indices))
    }

    // MARK: - What is checked

    /// The pixels under loupes that are not paper: more than a third of the way from it to black or white.
    static func textUnder(_ scene: Scene, of page: Page) -> Int {
        let paper = page.paper
        let origin = scene.layers[0].rect
        var count = 0
        for loupe in scene.loupes {
            let (x, y) = (loupe.center.x - origin.x, loupe.center.y - origin.y)
            let (top, bottom) = (Int((y - loupe.radius).rounded(.down)), Int((y + loupe.radius).rounded(.up)))
            for row in max(0, top)..<max(0, min(page.image.height, bottom)) {
                for column in max(0, Int(x - loupe.radius))..<max(0, min(page.image.width, Int(x + loupe.radius) + 1)) {
                    let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
                    guard dx * dx + dy * dy < loupe.radius * loupe.radius else { continue }
                    let pixel = 4 * (row * page.image.width + column)
                    let differs = (0..<3).contains { abs(Int(page.image.pixels[pixel + $0]) - Int(paper[$0])) > 85 }
                    if differs { count += 1 }
                }
            }
        }
        return count
    }

    /// The least gap between two loupes, in radii.
    static func leastGap(_ scene: Scene) -> Double {
        var least = Double.infinity
        for (index, loupe) in scene.loupes.enumerated() {
            for other in scene.loupes[..<index] {
                let gap = loupe.center.distance(to: other.center) - loupe.radius - other.radius
                least = min(least, gap / max(loupe.radius, other.radius))
            }
        }
        return least
    }

    /// The two lines that a callout draws: the outer tangents of ring and loupe, as pairs of points.
    private static func tangents(_ loupe: Loupe, in scene: Scene) -> [(Point, Point)] {
        let focus = scene.shownFocus(of: loupe)
        let ring = loupe.radius / loupe.zoom + (loupe.callout?.ring?.width ?? 0)
        let distance = focus.distance(to: loupe.center)
        guard distance > loupe.radius + ring else { return [] }
        // From the angle of the line between the centres, each tangent's points lie at a right angle plus or minus the
        // angle whose sine is the difference of the radii over the distance.
        let angle = atan2(loupe.center.y - focus.y, loupe.center.x - focus.x)
        let opening = asin((loupe.radius - ring) / distance)
        return [1.0, -1].map { side in
            let normal = angle + side * (.pi / 2 + opening)
            let (x, y) = (cos(normal), sin(normal))
            return (
                Point(x: focus.x + ring * x, y: focus.y + ring * y),
                Point(x: loupe.center.x + loupe.radius * x, y: loupe.center.y + loupe.radius * y)
            )
        }
    }

    /// How many pairs of callouts have lines that meet.
    static func crossings(_ scene: Scene) -> Int {
        func meet(_ a: (Point, Point), _ b: (Point, Point)) -> Bool {
            let (r, s, q) = (a.1 - a.0, b.1 - b.0, b.0 - a.0)
            let cross = r.dx * s.dy - r.dy * s.dx
            guard cross != 0 else { return false }
            let (t, u) = ((q.dx * s.dy - q.dy * s.dx) / cross, (q.dx * r.dy - q.dy * r.dx) / cross)
            return 0...1 ~= t && 0...1 ~= u
        }
        let lines = scene.loupes.map { tangents($0, in: scene) }
        var count = 0
        for index in lines.indices {
            for other in 0..<index where lines[index].contains(where: { a in lines[other].contains { meet(a, $0) } }) {
                count += 1
            }
        }
        return count
    }

    /// That loupes lie on the canvas, and cover neither each other nor a ring.
    static func expectSound(_ scene: Scene, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(leastGap(scene) >= 0, comment, sourceLocation: sourceLocation)
        for loupe in scene.loupes {
            let (center, radius) = (loupe.center, loupe.radius - 1e-6)
            let isInside =
                center.x >= radius && center.y >= radius && center.x + radius <= Double(scene.canvas.width)
                && center.y + radius <= Double(scene.canvas.height)
            #expect(isInside, comment, sourceLocation: sourceLocation)
            for other in scene.loupes {
                let ring = other.radius / other.zoom + (other.callout?.ring?.width ?? 0)
                let apart = center.distance(to: scene.shownFocus(of: other))
                #expect(apart >= radius + ring, comment, sourceLocation: sourceLocation)
            }
        }
    }

    /// Loupes in one row or one column, with equal gaps.
    static func isInLine(_ loupes: [Loupe]) -> Bool {
        func isLine(_ across: (Point) -> Double, _ along: (Point) -> Double) -> Bool {
            let places = loupes.map { across($0.center) }
            guard (places.max() ?? 0) - (places.min() ?? 0) < 0.5 else { return false }
            let sorted = loupes.sorted { along($0.center) < along($1.center) }
            let gaps = zip(sorted, sorted.dropFirst()).map {
                along($1.center) - along($0.center) - $0.radius - $1.radius
            }
            return (gaps.max() ?? 0) - (gaps.min() ?? 0) < 1
        }
        return isLine({ $0.y }, { $0.x }) || isLine({ $0.x }, { $0.y })
    }

    // MARK: - On the page

    @Test(arguments: Sample.of([73.0, 60, 66], every: 3))
    func sixLoupesStandInAFreeStripBelowATable(radius: Double) throws {
        let page = try Self.table(freeRows: 200)
        let placement = try Self.placed(page, count: 6, radius: radius)
        let scene = placement.scene
        Self.expectSound(scene, "")
        #expect(Self.textUnder(scene, of: page) == 0)
        #expect(Self.leastGap(scene) >= 0.5 - 1e-6)
        #expect(Self.crossings(scene) == 0)
        // The table ends at 532; loupes below it share a side.
        let below = scene.loupes.filter { $0.center.y > 532 }
        #expect(below.count >= 4 && Self.isInLine(below), "\(scene.loupes.map(\.center))")
    }

    @Test func oneToEightLoupesCoverNoTextWhereThereIsFreeRoom() throws {
        // Dots along the diagonal of a frame.
        let plot = try Self.page(
            "examples/pages/scatter.png", [(560, 430), (850, 250), (250, 620), (767, 492), (700, 350), (470, 600)])
        for page in [try Self.table(freeRows: 330), plot] {
            for count in Sample.of(1...page.foci.count, every: 3, from: 1) {
                let placement = try Self.placed(page, count: count, radius: 52)
                Self.expectSound(placement.scene, "\(page), \(count)")
                #expect(Self.textUnder(placement.scene, of: page) == 0, "\(page), \(count)")
                #expect(Self.leastGap(placement.scene) >= 0.5 - 1e-6, "\(page), \(count)")
                #expect(Self.crossings(placement.scene) == 0, "\(page), \(count)")
            }
        }
    }

    /// The picture has no free part: loupes still keep off each other and off rings, and connectors do not cross.
    @Test func loupesOverAPhotographKeepTheirOrder() throws {
        let page = try Self.page(
            "reference-images/pages/photograph-2048.png", [(500, 400), (1000, 700), (1500, 900), (1700, 300)])
        for count in 1...4 {
            let scene = try Self.placed(page, count: count, radius: 200).scene
            Self.expectSound(scene, "\(count)")
            #expect(Self.leastGap(scene) >= 0.5 - 1e-6, "\(count)")
            #expect(Self.crossings(scene) == 0, "\(count)")
        }
    }

    /// A loupe over the busiest part of a page covers more than where the placer puts it.
    @Test func aLoupeCoversLittleWhereItMustCoverSomething() throws {
        let page = try Self.table(freeRows: 0)
        let scene = try Self.placed(page, count: 3, radius: 90).scene
        Self.expectSound(scene, "")
        var moved = scene
        var random = SplitMix64(seed: 3)
        var covered: [Int] = []
        for _ in 0..<Sample.count(10, whole: 30) {
            for index in moved.loupes.indices {
                moved.loupes[index].center = Point(
                    x: .random(in: 90...1010, using: &random), y: .random(in: 90...530, using: &random))
            }
            covered.append(Self.textUnder(moved, of: page))
        }
        #expect(Self.textUnder(scene, of: page) < (covered.min() ?? 0), "\(covered.sorted())")
    }

    /// Whatever the order in which the loupes are named.
    @Test func placementsAreTheSameInAnyOrder() throws {
        let page = try Self.table(freeRows: 200)
        let scene = Self.scene(page, count: 6, radius: 70)
        let first = try LoupePlacer(scene, contrast: Self.contrast(page)).placing([0, 1, 2, 3, 4, 5])
        let again = try LoupePlacer(scene, contrast: Self.contrast(page)).placing([3, 1, 5, 0, 4, 2])
        #expect(Set(again.loupes.map(\.center)) == Set(first.loupes.map(\.center)))
    }

    /// As a ratio of processor time to that of reading the page's contrast, since other tests run at the same time. It is 3.3
    /// alone.
    @Test func sixLoupesTakeLittleTime() throws {
        let page = try Self.page(
            "reference-images/pages/interface-2048.png",
            [(300, 300), (900, 500), (1500, 300), (400, 1200), (1000, 1000), (1700, 1200)])
        #expect(page.image.width == 2048 && page.image.height == 1536)
        func seconds(_ body: () throws -> Void) rethrows -> Double {
            func now() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }
            let start = now()
            try body()
            return now() - start
        }
        let ratios = try (0..<10).map { _ in
            let reading = seconds { _ = Self.contrast(page) }
            return try seconds { _ = try Self.placed(page, count: 6, radius: 140) } / reading
        }
        #if compiler(>=6.2)
            let most = 3.5
        #else
            // Debian 13's compiler makes slower code of the search.
            let most = 4.0
        #endif
        #expect((ratios.min() ?? 9) < most, "\(ratios)")
    }
}

import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

@Suite struct RegionTests {
    /// A page from (20, 20) to (100, 80) with round corners of radius 15, and a loupe at (100, 50) that magnifies its
    /// right edge three times, with a rim of 4 pixels.
    private let scene = Scene(
        canvas: .init(width: 160, height: 100),
        layers: [
            Layer(
                content: .fill(Color(red: 9, green: 9, blue: 9)), rect: Rect(x: 20, y: 20, width: 80, height: 60),
                corner: Corner(radius: 15, exponent: 2))
        ],
        loupes: [
            Loupe(
                center: Point(x: 100, y: 50), radius: 25, zoom: 3,
                rim: Loupe.Rim(width: 4, color: Color(red: 255, green: 255, blue: 255)))
        ])

    /// By closed forms of this one scene.
    private func expected(_ x: Double, _ y: Double) -> PictureRegion {
        let fromLoupe = ((x - 100) * (x - 100) + (y - 50) * (y - 50)).squareRoot()
        if fromLoupe < 25.5 {
            if fromLoupe > 20.5 { return .rim }
            // The disc shows the straight edge x = 100 only, in its middle.
            return abs(x - 100) < 1 ? .pageEdge : .loupeInterior
        }
        let (dx, dy) = (max(35 - x, x - 85), max(35 - y, y - 65))
        let distance = dx > 0 && dy > 0 ? 15 - (dx * dx + dy * dy).squareRoot() : 15 - max(dx, dy)
        if abs(distance) < 1 { return dx > -0.5 && dy > -0.5 ? .corner : .pageEdge }
        return distance > 0 ? .page : .background
    }

    @Test("Every pixel of a scene has the region that closed forms give it")
    func everyPixel() {
        let map = RegionMap(scene)
        var seen = Set<PictureRegion>()
        for y in 0..<100 {
            for x in 0..<160 {
                let region = map.region(column: x, row: y)
                seen.insert(region)
                #expect(region == expected(Double(x) + 0.5, Double(y) + 0.5), "at \(x), \(y)")
            }
        }
        #expect(seen == Set(PictureRegion.allCases))
    }

    @Test("Each region has its own count, largest difference and tolerance")
    func tolerances() throws {
        let a = PictureMaker.plain(160, 100, [100, 100, 100, 255])
        var b = a
        // In the rim, on the page's left edge, on its corner, in the loupe, on the page and beside it.
        let changes = [(122, 50, 3), (20, 50, 2), (24, 24, 5), (108, 52, 7), (50, 50, 1), (5, 5, 9)]
        for (x, y, step) in changes { b[x, y] = [100, 100, UInt8(100 + step), 255] }
        let found = try Comparison(scene: scene).compare(reference: a, actual: b)
        #expect(found.regions.map(\.region) == [.rim, .pageEdge, .corner, .loupeInterior, .page, .background])
        #expect(found.regions.map(\.differingPixels) == [1, 1, 1, 1, 1, 1])
        #expect(found.regions.map(\.maxDelta) == [3, 2, 5, 7, 1, 9])

        let tolerance = Tolerance(1, regions: [.rim: 3, .background: 8])
        let eased = try Comparison(metric: .channel(tolerance), scene: scene).compare(reference: a, actual: b)
        #expect(eased.regions.map(\.differingPixels) == [0, 1, 1, 1, 0, 1])
        let advice = Tolerance(9, regions: [.rim: 9, .background: 9])
        #expect(eased.wouldPass?.metric == .channel(advice))
        let passing = try Comparison(metric: .channel(tolerance), allowance: Allowance(maxPixels: 3), scene: scene)
            .compare(reference: a, actual: b)
        #expect(passing.wouldPass?.metric == .channel(Tolerance(2, regions: [.rim: 3, .background: 8])))
    }

    @Test("A scene of another size than the reference is refused")
    func wrongScene() {
        let small = PictureMaker.plain(10, 10)
        #expect(throws: DiffError.sceneSize(width: 160, height: 100, neededWidth: 10, neededHeight: 10)) {
            try Comparison(scene: scene).compare(reference: small, actual: small)
        }
    }
}

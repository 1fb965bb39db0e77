import Glibc
import LoupeBase
import LoupeImaging
import Testing

import func Glibc.cos
import func Glibc.sin

@testable import LoupeCompare

/// Shifts of whole pictures, the search around a pixel, and pictures of different sizes.
@Suite struct ShiftTests {
    /// A picture of smooth hills, whose formula says what it is between pixels.
    private func hills(_ width: Int, _ height: Int, movedBy dx: Double = 0, _ dy: Double = 0) -> Image {
        var image = PictureMaker.plain(width, height)
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (Double(column) - dx, Double(row) - dy)
                let value =
                    128 + 40 * sin(x / 5.3) * cos(y / 7.1) + 30 * sin((x + 2 * y) / 9.7) + 20 * cos((3 * x - y) / 11.3)
                    + 30 * sin(x * y / 900)
                let level = UInt8(max(0, min(255, value.rounded())))
                image[column, row] = [level, level, 255 - level, 255]
            }
        }
        return image
    }

    private func shift(_ reference: Image, _ actual: Image) throws -> Shift? {
        try Comparison(reportsShift: true).compare(reference: reference, actual: actual).shift
    }

    @Test(
        "A shift is told to a twentieth of a pixel",
        arguments: [(1, 0), (0, 1), (-3, 7), (0.5, 0.25), (-0.4, 0.1), (2.3, -1.7), (0.3, -0.3), (12.5, 9.25)])
    func shifts(dx: Double, dy: Double) throws {
        let found = try #require(try shift(hills(150, 110), hills(150, 110, movedBy: dx, dy)))
        #expect(abs(found.x - dx) < 0.05 && abs(found.y - dy) < 0.05, "\(found)")
        #expect(found.explained > 0.7)
    }

    @Test("What is no shift is none")
    func otherDifferences() throws {
        let hills = hills(96, 80)
        var block = hills
        for y in 20..<50 {
            for x in 30..<70 { block[x, y] = [255, 0, 0, 255] }
        }
        var maker = PictureMaker(seed: 26)
        let noise = maker.changed(hills, share: 1, by: 20)
        for other in [block, noise, PictureMaker.plain(96, 80)] { #expect(try shift(hills, other) == nil) }
        let equal = try Comparison(reportsShift: true).compare(reference: hills, actual: hills)
        #expect(equal.shift == nil && !equal.summary.contains("shift"))
        let moved = self.hills(96, 80, movedBy: 1, 0)
        #expect(try Comparison().compare(reference: hills, actual: moved).shift == nil, "nobody asked")
    }

    // MARK: - Search

    private func column(_ place: Int?) -> Image {
        var image = PictureMaker.plain(20, 12, [255, 255, 255, 255])
        if let place { for y in 0..<12 { image[place, y] = [0, 0, 0, 255] } }
        return image
    }

    private static let metrics: [Metric] = [
        .channel(Tolerance()), .yiq(threshold: 0.1, includesAntialiased: true),
        .error(.oklab, ErrorLimits(threshold: 2)),
    ]

    @Test("A line that moved by a pixel passes; one that vanished or appeared does not", arguments: metrics)
    func search(metric: Metric) throws {
        func differing(_ reference: Image, _ actual: Image, _ radius: Int) throws -> Int {
            try Comparison(metric: metric, search: radius).compare(reference: reference, actual: actual)
                .differingPixels
        }
        #expect(try differing(column(8), column(9), 0) == 24)
        #expect(try differing(column(8), column(9), 1) == 0)
        #expect(try differing(column(8), column(10), 1) == 24)
        #expect(try differing(column(8), column(10), 2) == 0)
        #expect(try differing(column(8), column(nil), 3) == 12)
        #expect(try differing(column(nil), column(8), 3) == 12)
    }

    @Test("The search finds what a plain reading of its rule finds")
    func searchPixelByPixel() throws {
        var maker = PictureMaker(seed: 3)
        let a = maker.blocks(31, 23, alphas: [255])
        let b = maker.changed(a, share: 0.3, by: 60)
        func matches(_ pixel: [UInt8], _ x: Int, _ y: Int, in image: Image) -> Bool {
            (max(y - 1, 0)...min(y + 1, 22)).contains { row in
                (max(x - 1, 0)...min(x + 1, 30)).contains { column in
                    zip(image[column, row], pixel).allSatisfy { abs(Int($0) - Int($1)) <= 5 }
                }
            }
        }
        var expected = 0
        for y in 0..<23 {
            for x in 0..<31 where !matches(a[x, y], x, y, in: b) || !matches(b[x, y], x, y, in: a) { expected += 1 }
        }
        let found = try Comparison(metric: .channel(Tolerance(5)), search: 1).compare(reference: a, actual: b)
        #expect(expected > 0 && found.differingPixels == expected)
    }

    @Test("FLIP and SSIM look at neighbours themselves")
    func noSearch() {
        for metric in [ErrorMetric.flip(pixelsPerDegree: 67), .ssim(.luma), .multiScaleSSIM] {
            #expect(throws: DiffError.noSearch(metric: metric.name)) {
                try Comparison(metric: .error(metric, ErrorLimits(threshold: 0.1)), search: 1).compare(
                    reference: hills(200, 200), actual: hills(200, 200))
            }
        }
    }

    // MARK: - Sizes

    @Test(
        "A picture of another size is compared where it lies on the reference", arguments: [(0, 0), (17, 9), (40, 30)])
    func alignment(x: Int, y: Int) throws {
        let whole = hills(140, 110)
        var part = PictureMaker.plain(100, 80)
        for row in 0..<80 {
            for column in 0..<100 { part[column, row] = whole[column + x, row + y] }
        }
        let found = try Comparison().compare(reference: whole, actual: part)
        #expect(!found.isSame && found.wouldPass == nil)
        #expect(found.differingPixels == 0 && found.totalPixels == 8000 && found.offset == (x, y))
        part[50, 40] = [0, 255, 0, 255]
        let spoiled = try Comparison().compare(reference: whole, actual: part)
        #expect(spoiled.differingPixels == 1 && spoiled.boxes[0].bounds.minX == 50 + x)
        let back = try Comparison().compare(reference: part, actual: whole)
        #expect(back.differingPixels == 1 && back.totalPixels == 8000 && back.offset == (-x, -y))
    }
}

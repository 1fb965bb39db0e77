import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

/// The numbers under crops: squared errors against closed forms, the others against those of `diff`, which
/// `tools/check/metrics` compares with scikit-image and flip-evaluator.
@Suite struct CropMetricTests {
    private static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> [Int]) -> Image {
        var pixels: [UInt8] = []
        for y in 0..<height { for x in 0..<width { pixels += color(x, y).map { UInt8($0) } + [255] } }
        return Image(width: width, height: height, pixels: pixels)
    }

    private static func value(_ metric: CropMetric, _ reference: [Int], _ actual: [Int]) throws -> Double {
        try value(
            metric, picture(3, 70) { _, _ in reference }, picture(3, 70) { x, _ in x == 1 ? actual : reference })
    }

    private static func value(_ metric: CropMetric, _ reference: Image, _ actual: Image) throws -> Double {
        try #require(metric.values([CropPicture(actual)], reference: CropPicture(reference)).first)
    }

    @Test func squaredErrorsAreMeansOverPixelsAndChannels() throws {
        let (reference, actual) = ([0, 51, 255], [51, 51, 204])
        // One pixel in three differs by 0.2 in two of three channels.
        #expect(abs(try Self.value(.mse, reference, actual) - 0.04 * 2 / 9) < 1e-15)
        #expect(abs(try Self.value(.psnr, reference, actual) - 20.511525224473814) < 1e-12)
        #expect(abs(try Self.value(.relativeMSE, reference, actual) - (0.04 / 0.01 + 0.04 / 1.01) / 9) < 1e-12)
        #expect(try Self.value(.psnr, reference, reference) == .infinity)
    }

    @Test func theOthersAreThoseOfDiff() throws {
        let a = Self.picture(40, 30) { x, y in [6 * x, 8 * y, 3 * x + y] }
        let b = Self.picture(40, 30) { x, y in [6 * x + (x + y) % 7, 8 * y, 3 * x + y] }
        for name in [Metric.Name.flip, .ssim, .ssimRGB, .oklab] {
            let metric = CropMetric.diff(name)
            let difference = try Comparison(metric: Metric(name)).compare(reference: a, actual: b)
            #expect(try Self.value(metric, a, b) == difference.errorMap?.statistics.mean)
            #expect(try metric.style.isHigherBetter == (Self.value(metric, a, a) == 1))
            let several = [b, a, b].map { CropPicture($0) }
            let last = try metric.values(several, reference: CropPicture(a))[2]
            #expect(try last == Self.value(metric, a, b), "others change nothing")
        }
        #expect(try Self.value(.diff(.channel), a, b) == 6)
        #expect(throws: DiffError.tooSmall(width: 40, height: 30, needed: 161)) {
            try Self.value(.diff(.msSSIM), a, b)
        }
        #expect(Set(CropMetric.all.map { $0.name }).count == 10 && CropMetric.all.contains(.diff(.flip)))
    }

    @Test func mapsShowErrorsInTheColorsOfMagma() throws {
        let a = Self.picture(2, 1) { _, _ in [10, 10, 10] }
        let b = Self.picture(2, 1) { x, _ in [10, 10 + 30 * x, 10] }
        let map = try CropMap.difference.pictures([CropPicture(b)], reference: CropPicture(a), brightest: 30)
        #expect(map.map { $0.pixels } == [[0, 0, 4, 255, 252, 253, 191, 255]])
        let none = try CropMap.flip.pictures([CropPicture(a)], reference: CropPicture(a), brightest: 1)
        #expect(none.map { $0.pixels } == [[0, 0, 4, 255, 0, 0, 4, 255]])
    }

    /// The first method is wrong in a block at the left, both are in one at the right, by as much.
    @Test func regionsLieWhereMethodsDiffer() throws {
        let plain = Self.picture(320, 160) { _, _ in [100, 100, 100] }
        func method(_ isFirst: Bool) -> Image {
            Self.picture(320, 160) { x, y in
                let isLeft = (40..<72).contains(x) && (60..<84).contains(y)
                let isRight = (200..<232).contains(x) && (60..<84).contains(y)
                return [100, isRight || isLeft && isFirst ? 160 : 100, 100]
            }
        }
        let both = DifferingRegions.find(2, reference: plain, actuals: [method(true), method(false)])
        try #require(both.count == 2)
        #expect(both[0] == PixelRect(minX: 40, minY: 60, maxX: 72, maxY: 84))
        #expect(both[1].intersection(both[0]).isEmpty)
        let single = DifferingRegions.find(2, reference: plain, actuals: [method(true)])
        #expect(single.map(\.minX) == [40, 200] && single.allSatisfy { $0.width == 32 && $0.height == 24 })
        let long = Self.picture(400, 2) { x, _ in [x / 2, 0, 0] }
        let black = Self.picture(400, 2) { _, _ in [0, 0, 0] }
        #expect(DifferingRegions.find(1, reference: long, actuals: [black]).count == 1)
        let (tiny, other) = (Self.picture(2, 3) { _, _ in [1, 2, 3] }, Self.picture(2, 3) { _, _ in [3, 2, 1] })
        #expect(DifferingRegions.find(9, reference: tiny, actuals: [other]).count == 1)
    }
}

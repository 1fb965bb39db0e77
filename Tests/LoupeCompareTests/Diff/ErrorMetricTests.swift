import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

@testable import LoupeCompare

/// Metrics that give each pixel an error, compared with what other programs say of the same pictures: flip-evaluator 1.7 and
/// scikit-image 0.26. `tools/check/metrics` compares real pictures with these programs themselves.
@Suite struct ErrorMetricTests {
    /// A picture by whole numbers that other programs can make too; `k` is 0 or 1.
    private static func picture(_ width: Int, _ height: Int, _ k: Int) -> Image {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let checks = (x / 7 + y / 5) % 2
                let distance = (x - 20) * (x - 20) + (y - 15) * (y - 15)
                let blue = 200 - 2 * x + y + (distance < 64 ? 90 * k : 0)
                let colors = [5 * x + 3 * y + 40 * k * checks, x * y / 4 + 17 * k, blue]
                pixels += colors.map { UInt8(($0 % 256 + 256) % 256) } + [255]
            }
        }
        return Image(width: width, height: height, pixels: pixels)
    }

    private func difference(
        _ metric: ErrorMetric, _ width: Int = 48, _ height: Int = 36, threshold: Double? = nil, mean: Double? = nil
    ) throws -> Difference {
        try Comparison(metric: .error(metric, ErrorLimits(threshold: threshold, mean: mean)))
            .compare(reference: Self.picture(width, height, 0), actual: Self.picture(width, height, 1))
    }

    @Test(arguments: [
        (67.02064514160156, 48, 36, 0.4125872354273236, 0.9728011, [0.096391461, 0.70984905, 0.38982281]),
        (30, 48, 36, 0.4307745748837651, 0.9889918, [0.087830774, 0.85139340, 0.39796224]),
        (67.02064514160156, 200, 190, 0.3967800625602862, 0.9729915, [0.096391461, 0.70984905, 0.39493313]),
    ])
    func flipIsThatOfItsAuthors(
        pixelsPerDegree: Double, width: Int, height: Int, mean: Double, max: Double, errors: [Double]
    ) throws {
        let found = try difference(.flip(pixelsPerDegree: pixelsPerDegree), width, height)
        let (map, statistics) = (try #require(found.errorMap), try #require(found.statistics))
        #expect(abs(statistics.mean - mean) < 2e-6)
        #expect(abs(statistics.max - max) < 2e-5)
        for (place, error) in zip([0, 15 * width + 20, width * height - 1], errors) {
            #expect(abs(Double(map.errors[place]) - error) < 2e-5)
        }
    }

    @Test(arguments: [
        (SSIM.Channels.luma, 48, 36, 0.566207816145103), (.luma, 200, 190, 0.5928895021490219),
        (.rgb, 48, 36, 0.5764499749429866), (.rgb, 200, 190, 0.6452055652389826),
    ])
    func similarityIsThatOfScikitImage(channels: SSIM.Channels, width: Int, height: Int, mean: Double) throws {
        let found = try difference(.ssim(channels), width, height)
        #expect(try abs(#require(found.statistics).mean - mean) < 1e-7)
        guard channels == .luma, width == 48 else { return }
        let errors = try #require(found.errorMap).errors
        for (place, similarity) in [
            (0, 0.9426715821619088), (15 * 48 + 20, 0.8283235375860135), (1727, 0.886317506962755),
        ] {
            #expect(abs(1 - Double(errors[place]) - similarity) < 1e-6)
        }
    }

    @Test func similarityAtSeveralScalesIsThatOfItsDefinition() throws {
        #expect(try abs(#require(difference(.multiScaleSSIM, 200, 190).statistics).mean - 0.7904242443122007) < 1e-9)
        let error = thrown(DiffError.self) { try difference(.multiScaleSSIM, 160, 190) }
        #expect(error?.description.contains("161×161") == true)
    }

    @Test func distanceOfColorsIsThatOfOKLab() throws {
        let found = try difference(.oklab)
        #expect(try abs(#require(found.statistics).mean - 9.768498856850918) < 1e-5)
        #expect(abs(found.maxDelta - 68.88931604907856) < 1e-4)
        #expect(try abs(Double(#require(found.errorMap).errors[15 * 48 + 20]) - 23.505044693996705) < 1e-5)
    }

    static let all: [ErrorMetric] = [.flip(pixelsPerDegree: 67), .ssim(.luma), .ssim(.rgb), .multiScaleSSIM, .oklab]

    @Test(arguments: all)
    func equalPicturesHaveNoError(metric: ErrorMetric) throws {
        let image = Self.picture(200, 190, 1)
        let limits = ErrorLimits(threshold: 0, mean: 0)
        let found = try Comparison(metric: .error(metric, limits)).compare(reference: image, actual: image)
        #expect(found.isSame && found.differingPixels == 0 && found.maxAt == nil)
        #expect(found.statistics?.mean == (metric.isSimilarity ? 1 : 0))
    }

    /// What would pass, passes, and a little less does not.
    @Test(arguments: all)
    func limitsDecide(metric: ErrorMetric) throws {
        let found = try difference(metric, 200, 190, threshold: 0.01, mean: 0.001)
        #expect(!found.isSame && found.differingPixels > 0)
        guard case .error(_, let limits) = try #require(found.wouldPass?.metric), let threshold = limits.threshold,
            let mean = limits.mean
        else { throw DiffError.outOfMemory(width: 0, height: 0) }
        #expect(try difference(metric, 200, 190, threshold: threshold, mean: mean).isSame)
        #expect(try !difference(metric, 200, 190, threshold: threshold * 0.999, mean: mean).isSame)
        #expect(try !difference(metric, 200, 190, threshold: threshold, mean: mean * 0.999).isSame)
        #expect(try difference(metric, 200, 190, mean: mean).isSame, "no pixel is judged")
    }

    @Test func translucentPixelsAreComparedOverTheWorseBackdrop() throws {
        // White and transparent differ over black only, black and transparent over white only.
        for (level, backdrop) in [(UInt8(255), ErrorStatistics.Backdrop.black), (0, .white)] {
            let a = PictureMaker.plain(20, 20, [level, level, level, 255])
            let b = PictureMaker.plain(20, 20, [0, 0, 0, 0])
            for metric in [ErrorMetric.flip(pixelsPerDegree: 67), .ssim(.luma), .oklab] {
                let found = try Comparison(metric: .error(metric, ErrorLimits(threshold: 0.1)))
                    .compare(reference: a, actual: b)
                #expect(found.statistics?.backdrop == backdrop && found.differingPixels == 400)
            }
        }
    }

    @Test func aSimilarityOfBorderPixelsAloneIsTheirs() throws {
        var other = Self.picture(100, 100, 1)
        for x in 0..<100 { other[x, 0] = [255, 0, 0, 255] }
        let inner = PixelRect(minX: 5, minY: 5, maxX: 95, maxY: 95)
        let found = try Comparison(
            metric: .error(.ssim(.luma), ErrorLimits(threshold: nil, mean: 0.01)), exclusion: Exclusion(rects: [inner])
        ).compare(reference: Self.picture(100, 100, 1), actual: other)
        #expect(!found.isSame)
        #expect(!found.summary.contains("--max-pixels"), "no number of pixels passes with such a mean")
    }

    @Test(arguments: all)
    func excludedPixelsAreSeenByNoWindow(metric: ErrorMetric) throws {
        let reference = Self.picture(180, 170, 0)
        var actual = reference
        for y in 60..<70 {
            for x in 50..<80 { actual.pixels[(y * 180 + x) * 4 + x % 3] ^= 0x80 }
        }
        func mean(_ rects: [PixelRect]) throws -> Double {
            let found = try Comparison(
                metric: .error(metric, ErrorLimits(threshold: 0, mean: 0)), exclusion: Exclusion(rects: rects)
            ).compare(reference: reference, actual: actual)
            #expect(found.isSame == (found.differingPixels == 0))
            return try #require(found.errorMap).meanError
        }
        #expect(try mean([PixelRect(minX: 50, minY: 60, maxX: 80, maxY: 70)]) == 0)
        #expect(try mean([PixelRect(minX: 50, minY: 60, maxX: 79, maxY: 70)]) > 0)
        #expect(throws: DiffError.nothingCompared) { try mean([PixelRect(width: 180, height: 170)]) }
    }

    @Test func excludedPixelsAndRegionsCountAsForOtherMetrics() throws {
        let (a, b) = (Self.picture(48, 36, 0), Self.picture(48, 36, 1))
        let loupe = Loupe(center: Point(x: 20, y: 15), radius: 10, zoom: 2)
        let layer = Layer(
            content: .fill(Color(red: 9, green: 9, blue: 9)), rect: Rect(x: 4, y: 4, width: 40, height: 28))
        let scene = Scene(canvas: .init(width: 48, height: 36), layers: [layer], loupes: [loupe])
        let rect = PixelRect(minX: 0, minY: 0, maxX: 48, maxY: 8)
        let found = try Comparison(
            metric: .error(.oklab, ErrorLimits(threshold: 2)), exclusion: Exclusion(rects: [rect]), scene: scene
        ).compare(reference: a, actual: b)
        #expect(found.totalPixels == 48 * 28)
        #expect(found.regions.reduce(0) { $0 + $1.differingPixels } == found.differingPixels)
        let errors = try #require(found.errorMap).errors[(48 * 8)...]
        #expect(found.differingPixels == errors.count { $0 > 2 })
        #expect(
            try abs(#require(found.statistics).mean - errors.reduce(0) { $0 + Double($1) } / Double(48 * 28)) < 1e-9)
    }
}

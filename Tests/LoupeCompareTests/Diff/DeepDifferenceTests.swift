import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

/// Samples of 16 bits are compared as they are, and rounded ones never say "same" of others.
struct DeepDifferenceTests {
    private static func image(_ value: UInt16) -> Image {
        Image(width: 3, height: 2, pixels16: (0..<24).map { $0 % 4 == 3 ? 65535 : $0 < 4 ? value : 1000 })
    }

    private static func difference(_ a: Image, _ b: Image, tolerance: Double = 0) throws -> Difference {
        try Comparison(metric: .channel(Tolerance(tolerance))).compare(reference: a, actual: b)
    }

    @Test("a step that 8 bits lose is a difference")
    func hiddenStep() throws {
        let difference = try Self.difference(Self.image(1000), Self.image(1100))
        #expect(!difference.isSame)
        #expect(difference.differingPixels == 1)
        #expect(difference.maxAt?.x == 0)
        #expect(difference.boxes.map(\.description) == ["0,0,1x1"])
        #expect(difference.summary.contains("1 of 6 pixels differs (16.7 %); largest difference 0.3891 at 0,0"))
        #expect(difference.summary.contains("would pass at --tolerance 0.3892 or --max-pixels 1"))
        #expect(difference.summary.hasSuffix("compared in 16 bits, sRGB"))
    }

    @Test("what would pass passes, and a step less does not")
    func wouldPass() throws {
        for steps: UInt16 in [1, 3, 100, 257, 300] {
            let (a, b) = (Self.image(1000), Self.image(1000 + steps))
            let metric = try #require(try Self.difference(a, b).wouldPass?.metric)
            guard case .channel(let tolerance) = metric else { throw Unexpected() }
            #expect(try Self.difference(a, b, tolerance: tolerance.base).isSame)
            #expect(try !Self.difference(a, b, tolerance: tolerance.base - 0.001).isSame)
        }
    }

    @Test("each pixel differs whose premultiplied channels do, by exact arithmetic", arguments: [1.0, 0.05])
    func exactArithmetic(share: Double) throws {
        var random = SystemRandomNumberGenerator()
        let (width, height) = (67, 131)
        var (a, b) = ([UInt16](), [UInt16]())
        for _ in 0..<width * height {
            let pixel = (0..<4).map {
                $0 == 3 && Bool.random(using: &random) ? 65535 : UInt16.random(in: 0...65535, using: &random)
            }
            let isChanged = Double.random(in: 0..<1, using: &random) < share
            a += pixel
            b += pixel.map { isChanged ? $0 ^ UInt16.random(in: 0...1023, using: &random) : $0 }
        }
        func premultiplied(_ samples: [UInt16], _ index: Int) -> Double {
            let alpha = Double(samples[index | 3])
            return index % 4 == 3 ? alpha : (Double(samples[index]) * alpha / 65535).rounded()
        }
        let pixels = (0..<width * height).map { pixel in
            (4 * pixel..<4 * pixel + 4).map { abs(premultiplied(a, $0) - premultiplied(b, $0)) / 257 }.max() ?? 0
        }
        let images = [a, b].map { Image(width: width, height: height, pixels16: $0) }
        for tolerance in [0, 0.1, 1, 2.5] {
            let found = try Self.difference(images[0], images[1], tolerance: tolerance)
            let expected = pixels.indices.filter { pixels[$0] > tolerance }
            #expect(found.places == expected.map { [$0 % width, $0 / width] })
            #expect(found.maxDelta == pixels.max())
            for level in [0, 1, 2] { #expect(found.pixels(over: level) == pixels.count { $0 > Double(level) }) }
        }
    }

    private struct Unexpected: Error {}

    @Test("pixels that are left out, and colours of transparent ones, do not count")
    func leftOut() throws {
        let exclusion = Exclusion(rects: [PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1)])
        let (a, b) = (Self.image(1000), Self.image(1100))
        #expect(try Comparison(exclusion: exclusion).compare(reference: a, actual: b).isSame)
        let clear = (0..<2).map { Image(width: 1, height: 1, pixels16: [UInt16($0) * 500, 7, 9, 0]) }
        #expect(try Self.difference(clear[0], clear[1]).isSame)
    }

    @Test("the rows of all bands are compared, each pixel by the tolerance of its region")
    func regions() throws {
        let scene = Scene(canvas: .init(width: 10, height: 150), layers: [])
        var samples = [UInt16](repeating: 65535, count: 10 * 150 * 4)
        let reference = Image(width: 10, height: 150, pixels16: samples)
        samples[(140 * 10 + 3) * 4] -= 300
        let actual = Image(width: 10, height: 150, pixels16: samples)
        func isSame(_ tolerance: Tolerance) throws -> Bool {
            try Comparison(metric: .channel(tolerance), scene: scene).compare(reference: reference, actual: actual)
                .isSame
        }
        #expect(try !isSame(Tolerance(1)))
        #expect(try isSame(Tolerance(1.2)))
        #expect(try isSame(Tolerance(0, regions: [.background: 1.2])))
        #expect(try !isSame(Tolerance(0, regions: [.rim: 255])), "the tolerance of a region is not that of others")
    }

    @Test("a tolerance counts in steps of 8 bits")
    func tolerance() throws {
        #expect(try Self.difference(Self.image(1000), Self.image(1257), tolerance: 1).isSame)
        #expect(try !Self.difference(Self.image(1000), Self.image(1258), tolerance: 1).isSame)
    }

    @Test("equal pictures say that 16 bits were compared")
    func equal() throws {
        let difference = try Self.difference(Self.image(1000), Self.image(1000))
        #expect(difference.isSame)
        #expect(difference.summary.contains("none of 6 pixels differs; compared in 16 bits, sRGB"))
    }

    @Test("8 bits are compared with 16")
    func depths() throws {
        let rounded = Image(width: 3, height: 2, pixels: Self.image(1000).pixels)
        #expect(try !Self.difference(rounded, Self.image(1000)).isSame)
    }

    @Test("another metric says that it compares 8 bits")
    func otherMetric() throws {
        let comparison = Comparison(metric: .yiq(threshold: 0.1, includesAntialiased: true))
        let difference = try comparison.compare(reference: Self.image(1000), actual: Self.image(1100))
        #expect(difference.isSame)
        #expect(
            difference.summary.contains("16-bit samples were rounded to 8 bits, before which 1 pixel differs"))
        #expect(difference.summary.hasSuffix("compared in 8 bits, sRGB"))
    }

    @Test("a limit of 0 lets no rounding pass")
    func exactMetrics() throws {
        for metric in [
            Metric.yiq(threshold: 0, includesAntialiased: true), .error(.oklab, ErrorLimits(threshold: 0)),
            .error(.ssim(.luma), ErrorLimits(threshold: nil, mean: 0)),
        ] {
            let comparison = Comparison(metric: metric)
            #expect(try !comparison.compare(reference: Self.image(1000), actual: Self.image(1100)).isSame)
            #expect(try comparison.compare(reference: Self.image(1000), actual: Self.image(1000)).isSame)
        }
    }
}

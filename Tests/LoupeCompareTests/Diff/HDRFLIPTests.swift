import Glibc
import LoupeImaging
import Testing

@testable import LoupeCompare

/// HDR-FLIP against numbers of flip-evaluator 1.7; `tools/check/metrics` compares more pictures.
struct HDRFLIPTests {
    private static func image(_ color: (_ x: Int, _ y: Int, _ channel: Int) -> Float) -> LinearImage {
        let values = (0..<40).flatMap { y in (0..<50).flatMap { x in (0..<3).map { color(x, y, $0) } } }
        return LinearImage(width: 50, height: 40, values: values)
    }

    private static let reference = image { x, y, channel in
        Float((x * 7 + y * 13 + channel * 29) % 64) / 8 * exp2(Float(x / 10 - 2))
    }
    private static let actual = image { x, y, channel in
        Float((x * 7 + y * 13 + channel * 29) % 64) / 8 * exp2(Float(x / 10 - 2)) * (1 + Float((x + y) % 5) / 16)
    }

    private static func mean(_ actual: LinearImage, _ reference: LinearImage) throws -> Double {
        let pictures = [reference, actual].map { CropPicture($0, exposure: 0) }
        return try #require(CropMetric.diff(.flip).values([pictures[1]], reference: pictures[0]).first)
    }

    @Test func numbersAreThoseOfFlipEvaluator() throws {
        #expect(abs(try Self.mean(Self.actual, Self.reference) - 0.13499607) < 1e-5)
        #expect(abs(try Self.mean(Self.reference, Self.actual) - 0.13999739) < 1e-5)
        #expect(try Self.mean(Self.reference, Self.reference) == 0)
        let factors = HDRFLIP(reference: Self.reference).factors
        #expect(
            factors.count == 3 && abs(log2(factors[0]) + 3.679785) < 1e-5 && abs(log2(factors[2]) + 0.751353) < 1e-5)
    }

    @Test func blackAndEnormousPicturesHaveNumbers() throws {
        let black = Self.image { _, _, _ in 0 }
        let half = Self.image { x, _, _ in x < 30 ? 0 : Float(x) }
        let enormous = Self.image { x, y, _ in x == 7 ? .greatestFiniteMagnitude : -Float(y) }
        for (a, b) in [(black, half), (half, black), (enormous, half), (half, enormous), (black, black)] {
            #expect(try (0...1).contains(Self.mean(a, b)))
        }
        #expect(HDRFLIP(reference: black).factors.count == 2)
        #expect(
            try CropMap.flip.pictures(
                [CropPicture(half, exposure: 0)], reference: CropPicture(black, exposure: 0), brightest: 1)[0].width
                == 50)
    }

    @Test(
        "light too faint for an exposure is black",
        arguments: [Float.leastNonzeroMagnitude, Float.leastNormalMagnitude / 4, 1e-38])
    func faintLight(value: Float) {
        var values = [Float](repeating: 0, count: 27)
        values[13] = value
        let factors = HDRFLIP(reference: LinearImage(width: 3, height: 3, values: values)).factors
        #expect(factors.count == 2)
        #expect(factors.allSatisfy { $0.isFinite })
    }

    /// sRGB's curve, of light that is made brighter first.
    @Test func lightIsShownAtAnExposure() {
        let ramp = LinearImage(
            width: 4, height: 1, values: [0, 0.5, 1, 0.25, -3, 7, 1e-4, 0.0031, 0.2, .greatestFiniteMagnitude, 0, 0])
        func levels(_ exposure: Int) -> [UInt8] {
            (0..<16).map { index in
                if index % 4 == 3 { return 255 }
                let light = min(max(ramp.values[index / 4 * 3 + index % 4] * exp2(Float(exposure)), 0), 1)
                let encoded = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
                return UInt8((255 * encoded).rounded())
            }
        }
        for exposure in [-3, 0, 1, 5] { #expect(ramp.shown(exposure: Double(exposure)).pixels == levels(exposure)) }
    }

    @Test func squaredErrorsAreThoseOfTheLight() throws {
        let a = CropPicture(Self.image { _, _, channel in Float(channel) }, exposure: 4)
        let b = CropPicture(Self.image { x, _, channel in Float(channel) + (x < 25 ? 3 : 0) }, exposure: 4)
        #expect(try CropMetric.mse.values([b], reference: a) == [4.5])
        #expect(abs(try CropMetric.psnr.values([b], reference: a)[0] + 6.532125137753437) < 1e-12)
        let relative: Double = [0.01, 1.01, 4.01].reduce(0) { $0 + 9 / $1 / 6 }
        #expect(abs(try CropMetric.relativeMSE.values([b], reference: a)[0] - relative) < 1e-9)
    }
}

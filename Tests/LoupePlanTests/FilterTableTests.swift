import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// The tables against the numbers that Pillow's resampling gives, and against closed forms.
@Suite struct FilterTableTests {
    /// The layer's axis on which `size` pixels show the texels from `low` to `high`.
    private static func mapping(_ low: Double, _ high: Double, size: Int, texels: Int) -> AxisMapping {
        let pixelsPerTexel = Double(size) / (high - low)
        return AxisMapping(
            center: 0, focus: 0, magnification: 1, rectStart: -low * pixelsPerTexel,
            rectLength: Double(texels) * pixelsPerTexel, texels: texels, isCropped: false)
    }

    private static let encodedCases = PillowData.shared.cases.filter { $0.blending == "srgb" }

    /// Pillow computes in 32-bit floats and the data hold three decimals.
    @Test(arguments: encodedCases)
    func mixesTexelsAsPillowDoes(_ data: PillowData.Case) throws {
        let picture = try #require(PillowData.shared.pictures[data.picture])
        let filter = try #require(Filter(rawValue: data.filter))
        let columns = FilterTable(
            Self.mapping(data.box[0], data.box[2], size: data.size[0], texels: picture.width), filter: filter,
            pixels: 0..<data.size[0])
        let rows = FilterTable(
            Self.mapping(data.box[1], data.box[3], size: data.size[1], texels: picture.height), filter: filter,
            pixels: 0..<data.size[1])
        for y in 0..<data.size[1] {
            for x in 0..<data.size[0] {
                let expected = data.exact[(y * data.size[0] + x) * 4..<(y * data.size[0] + x) * 4 + 4]
                let mixed = straight(mix(picture, columns, x, rows, y))
                for (a, b) in zip(mixed, expected) where expected.last ?? 0 > 1 {
                    #expect(abs(a - b) < 0.02, "pixel \(x), \(y): \(mixed) instead of \(Array(expected))")
                }
            }
        }
    }

    /// Premultiplied, 0 … 255.
    private func mix(
        _ picture: PillowData.Picture, _ columns: FilterTable, _ x: Int, _ rows: FilterTable, _ y: Int
    ) -> SIMD4<Double> {
        var sum = SIMD4<Double>.zero
        for j in 0..<rows.taps where rows.weights[y * rows.taps + j] != 0 {
            for i in 0..<columns.taps where columns.weights[x * columns.taps + i] != 0 {
                let texel = ((rows.firstTexels[y] + j) * picture.width + columns.firstTexels[x] + i) * 4
                let bytes = picture.pixels[texel..<texel + 4].map(Double.init)
                let alpha = bytes[3]
                let color = SIMD4(bytes[0] * alpha / 255, bytes[1] * alpha / 255, bytes[2] * alpha / 255, alpha)
                sum += rows.weights[y * rows.taps + j] * columns.weights[x * columns.taps + i] * color
            }
        }
        return sum
    }

    /// Clamped once, alpha to 0 … 1 and colour to alpha (specification, section 5), then divided by alpha.
    private func straight(_ mixed: SIMD4<Double>) -> [Double] {
        let alpha = min(max(mixed.w, 0), 255)
        return [mixed.x, mixed.y, mixed.z].map { alpha == 0 ? 0 : min(max($0, 0), alpha) / alpha * 255 } + [alpha]
    }

    @Test(arguments: Filter.allCases, [0.2, 1, 1.7, 23])
    func weightsSumToOneAndNameTexelsOfTheImage(_ filter: Filter, texelsPerPixel: Double) {
        let mapping = Self.mapping(-9.3, -9.3 + 40 * texelsPerPixel, size: 40, texels: 17)
        let table = FilterTable(mapping, filter: filter, pixels: 0..<40)
        for pixel in 0..<40 {
            let weights = table.weights[pixel * table.taps..<(pixel + 1) * table.taps]
            #expect(abs(weights.reduce(0, +) - 1) < 1e-12)
            let used = weights.count - weights.reversed().prefix { $0 == 0 }.count
            #expect(table.firstTexels[pixel] >= 0 && table.firstTexels[pixel] + used <= 17)
        }
        #expect(table.texels.lowerBound >= 0 && table.texels.upperBound <= 17)
    }

    @Test func magnifiedLinearWeighsTheTwoNearestTexelsByDistance() {
        let mapping = Self.mapping(3, 8, size: 20, texels: 17)
        let table = FilterTable(mapping, filter: .linear, pixels: 0..<20)
        for pixel in 0..<20 {
            let position = 3 + (Double(pixel) + 0.5) / 4 - 0.5
            let texel = position.rounded(.down)
            for tap in 0..<table.taps {
                let distance = abs(Double(table.firstTexels[pixel] + tap) - position)
                #expect(abs(table.weights[pixel * table.taps + tap] - max(0, 1 - distance)) < 1e-12)
            }
            #expect(mapping.linearStart(pixel: pixel).texel == Int(texel))
        }
    }

    /// Texels whose borders lie on those of pixels have no edge to anti-alias.
    @Test(arguments: [1.0, 3, 8]) func sharpIsNearestWhereTexelsLieOnWholePixels(pixelsPerTexel: Double) {
        let mapping = Self.mapping(-2, 10, size: Int(12 * pixelsPerTexel), texels: 9)
        let pixels = 0..<Int(12 * pixelsPerTexel)
        let sharp = FilterTable(mapping, filter: .sharp, pixels: pixels)
        let nearest = FilterTable(mapping, filter: .nearest, pixels: pixels)
        for index in pixels {
            let weights = sharp.wholeWeights(ofPixelAt: index)
            let texels = weights.indices.filter { weights[$0] != 0 }.map { sharp.firstTexels[index] + $0 }
            #expect(texels == [nearest.firstTexels[index]])
        }
    }
}

/// Weights as whole numbers: exact in sum, near in value, and small enough for 32-bit sums.
@Suite struct WholeWeightsTests {
    /// A layer of `texels` stretched to `length`, over each pixel that it covers at all.
    private func table(_ filter: Filter, texels: Int, length: Double, start: Double) -> FilterTable {
        let layer = Layer(
            content: .image(path: "page.png"), rect: Rect(x: start, y: 0, width: length, height: 1))
        let mapping = AxisMapping.columns(of: layer, in: .base, texels: texels)
        let pixels = Int((start - 0.5).rounded(.up))..<Int((start + length + 0.5).rounded(.down))
        return FilterTable(mapping, filter: filter, pixels: pixels)
    }

    @Test(arguments: Filter.allCases, [(1, 9.0), (2, 7.7), (40, 9.5), (900, 30.25), (65_535, 12.0), (30, 500.0)])
    func theySumToTheUnitAndStayNearTheExactOnes(filter: Filter, size: (texels: Int, length: Double)) {
        for start in [0, 0.25, 3.49, 10.5, 12.999] {
            let table = table(filter, texels: size.texels, length: size.length, start: start)
            for index in table.firstTexels.indices {
                let whole = table.wholeWeights(ofPixelAt: index)
                let exact = table.weights[index * table.taps..<(index + 1) * table.taps]
                #expect(whole.reduce(0, +) == FilterTable.wholeUnit)
                let unit = Double(FilterTable.wholeUnit)
                let errors = zip(whole, exact).map { abs(Double($0) - $1 * unit) }
                #expect(errors.allSatisfy { $0 <= 1.0001 })
                #expect(whole.reduce(0) { $0 + abs($1) } < 4 * FilterTable.wholeUnit, "sums must fit 32 bits")
            }
        }
    }
}

import LoupeGeometry
import Testing

@testable import LoupePlan
@testable import LoupeScene

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
                for (a, b) in zip(whole, exact) {
                    #expect(abs(Double(a) - b * Double(FilterTable.wholeUnit)) <= 1.0001)
                }
                #expect(whole.reduce(0) { $0 + abs($1) } < 4 * FilterTable.wholeUnit, "sums must fit 32 bits")
            }
        }
    }
}

import LoupeBase
import LoupeCompare
import LoupeScene
import Testing

@testable import LoupeCompare

@Suite struct CaseLimitsTests {
    private func limitsOf(radius: Double, exponent: Double, _ blending: Blending = .srgb) -> CaseLimits {
        let layer = Layer(
            content: .fill(.defaultBackground), rect: Rect(x: 0, y: 0, width: 100, height: 100),
            corner: Corner(radius: radius, exponent: exponent))
        return CaseLimits(for: Scene(canvas: .init(width: 100, height: 100), blending: blending, layers: [layer]))
    }

    @Test("The specification's three tolerances, each where its range says")
    func tolerances() {
        let usual = CaseLimits(tolerance: Tolerance(2), share: .init(level: 1, ratio: 0.001))
        let linear = CaseLimits(tolerance: Tolerance(3), share: .init(level: 1, ratio: 0.01))
        let extreme = CaseLimits(tolerance: Tolerance(8))
        #expect(limitsOf(radius: 4, exponent: 8) == usual)
        #expect(limitsOf(radius: 0, exponent: 32) == usual)
        #expect(limitsOf(radius: 3.9, exponent: 2) == extreme)
        #expect(limitsOf(radius: 40, exponent: 8.1) == extreme)
        #expect(limitsOf(radius: 40, exponent: 2, .linear) == linear)
        #expect(limitsOf(radius: 40, exponent: 9, .linear) == extreme)
    }
}

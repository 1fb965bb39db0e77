import LoupeImaging
import Testing

@testable import LoupeCompare

/// Samples of 16 bits are compared as they are, and rounded ones never say "same" of others.
struct DeepDifferenceTests {
    private static func image(_ value: UInt16) -> Image {
        Image(width: 3, height: 2, pixels16: (0..<24).map { $0 % 4 == 3 ? 65535 : $0 < 4 ? value : 1000 })
    }

    private static func difference(_ a: Image, _ b: Image, tolerance: Int = 0) throws -> Difference {
        try Comparison(metric: .channel(Tolerance(tolerance))).compare(reference: a, actual: b)
    }

    @Test("a step that 8 bits lose is a difference")
    func hiddenStep() throws {
        let difference = try Self.difference(Self.image(1000), Self.image(1100))
        #expect(!difference.isSame)
        #expect(difference.differingPixels == 0)
        #expect(difference.deep?.differingPixels == 1)
        #expect(
            difference.summary.contains("none of 6 pixels differs in 8 bits; in 16 bits 1 does, by up to 0.39 of 255"))
        #expect(difference.summary.contains("would pass at --tolerance 1"))
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
        #expect(difference.summary.contains("compared in 16 bits"))
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
        #expect(difference.summary.contains("16-bit samples were rounded to 8 bits"))
    }
}

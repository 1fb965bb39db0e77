import LoupeScene
import Testing

/// What readers with a colour-vision deficiency see, and how clearly text stands out.
@Suite struct ColorVisionTests {
    /// Computed by hand from the published matrices: red in linear light is (1, 0, 0), so a matrix's first column is encoded.
    @Test func redIsWhatTheMatricesSay() {
        let red = Color(red: 255, green: 0, blue: 0)
        #expect(ColorVision.deuteranopia.seen(red) == Color(red: 163, green: 144, blue: 0))
        #expect(ColorVision.protanopia.seen(red) == Color(red: 109, green: 95, blue: 0))
    }

    @Test func greysStayTheSameAndAlphaIsKept() {
        for vision in ColorVision.allCases {
            for value in stride(from: UInt8(0), through: 250, by: 25) {
                let grey = Color(red: value, green: value, blue: value, alpha: 77)
                #expect(vision.seen(grey) == grey)
            }
        }
    }

    /// Two colours that a reader without cones for middle waves takes for the same, and blue and yellow, which everyone
    /// tells apart.
    @Test func redAndGreenLookAlikeToSome() throws {
        func distance(_ one: String, _ two: String, _ vision: ColorVision?) throws -> Double {
            let (one, two) = (try #require(Color(hex: one)), try #require(Color(hex: two)))
            let (a, b) = (OKLab(vision?.seen(one) ?? one), OKLab(vision?.seen(two) ?? two))
            return a.contrast(to: b)
        }
        #expect(try distance("#c0392b", "#4d8a2f", nil) > 0.2)
        #expect(try distance("#c0392b", "#4d8a2f", .deuteranopia) < 0.03)
        for vision in ColorVision.allCases { #expect(try distance("#0040c0", "#ffd60a", vision) > 0.3) }
    }

    /// Values of the guidelines' own definition: black on white is 21 : 1, and #767676 the lightest grey of 4.5 : 1.
    @Test func contrastRatiosAreThoseOfTheGuidelines() throws {
        let white = Color(red: 255, green: 255, blue: 255)
        #expect(abs(white.contrastRatio(to: Color(red: 0, green: 0, blue: 0)) - 21) < 1e-9)
        #expect(try #require(Color(hex: "#767676")).contrastRatio(to: white) >= 4.5)
        #expect(try #require(Color(hex: "#777777")).contrastRatio(to: white) < 4.5)
    }
}

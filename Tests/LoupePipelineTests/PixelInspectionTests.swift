import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupePipeline

/// What `inspect` says of pixels, and of what a scene shows there.
@Suite struct PixelInspectionTests {
    private static let six = Image(
        width: 3, height: 2,
        pixels: [255, 0, 0, 255, 0, 255, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0, 255, 255, 255, 255, 1, 2, 3, 4])

    private func inspect(_ x: Double, _ y: Double, count: Int = 1) -> PixelInspection? {
        PixelInspection(of: Self.six, as: "page", named: "six.png", at: Point(x: x, y: y), count: count)
    }

    @Test func numbersAreThoseOfThePixel() throws {
        let expected: JSONValue = [
            "page": ["name": "six.png", "width": .number(3), "height": .number(2)],
            "at": [.number(2), .number(0)], "pixel": [.number(2), .number(0)],
            "center": [.number(2.5), .number(0.5)], "hex": "#0a141e",
            "straight": [.number(10), .number(20), .number(30), .number(255)],
            "neighbours": [["#0a141e"]],
        ]
        #expect(inspect(2, 0)?.json == expected)
    }

    @Test(arguments: [(3, 0), (0, 2), (-0.1, 0), (1, -5), (400.5, 1)] as [(Double, Double)])
    func noPixelLiesOutside(x: Double, y: Double) { #expect(inspect(x, y) == nil) }
}

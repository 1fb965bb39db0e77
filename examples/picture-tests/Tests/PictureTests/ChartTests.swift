import LoupeBase
import LoupeImaging
import LoupeTesting
import XCTest

/// A picture that this package draws itself.
final class ChartTests: XCTestCase {
    func testBarsGrow() {
        // The last row is a clock, which differs each time.
        let clock = PixelRect(minX: 0, minY: 31, maxX: 64, maxY: 32)
        expectMatches(bars(), reference: "bars", tolerance: 2, ignoring: [clock])
    }

    private func bars() -> Image {
        let pixels = (0..<64 * 32).flatMap { place -> [UInt8] in
            let (x, y) = (place % 64, place / 64)
            if y == 31 { return [UInt8.random(in: 0...255), 0, 0, 255] }
            return 31 - y < x / 8 * 4 ? [40, 90, 200, 255] : [255, 255, 255, 255]
        }
        return Image(width: 64, height: 32, pixels: pixels)
    }
}

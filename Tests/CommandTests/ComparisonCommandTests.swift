import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// The same place in several pages.
@Suite struct ComparisonCommandTests {
    let place: Workplace
    private static let flags = [
        "--callout", "8,9@28,18", "--radius", "9", "--letters", "a", "--label-font", "DejaVu Sans", "--scale", "1",
    ]

    init() throws {
        place = try Workplace()
        var other = Workplace.page
        other = Image(width: 40, height: 30, pixels: other.pixels.map { 255 - $0 / 2 })
        try place.put(other, "other.png")
        try place.put(Workplace.page, "third.png")
        try place.put(Image(width: 39, height: 30, pixels: [UInt8](repeating: 255, count: 39 * 30 * 4)), "small.png")
    }

    private func scene(_ flags: [String]) throws -> Scene { try place.scene(["page.png"] + Self.flags + flags) }

    /// The same page twice is the same picture twice.
    @Test(arguments: [[], ["--reference"]]) func cellsOfOnePageAreAlike(_ flags: [String]) throws {
        place.run(
            ["page.png", "-o", "out.png", "--compare-with", "third.png", "--titles", "same,same"] + Self.flags + flags)
        let picture = try place.image("out.png")
        let scene = try scene(["--compare-with", "third.png"])
        let step = Int(scene.layers[1].rect.x)
        var largest = 0
        for y in 0..<picture.height {
            for byte in (y * picture.width * 4)..<(y * picture.width + 40) * 4 {
                let (first, second) = (picture.pixels[byte], picture.pixels[byte + step * 4])
                largest = max(largest, abs(Int(first) - Int(second)))
            }
        }
        // The device's floats are rounded differently at other places.
        #expect(largest <= (flags.isEmpty ? 1 : 0))
    }

    @Test func pagesThatDoNotFitAreNamed() {
        place.expectFailure(
            ["page.png", "-o", "out.png", "--compare-with", "other.png,small.png"] + Self.flags, 65,
            naming: "small.png", "39×30", "40×30")
        place.expectFailure(["page.png", "-o", "out.png", "--compare-with", "gone.png"], 66, naming: "gone.png")
    }
}

extension ComparisonCommandTests {
    /// Bars of a light page are dark, and those of a dark page light, whatever is beside it; letters are as dark as they need to be.
    @Test func textSuitsEachPage() throws {
        for (name, value) in [("light.png", UInt8(250)), ("dark.png", 20)] {
            let pixels = (0..<400 * 300).flatMap { _ -> [UInt8] in [value, value, value, 255] }
            try place.put(Image(width: 400, height: 300, pixels: pixels), name)
        }
        for factor in ["1", "3"] {
            let scene = try place.scene([
                "light.png", "--compare-with", "dark.png,light.png", "--callout", "80,90@280,180", "--radius", "60",
                "--letters", "a", "--pixel-size", "1um", "--titles", "x,y,z", "--scale", factor,
            ])
            let (black, white) = (Color.defaultInk, Color.defaultRim)
            let letters = scene.labels.filter { $0.text == "a" }
            let (dark, light) = ("#ce4145", "#e5484d")
            #expect(letters.map(\.style.color.hex) == [dark, dark, light, light, dark, dark])
            #expect(scene.labels.filter { $0.text != "a" }.allSatisfy { $0.style.color == black })
            #expect(scene.scaleBars.map(\.style.color) == [black, black, white, white, black, black])
        }
    }
}

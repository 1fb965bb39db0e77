import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// The same place in several pages.
@Suite struct ComparisonCommandTests {
    let place: Workplace
    private static let flags = [
        "--callout", "8,9@28,18", "--radius", "9", "--letters", "a", "--label-font", "DejaVu Sans",
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

    @Test func eachPageHasTheSameLoupesAndLetters() throws {
        let scene = try scene(["--compare-with", "other.png,third.png"])
        #expect(scene.layers.map(\.imagePath) == ["page.png", "other.png", "third.png"])
        let step = scene.layers[1].rect.x - scene.layers[0].rect.x
        #expect(step >= 40 && scene.layers[2].rect.x == 2 * step && scene.layers.allSatisfy { $0.rect.y == 0 })
        for (index, loupe) in scene.loupes.enumerated() {
            var moved = scene.loupes[0]
            moved.center.x += Double(index) * step
            moved.focus.x += Double(index) * step
            #expect(loupe.center == moved.center && loupe.focus == moved.focus && loupe.zoom == moved.zoom)
        }
        #expect(scene.labels.map(\.text) == ["a", "a", "page", "a", "a", "other", "a", "a", "third"])
        #expect(scene.canvas.width == Int(2 * step) + 40 && scene.canvas.height > 30)
    }

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

    @Test func pagesMayStandInRows() throws {
        let scene = try scene([
            "--compare-with", "other.png,third.png,other.png", "--columns", "2", "--titles", "a,b,c,d",
        ])
        #expect(Set(scene.layers.map(\.rect.x)).count == 2 && Set(scene.layers.map(\.rect.y)).count == 2)
        let titles = scene.labels.filter { if case .point = $0.anchor { true } else { false } }
        #expect(titles.map(\.text) == ["a", "b", "c", "d"])
        #expect(try self.scene(["--compare-with", "other.png,third.png,other.png,third.png"]).canvas.width < 200)
    }

    @Test func aJobCompares() throws {
        let job =
            #"{"input": "page.png", "output": "job.png", "callout": "8,9@28,18", "radius": 9, "letters": "a", "label-font": "DejaVu Sans", "compare-with": "other.png", "titles": "x,y"}"#
        place.put(job, "jobs.jsonl")
        #expect(place.command.run("batch", "jobs.jsonl", "--quiet").code == 0)
        place.run(["page.png", "-o", "flags.png", "--compare-with", "other.png", "--titles", "x,y"] + Self.flags)
        #expect(try place.image("job.png") == place.image("flags.png"))
    }

    @Test func aPictureOfSeveralPagesIsDrawnAgain() throws {
        place.run(["page.png", "-o", "out.png", "--compare-with", "other.png"] + Self.flags)
        place.run("out.png", "-o", "again.png")
        #expect(try place.image("out.png") == place.image("again.png"))
    }

    @Test func whatIsWrongIsSaid() {
        place.expectFailure(
            ["page.png", "-o", "out.png", "--compare-with", "other.png,small.png"] + Self.flags, 65,
            naming: "small.png", "39×30", "40×30")
        place.expectFailure(["page.png", "-o", "out.png", "--compare-with", "gone.png"], 66, naming: "gone.png")
        for (flags, words) in [
            (["--titles", "a,b"], "there is nothing to compare"), (["--columns", "2"], "there is nothing to compare"),
            (["--compare-with", "other.png", "--titles", "a"], "1 titles for 2 pages"),
            (["--compare-with", "other.png", "--columns", "0"], "1…100"),
            (["--compare-with", "a,,b"], "a list of pages"),
            (["--compare-with", "other.png", "--canvas", "9000x100"], "16384"),
        ] {
            place.expectFailure(["page.png", "-o", "out.png"] + flags, 64, naming: words)
        }
    }
}

extension ComparisonCommandTests {
    /// Titles are text too.
    @Test func titlesHaveTheirLook() throws {
        let scene = try place.scene([
            "page.png", "--compare-with", "other.png", "--label-font", "DejaVu Sans", "--label-size", "9",
        ])
        #expect(scene.labels.map(\.style.family) == ["DejaVu Sans", "DejaVu Sans"])
        #expect(scene.labels.map(\.style.size) == [9, 9])
    }

    /// Letters and bars of a light page are dark, and those of a dark page light, whatever is beside it.
    @Test func textSuitsEachPage() throws {
        for (name, value) in [("light.png", UInt8(250)), ("dark.png", 20)] {
            let pixels = (0..<40 * 30).flatMap { _ -> [UInt8] in [value, value, value, 255] }
            try place.put(Image(width: 40, height: 30, pixels: pixels), name)
        }
        for factor in ["1", "3"] {
            let scene = try place.scene([
                "light.png", "--compare-with", "dark.png,light.png", "--callout", "8,9@28,18", "--radius", "9",
                "--letters", "a", "--pixel-size", "1um", "--titles", "x,y,z", "--scale", factor,
            ])
            let (black, white) = (Color.defaultInk, Color.defaultRim)
            let letters = scene.labels.filter { $0.text == "a" }
            #expect(letters.map(\.style.color) == [black, black, white, white, black, black])
            #expect(scene.labels.filter { $0.text != "a" }.allSatisfy { $0.style.color == black })
            #expect(scene.scaleBars.map(\.style.color) == [black, black, white, white, black, black])
        }
    }
}

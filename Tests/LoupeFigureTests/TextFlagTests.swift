import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

/// The flags for letters and scale bars, and for the same place in several pages.
@Suite struct TextFlagTests {
    private func labelled(_ flags: [String]) throws -> Scene {
        try FlaggedPage.scene(
            ["--callout", "60,60@200,110", "--radius", "70", "--zoom", "5"] + flags,
            PageFacts(size: ImageSize(width: 300, height: 200)))
    }

    private func compared(_ flags: [String]) throws -> Scene {
        let callout = ["--callout", "8,9@28,18", "--radius", "9", "--scale", "1"]
        return try FlaggedPage.scene(callout + ["--letters", "a", "--label-font", "DejaVu Sans"] + flags)
    }

    @Test func flagsMakeLabels() throws {
        let labels = try labelled(["--letters", "A", "--zoom-label", "--label-size", "20", "--label-color", "#e5484d"])
            .labels
        #expect(labels.map(\.text) == ["A", "A", "5×"])
        #expect(labels.map(\.style.size) == [20, 20, 16])
        #expect(labels.allSatisfy { $0.style.color == Color(text: "#e5484d") && $0.style.halo != nil })
        let words = try labelled(["--loupe", "at=60,150 radius=30 focus=200,20 ring=2 label=ours"]).labels
        #expect(words.map(\.text) == ["ours", "ours"])
        let standard = try labelled(["--letters", "a"]).labels
        #expect(standard.map(\.style.size) == [11, 11] && standard[0].style.family == "sans-serif")
    }

    @Test(arguments: [
        (["--letters", "a"], "there is no loupe to mark"), (["--zoom-label"], "there is no loupe to mark"),
        (["--bar-corner", "top-left"], "there is no scale bar"), (["--label-size", "20"], "there is no text"),
        (["--letters", "b"], "'b' is not one of a, A"), (["--pixel-size", "0.65"], "a number and nm, um, mm"),
        (["--pixel-size", "1um", "--label-size", "2000"], "1…1024"), (["--bar-corner", "left"], "top-left"),
        (["--label-font", "a,b", "--pixel-size", "1um"], "font's family"),
    ]) func whatIsWrongWithTextIsSaid(_ flags: [String], _ words: String) {
        FlaggedPage.expectRefusal(flags, words)
    }

    @Test func eachPageHasTheSameLoupesAndLetters() throws {
        let scene = try compared(["--compare-with", "other.png,third.png"])
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

    @Test func pagesMayStandInRows() throws {
        let scene = try compared([
            "--compare-with", "other.png,third.png,other.png", "--columns", "2", "--titles", "a,b,c,d",
        ])
        #expect(Set(scene.layers.map(\.rect.x)).count == 2 && Set(scene.layers.map(\.rect.y)).count == 2)
        let titles = scene.labels.filter { if case .point = $0.anchor { true } else { false } }
        #expect(titles.map(\.text) == ["a", "b", "c", "d"])
        #expect(try compared(["--compare-with", "other.png,third.png,other.png,third.png"]).canvas.width < 200)
    }

    /// Titles are text too.
    @Test func titlesHaveTheirLook() throws {
        let scene = try FlaggedPage.scene([
            "--compare-with", "other.png", "--label-font", "DejaVu Sans", "--label-size", "9",
        ])
        #expect(scene.labels.map(\.style.family) == ["DejaVu Sans", "DejaVu Sans"])
        #expect(scene.labels.map(\.style.size) == [9, 9])
    }

    @Test func whatIsWrongWithPagesIsSaid() {
        for (flags, words) in [
            (["--titles", "a,b"], "there is nothing to compare"), (["--columns", "2"], "there is nothing to compare"),
            (["--compare-with", "other.png", "--titles", "a"], "1 titles for 2 pages"),
            (["--compare-with", "other.png", "--columns", "0"], "1…100"),
            (["--compare-with", "a,,b"], "a list of pages"),
            (["--compare-with", "other.png", "--canvas", "9000x100"], "16384"),
        ] {
            FlaggedPage.expectRefusal(flags, words)
        }
    }
}

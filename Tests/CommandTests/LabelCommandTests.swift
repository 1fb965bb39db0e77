import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

import func Glibc.pow

/// The flags for letters, zoom factors and scale bars.
@Suite struct LabelCommandTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try place.put(Self.white, "white.png")
    }

    /// 300×200 pixels of white.
    /// White, but for a pixel in the loupe's centre, so that the loupe is not said to show nothing.
    private static let white: Image = {
        var white = Image(width: 300, height: 200, pixels: [UInt8](repeating: 255, count: 300 * 200 * 4))
        white.pixels[4 * (60 * 300 + 60)] = 250
        return white
    }()
    private static let callout = ["--callout", "60,60@200,110", "--radius", "70", "--zoom", "5"]
    private static let font = ["--label-font", "DejaVu Sans"]

    private func scene(_ flags: [String]) throws -> Scene { try place.scene(["white.png"] + Self.callout + flags) }

    @Test func lettersWithoutAValueBeginWithA() throws {
        #expect(try scene(["--letters"] + Self.font).labels.map(\.text) == ["a", "a"])
    }

    /// fontconfig writes its caches where they are missing or old.
    @Test func textIsDrawnWhereFontconfigHasNoCache() throws {
        let caches = place.folder.file("caches")
        place.put(
            """
            <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
            <fontconfig><dir>/usr/share/fonts</dir><cachedir>\(caches)</cachedir></fontconfig>
            """, "fonts.conf")
        let drawn = ["white.png", "-o", "out.png", "--letters", "a"] + Self.callout + Self.font
        let environment = ["FONTCONFIG_FILE": place.folder.file("fonts.conf")]
        place.run(drawn, environment: environment)
        #expect(!place.folder.names(in: "caches").isEmpty)
    }

    /// The drawn length of a bar is right to a tenth of a pixel: what its pixels add up to, against the map's scale.
    @Test(arguments: [[], ["--reference"], ["--depth", "16"], ["--scale", "2.5"], ["--blending", "linear"]])
    func barsAreExact(_ flags: [String]) throws {
        let all =
            [
                "white.png", "-o", "out.png", "--map", "map.json", "--plain", "--pixel-size", "0.65um", "--label-color",
                "black",
            ]
            + Self.callout + Self.font + flags
        place.run(all)
        let scene = try place.scene(all.filter { $0 != "-o" && $0 != "out.png" })
        let views = try place.json("map.json")["views"].elements
        let image = try place.image("out.png")
        let scale = flags.first == "--scale" ? 2.5 : 1
        // The page's bar lies at the bottom, the loupe's above it.
        let bottom = Int(Double(image.height) * 0.88)
        for (bar, view) in zip(scene.scaleBars, views) {
            // toCanvas scales output pixels to canvas pixels; a canvas pixel shows a part of the page's pixel.
            let pixels = bar.length.metres / 0.65e-6 * scale / view["toCanvas"].numbers[0]
            let rows = bar.subject == .loupe(0) ? image.height / 2 + 1..<bottom : bottom + 1..<image.height
            let measured = rows.map { longestBar(inRow: $0, of: image, scene.blending) }.max() ?? 0
            #expect(abs(measured - pixels) < 0.1, "\(bar.length.label): \(measured) for \(pixels)")
        }
    }

    /// The length of the longest black bar on white in a row, by its pixels' darkness.
    private func longestBar(inRow y: Int, of image: Image, _ blending: Blending) -> Double {
        var (length, longest) = (0.0, 0.0)
        for byte in stride(from: y * image.width * 4, to: (y + 1) * image.width * 4, by: 4) {
            let level = Double(image.pixels[byte]) / 255
            let linear = level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
            let light = blending == .linear ? linear : level
            length = light < 1 && image.pixels[byte] == image.pixels[byte + 1] ? length + 1 - light : 0
            longest = max(longest, length)
        }
        return longest
    }

    @Test func theFileMaySayHowLargeAPixelIs() throws {
        let options = PNGOptions(density: PixelDensity(perInch: 254))
        _ = place.folder.put(try PNG.encode(Self.white, options: options), "dense.png")
        let scene = try place.scene(["dense.png", "--pixel-size", "auto"])
        #expect(scene.pixelSize == PhysicalLength(0.1, .mm) && scene.scaleBars[0].text == "5 mm")
        let text = #"<OME><Pixels PhysicalSizeX="0.65" PhysicalSizeXUnit="µm"/></OME>"#
        let stack = try TIFF.encode(Self.white, density: options.density, profile: nil, text: text, name: "stack.tif")
        _ = place.folder.put(stack, "stack.tif")
        #expect(try place.scene(["stack.tif", "--pixel-size", "auto"]).pixelSize == PhysicalLength(0.65, .um))
        place.expectFailure(
            ["white.png", "-o", "out.png", "--pixel-size", "auto"], 64, naming: "--pixel-size auto", "white.png")
    }

    @Test func aMissingFontIsNamedAndAnotherTaken() {
        let outcome = place.command.run(
            ["white.png", "-o", "out.png", "--letters", "a", "--label-font", "No Such Font"] + Self.callout)
        #expect(outcome.code == 0)
        #expect(outcome.errors.hasPrefix("loupe-render: warning: there is no font 'No Such Font' here; '"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func missingLibraryIsTold() {
        _ = place.folder.put([], "libraries/libpangocairo-1.0.so.0")
        let library = ["LD_LIBRARY_PATH": place.folder.file("libraries")]
        let flags = ["white.png", "-o", "out.png"] + Self.callout
        for reference in [[], ["--reference"]] {
            place.expectFailure(
                flags + ["--letters", "a"] + reference, 69, naming: "Pango", "libpangocairo-1.0-0", environment: library
            )
        }
        place.run(flags, environment: library)
    }
}

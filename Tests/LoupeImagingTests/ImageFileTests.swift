import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// Pictures of pixels, compared with what Pillow makes of them.
@Suite struct ImageFileTests {
    private static let folder =
        "/" + "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures/"

    private static let names =
        [
            "grey.jpg", "colour-444.jpg", "colour-420-progressive.jpg", "lossless.webp", "lossy.webp", "turned-6.webp",
            "palette.gif", "frames.gif",
        ]
        + (1...8).map { "turned-\($0).jpg" }

    private func bytes(_ name: String) throws -> [UInt8] {
        try #require(TemporaryFolder.bytes(at: Self.folder + name))
    }

    @Test(arguments: names)
    func pictureIsWhatPillowSees(_ name: String) throws {
        let image = try ImageFile.read(path: Path(Self.folder + name))
        #expect(try image.pixels == bytes(name + ".rgba"))
        let isSideways = ["5", "6", "7", "8"].contains { name.contains("turned-\($0)") }
        #expect((image.width, image.height) == (isSideways ? (14, 21) : (21, 14)))
        #expect(try ImageFile.decode(bytes(name), name: name) == image)
        #expect(
            try ImageFile(path: Path(Self.folder + name)).size == ImageSize(width: image.width, height: image.height))
        #expect(try ImageFile(bytes(name), name: name).size == ImageSize(width: image.width, height: image.height))
    }

    @Test func nameDoesNotMatter() throws {
        let folder = TemporaryFolder()
        let path = folder.put(try bytes("grey.jpg"), "picture.png")
        #expect(try ImageFile.read(path: Path(path)).pixels == bytes("grey.jpg.rgba"))
    }

    @Test(arguments: [
        "grey.jpg", "colour-444.jpg", "colour-420-progressive.jpg", "lossless.webp", "lossy.webp", "palette.gif",
        "colours.heic", "colours.avif",
    ])
    func pictureCutShortAnywhereIsAnError(_ name: String) throws {
        let whole = try bytes(name)
        // The last two bytes of a JPEG are its end mark, of which libjpeg makes one itself after the last row.
        for count in stride(from: 13, to: whole.count - 2, by: 7) {
            let error = thrown(ImageError.self) {
                try ImageFile.decode(Array(whole.prefix(count)), name: name)
            }
            #expect(error?.kind == .invalid)
            #expect(error?.description.hasPrefix("\(name): the ") == true)
        }
    }

    /// None of these may end the program; what is no error shows some picture of the right size.
    @Test(arguments: [
        "turned-6.jpg", "colour-420-progressive.jpg", "lossless.webp", "lossy.webp", "turned-6.webp", "frames.gif",
        "wide.heic", "deep.avif",
    ])
    func damageNeverEndsTheProgram(_ name: String) throws {
        let whole = try bytes(name)
        var generator = SplitMix64(seed: 11)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 12..<bytes.count, using: &generator)] ^= UInt8.random(
                    in: 1...255, using: &generator)
            }
            guard let image = try? ImageFile.decode(bytes, name: name, limits: ImageLimits(maxPixels: 1 << 20)) else {
                continue
            }
            #expect(try ImageFile(bytes, name: name).size == ImageSize(width: image.width, height: image.height))
        }
    }

    @Test func unsupportedImagesAreRefusedWithTheReason() throws {
        for (name, words) in [("cmyk.jpg", "CMYK"), ("animated.webp", "animation")] {
            let error = thrown(ImageError.self) { try ImageFile.read(path: Path(Self.folder + name)) }
            #expect(error?.description.contains(words) == true)
        }
        #expect(throws: ImageError.unknownFormat(name: "a", start: Array("PSD89a".utf8))) {
            try ImageFile.decode(Array("PSD89a".utf8), name: "a")
        }
        #expect(throws: ImageError.overLimit(name: "a", width: 21, height: 14, limit: "20 pixels a side")) {
            try ImageFile.decode(bytes("lossy.webp"), name: "a", limits: ImageLimits(maxSide: 20))
        }
        #expect(throws: ImageError.overLimit(name: "a", width: 21, height: 14, limit: "100 pixels")) {
            try ImageFile.decode(bytes("grey.jpg"), name: "a", limits: ImageLimits(maxPixels: 100))
        }
    }
}

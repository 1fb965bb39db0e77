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

    @Test(
        "CMYK is what Pillow makes of it: by its profile, or plainly with a warning",
        arguments: ["cmyk.jpg", "ycck.jpg", "inks.jpg"])
    func inks(_ name: String) throws {
        let file = try ImageFile(bytes(name), name: name)
        let (pixels, seen) = (try file.image().pixels, try bytes(name + ".rgba"))
        #expect(zip(pixels, seen).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        #expect(pixels.count == seen.count)
        let problem = "its colours are CMYK without a profile, so red is what cyan and black leave, and so on"
        #expect(file.profileProblem == (name == "inks.jpg" ? nil : problem))
    }

    @Test("A profile that is none of CMYK's is not used, and a warning says so") func wrongProfile() throws {
        var file = try bytes("cmyk.jpg")
        let profile = try bytes("wide-gamut.icc")
        let length = profile.count + 16
        file.insert(
            contentsOf: [0xff, 0xe2, UInt8(length >> 8), UInt8(length & 255)] + Array("ICC_PROFILE\0".utf8) + [1, 1]
                + profile,
            at: 2)
        let image = try ImageFile(file, name: "a.jpg")
        #expect(try image.image() == ImageFile.decode(bytes("cmyk.jpg"), name: "a.jpg"))
        #expect(image.profileProblem?.contains("allowed is CMYK") == true)
    }

    @Test("Without Adobe's segment 255 is all of an ink") func inksOfOthers() throws {
        var plain = try bytes("cmyk.jpg")
        let title = try #require(plain.firstRange(of: Array("Adobe".utf8)))
        // The marker and the length before it, and 12 bytes.
        plain.removeSubrange(title.lowerBound - 4..<title.lowerBound + 12)
        // As stored, the first pixel has all of each ink but a little, and so leaves nearly nothing.
        let (one, other) = (try ImageFile.decode(bytes("cmyk.jpg"), name: "a"), try ImageFile.decode(plain, name: "a"))
        #expect(one.pixels != other.pixels)
        #expect(other.pixels.enumerated().allSatisfy { $0.offset % 4 == 3 ? $0.element == 255 : $0.element <= 1 })
    }

    @Test func firstFrameOfAWebPIsOnItsCanvas() throws {
        let file = try ImageFile(path: Path(Self.folder + "animated.webp"))
        #expect(file.frameCount > 1)
        #expect(file.undrawn == "it is the first of \(file.frameCount) frames")
        #expect(try ImageTrait.all(of: file).traits.contains { $0.isOfAnimation })
        // It is made of the same picture.
        #expect(try file.image() == ImageFile(path: Path(Self.folder + "wide.webp")).numbers())
    }

    @Test func unsupportedImagesAreRefusedWithTheReason() throws {
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

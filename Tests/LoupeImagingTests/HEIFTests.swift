import LoupeBase
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// HEICs and AVIFs that libheif reads in the helper process. `make-pictures.py` packs known pixels without losses.
@Suite struct HEIFTests {
    private func file(_ name: String) throws -> ImageFile {
        let folder = "/" + "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures/"
        return try ImageFile(path: Path(folder + name))
    }

    /// The pixel of the fixtures' picture of 21×14 pixels.
    private static func pixel(_ x: Int, _ y: Int, isOpaque: Bool = true) -> [Int] {
        [x * 12, y * 18, (255 - x * y) & 255, isOpaque ? 255 : 255 - x * 11]
    }

    /// The largest difference of a channel between an image and the fixtures' picture.
    /// - Parameter place: where a pixel of the image lies in the picture.
    private func difference<Sample: BinaryInteger>(
        _ samples: [Sample], width: Int, of unit: Int = 1, isOpaque: Bool = true,
        place: (_ x: Int, _ y: Int) -> (x: Int, y: Int) = { ($0, $1) }
    ) -> Int {
        samples.indices.map { index in
            let from = place(index / 4 % width, index / 4 / width)
            return abs(Int(samples[index]) - Self.pixel(from.x, from.y, isOpaque: isOpaque)[index % 4] * unit)
        }.max() ?? .max
    }

    @Test("Pixels and alpha are as they were packed", arguments: [("colours.heic", 1), ("colours.avif", 0)])
    func pixels(_ name: String, tolerance: Int) throws {
        let file = try file(name)
        let image = try file.image()
        #expect(image.size == ImageSize(width: 21, height: 14))
        #expect(file.format == (name.hasSuffix("c") ? .heic : .avif))
        #expect(difference(image.pixels, width: 21, isOpaque: false) <= tolerance)
    }

    @Test("A picture is turned once, also where its EXIF says so too", arguments: ["turned.avif", "turned-6.avif"])
    func turned(_ name: String) throws {
        let image = try file(name).image()
        #expect(image.size == ImageSize(width: 14, height: 21))
        if name == "turned.avif" {
            // A quarter against the clock.
            #expect(difference(image.pixels, width: 14) { x, y in (20 - y, x) } == 0)
        } else {
            #expect(try image.pixels == self.file("turned-6.jpg").image().pixels)
        }
    }

    @Test("A picture is cropped, then mirrored") func cropped() throws {
        let image = try file("cropped.avif").image()
        #expect(image.size == ImageSize(width: 12, height: 8))
        #expect(difference(image.pixels, width: 12) { x, y in (14 - x, y + 2) } == 0)
    }

    @Test("10 bits are kept where 16 are asked for") func deep() throws {
        let file = try file("deep.avif")
        let deep = try #require(try file.image(keepsDepth: true).pixels16)
        // Half a step of 10 bits.
        #expect(difference(deep, width: 21, of: 257, isOpaque: false) <= 33)
        #expect(try difference(file.image().pixels, width: 21, isOpaque: false) == 0)
    }

    @Test("Colours that were multiplied by their alpha are straight") func premultiplied() throws {
        let image = try file("premultiplied.avif").image()
        for index in image.pixels.indices {
            let pixel = Self.pixel(index / 4 % 21, index / 4 / 21, isOpaque: false)
            let alpha = index % 4 == 3 ? 255 : pixel[3]
            #expect(abs(Int(image.pixels[index]) - pixel[index % 4]) * alpha <= 255)
        }
    }

    @Test("A profile is honoured, as in a PNG") func profile() throws {
        let (heic, png) = (try file("wide.heic"), try file("wide.png"))
        #expect(try heic.colorEncoding() == png.colorEncoding())
        #expect(try heic.colorEncoding() != .sRGB)
        #expect(try zip(heic.numbers().pixels, png.numbers().pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        #expect(
            try heic.image()
                == StoredImage(heic.numbers(), color: png.colorEncoding(), name: "a", format: .heic).converted())
    }

    @Test("Primaries without a profile are honoured") func primaries() throws {
        let image = try file("p3.avif").image()
        // By the definitions of Display P3 and sRGB.
        let known: [(x: Int, y: Int, color: [UInt8])] = [
            (10, 7, [119, 126, 190]), (5, 5, [50, 91, 239]), (15, 10, [180, 180, 93]),
        ]
        for (x, y, color) in known {
            let index = (y * 21 + x) * 4
            #expect(zip(image.pixels[index..<index + 3], color).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    @Test("A picture over a limit is refused by its header") func limit() {
        #expect(throws: ImageError.overLimit(name: "a", width: 21, height: 14, limit: "100 pixels")) {
            try ImageFile(file("colours.heic").contents(), name: "a").image(limits: ImageLimits(maxPixels: 100))
        }
    }

    @Test("A sequence says that it has frames, so that none is compared by its first") func sequence() throws {
        let picture = try file("colours.avif")
        #expect(picture.frameCount == 1)
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count + 8)] + Array(name.utf8) + content
        }
        let sizes = box("stsz", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
        let track = ["stbl", "minf", "mdia", "trak"].reduce(sizes) { box($1, $0) }
        // A track of sound or of alpha may be shorter.
        let moov = box("moov", box("trak", [0, 0, 0, 1]) + track + box("udta", []))
        let sequence = try ImageFile(try picture.contents() + moov, name: "moving.avif")
        #expect(try ImageTrait.all(of: sequence).traits.contains { $0.isOfAnimation })
        #expect(sequence.undrawn == "it is the first of 3 frames")
        for end in [moov.count - 9, 30, 9] {
            #expect(try ImageFile(try picture.contents() + moov.prefix(end), name: "cut.avif").frameCount == 1)
        }
    }

    @Test("A film of the same boxes is none of these") func film() {
        #expect(ImageFile.Format(of: [0, 0, 0, 24] + Array("ftypisom....avc1".utf8)) == nil)
        #expect(ImageFile.Format(of: [0, 0, 0, 24] + Array("ftypmif1....avifmif1".utf8)) == .avif)
    }
}

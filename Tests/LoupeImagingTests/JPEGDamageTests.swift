import TestSupport
import Testing

@testable import LoupeImaging

/// JPEGs with something too much, too little or nonsensical before their image data.
struct JPEGDamageTests {
    private let grey: [UInt8]
    private let pixels: [UInt8]

    init() throws {
        let folder = Repository.path + "/Tests/LoupeImagingTests/Fixtures/"
        grey = try #require(TemporaryFolder.bytes(at: folder + "grey.jpg"))
        pixels = try #require(TemporaryFolder.bytes(at: folder + "grey.jpg.rgba"))
    }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xff, marker] + [UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    private func inserting(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        var file = grey
        file.insert(contentsOf: bytes, at: index)
        return file
    }

    /// The picture with something after its first marker.
    private func picture(with segments: [UInt8]) -> [UInt8] { inserting(segments, at: 2) }

    private func reason(_ file: [UInt8]) -> String? {
        let error = failure { () throws(ImageError) in _ = try ImageFile.decode(file, name: "a.jpg") }
        guard case .damaged(_, .jpeg, let reason) = error else { return error?.description }
        return reason
    }

    // MARK: - Orientation

    /// A TIFF structure, little-endian, with one entry in its directory.
    private static func exif(tag: UInt8 = 0x12, type: UInt8 = 3, count: UInt8 = 1, value: UInt8) -> [UInt8] {
        Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, tag, 1, type, 0, count, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
    }

    private static let nonsense: [[UInt8]] = {
        let wrong: [[UInt8]] = [
            exif(value: 0), exif(value: 9), exif(value: 255), exif(type: 4, value: 6), exif(count: 2, value: 6),
            exif(tag: 0x13, value: 6), Array("Exif\0\0XX*\0\u{8}\0\0\0".utf8),
            Array("Exif\0\0II*\0".utf8) + [255, 255, 255, 255, 1],
        ]
        return wrong + (0..<20).map { Array(exif(value: 6).prefix(6 + $0)) }
    }()

    @Test(arguments: nonsense)
    func orientationThatMakesNoSenseIsUpright(exif: [UInt8]) throws {
        let image = try ImageFile.decode(picture(with: segment(0xe1, exif)), name: "a.jpg")
        #expect((image.width, image.height) == (21, 14))
        #expect(image.pixels == pixels)
    }

    @Test func orientationThatMakesSenseTurns() throws {
        let image = try ImageFile.decode(picture(with: segment(0xe1, Self.exif(value: 6))), name: "a.jpg")
        #expect((image.width, image.height) == (14, 21))
    }

    // MARK: - Density

    @Test func densityIsThatOfTheHeader() throws {
        func density(unit: UInt8, x: UInt8, y: UInt8, turn: UInt8 = 1) throws -> PixelDensity? {
            var file = Array(grey.prefix(20)) + segment(0xe1, Self.exif(value: turn)) + grey.dropFirst(20)
            (file[13], file[15], file[17]) = (unit, x, y)
            return try ImageFile(file, name: "a.jpg").density()
        }
        #expect(try density(unit: 1, x: 200, y: 200) == PixelDensity(perInch: 200))
        #expect(try density(unit: 2, x: 100, y: 50) == PixelDensity(x: 10_000, y: 5000))
        #expect(try density(unit: 2, x: 100, y: 50, turn: 6) == PixelDensity(x: 5000, y: 10_000))
        // A unit of 0 says the shape of a pixel alone.
        #expect(try density(unit: 0, x: 1, y: 1) == nil)
        #expect(try density(unit: 1, x: 0, y: 0) == nil)
    }

    // MARK: - Profiles

    private func part(_ number: UInt8, of count: UInt8) -> [UInt8] {
        segment(0xe2, Array("ICC_PROFILE\0".utf8) + [number, count, 1, 2, 3])
    }

    @Test func profileThatLacksAPartIsNotUsed() throws {
        func problem(_ parts: [UInt8]) throws -> String? {
            let file = try ImageFile(picture(with: parts), name: "a.jpg")
            #expect(try file.stored().color == .sRGB)
            return file.profileProblem
        }
        for parts in [part(1, of: 2), part(2, of: 2), part(1, of: 2) + part(1, of: 2), part(0, of: 1), part(1, of: 0)] {
            #expect(try problem(parts) == "a part of its colour profile is missing")
        }
        #expect(try problem(part(1, of: 1))?.hasPrefix("its colour profile: ") == true)
    }

    // MARK: - Segments

    /// The picture with something after its first segment.
    private func picture(withGarbage garbage: [UInt8]) -> [UInt8] {
        let end = 4 + (Int(grey[4]) << 8 | Int(grey[5]))
        return inserting(garbage, at: end)
    }

    @Test func onlyFillBytesMayStandBetweenSegments() throws {
        #expect(try ImageFile.decode(picture(withGarbage: [0xff, 0xff]), name: "a.jpg").pixels == pixels)
        for garbage in [[0], [1, 2, 3], [0xff, 0, 7]] as [[UInt8]] {
            #expect(reason(picture(withGarbage: garbage))?.contains("extraneous bytes") == true)
        }
    }

    @Test func aSecondHeaderIsRefused() throws {
        let frame = segment(0xc0, [8, 0, 28, 0, 42, 1, 1, 0x11, 0])
        #expect(reason(picture(with: frame)) != nil)
        #expect(reason(picture(with: [0xff, 0xd8])) != nil)
    }

    @Test func moreBlocksThanBytesAreRefusedBeforeMemoryIsAskedFor() throws {
        let start = try #require((2..<grey.count).first { grey[$0] == 0xff && grey[$0 + 1] == 0xc0 })
        let sides: [UInt8] = [0x3f, 0xff, 0x40, 0]
        var file = grey
        file.replaceSubrange(start + 5..<start + 9, with: sides)
        #expect(reason(file) == "16384×16383 pixels can't come from \(grey.count) bytes")
    }
}

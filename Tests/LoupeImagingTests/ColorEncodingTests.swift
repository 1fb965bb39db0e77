import Glibc
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

import struct LoupeBase.ImageSize

/// Pictures whose numbers are not sRGB's.
@Suite struct ColorEncodingTests {
    private static let folder =
        "/" + "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures/"

    private func bytes(_ name: String) throws -> [UInt8] {
        try #require(TemporaryFolder.bytes(at: Self.folder + name))
    }

    /// The largest difference of a channel.
    private func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : .max
    }

    @Test(arguments: ["wide.png", "wide.jpg", "wide.webp"])
    func profileIsAppliedAsPillowsLittleCMSDoes(_ name: String) throws {
        let stored = try ImageFile(path: Path(Self.folder + name)).stored()
        #expect(try stored.color == .profile(bytes("wide-gamut.icc")))
        let image = try ImageFile.read(path: Path(Self.folder + name))
        #expect(try distance(image.pixels, bytes(name + ".rgba")) <= 1)
        #expect(distance(image.pixels, stored.image.pixels) > 20)
    }

    // MARK: - Chunks of PNG

    private static let colors: [[Double]] = [
        [0, 0, 0], [1, 1, 1], [0.2, 0.5, 0.8], [0.9, 0.4, 0.1], [0.5, 0.5, 0.5],
    ]

    /// A row of the colours, with these chunks before them.
    private func picture(_ chunks: [UInt8]) -> [UInt8] {
        let raw: [UInt8] = [0] + Self.colors.flatMap { $0.map { UInt8(($0 * 255).rounded()) } }
        let header = PNGBuilder.header(width: Self.colors.count, height: 1, colorType: 2)
        return PNGBuilder.file(header: header, extras: chunks, raw: raw)
    }

    private func gamma(_ value: Double) -> [UInt8] {
        PNGBuilder.chunk("gAMA", PNGBuilder.word(Int((value * 100_000).rounded())))
    }

    private func chromaticities(_ values: [Double]) -> [UInt8] {
        PNGBuilder.chunk("cHRM", values.flatMap { PNGBuilder.word(Int(($0 * 100_000).rounded())) })
    }

    private static let standardPlaces = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    private static let widePlaces = [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]

    /// From Display P3's light to sRGB's (CSS Color 4, section 18, the matrices multiplied).
    private func narrowed(_ light: [Double]) -> [Double] {
        let rows = [
            [1.224_940_18, -0.224_940_18, 0], [-0.042_056_95, 1.042_056_95, 0],
            [-0.019_637_55, -0.078_636_05, 1.098_273_6],
        ]
        return rows.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private func expect(
        _ chunks: [UInt8], shows light: ([Double]) -> [Double], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = Self.colors.flatMap { color in
            light(color.map { ($0 * 255).rounded() / 255 }).map { UInt8((StandardCurve.encoded($0) * 255).rounded()) }
                + [255]
        }
        let image = try ImageFile.decode(picture(chunks), name: "a")
        #expect(distance(image.pixels, expected) <= 1, "\(image.pixels)", sourceLocation: sourceLocation)
    }

    @Test func gammaAndChromaticitiesAreHonoured() throws {
        try expect([], shows: { $0.map(StandardCurve.decoded) })
        try expect(gamma(1), shows: { $0 })
        try expect(gamma(1 / 1.8) + chromaticities(Self.standardPlaces), shows: { $0.map { pow($0, 1.8) } })
        try expect(gamma(1) + chromaticities(Self.widePlaces), shows: narrowed)
        try expect(chromaticities(Self.widePlaces), shows: { narrowed($0.map(StandardCurve.decoded)) })
    }

    @Test func whatSaysSRGBChangesNothing() throws {
        let plain = try PNG.decode(picture([]), name: "a")
        for chunks in [
            gamma(0.45455), gamma(0.45455) + chromaticities(Self.standardPlaces), PNGBuilder.chunk("sRGB", [0]),
            PNGBuilder.chunk("cICP", [1, 13, 0, 1]),
            // Not what the specification allows.
            PNGBuilder.chunk("gAMA", [1, 2]), gamma(0), chromaticities([Double](repeating: 0, count: 8)),
        ] {
            #expect(try ImageFile.decode(picture(chunks), name: "a") == plain)
        }
    }

    @Test func theFirstInTheSpecificationsOrderCounts() throws {
        let profile = try bytes("wide-gamut.icc")
        let carried = PNGBuilder.chunk("iCCP", Array("x\0\0".utf8) + PNGBuilder.zlib(profile))
        let sRGB = PNGBuilder.chunk("sRGB", [0])
        let numbers = gamma(1) + chromaticities(Self.widePlaces)
        let plain = try PNG.decode(picture([]), name: "a")
        for chunks in [numbers + sRGB, sRGB + numbers] {
            #expect(try ImageFile.decode(picture(chunks), name: "a") == plain)
        }
        for chunks in [numbers + carried, carried + numbers] {
            #expect(try ImageFile(picture(chunks), name: "a").stored().color == .profile(profile))
        }
        #expect(try ImageFile(picture(sRGB + carried), name: "a").stored().color == .profile(profile))
        let wide = PNGBuilder.chunk("cICP", [12, 13, 0, 1])
        try expect(carried + wide, shows: { narrowed($0.map(StandardCurve.decoded)) })
        let unknown = PNGBuilder.chunk("cICP", [9, 16, 0, 1])
        #expect(try ImageFile(picture(unknown + carried), name: "a").stored().color == .profile(profile))
    }

    @Test func brokenProfileIsNotUsed() throws {
        func problem(_ chunk: [UInt8]) throws -> String? {
            let file = try ImageFile(picture(chunk), name: "a")
            #expect(try file.stored().color == .sRGB)
            return file.profileProblem
        }
        let profile = try bytes("wide-gamut.icc")
        var grey = profile
        grey.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        for bad in [Array(profile.prefix(100)), [], Array("nonsense".utf8), grey] {
            let chunk = PNGBuilder.chunk("iCCP", Array("x\0\0".utf8) + PNGBuilder.zlib(bad))
            #expect(try problem(chunk)?.hasPrefix("its colour profile: ") == true)
        }
        #expect(try problem(PNGBuilder.chunk("cICP", [9, 16, 0, 1]))?.contains("HDR (cICP: PQ)") == true)
        #expect(try problem(PNGBuilder.chunk("cICP", [9, 18, 0, 1]))?.contains("HDR (cICP: HLG)") == true)
        for content in [[], Array("x".utf8), Array("x\0\0zlib".utf8), Array("x\0\u{1}".utf8)] {
            let chunk = PNGBuilder.chunk("iCCP", content)
            #expect(try problem(chunk) == "its colour profile can't be decompressed")
        }
    }

    /// The eight orientations of an eXIf chunk, also of 16 bits and after the image data: as the size says, and where the first stored
    /// pixel and its neighbour go.
    @Test(arguments: 1...8, [8, 16]) func aPNGIsTurnedAsItsEXIFSays(orientation: UInt8, depth: Int) throws {
        let count = 3 * 2 * 4
        let image =
            depth == 8
            ? Image(width: 3, height: 2, pixels: (0..<count).map { UInt8(10 * $0) })
            : Image(width: 3, height: 2, pixels16: (0..<count).map { UInt16(2500 * $0) })
        let exif: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        var bytes = try PNG.encode(image)
        let isLate = orientation % 2 == 0
        bytes.insert(
            contentsOf: PNGBuilder.chunk("eXIf", exif + [0, 0, 0, 0]), at: isLate ? bytes.count - 12 : 33)
        let file = try ImageFile(bytes, name: "a")
        let folder = TemporaryFolder()
        #expect(try ImageFile(path: Path(folder.put(bytes, "a.png"))).size == file.size)
        let shown = try file.image(keepsDepth: true)
        #expect(file.size == (orientation < 5 ? ImageSize(width: 3, height: 2) : ImageSize(width: 2, height: 3)))
        #expect(shown.size == file.size)
        // Right and down of the shown corner where the stored one lies, by EXIF 2.32.
        let (isRight, isDown) = ([2, 3, 6, 7].contains(orientation), [3, 4, 7, 8].contains(orientation))
        let corner = (isDown ? shown.height - 1 : 0) * shown.width + (isRight ? shown.width - 1 : 0)
        #expect(shown.pixels[4 * corner] == image.pixels[0])
        let along = orientation < 5 ? (isRight ? -1 : 1) : (isDown ? -shown.width : shown.width)
        #expect(shown.pixels[4 * (corner + along)] == image.pixels[4])
    }

    @Test func profileIsWrittenAndReadBack() throws {
        let image = Image(width: 1, height: 1, pixels: [1, 2, 3, 255])
        let profile = try bytes("wide-gamut.icc")
        let file = try PNG.encode(image, options: PNGOptions(profile: profile))
        let stored = try ImageFile(file, name: "a").stored()
        #expect(stored.image == image && stored.color == .profile(profile))
    }
}

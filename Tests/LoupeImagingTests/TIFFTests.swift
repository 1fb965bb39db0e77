import LoupeBase
import TestSupport
import Testing

@testable import LoupeImaging

/// Pictures that libtiff reads and writes in the helper process.
@Suite struct TIFFTests {
    /// A picture of 40×30 pixels whose samples all differ from their neighbours'.
    private static func picture(depth: Int, isOpaque: Bool) -> Image {
        let samples = (0..<40 * 30 * 4).map { index in
            index % 4 == 3 && isOpaque ? UInt16.max : UInt16(truncatingIfNeeded: index &* 7919 | 1)
        }
        return depth == 16
            ? Image(width: 40, height: 30, pixels16: samples)
            : Image(width: 40, height: 30, pixels: samples.map { UInt8($0 >> 8) })
    }

    @Test(
        "A picture that is written is read as it was, with its density and profile",
        arguments: [(8, true), (8, false), (16, true), (16, false)])
    func roundTrip(depth: Int, isOpaque: Bool) throws {
        let image = Self.picture(depth: depth, isOpaque: isOpaque)
        let bytes = try TIFF.encode(
            image, density: PixelDensity(perInch: 300), profile: [1, 2, 3], text: "A page.", name: "out.tif")
        let header = try RemotePicture.Header(of: bytes, .tiff, page: 1, name: "out.tif")
        #expect(header.depth == depth)
        #expect(header.density == PixelDensity(perInch: 300))
        #expect(try header.color(name: "out.tif") == .profile([1, 2, 3]))
        #expect(header.count == 1)
        #expect(try RemotePicture.decode(bytes, header, name: "out.tif", keepsDepth: true) == image)
    }

    /// A TIFF by hand: big-endian, one strip, not packed (TIFF 6.0, section 2).
    /// - Parameter fields: tag, type (3 for 16 bits, 4 for 32) and value, by ascending tags; 273 is added.
    private static func file(_ fields: [(tag: UInt16, type: UInt16, value: UInt32)], _ samples: [UInt8]) -> [UInt8] {
        func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        let all = (fields + [(273, 4, UInt32(10 + 12 * (fields.count + 1) + 4))]).sorted { $0.tag < $1.tag }
        var file: [UInt8] = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8] + bytes(UInt32(all.count), 2)
        for (tag, type, value) in all {
            file += bytes(UInt32(tag), 2) + bytes(UInt32(type), 2) + [0, 0, 0, 1]
            file += type == 3 ? bytes(value, 2) + [0, 0] : bytes(value, 4)
        }
        return file + [0, 0, 0, 0] + samples
    }

    private static func gray(
        bits: UInt32, meaning: UInt32, orientation: UInt32 = 1, form: UInt32 = 1, _ samples: [UInt8]
    ) -> [UInt8] {
        file(
            [
                (256, 4, 2), (257, 4, 1), (258, 3, bits), (259, 3, 1), (262, 3, meaning), (274, 3, orientation),
                (277, 3, 1), (278, 4, 1), (279, 4, UInt32(samples.count)), (339, 3, form),
            ], samples)
    }

    @Test("Grey samples of either order and sense are colours") func gray() throws {
        let plain = try ImageFile(Self.gray(bits: 16, meaning: 1, [0x12, 0x34, 0xff, 0xff]), name: "a.tif")
        let deep = try plain.image(keepsDepth: true)
        #expect(deep.pixels16 == [0x1234, 0x1234, 0x1234, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff])
        #expect(try plain.image().pixels.prefix(4) == [0x12, 0x12, 0x12, 0xff])
        let inverse = try ImageFile(Self.gray(bits: 8, meaning: 0, [0x10, 0xff]), name: "a.tif").image()
        #expect(inverse.pixels == [0xef, 0xef, 0xef, 255, 0, 0, 0, 255])
    }

    @Test("A picture is turned as it says") func orientation() throws {
        let file = try ImageFile(Self.gray(bits: 8, meaning: 1, orientation: 6, [0x10, 0x20]), name: "a.tif")
        #expect(file.size == ImageSize(width: 1, height: 2))
        #expect(try file.image().pixels == [16, 16, 16, 255, 32, 32, 32, 255])
    }

    @Test(
        "A pixel is as large as OME-XML or ImageJ says",
        arguments: [
            (#"<OME><Pixels PhysicalSizeX="0.65" PhysicalSizeXUnit="µm" SizeX="4"/></OME>"#, 0.65e-6),
            (#"<OME><Pixels PhysicalSizeXUnit="nm" PhysicalSizeX="65"><Channel/></Pixels></OME>"#, 65e-9),
            (#"<OME><Pixels PhysicalSizeX="0.65"/><Plane PhysicalSizeXUnit="mm"/></OME>"#, 0.65e-6),
            (#"<OME><Pixels PhysicalSizeX="2" PhysicalSizeXUnit="pixel"/></OME>"#, nil),
            ("ImageJ=1.53t\nunit=micron\n", 0.01e-6), ("ImageJ=1.53t\nunit=\\u00B5m\n", 0.01e-6),
            ("ImageJ=1.53t\nunit=pixel\n", nil), ("A page.", nil),
        ] as [(String, Double?)])
    func pixelSize(text: String, metres: Double?) throws {
        let bytes = try TIFF.encode(
            Self.picture(depth: 8, isOpaque: true), density: PixelDensity(perInch: 100), profile: nil, text: text,
            name: "out.tif")
        let size = try ImageFile(bytes, name: "out.tif").pixelSize
        #expect((size == nil) == (metres == nil))
        if let size, let metres { #expect(abs(size / metres - 1) < 1e-5) }
    }

    @Test("What is no colour of 8 or 16 bits is refused with the reason") func refused() {
        let floats = Self.gray(bits: 32, meaning: 1, form: 3, [UInt8](repeating: 0, count: 8))
        let error = #expect(throws: ImageError.self) { try ImageFile(floats, name: "a.tif") }
        #expect(error?.description.contains("its samples are fractions of 32 bits") == true)
        let unknown = Self.file(
            [
                (256, 4, 1), (257, 4, 1), (258, 3, 8), (259, 3, 1), (262, 3, 1), (277, 3, 2), (278, 4, 1), (279, 4, 2),
                (338, 3, 0),
            ], [1, 2])
        let extra = #expect(throws: ImageError.self) { try ImageFile(unknown, name: "a.tif") }
        #expect(extra?.description.contains("it has 2 samples a pixel, more than colours and alpha") == true)
        let short = Array(Self.gray(bits: 8, meaning: 1, [1, 2]).dropLast())
        #expect(throws: ImageError.self) { try ImageFile(short, name: "a.tif").image() }
        #expect(throws: ImageError.self) { try ImageFile(Self.gray(bits: 8, meaning: 1, [1, 2]), name: "a", page: 2) }
    }

    @Test("Broken files are errors or pictures, and the process stays") func mutations() throws {
        let whole = try TIFF.encode(
            Self.picture(depth: 8, isOpaque: false), density: nil, profile: nil, text: "", name: "out.tif")
        for number in 0..<200 {
            var bytes = whole
            bytes[(number &* 7919) % bytes.count] ^= UInt8(truncatingIfNeeded: number | 1)
            if number % 5 == 0 { bytes.removeLast(number % bytes.count) }
            guard let file = try? ImageFile(bytes, name: "a.tif"), let image = try? file.image() else { continue }
            #expect(image.size == file.size)
        }
        #expect(try ImageFile(whole, name: "a.tif").image() == Self.picture(depth: 8, isOpaque: false))
    }
}

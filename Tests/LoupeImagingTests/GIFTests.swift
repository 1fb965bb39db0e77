import LoupeBase
import TestSupport
import Testing

@testable import LoupeImaging

/// GIFs that giflib reads in the helper process. Pictures by Pillow are in `ImageFileTests`.
@Suite struct GIFTests {
    /// A GIF by hand, of three colours. A code of 8 bits stands for each pixel, without a match (GIF89a, appendix F).
    /// - Parameter frames: left, top, width, height, whether it is interlaced, and the index of each pixel.
    private static func file(
        width: UInt8, height: UInt8, palette: Bool = true, transparent: UInt8? = nil,
        _ frames: [(left: UInt8, top: UInt8, width: UInt8, height: UInt8, isInterlaced: Bool, pixels: [UInt8])]
    ) -> [UInt8] {
        var file = Array("GIF89a".utf8) + [width, 0, height, 0, palette ? 0x81 : 1, 0, 0]
        if palette { file += [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9] }
        for frame in frames {
            if let transparent { file += [0x21, 0xf9, 4, 1, 0, 0, transparent, 0] }
            file += [0x2c, frame.left, 0, frame.top, 0, frame.width, 0, frame.height, 0, frame.isInterlaced ? 0x40 : 0]
            // Clear, the pixels, end.
            file += [7, UInt8(frame.pixels.count + 2), 128] + frame.pixels + [129, 0]
        }
        return file + [0x3b]
    }

    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let clear: [UInt8] = [0, 0, 0, 0]

    @Test("The first frame lies on a transparent canvas, and a sentence counts the frames") func firstFrame() throws {
        let frame = (UInt8(1), UInt8(1), UInt8(2), UInt8(1), false, [0, 1] as [UInt8])
        let file = try ImageFile(Self.file(width: 4, height: 2, [frame, frame, frame]), name: "a.gif")
        let image = try file.image()
        #expect(image.size == ImageSize(width: 4, height: 2))
        #expect(
            image.pixels == [Self.clear, Self.clear, Self.clear, Self.clear, Self.clear].flatMap(\.self) + Self.red
                + Self.green + Self.clear)
        #expect(file.undrawn == "it is the first of 3 frames")
        #expect(file.pageCount == 1)
        #expect(try ImageTrait.all(of: file).traits.contains { $0.isOfAnimation })
        let still = try ImageFile(Self.file(width: 4, height: 2, [frame]), name: "a.gif")
        #expect(still.undrawn == nil)
    }

    @Test("Interlaced rows lie where they belong") func interlaced() throws {
        // Ten rows in the order of the file: 0, 8, 4, 2, 6, 1, 3, 5, 7, 9.
        let rows: [UInt8] = [0, 0, 1, 1, 1, 2, 2, 2, 2, 2]
        let file = Self.file(width: 1, height: 10, [(0, 0, 1, 10, true, rows)])
        let image = try ImageFile(file, name: "a.gif").image()
        let reds = stride(from: 0, to: 40, by: 4).map { image.pixels[$0] == 255 }
        #expect(reds == [true, false, false, false, false, false, false, false, true, false])
        let blues = stride(from: 2, to: 40, by: 4).map { image.pixels[$0] == 255 }
        #expect(blues == [false, true, false, true, false, true, false, true, false, true])
    }

    @Test("An index that is transparent, or beyond the palette, shows nothing") func transparent() throws {
        let file = Self.file(width: 3, height: 1, transparent: 1, [(0, 0, 3, 1, false, [0, 1, 100])])
        #expect(try ImageFile(file, name: "a.gif").image().pixels == Self.red + Self.clear + Self.clear)
    }

    @Test("A first frame beyond the canvas enlarges it") func beyond() throws {
        let file = Self.file(width: 1, height: 1, [(1, 0, 1, 1, false, [1])])
        #expect(try ImageFile(file, name: "a.gif").image().pixels == Self.clear + Self.green)
    }

    @Test("A file without a palette, a frame or its end is refused with the reason") func refused() {
        let frame = (UInt8(0), UInt8(0), UInt8(2), UInt8(1), false, [0, 1] as [UInt8])
        func reason(_ bytes: [UInt8]) -> String? {
            let error = #expect(throws: ImageError.self) { try ImageFile(bytes, name: "a.gif").image() }
            return error?.description
        }
        #expect(
            reason(Self.file(width: 2, height: 1, palette: false, [frame]))?.contains("(it has no palette)") == true)
        #expect(reason(Self.file(width: 2, height: 1, []))?.contains("(it has no frame)") == true)
        #expect(
            reason(Array(Self.file(width: 2, height: 1, [frame]).dropLast(4)))?.contains(
                "a.gif: the GIF can't be used (") == true)
    }

    @Test("A large canvas is over the limit before it is decoded") func limit() {
        var bytes = Self.file(width: 2, height: 1, [(0, 0, 2, 1, false, [0, 1])])
        bytes.replaceSubrange(6..<10, with: [255, 255, 255, 255])
        #expect(throws: ImageError.overLimit(name: "a.gif", width: 65535, height: 65535, limit: "268435456 pixels")) {
            try ImageFile(bytes, name: "a.gif").image()
        }
    }
}

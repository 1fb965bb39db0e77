import LoupeImaging
import TestSupport
import Testing

/// Animated WebPs of `loupe-render replay`, taken apart and put together again as the container's specification says
/// (developers.google.com/speed/webp/docs/riff_container).
@Suite struct WebPAnimationTests {
    let place: Workplace

    /// The page fades on a transparent canvas while a loupe moves over its corner.
    private static let transparent = """
        {"model": "keyframes", "fps": 60, "duration": 1, "scene": {
          "canvas": {"width": 39, "height": 15, "background": "#00000000"},
          "layers": [{"image": "page.png", "rect": [2, 2, 30, 22], "corner": {"radius": 6}}],
          "loupes": [{"center": [10, 8], "radius": 5, "zoom": 2}]},
         "keyframes": [{"t": 0.3, "layer": 0, "opacity": 0.3}, {"t": 0.6, "loupe": 0, "center": [30, 8]}]}
        """

    init() throws {
        place = try Workplace()
        place.put(MotionExportTests.session, "session.json")
        place.put(Self.transparent, "clear.json")
    }

    private func replay(_ arguments: String..., session: String = "session.json") -> Command.Outcome {
        place.command.run(["replay", session] + arguments)
    }

    /// The frames of a session as raw RGBA.
    private func frames(_ session: String = "session.json", every: Int = 1) throws -> [[UInt8]] {
        place.expectSuccess(replay("-o", "out.rgba", "--every", "\(every)", session: session))
        let raw = try #require(place.bytes("out.rgba"))
        return stride(from: 0, to: raw.count, by: 39 * 15 * 4).map { Array(raw[$0..<$0 + 39 * 15 * 4]) }
    }

    @Test(arguments: ["session.json", "clear.json"])
    func losslessKeepsEveryPixelAndItsTime(session: String) throws {
        place.expectSuccess(replay("-o", "out.webp", "--lossless", "--loops", "3", session: session))
        let animation = try AnimatedWebP(try #require(place.bytes("out.webp")))
        #expect(animation.width == 39 && animation.height == 15 && animation.loops == 3)
        let raw = try frames(session)
        #expect(raw.count == 60)
        let isOpaque = raw.allSatisfy { frame in stride(from: 3, to: frame.count, by: 4).allSatisfy { frame[$0] == 255 }
        }
        #expect(isOpaque == (session == "session.json"))
        #expect(animation.frames.count < 60, "frames at rest are one frame")
        #expect(animation.frames.last?.end == 1000)
        for (number, frame) in raw.enumerated() {
            // Frame 1 begins at 16.67 ms, rounded to 17.
            let start = Int((Double(number) * 1000 / 60).rounded())
            let shown = try #require(animation.frames.last { $0.start <= start })
            #expect(shown.start == start || number > 0)
            #expect(same(shown.pixels, frame), "frame \(number)")
        }
    }

    /// Whether two frames show the same: colours of transparent pixels are free.
    private func same(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        for place in stride(from: 0, to: b.count, by: 4) {
            let (alpha, other) = (a[place + 3], b[place + 3])
            if alpha != other || (alpha > 0 && a[place..<place + 3] != b[place..<place + 3]) { return false }
        }
        return a.count == b.count
    }

    @Test(arguments: [
        (["-o", "out.apng", "--quality", "50"], "--quality: only for a WebP"),
        (["-o", "out.png", "--lossless", "--sheet", "2x2"], "--lossless: only for a WebP"),
        (["-o", "out.webp", "--lossless", "--quality", "50"], "leave one of them out"),
        (["-o", "out.webp", "--quality", "101"], "--quality"), (["-o", "out.webp", "--loops", "65536"], "--loops"),
    ])
    func optionsWithoutEffectAreRefused(arguments: [String], sentence: String) {
        let outcome = place.command.run(["replay", "session.json"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(sentence), "\(outcome.errors)")
    }
}

/// An animated WebP whose frames are put together.
private struct AnimatedWebP {
    struct Frame {
        /// In milliseconds.
        let start: Int
        let end: Int
        /// The pixels of the whole canvas, straight RGBA.
        let pixels: [UInt8]
    }

    let width: Int
    let height: Int
    let loops: Int
    private(set) var frames: [Frame] = []

    init(_ bytes: [UInt8]) throws {
        let chunks = try Self.chunks(Array(bytes[12...]))
        let header = try #require(chunks.first { $0.name == "VP8X" }).content
        let animation = try #require(chunks.first { $0.name == "ANIM" }).content
        (width, height) = (Self.number(header, 4, 3) + 1, Self.number(header, 7, 3) + 1)
        loops = Self.number(animation, 4, 2)
        var (canvas, time) = ([UInt8](repeating: 0, count: 4 * width * height), 0)
        for chunk in chunks where chunk.name == "ANMF" {
            let content = chunk.content
            let (x, y) = (2 * Self.number(content, 0, 3), 2 * Self.number(content, 3, 3))
            let (duration, flags) = (Self.number(content, 12, 3), content[15])
            let image = try Self.image(
                Array(content[16...]), width: Self.number(content, 6, 3) + 1, height: Self.number(content, 9, 3) + 1)
            for row in 0..<image.height {
                for column in 0..<image.width {
                    let (from, to) = (4 * (row * image.width + column), 4 * ((y + row) * width + x + column))
                    let alpha = image.pixels[from + 3]
                    // Blended over what is there, unless the flag says that it replaces it.
                    if flags & 2 == 0 && alpha == 0 { continue }
                    // Between frames without loss only whole pixels are taken over, never mixed.
                    try #require(flags & 2 != 0 || alpha == 255)
                    canvas.replaceSubrange(to..<to + 4, with: image.pixels[from..<from + 4])
                }
            }
            frames.append(Frame(start: time, end: time + duration, pixels: canvas))
            time += duration
            guard flags & 1 != 0 else { continue }
            // The block is cleared afterwards.
            for row in 0..<image.height {
                let to = 4 * ((y + row) * width + x)
                canvas.replaceSubrange(to..<to + 4 * image.width, with: repeatElement(0, count: 4 * image.width))
            }
        }
    }

    /// The picture in a frame's chunks, as a file of its own.
    private static func image(_ chunks: [UInt8], width: Int, height: Int) throws -> Image {
        let hasAlpha = try Self.chunks(chunks).contains { $0.name == "ALPH" }
        let size = [width - 1, height - 1].flatMap { side in [0, 8, 16].map { UInt8(side >> $0 & 255) } }
        let extended: [UInt8] = [10, 0, 0, 0, 16, 0, 0, 0]
        let header = hasAlpha ? Array("VP8X".utf8) + extended + size : []
        let content = Array("WEBP".utf8) + header + chunks
        let count = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        return try ImageFile.decode(Array("RIFF".utf8) + count + content, name: "frame")
    }

    private static func chunks(_ bytes: [UInt8]) throws -> [(name: String, content: [UInt8])] {
        var (chunks, place) = ([(name: String, content: [UInt8])](), 0)
        while place < bytes.count {
            let (start, count) = (place + 8, number(bytes, place + 4, 4))
            try #require(start + count <= bytes.count)
            chunks.append(
                (String(decoding: bytes[place..<place + 4], as: UTF8.self), Array(bytes[start..<start + count])))
            place = start + count + count % 2
        }
        return chunks
    }

    /// A number of so many bytes, the lowest first.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

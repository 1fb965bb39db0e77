import LoupeBase
import LoupeSystem

/// Writes an animated PNG frame by frame (PNG specification, third edition). Each stored frame is the block that has changed,
/// with the time for which it is shown.
package final class APNGWriter {
    private let sink: ByteSink
    private let width: Int
    private let height: Int
    private let layout: PNGLayout
    private let loops: Int
    private let frameTime: FrameTime

    /// The frame whose duration is not known yet.
    private var waiting: (image: [UInt8], block: PixelRect, frames: Int)?
    private var last: Image?
    private var sequence: UInt32 = 0
    private var written = 0

    /// The offset of the acTL chunk, with the number of frames, which is known only at the end.
    private static let controlOffset = 8 + 25

    /// Writes the header.
    /// - Parameters:
    ///   - sink: where the file goes; not a pipe, as the number of frames is written at the end.
    ///   - width: of every frame, in pixels.
    ///   - height: of every frame, in pixels.
    ///   - isOpaque: whether every frame is opaque; otherwise alpha is stored.
    ///   - frameTime: the duration of one frame.
    ///   - loops: how often the animation plays; 0 for ever.
    /// - Throws: `FileError` where the sink can't be written to or is a pipe.
    package init(
        to sink: ByteSink, width: Int, height: Int, isOpaque: Bool, frameTime: FrameTime, loops: Int = 0
    ) throws {
        try sink.requireRewriting("an animated PNG has its number of frames at its start, which is written last")
        self.sink = sink
        (self.width, self.height) = (width, height)
        layout = isOpaque ? .rgb : .rgba
        self.loops = loops
        self.frameTime = frameTime
        try sink.write(PNG.signature)
        try sink.write(PNG.chunk("IHDR", PNG.header(width: width, height: height, layout, 8)))
        try sink.write(control)
    }

    private var control: [UInt8] {
        PNG.chunk("acTL", PNG.bigEndian(UInt32(written)) + PNG.bigEndian(UInt32(loops)))
    }

    /// Adds the next image. Equal images in a row become one longer frame.
    /// - Parameters:
    ///   - image: of the animation's size.
    ///   - changed: the block that may differ from the image before, in pixels.
    /// - Throws: `FileError`, or ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)``.
    package func append(_ image: Image, changedWithin changed: PixelRect) throws {
        let block = last.map { image.differing(from: $0, within: changed) } ?? PixelRect(width: width, height: height)
        last = image
        guard !block.isEmpty else {
            waiting?.frames += 1
            return
        }
        try flush()
        let part = image.cropped(x: block.minX, y: block.minY, width: block.width, height: block.height)
        let stream = try PNG.stream(FilteredRows(image: part, layout: layout))
        waiting = (Array(stream.joined()), block, 1)
    }

    /// Writes the last frame and the file's end. Nothing may be appended afterwards.
    package func finish() throws {
        try flush()
        try sink.write(PNG.chunk("IEND", []))
        try sink.overwrite(control, at: Self.controlOffset)
    }

    private func flush() throws {
        guard let frame = waiting else { return }
        waiting = nil
        let delay = frameTime.delay(frames: frame.frames)
        let block = frame.block
        let numbers = [block.width, block.height, block.minX, block.minY].flatMap { PNG.bigEndian(UInt32($0)) }
        // Not disposed of afterwards (0); replaces what was there (0).
        let control = PNG.bigEndian(next()) + numbers + delay + [0, 0]
        try sink.write(PNG.chunk("fcTL", control))
        if written == 0 {
            try sink.write(PNG.chunk("IDAT", frame.image))
        } else {
            try sink.write(PNG.chunk("fdAT", PNG.bigEndian(next()) + frame.image))
        }
        written += 1
    }

    private func next() -> UInt32 {
        defer { sequence += 1 }
        return sequence
    }

}

extension Image {
    /// The smallest block within `block` that holds all pixels that differ; empty where none does.
    func differing(from other: Image, within block: PixelRect) -> PixelRect {
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        pixels.withUnsafeBytes { mine in
            other.pixels.withUnsafeBytes { theirs in
                let (a, b) = (mine.bindMemory(to: UInt32.self), theirs.bindMemory(to: UInt32.self))
                for y in block.minY..<block.maxY {
                    let row = y * width
                    let columns = block.minX..<block.maxX
                    guard let first = columns.first(where: { a[row + $0] != b[row + $0] }),
                        let last = columns.last(where: { a[row + $0] != b[row + $0] })
                    else { continue }
                    (left, right) = (min(left, first), max(right, last))
                    (top, bottom) = (min(top, y), max(bottom, y))
                }
            }
        }
        return right < 0
            ? PixelRect(width: 0, height: 0) : PixelRect(minX: left, minY: top, maxX: right + 1, maxY: bottom + 1)
    }
}

extension PNG {
    /// How many frames a PNG has, by its acTL chunk. The image is one of them, also where no fcTL before it makes it a part of the
    /// animation.
    static func frameCount(_ source: ByteSource, name: String) throws(ImageError) -> Int {
        let chunks = try chunks(["acTL", "fcTL"], beforeImageIn: source, name: name) { _, isSound in isSound }
        let count = chunks["acTL"].map { $0.content.prefix(4).reduce(0) { $0 << 8 | Int($1) } } ?? 0
        return max(1, count + (count > 0 && chunks["fcTL"] == nil ? 1 : 0))
    }
}

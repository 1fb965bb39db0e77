import LoupeFiles

/// Writes an animated PNG frame by frame: of each frame only the block that has changed, for exactly as long as it is
/// shown (the APNG extension of the PNG specification, third edition).
public final class APNGWriter {
    private let sink: ByteSink
    private let width: Int
    private let height: Int
    private let layout: PNGLayout
    private let effort: PNGOptions.Effort
    private let loops: Int
    private let frameTime: FrameTime

    /// The frame that is waiting to be told how long it is shown.
    private var waiting: (image: [UInt8], x: Int, y: Int, width: Int, height: Int, frames: Int)?
    private var last: Image?
    private var sequence: UInt32 = 0
    private var written = 0

    /// Where the count of frames stands: it is known only at the end.
    private static let controlOffset = 8 + 25

    /// - Parameters:
    ///   - isOpaque: whether every frame will be; alpha is stored only where not.
    ///   - loops: how often it plays; 0 for ever.
    public init(
        to sink: ByteSink, width: Int, height: Int, isOpaque: Bool, frameTime: FrameTime, loops: Int = 0,
        effort: PNGOptions.Effort = .default
    ) throws {
        try sink.requireRewriting("an animated PNG tells its number of frames at its start, when the last is drawn")
        self.sink = sink
        (self.width, self.height) = (width, height)
        layout = isOpaque ? .rgb : .rgba
        self.effort = effort
        self.loops = loops
        self.frameTime = frameTime
        try sink.write(PNG.signature)
        try sink.write(PNG.chunk("IHDR", PNG.header(width: width, height: height, layout)))
        try sink.write(control)
    }

    private var control: [UInt8] {
        PNG.chunk("acTL", PNG.bigEndian(UInt32(written)) + PNG.bigEndian(UInt32(loops)))
    }

    /// Shows `image` next; equal ones in a row become one frame that is shown longer.
    ///
    /// - Parameter changed: a block outside of which it equals the image before.
    public func append(_ image: Image, changedWithin changed: (x: Int, y: Int, width: Int, height: Int)) throws {
        let block = last.map { image.differing(from: $0, within: changed) } ?? (0, 0, width, height)
        last = image
        guard let block else {
            waiting?.frames += 1
            return
        }
        try flush()
        try PNG.requireMemory(for: image)
        let part = image.cropped(x: block.x, y: block.y, width: block.width, height: block.height)
        let stream = try PNG.stream(part, as: layout, effort: effort)
        waiting = (Array(stream.pieces.joined()), block.x, block.y, block.width, block.height, 1)
    }

    /// Writes what is left; nothing may be appended afterwards.
    public func finish() throws {
        try flush()
        try sink.write(PNG.chunk("IEND", []))
        try sink.overwrite(control, at: Self.controlOffset)
    }

    private func flush() throws {
        guard let frame = waiting else { return }
        waiting = nil
        let delay = frameTime.delay(frames: frame.frames)
        let numbers = [frame.width, frame.height, frame.x, frame.y].flatMap { PNG.bigEndian(UInt32($0)) }
        // Left standing afterwards, and put in place of what was there.
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

/// How long one frame is shown, as a fraction of a second.
public struct FrameTime: Hashable, Sendable {
    private let numerator: Int
    private let denominator: Int

    /// One of `framesPerSecond`, times `step`; exact where the rate has at most three decimal places.
    public init(framesPerSecond: Double, step: Int = 1) {
        let thousandths = max(1, Int((framesPerSecond * 1000).rounded()))
        let common = Self.greatestCommonDivisor(step * 1000, thousandths)
        numerator = step * 1000 / common
        denominator = thousandths / common
    }

    /// The two 16-bit numbers that a frame's delay is written with, reduced until they fit.
    func delay(frames: Int) -> [UInt8] {
        let common = Self.greatestCommonDivisor(numerator * frames, denominator)
        var (n, d) = (numerator * frames / common, denominator / common)
        while n > 65535 || d > 65535 { (n, d) = (n / 2, max(1, d / 2)) }
        return [UInt8(n >> 8), UInt8(n & 255), UInt8(d >> 8), UInt8(d & 255)]
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}

extension Image {
    /// The smallest block within another that holds every pixel that differs; nil where none does.
    func differing(
        from other: Image, within block: (x: Int, y: Int, width: Int, height: Int)
    ) -> (x: Int, y: Int, width: Int, height: Int)? {
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        pixels.withUnsafeBytes { mine in
            other.pixels.withUnsafeBytes { theirs in
                let (a, b) = (mine.bindMemory(to: UInt32.self), theirs.bindMemory(to: UInt32.self))
                for y in block.y..<(block.y + block.height) {
                    let row = y * width
                    guard let first = (block.x..<(block.x + block.width)).first(where: { a[row + $0] != b[row + $0] }),
                        let last = (block.x..<(block.x + block.width)).last(where: { a[row + $0] != b[row + $0] })
                    else { continue }
                    (left, right) = (min(left, first), max(right, last))
                    (top, bottom) = (min(top, y), max(bottom, y))
                }
            }
        }
        return right < 0 ? nil : (left, top, right - left + 1, bottom - top + 1)
    }
}

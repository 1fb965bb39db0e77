import Dispatch
import LoupeImaging
import LoupeRenderer
import LoupeSystem

/// Writes the frames of a sequence, in order.
package protocol FrameOutput: AnyObject {
    /// How many frames it may still use when it is given the next one.
    var framesInUse: Int { get }
    /// Takes the next frame.
    /// - Parameter number: the frame's number in the session, from 0.
    func take(_ frame: FrameSequence.Frame, number: Int) throws
    /// Ends the output after the last frame, or after the last whole one where the sequence is interrupted and a part
    /// is of use.
    func finish() throws
}

extension FrameOutput {
    /// None.
    package var framesInUse: Int { 0 }
}

/// A single frame as a PNG.
package final class SingleFrame: FrameOutput {
    private let write: ([UInt8]) throws -> Void

    /// - Parameter write: writes the PNG's bytes.
    package init(write: @escaping ([UInt8]) throws -> Void) {
        self.write = write
    }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try write(PNG.encode(frame.image))
    }

    package func finish() {}
}

/// Raw straight RGBA, one frame after another without any header, written by another thread while the next frame is drawn.
package final class RawOutput: FrameOutput {
    package let framesInUse = 1
    private let sink: ByteSink
    /// The write of the last frame, on another thread.
    private var writing: Background<Void>?

    /// Writes to a sink.
    package init(to sink: ByteSink) { self.sink = sink }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try finish()
        let (sink, pixels) = (sink, frame.image.pixels)
        writing = Background { try sink.write(pixels) }
    }

    /// Waits until every frame is written.
    package func finish() throws {
        defer { writing = nil }
        try writing?.take()
    }
}

/// YUV4MPEG2, 4:4:4, ITU-R BT.601 in studio range, which programs assume by default. Alpha is left out.
package final class Y4MOutput: FrameOutput {
    private let sink: ByteSink

    /// Writes the header to a sink.
    /// - Parameters:
    ///   - framesPerSecond: of the session.
    ///   - step: each how many-th frame of the session is written.
    package init(to sink: ByteSink, width: Int, height: Int, framesPerSecond: Double, step: Int) throws {
        self.sink = sink
        let thousandths = Int((framesPerSecond * 1000).rounded())
        try sink.write(Array("YUV4MPEG2 W\(width) H\(height) F\(thousandths):\(1000 * step) Ip A1:1 C444\n".utf8))
    }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try sink.write(Array("FRAME\n".utf8) + Self.planes(of: frame.image.pixels))
    }

    package func finish() {}

    private static func planes(of pixels: [UInt8]) -> [UInt8] {
        let count = pixels.count / 4
        return [UInt8](unsafeUninitializedCapacity: 3 * count) { planes, initialized in
            pixels.withUnsafeBufferPointer { pixels in
                for index in 0..<count {
                    let (r, g, b) = (
                        Int32(pixels[4 * index]), Int32(pixels[4 * index + 1]), Int32(pixels[4 * index + 2])
                    )
                    // BT.601 times 65536, rounded.
                    planes[index] = UInt8(truncatingIfNeeded: (16829 * r + 33039 * g + 6416 * b + 1_081_344) >> 16)
                    planes[count + index] =
                        UInt8(truncatingIfNeeded: (-9714 * r - 19070 * g + 28784 * b + 8_421_376) >> 16)
                    planes[2 * count + index] =
                        UInt8(truncatingIfNeeded: (28784 * r - 24103 * g - 4681 * b + 8_421_376) >> 16)
                }
            }
            initialized = 3 * count
        }
    }
}

/// One animated PNG.
package final class APNGOutput: FrameOutput {
    private let writer: APNGWriter

    /// Writes with a writer, whose size is that of the frames.
    package init(_ writer: APNGWriter) { self.writer = writer }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try writer.append(frame.image, changedWithin: frame.changed)
    }

    package func finish() throws { try writer.finish() }
}

/// One animated WebP, packed by another thread while the next frame is drawn.
package final class WebPOutput: FrameOutput {
    package let framesInUse = 1
    private let writer: Writer
    /// The packing of the last frame, on another thread.
    private var packing: Background<Void>?

    /// The writer of the animation. Only one thread uses it at a time.
    private final class Writer: @unchecked Sendable {
        let animation: WebPAnimationWriter
        init(_ animation: WebPAnimationWriter) { self.animation = animation }
    }

    /// Writes with a writer, whose size is that of the frames.
    package init(_ writer: WebPAnimationWriter) { self.writer = Writer(writer) }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try wait()
        let (writer, image) = (writer, frame.image)
        packing = Background { try writer.animation.append(image) }
    }

    package func finish() throws {
        try wait()
        try writer.animation.finish()
    }

    private func wait() throws {
        defer { packing = nil }
        try packing?.take()
    }
}

/// A file name with the frame's number in it: `%d`, or `%04d` for at least four digits.
package struct FramePattern: Sendable {
    private let prefix: Path
    private let digits: Int
    private let suffix: Path

    /// Nil where there is no `%d`, or more than one.
    package init?(_ path: Path) {
        let parts = path.bytes.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: UInt8(ascii: "d")) else { return nil }
        let width = parts[1][..<end]
        let isNumber = width.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard isNumber, let digits = width.isEmpty ? 1 : Int(String(decoding: width, as: UTF8.self)), digits <= 20
        else { return nil }
        prefix = Path(bytes: parts[0])
        self.digits = digits
        suffix = Path(bytes: parts[1][(end + 1)...])
    }

    /// The file name of a frame.
    package func path(of number: Int) -> Path {
        let text = String(number)
        let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
        return prefix.appending(Path(zeros + text)).appending(suffix)
    }
}

/// One PNG a frame, compressed on other threads while the next frames are drawn.
package final class NumberedFrames: FrameOutput {
    /// Bounds the frames that wait, and with them the memory.
    package let framesInUse = 3
    private let pattern: FramePattern
    private let sequence: PNGSequence
    private let group = DispatchGroup()
    private let room: DispatchSemaphore
    private let outcome = Outcome()

    package init(_ pattern: FramePattern) {
        self.pattern = pattern
        sequence = PNGSequence()
        room = DispatchSemaphore(value: framesInUse)
    }

    /// How many files are in place.
    package var written: Int { outcome.written }

    package func take(_ frame: FrameSequence.Frame, number: Int) throws {
        room.wait()
        if let failure = outcome.failure {
            room.signal()
            group.wait()
            throw failure
        }
        let picture = sequence.next(frame.image, changedWithin: frame.changed.minY..<frame.changed.maxY)
        group.enter()
        let write = { @Sendable [pattern, outcome, room, group] in
            outcome.note(Result { try picture.write(to: pattern.path(of: number)) })
            room.signal()
            group.leave()
        }
        if !Threads.start(write) { write() }
    }

    package func finish() throws {
        group.wait()
        if let failure = outcome.failure { throw failure }
    }

    /// The number of written files, and the first error; shared by the threads that write them.
    private final class Outcome: @unchecked Sendable {
        private let queue = DispatchQueue(label: "outcome")
        private var count = 0
        private var first: (any Error)?

        var written: Int { queue.sync { count } }
        var failure: (any Error)? { queue.sync { first } }

        func note(_ result: Result<Void, any Error>) {
            queue.sync {
                switch result {
                case .success: count += 1
                case .failure(let error): first = first ?? error
                }
            }
        }
    }
}

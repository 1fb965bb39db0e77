import Dispatch
import LoupeFiles
import LoupeImaging
import LoupeRenderer

/// Takes the frames of a replay in order.
protocol FrameOutput: AnyObject {
    /// How many frames it may still be at work on when it is given the next.
    var framesInUse: Int { get }
    /// - Parameter number: the frame's own number in the session, from 0.
    func take(_ frame: FrameSequence.Frame, number: Int) throws
    /// After the last frame. Where the replay is interrupted, only numbered frames and those on standard output are
    /// finished: any other output would be a part that looks whole.
    func finish() throws
}

extension FrameOutput {
    var framesInUse: Int { 0 }
}

/// Raw RGBA, one frame after another without any header, written by another thread while the next frame is drawn.
final class RawOutput: FrameOutput, @unchecked Sendable {
    let framesInUse = 1
    private let sink: ByteSink
    private let queue = DispatchQueue(label: "raw frames")
    /// What went wrong with an earlier frame; guarded by the queue.
    private var failure: FileError?

    init(to sink: ByteSink) { self.sink = sink }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try finish()
        let pixels = frame.image.pixels
        queue.async {
            do throws(FileError) {
                try self.sink.write(pixels)
            } catch {
                self.failure = error
            }
        }
    }

    /// Waits until every frame is written.
    func finish() throws {
        if let failure = queue.sync(execute: { failure }) { throw failure }
    }
}

/// YUV4MPEG2 with one sample of each component a pixel, ITU-R BT.601 in studio range, as programs take it that
/// are told nothing else. Alpha is left out.
final class Y4MOutput: FrameOutput {
    private let sink: ByteSink

    init(to sink: ByteSink, width: Int, height: Int, framesPerSecond: Double, step: Int) throws {
        self.sink = sink
        let thousandths = Int((framesPerSecond * 1000).rounded())
        try sink.write(Array("YUV4MPEG2 W\(width) H\(height) F\(thousandths):\(1000 * step) Ip A1:1 C444\n".utf8))
    }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try sink.write(Array("FRAME\n".utf8) + Self.planes(of: frame.image.pixels))
    }

    func finish() {}

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
final class APNGOutput: FrameOutput {
    private let writer: APNGWriter

    init(_ writer: APNGWriter) { self.writer = writer }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        let changed = frame.changed
        try writer.append(frame.image, changedWithin: (changed.minX, changed.minY, changed.width, changed.height))
    }

    func finish() throws { try writer.finish() }
}

import Dispatch
import LoupeBase
import LoupeImaging
import LoupeRenderer
import LoupeSystem
import Synchronization

/// Writes the frames of a sequence, in order.
protocol FrameOutput: AnyObject {
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
    var framesInUse: Int { 0 }
}

/// Frames in one file, each packed and written by another thread while the next one is drawn.
final class FrameStream: FrameOutput {
    let framesInUse = 1
    private let write: (FrameSequence.Frame) throws -> Void
    private let end: () throws -> Void
    /// The write of the last frame, on another thread.
    private var writing: Background<Void>?

    /// - Parameters:
    ///   - write: writes a frame.
    ///   - end: writes what comes after the last one.
    init(_ write: @escaping (FrameSequence.Frame) throws -> Void, end: @escaping () throws -> Void = {}) {
        (self.write, self.end) = (write, end)
    }

    /// What is written to must not be closed before.
    deinit { try? wait() }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try wait()
        // One thread calls it at a time.
        nonisolated(unsafe) let write = write
        writing = Background { try write(frame) }
    }

    func finish() throws {
        try wait()
        try end()
    }

    private func wait() throws {
        defer { writing = nil }
        try writing?.take()
    }
}

/// YUV4MPEG2, 4:4:4, ITU-R BT.601 in studio range, which programs assume by default. Alpha is left out.
enum Y4M {
    /// The bytes before the first frame.
    /// - Parameter step: each how many-th frame of the session is written.
    static func header(_ size: ImageSize, framesPerSecond: Double, step: Int) -> [UInt8] {
        let thousandths = Int((framesPerSecond * 1000).rounded())
        return Array(
            "YUV4MPEG2 W\(size.width) H\(size.height) F\(thousandths):\(1000 * step) Ip A1:1 C444\n".utf8)
    }

    /// The bytes of a frame of straight RGBA.
    static func frame(of pixels: [UInt8]) -> [UInt8] {
        let count = pixels.count / 4
        let planes = [UInt8](unsafeUninitializedCapacity: 3 * count) { planes, initialized in
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
        return Array("FRAME\n".utf8) + planes
    }
}

/// A file name with the frame's number in it: `%d`, or `%04d` for at least four digits.
struct FramePattern: Sendable {
    private let prefix: Path
    private let digits: Int
    private let suffix: Path

    /// Nil where there is no `%d`, or more than one.
    init?(_ path: Path) {
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
    func path(of number: Int) -> Path {
        let text = String(number)
        let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
        return prefix.appending(Path(zeros + text)).appending(suffix)
    }
}

/// One PNG a frame, compressed on other threads while the next frames are drawn.
final class NumberedFrames: FrameOutput, @unchecked Sendable {
    /// Bounds the frames that wait, and with them the memory.
    let framesInUse = 3
    private let pattern: FramePattern
    private let sequence: PNGSequence
    private let group = DispatchGroup()
    private let room: DispatchSemaphore
    /// How many files are in place, and the first error.
    private let outcome = Mutex<(written: Int, failure: (any Error)?)>((0, nil))

    /// - Parameter options: how each PNG is packed.
    init(_ pattern: FramePattern, options: PNGOptions) {
        self.pattern = pattern
        sequence = PNGSequence(options: options)
        room = DispatchSemaphore(value: framesInUse)
    }

    /// How many files are in place.
    var written: Int { outcome.withLock(\.written) }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        room.wait()
        if let failure = outcome.withLock(\.failure) {
            room.signal()
            group.wait()
            throw failure
        }
        let picture = sequence.next(frame.image, changedWithin: frame.changed.minY..<frame.changed.maxY)
        group.enter()
        let write = { @Sendable [self] in
            let result = Result { try picture.write(to: pattern.path(of: number)) }
            outcome.withLock { outcome in
                switch result {
                case .success: outcome.written += 1
                case .failure(let error): outcome.failure = outcome.failure ?? error
                }
            }
            room.signal()
            group.leave()
        }
        if !Threads.start(write) { write() }
    }

    func finish() throws {
        group.wait()
        if let failure = outcome.withLock(\.failure) { throw failure }
    }
}

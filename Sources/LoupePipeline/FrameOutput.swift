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
    private var writing: Background<Void, any Error>?

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

    init(_ pattern: FramePattern) {
        self.pattern = pattern
        sequence = PNGSequence()
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

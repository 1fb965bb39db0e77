import Dispatch
import LoupeImaging
import LoupeRenderer

/// A file name with the frame's number in it: `%d`, or `%04d` for at least four digits.
struct FramePattern {
    private let prefix: Substring
    private let digits: Int
    private let suffix: Substring

    /// Nil where there is no such place, or more than one.
    init?(_ text: String) {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let end = parts[1].firstIndex(of: "d") else { return nil }
        let width = parts[1][..<end]
        guard width.allSatisfy(\.isWholeNumber), let digits = width.isEmpty ? 1 : Int(width), digits <= 20 else {
            return nil
        }
        prefix = parts[0]
        self.digits = digits
        suffix = parts[1][parts[1].index(after: end)...]
    }

    func path(of number: Int) -> String {
        let text = String(number)
        return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text + suffix
    }
}

/// One PNG a frame, compressed on other threads while the next frames are drawn.
final class NumberedFrames: FrameOutput {
    /// So few frames wait at once that memory stays the same however many there are.
    let framesInUse = 3
    private let pattern: FramePattern
    private let sequence: PNGSequence
    private let queue = DispatchQueue(label: "frames", attributes: .concurrent)
    private let group = DispatchGroup()
    private let room: DispatchSemaphore
    private let outcome = Outcome()

    init(_ pattern: FramePattern, options: PNGOptions) {
        self.pattern = pattern
        sequence = PNGSequence(options: options)
        room = DispatchSemaphore(value: framesInUse)
    }

    /// How many files are in place.
    var written: Int { outcome.written }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        room.wait()
        if let failure = outcome.failure {
            room.signal()
            group.wait()
            throw failure
        }
        let picture = sequence.next(frame.image, changedWithin: frame.changed.minY..<frame.changed.maxY)
        queue.async(group: group) { [pattern, outcome, room] in
            outcome.note(Result { try picture.write(to: pattern.path(of: number)) })
            room.signal()
        }
    }

    func finish() throws {
        group.wait()
        if let failure = outcome.failure { throw failure }
    }

    /// What has become of the files so far; shared by the threads that write them.
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

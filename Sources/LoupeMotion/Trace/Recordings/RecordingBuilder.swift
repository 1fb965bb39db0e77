// Building a trace from a recording, and the list of the touches that the trace leaves out.

import LoupeBase
import LoupeScene

/// Collects the events of a recording, checks them as they come, and moves their times and positions as the options
/// say.
struct RecordingBuilder {
    let options: RecordingOptions
    var notes = RecordingNotes()
    private var checker = TraceChecker()
    /// The recorded time of 0 s, in nanoseconds.
    private var origin: Int64?

    init(_ options: RecordingOptions) { self.options = options }

    /// Adds an event of a touch.
    /// - Parameters:
    ///   - position: As recorded, before it is scaled.
    ///   - time: By the recording's clock, in nanoseconds.
    ///   - origin: Where the recording has the event.
    mutating func add(
        _ id: Int, _ phase: Touch.Phase, at position: Point, nanoseconds time: Int64,
        _ origin: DocumentError.Position
    ) throws(DocumentError) {
        let place = Point(x: position.x * options.scale, y: position.y * options.scale)
        let range = JSONReader.coordinateRange
        guard range.contains(place.x), range.contains(place.y) else {
            throw DocumentError(
                at: origin,
                "the position [\(place.x.jsonText), \(place.y.jsonText)] is out of range; allowed is \(range.words)")
        }
        if phase != .began, !checker.isDown(id) {
            return notes.add("event of a touch that began before the recording")
        }
        try add(.touch(Touch(id: id, phase: phase, position: place)), nanoseconds: time, origin)
    }

    mutating func add(
        _ rate: RotationRate, nanoseconds time: Int64, _ origin: DocumentError.Position
    ) throws(DocumentError) {
        try add(.rotation(rate), nanoseconds: time, origin)
    }

    private mutating func add(
        _ content: Trace.Event.Content, nanoseconds time: Int64, _ origin: DocumentError.Position
    ) throws(DocumentError) {
        try checker.add(Trace.Event(time: try seconds(time, origin), content), at: origin)
    }

    /// Whether a touch is down.
    func isDown(_ id: Int) -> Bool { checker.isDown(id) }

    private mutating func seconds(
        _ time: Int64, _ position: DocumentError.Position
    ) throws(DocumentError) -> Double {
        let isAbsolute = time < 0 || time > Self.latestStart
        let start = origin ?? (options.start.map { time - $0.nanoseconds } ?? (isAbsolute ? time : 0))
        origin = start
        let passed = time - start
        // A recording whose numbers are 64-bit floats has no nanoseconds as late as that.
        let seconds = start > 1 << 53 ? Double((passed + 500) / 1000) / 1e6 : Double(passed) / 1e9
        guard Trace.timeRange.contains(seconds) else {
            let order = seconds < 0 ? "; the event is before the first one" : ""
            throw DocumentError(
                at: position, "the time of \(seconds.jsonText) s is out of range; allowed is 0…86400\(order)")
        }
        return seconds
    }

    /// The latest first time of a clock that starts with the recording, in nanoseconds: an hour.
    private static let latestStart: Int64 = 3_600_000_000_000

    /// The trace.
    /// - Parameter position: That of the recording's last event.
    func trace(endingAt position: DocumentError.Position) throws(DocumentError) -> Trace {
        try checker.trace(endingAt: position)
    }
}

/// The events that a conversion leaves out or doubts, counted for each kind.
struct RecordingNotes {
    private var kinds: [(subject: String, consequence: String, count: Int)] = []

    mutating func add(_ subject: String, _ consequence: String = "left out") {
        if let index = kinds.firstIndex(where: { $0.subject == subject }) {
            kinds[index].count += 1
        } else {
            kinds.append((subject, consequence, 1))
        }
    }

    /// Such as `event of a touch that began before the recording, 12 times: left out`.
    var sentences: [String] {
        kinds.map { "\($0.subject), \($0.count == 1 ? "once" : "\($0.count) times"): \($0.consequence)" }
    }
}

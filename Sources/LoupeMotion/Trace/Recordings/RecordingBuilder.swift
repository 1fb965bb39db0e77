// Building a trace from a recording, and the list of what the trace leaves out.

import LoupeBase
import LoupeScene

/// Collects the events of a recording, checks them as they come, and moves their times and positions as the options
/// say.
struct RecordingBuilder {
    let options: RecordingOptions
    var notes = RecordingNotes()
    private var checker = TraceChecker()
    private var events: [Trace.Event] = []
    /// The recorded time of 0 s, in nanoseconds.
    private var origin: Int64?
    /// The identifiers in the trace of pointers whose own are out of range.
    private var ids: [Int: Int] = [:]

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
        let touch = Touch(id: inRange(id), phase: phase, position: place)
        if phase != .began, !checker.isDown(touch.id) {
            return notes.add("event of a touch that began before the recording", "left out")
        }
        try add(.touch(touch), nanoseconds: time, origin)
    }

    mutating func add(
        _ rate: RotationRate, nanoseconds time: Int64, _ origin: DocumentError.Position
    ) throws(DocumentError) {
        try add(.rotation(rate), nanoseconds: time, origin)
    }

    private mutating func add(
        _ content: Trace.Event.Content, nanoseconds time: Int64, _ origin: DocumentError.Position
    ) throws(DocumentError) {
        let event = Trace.Event(time: try seconds(time, origin), content)
        if let problem = checker.accept(event) { throw DocumentError(at: origin, problem) }
        events.append(event)
    }

    private mutating func seconds(
        _ time: Int64, _ position: DocumentError.Position
    ) throws(DocumentError) -> Double {
        let start = origin ?? (options.start.map { time - $0.nanoseconds } ?? (time > Self.latestStart ? time : 0))
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

    private static let latestStart = LogClock.latestStart.nanoseconds

    private mutating func inRange(_ id: Int) -> Int {
        if Touch.idRange.contains(id) { return id }
        if let known = ids[id] { return known }
        let new = Touch.idRange.upperBound - ids.count
        ids[id] = new
        notes.add("pointer \(id)", "is touch \(new) in the trace; allowed are identifiers in 0…1000000000")
        return new
    }

    /// The identifiers that recordings may have: 32 bits.
    static let idRange = -2_147_483_648...2_147_483_647
    static let remedy = "--cut-off lift"

    /// The trace.
    /// - Parameter position: That of the recording's last event.
    mutating func trace(endingAt position: DocumentError.Position) throws(DocumentError) -> Trace {
        if options.cutOff == .lift { events += checker.lifted() }
        if let problem = checker.problemAtEnd(remedy: Self.remedy) {
            throw DocumentError(at: position, problem)
        }
        return Trace(events)
    }
}

/// The things that a conversion leaves out or changes, counted for each kind.
struct RecordingNotes {
    private var kinds: [(subject: String, consequence: String, count: Int)] = []

    /// - Parameters:
    ///   - subject: What the format does not have.
    ///   - consequence: What becomes of it.
    mutating func add(_ subject: String, _ consequence: String, count: Int = 1) {
        guard count > 0 else { return }
        if let index = kinds.firstIndex(where: { $0.subject == subject && $0.consequence == consequence }) {
            kinds[index].count += count
        } else {
            kinds.append((subject, consequence, count))
        }
    }

    /// Such as `pressure, 12 times: left out; a trace has none`.
    var sentences: [String] {
        kinds.map { "\($0.subject), \($0.count == 1 ? "once" : "\($0.count) times"): \($0.consequence)" }
    }
}

extension Int64 {
    /// A number of units as nanoseconds; nil where it is no time.
    /// - Parameter unit: In nanoseconds.
    init?(_ number: Double, unitsOf unit: Double) {
        let value = (number * unit).rounded()
        // 9e18 is the largest power of ten times nine that 64 bits hold.
        guard value >= 0, value < 9e18 else { return nil }
        self = Int64(value)
    }
}

extension JSONReader {
    /// A time in nanoseconds.
    /// - Parameter unit: The unit of the number, in nanoseconds.
    func time(unit: Double) throws(DocumentError) -> Int64 {
        let number = try number(in: 0...9e18 / unit)
        guard let time = Int64(number, unitsOf: unit) else { throw error("\(value.excerpt) is not a time") }
        return time
    }

    /// The identifier of a pointer; it may be out of a trace's range.
    func recordedID() throws(DocumentError) -> Int { try integer(in: RecordingBuilder.idRange) }

    /// A coordinate of a recording, before it is scaled.
    func recordedCoordinate() throws(DocumentError) -> Double { try number(in: -1e9...1e9) }

    /// The object's keys other than some.
    func keys(except known: Set<String>) -> [String] {
        guard case .object(let object) = value else { return [] }
        return object.members.map { $0.key }.filter { !known.contains($0) }
    }
}

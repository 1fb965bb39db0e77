import LoupeBase
import LoupeScene

/// Reads a trace strictly: JSON Lines, one event a line, a JSON array of events, or the CSV of a logging app (see
/// `RotationLog`).
///
/// ```json
/// {"t": 0.016, "touch": 1, "phase": "moved", "at": [120, 80.5]}
/// {"t": 0.020, "rotation": [0.01, -0.4, 0.02]}
/// ```
/// `t` is in seconds, `at` in canvas pixels, `rotation` in radians per second.
public enum TraceDecoder {
    /// Decodes a trace from UTF-8 text.
    /// - Throws: An error with the line, or the path in the array, if events are malformed, out of order or impossible.
    public static func decode(_ bytes: [UInt8], cutOff: Trace.CutOff = .refuse) throws(DocumentError) -> Trace {
        try decode(bytes, cutOff: cutOff, remedy: TraceChecker.sessionRemedy)
    }

    /// - Parameter remedy: How a recording that is cut off can be read all the same, for the error.
    static func decode(_ bytes: [UInt8], cutOff: Trace.CutOff, remedy: String) throws(DocumentError) -> Trace {
        let bytes = bytes.withoutByteOrderMark
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return try RotationLog.decode(bytes) }
        var checker = TraceChecker()
        var events: [Trace.Event] = []
        let last = try JSONRecords.forEach(in: bytes) { value, position throws(DocumentError) in
            let event = try event(value)
            if let problem = checker.accept(event) { throw DocumentError(at: position, problem) }
            events.append(event)
        }
        if cutOff == .lift { events += checker.lifted() }
        if let problem = checker.problemAtEnd(remedy: remedy) { throw DocumentError(at: last, problem) }
        return Trace(events)
    }

    /// Decodes a trace from a JSON array of events, as it may stand in a session.
    package static func decode(_ value: JSONReader, cutOff: Trace.CutOff = .refuse) throws(DocumentError) -> Trace {
        var checker = TraceChecker()
        var events: [Trace.Event] = []
        for element in try value.array() {
            let event = try event(element)
            if let problem = checker.accept(event) { throw element.error(problem) }
            events.append(event)
        }
        if cutOff == .lift { events += checker.lifted() }
        if let problem = checker.problemAtEnd { throw value.error(problem) }
        return Trace(events)
    }

    static func error(_ problem: String, line: Int) -> DocumentError {
        DocumentError(at: .text(line: line, column: 1), problem)
    }

    // MARK: - Events

    private static func event(_ value: JSONReader) throws(DocumentError) -> Trace.Event {
        var event = value
        let time = try event.required("t").number(in: Trace.timeRange)
        if let rotation = try event.optional("rotation") {
            try event.finish()
            return Trace.Event(time: time, .rotation(try rate(rotation)))
        }
        let touch = Touch(
            id: try event.required("touch").integer(in: Touch.idRange),
            phase: try event.required("phase").choice(of: Touch.Phase.self),
            position: try event.required("at").point())
        try event.finish()
        return Trace.Event(time: time, .touch(touch))
    }

    private static func rate(_ value: JSONReader) throws(DocumentError) -> RotationRate {
        let axes = try value.tuple("x", "y", "z")
        return RotationRate(
            x: try axes[0].number(in: RotationRate.range), y: try axes[1].number(in: RotationRate.range),
            z: try axes[2].number(in: RotationRate.range))
    }
}

/// Checks that events follow each other sensibly: in the order of time, and each touch from its beginning to its end.
struct TraceChecker {
    private var lastTime = 0.0
    private var isEmpty = true
    /// The last event of each touch that is down, by its identifier.
    private var down: [Int: Touch] = [:]

    /// Checks the next event.
    /// - Returns: What is wrong with the event; nil if nothing is.
    mutating func accept(_ event: Trace.Event) -> String? {
        guard isEmpty || event.time >= lastTime else {
            return
                "the event is at \(event.time.jsonText) s, before the previous event at \(lastTime.jsonText) s; events must be in the order of time"
        }
        isEmpty = false
        lastTime = event.time
        guard case .touch(let touch) = event.content else { return nil }
        return accept(touch)
    }

    func isDown(_ id: Int) -> Bool { down[id] != nil }

    private mutating func accept(_ touch: Touch) -> String? {
        let isDown = isDown(touch.id)
        switch touch.phase {
        case .began:
            if isDown { return "touch \(touch.id) began again before it ended" }
            if down.count == Touch.greatestCount {
                return "the event is the eleventh touch at the same time; at most 10 are allowed"
            }
            down[touch.id] = touch
        case .moved:
            if !isDown { return "touch \(touch.id) moved before it began" }
            down[touch.id] = touch
        case .ended, .cancelled:
            if !isDown { return "touch \(touch.id) \(touch.phase.rawValue) before it began" }
            down[touch.id] = nil
        }
        return nil
    }

    /// Lifts the touches that are down, each where it is, at the time of the last event.
    mutating func lifted() -> [Trace.Event] {
        let touches = down.values.sorted { $0.id < $1.id }
        down = [:]
        return touches.map {
            Trace.Event(time: lastTime, .touch(Touch(id: $0.id, phase: .ended, position: $0.position)))
        }
    }

    /// What is wrong with the recording as a whole; nil if nothing is.
    var problemAtEnd: String? { problemAtEnd(remedy: Self.sessionRemedy) }

    static let sessionRemedy = "\"cutOff\": \"lift\" in the session"

    /// - Parameter remedy: How such a recording can be read all the same.
    func problemAtEnd(remedy: String) -> String? {
        if isEmpty { return "the trace has no event; at least one is needed" }
        guard let id = down.keys.min() else { return nil }
        return
            "touch \(id) never ends; an event with the phase ended or cancelled is needed, or \(remedy)"
    }
}

extension [UInt8] {
    /// The bytes without the mark at the start of some UTF-8 files.
    var withoutByteOrderMark: [UInt8] {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        return starts(with: mark) ? Array(dropFirst(mark.count)) : self
    }
}

import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Reads a trace strictly: JSON Lines, one event a line, a JSON array of events, or the CSV of a logging app (see `RotationLog`).
///
/// ```json
/// {"t": 0.016, "touch": 1, "phase": "moved", "at": [120, 80.5]}
/// {"t": 0.020, "rotation": [0.01, -0.4, 0.02]}
/// ```
/// `t` is in seconds, `at` in canvas pixels, `rotation` in radians per second.
public enum TraceDecoder {
    /// Decodes a trace from UTF-8 text.
    /// - Throws: An error with the number of the line, or of the array's element, if events are malformed, out of
    ///   order or impossible.
    public static func decode(_ bytes: [UInt8], cutOff: Trace.CutOff = .refuse) throws(DocumentError) -> Trace {
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        let bytes = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "[") { return try decode(try JSONReader(parsing: bytes), cutOff: cutOff) }
        if first == UInt8(ascii: "{") { return try lines(bytes, cutOff) }
        return try RotationLog.decode(bytes)
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

    // MARK: - JSON Lines

    private static func lines(_ bytes: [UInt8], _ cutOff: Trace.CutOff) throws(DocumentError) -> Trace {
        var checker = TraceChecker()
        var events: [Trace.Event] = []
        var number = 0
        var lastNumber = 1
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            lastNumber = number
            let event = try event(Array(line), line: number)
            if let problem = checker.accept(event) { throw error(problem, line: number) }
            events.append(event)
        }
        if cutOff == .lift { events += checker.lifted() }
        if let problem = checker.problemAtEnd { throw error(problem, line: lastNumber) }
        return Trace(events)
    }

    private static func event(_ bytes: [UInt8], line: Int) throws(DocumentError) -> Trace.Event {
        do {
            return try event(try JSONReader(parsing: bytes))
        } catch {
            switch error.position {
            case .text(_, let column): throw DocumentError(at: .text(line: line, column: column), error.problem)
            case .key: throw Self.error(error.description, line: line)
            }
        }
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

    private mutating func accept(_ touch: Touch) -> String? {
        let isDown = down[touch.id] != nil
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
    var problemAtEnd: String? {
        if isEmpty { return "the trace has no event; at least one is needed" }
        guard let id = down.keys.min() else { return nil }
        return
            "touch \(id) never ends; an event with the phase ended or cancelled is needed, or \"cutOff\": \"lift\" in the session"
    }
}

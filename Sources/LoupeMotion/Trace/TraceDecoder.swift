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
    public static func decode(_ bytes: [UInt8]) throws(DocumentError) -> Trace {
        let trace = try recorded(bytes)
        // JSON and touches are taken as they are.
        return bytes.isJSON ? trace : RotationResampling.resampled(trace)
    }

    /// A trace with the samples of the rotation rate as they were recorded.
    static func recorded(_ bytes: [UInt8]) throws(DocumentError) -> Trace {
        let bytes = bytes.withoutByteOrderMark
        if let format = RecordingFormat(of: bytes), [.w3c, .getevent, .csv].contains(format) {
            throw error(
                "a recording of the format \(format.rawValue); make a trace of it with loupe-render trace convert",
                line: 1)
        }
        guard bytes.isJSON else {
            var builder = RecordingBuilder(RecordingOptions())
            let last = try RotationLog.read(bytes, into: &builder)
            return try builder.trace(endingAt: last)
        }
        var checker = TraceChecker()
        let last = try JSONRecords.forEach(in: bytes) { value, position throws(DocumentError) in
            try checker.add(try event(value), at: position)
        }
        return try checker.trace(endingAt: last)
    }

    /// Decodes a trace from a JSON array of events, as it may stand in a session.
    package static func decode(_ value: JSONReader) throws(DocumentError) -> Trace {
        var checker = TraceChecker()
        for element in try value.array() {
            try checker.add(try event(element), at: .key(path: element.path.description))
        }
        return try checker.trace(endingAt: .key(path: value.path.description))
    }

    /// Reads events as one of the recordings that `Recording` reads.
    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        try JSONRecords.forEach(in: bytes) { value, position throws(DocumentError) in
            let event = try event(value)
            switch event.content {
            case .touch(let touch):
                try builder.add(
                    touch.id, touch.phase, at: touch.position, nanoseconds: event.time.nanoseconds, position)
            case .rotation(let rate): try builder.add(rate, nanoseconds: event.time.nanoseconds, position)
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

/// Collects events, and checks that they follow each other sensibly: in the order of time, and each touch from its
/// beginning to its end.
struct TraceChecker {
    private var events: [Trace.Event] = []
    /// The last event of each touch that is down, by its identifier.
    private var down: [Int: Touch] = [:]

    /// Adds the next event.
    /// - Parameter position: Where the recording has it, for the error.
    mutating func add(_ event: Trace.Event, at position: DocumentError.Position) throws(DocumentError) {
        if let problem = problem(of: event) { throw DocumentError(at: position, problem) }
        events.append(event)
        guard case .touch(let touch) = event.content else { return }
        down[touch.id] = touch.phase == .began || touch.phase == .moved ? touch : nil
    }

    func isDown(_ id: Int) -> Bool { down[id] != nil }

    private func problem(of event: Trace.Event) -> String? {
        if let last = events.last?.time, event.time < last {
            return
                "the event is at \(event.time.jsonText) s, before the previous event at \(last.jsonText) s; events must be in the order of time"
        }
        guard case .touch(let touch) = event.content else { return nil }
        switch (touch.phase, isDown(touch.id)) {
        case (.began, true): return "touch \(touch.id) began again before it ended"
        case (.began, false):
            return down.count == Touch.greatestCount
                ? "the event is the eleventh touch at the same time; at most 10 are allowed" : nil
        case (_, true): return nil
        case (_, false): return "touch \(touch.id) \(touch.phase.rawValue) before it began"
        }
    }

    /// The trace; touches that are down at its end are lifted there, each where it is.
    /// - Parameter position: That of the recording's last event.
    func trace(endingAt position: DocumentError.Position) throws(DocumentError) -> Trace {
        guard let last = events.last else {
            throw DocumentError(at: position, "the trace has no event; at least one is needed")
        }
        let lifted = down.values.sorted { $0.id < $1.id }.map {
            Trace.Event(time: last.time, .touch(Touch(id: $0.id, phase: .ended, position: $0.position)))
        }
        return Trace(events + lifted)
    }
}

extension [UInt8] {
    /// Whether the first letter begins an array or an object.
    fileprivate var isJSON: Bool {
        let first = withoutByteOrderMark.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// The bytes without the mark at the start of some UTF-8 files.
    var withoutByteOrderMark: [UInt8] {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        return starts(with: mark) ? Array(dropFirst(mark.count)) : self
    }
}

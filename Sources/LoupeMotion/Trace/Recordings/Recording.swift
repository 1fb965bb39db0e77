// Recordings of touches as other programs write them: their formats, and how they are read.

import LoupeBase

/// A format of recordings of touches.
package enum RecordingFormat: String, Hashable, Sendable, CaseIterable {
    /// The project's own: JSON Lines or a JSON array of events (see `TraceDecoder`).
    case trace
    /// Pointer events of the W3C, as JSON Lines or a JSON array.
    case w3c
    /// The text of Android's `getevent -lt`, with multi-touch protocol B.
    case getevent
    /// A CSV of touches with the columns t, id, x, y and phase.
    case csv
    /// The CSV of a gyroscope (see `RotationLog`).
    case gyroscope

    /// The name, with the columns of a table.
    fileprivate var text: String {
        switch self {
        case .csv: "\(rawValue) (columns t, id, x, y and phase)"
        case .gyroscope: "\(rawValue) (time, x, y and z)"
        case .trace, .w3c, .getevent: rawValue
        }
    }

    /// The format of a text, by its content; nil for none of them.
    package init?(of text: [UInt8]) {
        let bytes = text.withoutByteOrderMark
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        if EventLog.isOne(bytes) {
            self = .getevent
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            self = JSONRecords.firstKeys(in: bytes).contains("pointerId") ? .w3c : .trace
        } else {
            let line = bytes.split(separator: UInt8(ascii: "\n")).first { !$0.allSatisfy { " \t\r".utf8.contains($0) } }
            guard let line else { return nil }
            let titles = LogTitles(line)
            if (try? TouchLogHeader(titles, line: 1)) != nil {
                self = .csv
            } else if (try? RotationLogHeader(titles, line: 1)) != nil {
                self = .gyroscope
            } else {
                return nil
            }
        }
    }
}

/// Options for reading a recording.
package struct RecordingOptions: Sendable {
    /// The size in canvas pixels to which the axes of a touch screen are scaled; nil for a pixel for each unit.
    package var canvas: (width: Double, height: Double)?
    /// The factor of all positions that are read.
    package var scale = 1.0
    /// The time of the first event, in seconds; nil to keep the recorded time, or 0 where that is later than an hour,
    /// as by a clock that does not start with the recording.
    package var start: Double?

    /// Times and positions as they are recorded.
    package init() {}
}

/// A recording that was read: the trace, and which touches of the recording are not in it.
package struct Recording: Hashable, Sendable {
    /// The format that was read.
    package let format: RecordingFormat
    /// The events.
    package let trace: Trace
    /// The touches that the trace leaves out, a sentence for each reason.
    package let notes: [String]

    /// Reads a recording from UTF-8 text.
    /// - Throws: An error with the number of the line where the text is not such a recording.
    package init(_ text: [UInt8], options: RecordingOptions = RecordingOptions()) throws(DocumentError) {
        let bytes = text.withoutByteOrderMark
        guard let format = RecordingFormat(of: bytes) else {
            throw TraceDecoder.error(
                "the text is none of the known recordings: \(RecordingFormat.allCases.map { $0.text }.joined(separator: ", "))",
                line: 1)
        }
        self.format = format
        var builder = RecordingBuilder(options)
        let last: DocumentError.Position
        switch format {
        case .trace: last = try TraceDecoder.read(bytes, into: &builder)
        case .gyroscope: last = try RotationLog.read(bytes, into: &builder)
        case .w3c: last = try PointerEvents.read(bytes, into: &builder)
        case .getevent: last = try EventLog.read(bytes, options, into: &builder)
        case .csv: last = try TouchLog.read(bytes, into: &builder)
        }
        let built = try builder.trace(endingAt: last)
        trace = format == .gyroscope ? RotationResampling.resampled(built) : built
        notes = builder.notes.sentences
    }
}

extension Double {
    /// Seconds as nanoseconds. A time with up to nine decimals is exact in both directions.
    var nanoseconds: Int64 { Int64((self * 1e9).rounded()) }
}

/// Writes a trace as JSON Lines.
package enum TraceEncoder {
    /// The trace as JSON Lines, which `TraceDecoder` reads as the same trace.
    package static func text(of trace: Trace) -> String {
        var text = ""
        for event in trace.events { text += json(event).line + "\n" }
        return text
    }

    /// The trace as a JSON array, as it may stand in a session.
    package static func json(of trace: Trace) -> JSONValue { .array(trace.events.map { json($0) }) }

    private static func json(_ event: Trace.Event) -> JSONValue {
        switch event.content {
        case .touch(let touch):
            [
                "t": .number(event.time), "touch": .number(Double(touch.id)), "phase": .string(touch.phase.rawValue),
                "at": .point(touch.position),
            ]
        case .rotation(let rate):
            ["t": .number(event.time), "rotation": [.number(rate.x), .number(rate.y), .number(rate.z)]]
        }
    }
}

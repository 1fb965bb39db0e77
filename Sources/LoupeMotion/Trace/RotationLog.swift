import LoupeJSON
import LoupeScene

/// Reads the CSV of a phone's logging app: a header with the names and units of its columns, then one rotation-rate
/// sample a line.
///
/// A log whose first time is later than an hour was written by an absolute clock, and counts from its first sample.
enum RotationLog {
    /// In seconds.
    private static let latestStart = 3600.0

    static func decode(_ bytes: [UInt8]) throws(DocumentError) -> Trace {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var checker = TraceChecker()
        var events: [Trace.Event] = []
        var header: RotationLogHeader?
        var clock = Clock()
        for (index, line) in lines.enumerated() where line.contains(where: { !" \t\r".utf8.contains($0) }) {
            guard let columns = header else {
                header = try self.header(line, line: index + 1)
                continue
            }
            let event = try event(line, columns, &clock, line: index + 1)
            if let problem = checker.accept(event) { throw TraceDecoder.error(problem, line: index + 1) }
            events.append(event)
        }
        if let problem = checker.problemAtEnd { throw TraceDecoder.error(problem, line: lines.count) }
        return Trace(events)
    }

    private static func header(_ bytes: ArraySlice<UInt8>, line: Int) throws(DocumentError) -> RotationLogHeader {
        var problem = ""
        guard let header = RotationLogHeader(bytes, problem: &problem) else {
            throw TraceDecoder.error("neither JSON events nor a log: \(problem)", line: line)
        }
        return header
    }

    private static func event(
        _ bytes: ArraySlice<UInt8>, _ header: RotationLogHeader, _ clock: inout Clock, line: Int
    ) throws(DocumentError) -> Trace.Event {
        let fields = bytes.split(separator: header.separator, omittingEmptySubsequences: false)
        guard fields.count == header.columnCount else {
            throw TraceDecoder.error(
                "it has \(fields.count) values; the header has \(header.columnCount) columns", line: line)
        }
        let time = try number(fields[header.time], line: line)
        let seconds = clock.seconds(time.text, time.value, header.ticksPerSecond)
        guard Trace.timeRange.contains(seconds) else {
            throw TraceDecoder.error("the time of \(seconds.text) s is out of range; allowed is 0…86400", line: line)
        }
        var rates: [Double] = []
        for axis in header.axes {
            let rate = try number(fields[axis], line: line).value * header.radians
            guard RotationRate.range.contains(rate) else {
                throw TraceDecoder.error("\(rate.text) rad/s is out of range; allowed is -1000…1000", line: line)
            }
            rates.append(rate)
        }
        return Trace.Event(time: seconds, .rotation(RotationRate(x: rates[0], y: rates[1], z: rates[2])))
    }

    private static func number(
        _ field: ArraySlice<UInt8>, line: Int
    ) throws(DocumentError) -> (text: String, value: Double) {
        let space = " \t\r\"".utf8
        var bytes = field
        while let first = bytes.first, space.contains(first) { bytes.removeFirst() }
        while let last = bytes.last, space.contains(last) { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        // Swift reads names and hexadecimal digits as well: nan, infinity, 0x1p3.
        let isPlain = bytes.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(text), value.isFinite else {
            throw TraceDecoder.error("\"\(text.prefix(40))\" is not a number; a finite number is needed", line: line)
        }
        return (text, value)
    }

    /// Turns ticks into seconds. An absolute clock's ticks, such as nanoseconds since 1970, need more digits than a
    /// `Double` has, so whole ones are subtracted as integers.
    private struct Clock {
        private var origin: (ticks: Int?, value: Double)?

        mutating func seconds(_ text: String, _ value: Double, _ ticksPerSecond: Double) -> Double {
            if origin == nil {
                let isAbsolute = value / ticksPerSecond > latestStart
                origin = isAbsolute ? (Int(text), value) : (0, 0)
            }
            if let start = origin?.ticks, let ticks = Int(text) {
                return Double(ticks &- start) / ticksPerSecond
            }
            return (value - (origin?.value ?? 0)) / ticksPerSecond
        }
    }
}

import LoupeJSON
import LoupeScene

/// Reads the CSV file of a sensor logging app: a header with the names and units of the columns, then one sample of
/// the rotation rate a line.
///
/// A log whose first time is later than an hour comes from an absolute clock; its times are relative to the first
/// sample.
enum RotationLog {
    /// The latest first time of a log whose clock is not absolute, in seconds.
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
            throw TraceDecoder.error("the text is neither JSON events nor a sensor log: \(problem)", line: line)
        }
        return header
    }

    private static func event(
        _ bytes: ArraySlice<UInt8>, _ header: RotationLogHeader, _ clock: inout Clock, line: Int
    ) throws(DocumentError) -> Trace.Event {
        let fields = bytes.split(separator: header.separator, omittingEmptySubsequences: false)
        guard fields.count == header.columnCount else {
            throw TraceDecoder.error(
                "the line has \(fields.count) values; the header has \(header.columnCount) columns", line: line)
        }
        let time = try number(fields[header.time], line: line)
        let seconds = clock.seconds(time.text, time.value, header.ticksPerSecond)
        guard Trace.timeRange.contains(seconds) else {
            throw TraceDecoder.error(
                "the time of \(seconds.jsonText) s is out of range; allowed is 0…86400", line: line)
        }
        var rates: [Double] = []
        for axis in header.axes {
            let rate = try number(fields[axis], line: line).value * header.radians
            guard RotationRate.range.contains(rate) else {
                throw TraceDecoder.error("\(rate.jsonText) rad/s is out of range; allowed is -1000…1000", line: line)
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
        // Swift's `Double(_:)` also accepts nan, infinity and hexadecimal digits, such as 0x1p3.
        let isPlain = bytes.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(text), value.isFinite else {
            throw TraceDecoder.error("\"\(text.prefix(40))\" is not a number; a finite number is needed", line: line)
        }
        return (text, value)
    }

    /// Converts ticks to seconds. The ticks of an absolute clock, such as nanoseconds since 1970, need more digits
    /// than a `Double` has, so integers are subtracted as integers.
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

/// The columns of a logging app's CSV that hold the time and the rotation rate, with their units.
///
/// Apps name them differently: `time,x,y,z`, `Time (s),Gyroscope x (rad/s),…`, `timestamp_ns,gyroX,…`,
/// `time,seconds_elapsed,z,y,x`. Other columns are ignored.
struct RotationLogHeader {
    /// The index of the column with the time.
    let time: Int
    /// The indices of the columns with x, y and z.
    let axes: [Int]
    let columnCount: Int
    let separator: UInt8
    /// The number of time units in a second.
    let ticksPerSecond: Double
    /// The number of radians in a unit of angle.
    let radians: Double

    private static let timeUnits: [(names: Set<String>, ticksPerSecond: Double)] = [
        (["s", "sec", "secs", "second", "seconds"], 1),
        (["ms", "msec", "millis", "millisecond", "milliseconds"], 1e3),
        (["us", "µs", "micros", "microsecond", "microseconds"], 1e6),
        (["ns", "nanos", "nanosecond", "nanoseconds"], 1e9),
    ]
    private static let degreeNames: Set<String> = ["deg", "degree", "degrees", "dps", "°"]
    private static let axisPrefixes = ["", "gyro", "gyroscope", "rotation", "rotationrate", "omega", "w"]

    /// Reads the header line.
    /// - Returns: nil, with `problem` set, if a column is missing or occurs twice.
    init?(_ line: ArraySlice<UInt8>, problem: inout String) {
        separator = ";\t".utf8.first { line.contains($0) } ?? UInt8(ascii: ",")
        let names = line.split(separator: separator, omittingEmptySubsequences: false).map(Self.words)
        columnCount = names.count
        guard let time = Self.timeColumn(names) else {
            problem = "the header has no column for the time; the columns time,x,y,z are needed"
            return nil
        }
        self.time = time.column
        ticksPerSecond = time.ticksPerSecond
        var axes: [Int] = []
        for axis in ["x", "y", "z"] {
            let columns = Self.columns(of: axis, names)
            guard let column = columns.first, columns.count == 1 else {
                let count = columns.isEmpty ? "no column" : "\(columns.count) columns"
                problem = "the header has \(count) for \(axis); the columns time,x,y,z are needed"
                return nil
            }
            axes.append(column)
        }
        self.axes = axes
        let inDegrees = axes.contains { names[$0].contains(where: Self.degreeNames.contains) }
        radians = inDegrees ? .pi / 180 : 1
    }

    /// The words of a column's title in lower case: runs of letters, digits and °.
    private static func words(_ title: ArraySlice<UInt8>) -> [String] {
        String(decoding: title, as: UTF8.self).lowercased()
            .split { !($0.isLetter || $0.isNumber || $0 == "°") }.map(String.init)
    }

    /// Prefers a column that names its unit; a column without a unit is in seconds.
    private static func timeColumn(_ names: [[String]]) -> (column: Int, ticksPerSecond: Double)? {
        let columns = names.indices.filter { isTime(names[$0]) }
        for column in columns {
            if let unit = names[column].lazy.compactMap(ticksPerSecond).first { return (column, unit) }
        }
        return columns.first.map { ($0, 1) }
    }

    private static func isTime(_ words: [String]) -> Bool {
        guard let first = words.first else { return false }
        return first.hasPrefix("time") || first == "t" || first == "elapsed"
            || (words.contains("elapsed") && ticksPerSecond(first) != nil)
    }

    /// The ticks per second of a unit's name, or of a word such as `timestampns`.
    private static func ticksPerSecond(_ word: String) -> Double? {
        let stems = ["", "timestamp", "time"]
        return timeUnits.first { unit in
            stems.contains { word.hasPrefix($0) && unit.names.contains(String(word.dropFirst($0.count))) }
        }?.ticksPerSecond
    }

    private static func columns(of axis: String, _ names: [[String]]) -> [Int] {
        let columns = names.indices.filter { column in
            names[column].contains { word in axisPrefixes.contains { word == $0 + axis } }
        }
        // The log may also have columns of an accelerometer.
        let gyroscopes = columns.filter { column in
            names[column].contains { $0.hasPrefix("gyro") || $0.hasPrefix("rotation") }
        }
        return gyroscopes.isEmpty ? columns : gyroscopes
    }
}

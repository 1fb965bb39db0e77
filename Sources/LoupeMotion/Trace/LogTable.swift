// What the CSV files of logging apps have in common: separators, titles with units, clocks and numbers.

import LoupeBase

enum LogTable {
    /// Reads the header of a log, and calls `body` with each line below it.
    /// - Returns: The position of the last line.
    static func forEach<Header>(
        in bytes: [UInt8], header read: (_ titles: LogTitles, _ line: Int) throws(DocumentError) -> Header,
        _ body: (_ row: LogRow, _ header: Header) throws(DocumentError) -> Void
    ) throws(DocumentError) -> DocumentError.Position {
        var header: (titles: LogTitles, columns: Header)?
        var last = 1
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where line.contains(where: { !" \t\r".utf8.contains($0) }) {
            last = index + 1
            if let header {
                try body(LogRow(line, header.titles, line: last), header.columns)
            } else {
                let titles = LogTitles(line)
                try titles.checkUnit(line: last)
                header = (titles, try read(titles, last))
            }
        }
        return .text(line: last, column: 1)
    }
}

/// The titles of a log's columns, which apps write in many ways.
struct LogTitles {
    let separator: UInt8
    /// The words of each column's title in lower case: runs of letters, digits and °.
    let words: [[String]]
    /// What stands in brackets in each column's title, as a unit does; empty where there is nothing.
    private let brackets: [String]

    private static let timeUnits: [(names: Set<String>, ticksPerSecond: Double)] = [
        (["s", "sec", "secs", "second", "seconds"], 1),
        (["ms", "msec", "millis", "millisecond", "milliseconds"], 1e3),
        (["us", "µs", "micros", "microsecond", "microseconds"], 1e6),
        (["ns", "nanos", "nanosecond", "nanoseconds"], 1e9),
        (["min", "mins", "minute", "minutes"], 1 / 60.0), (["h", "hr", "hrs", "hour", "hours"], 1 / 3600.0),
    ]

    /// Reads the header line.
    init(_ line: ArraySlice<UInt8>) {
        let separator = ";\t".utf8.first { line.contains($0) } ?? UInt8(ascii: ",")
        self.separator = separator
        let titles = line.split(separator: separator, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        words = titles.map { title in
            title.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "°") }.map { String($0) }
        }
        brackets = titles.map { title in
            let parts = title.split(omittingEmptySubsequences: false) { "([".contains($0) }
            return parts.count > 1 ? String(parts[1].prefix { !")]".contains($0) }) : ""
        }
    }

    /// - Throws: An error where the title of the time names a unit that nobody knows.
    func checkUnit(line: Int) throws(DocumentError) {
        let columns = words.indices.filter { isTime(words[$0]) }
        let isKnown = columns.contains { words[$0].contains { Self.ticksPerSecond($0) != nil } }
        guard !isKnown, let unit = columns.first.map({ brackets[$0] }), !unit.isEmpty else { return }
        throw TraceDecoder.error(
            "\"\(unit.prefix(40))\" is not a unit of time; allowed are s, ms, us, ns, min and h", line: line)
    }

    /// The only one of some columns.
    /// - Parameter needed: The columns of such a log, for the error.
    /// - Throws: An error where there is none, or more than one.
    func only(_ columns: [Int], _ name: String, needed: String, line: Int) throws(DocumentError) -> Int {
        if columns.count == 1 { return columns[0] }
        let count = columns.isEmpty ? "no column" : "\(columns.count) columns"
        throw TraceDecoder.error(
            "the header has \(count) for \(name); the columns \(needed) are needed", line: line)
    }

    /// The column of the time and the number of its units in a second. A column that names its unit is preferred; one
    /// without a unit is in seconds.
    var time: (column: Int, ticksPerSecond: Double)? {
        let columns = words.indices.filter { isTime(words[$0]) }
        for column in columns {
            if let unit = words[column].lazy.compactMap({ Self.ticksPerSecond($0) }).first { return (column, unit) }
        }
        return columns.first.map { ($0, 1) }
    }

    /// The time of a sensor whose titles begin with a stem, as in SensorLog's `gyroTimestamp_sinceReboot(s)`, else the
    /// log's.
    func time(of stem: String) -> (column: Int, ticksPerSecond: Double)? {
        let own = words.indices.first { words[$0].first?.hasPrefix(stem + "timestamp") == true }
        return own.map { ($0, words[$0].lazy.compactMap { Self.ticksPerSecond($0) }.first ?? 1) } ?? time
    }

    private func isTime(_ words: [String]) -> Bool {
        guard let first = words.first else { return false }
        return first.hasPrefix("time") || first == "t" || first == "elapsed"
            || (words.contains("elapsed") && Self.ticksPerSecond(first) != nil)
    }

    /// The ticks per second of a unit's name, or of a word such as `timestampns`.
    private static func ticksPerSecond(_ word: String) -> Double? {
        let stems = ["", "timestamp", "time"]
        return timeUnits.first { unit in
            stems.contains { word.hasPrefix($0) && unit.names.contains(String(word.dropFirst($0.count))) }
        }?.ticksPerSecond
    }
}

/// A line of a log.
struct LogRow {
    let fields: [ArraySlice<UInt8>]
    let line: Int
    /// Whether numbers may have a comma in place of the point, as other separators allow.
    private let hasDecimalCommas: Bool

    /// - Throws: An error where the line has another number of values than the header has columns.
    init(_ bytes: ArraySlice<UInt8>, _ titles: LogTitles, line: Int) throws(DocumentError) {
        fields = bytes.split(separator: titles.separator, omittingEmptySubsequences: false)
        self.line = line
        hasDecimalCommas = titles.separator != UInt8(ascii: ",")
        guard fields.count == titles.words.count else {
            throw TraceDecoder.error(
                "the line has \(fields.count) values; the header has \(titles.words.count) columns", line: line)
        }
    }

    /// The text of a column, without space and quotes around it.
    func text(_ column: Int) -> String {
        let space = " \t\r\"".utf8
        var bytes = fields[column]
        while let first = bytes.first, space.contains(first) { bytes.removeFirst() }
        while let last = bytes.last, space.contains(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    func number(_ column: Int) throws(DocumentError) -> Double {
        var text = text(column)
        if hasDecimalCommas { text = String(text.map { $0 == "," ? "." : $0 }) }
        // Swift's `Double(_:)` also accepts nan, infinity and hexadecimal digits, such as 0x1p3.
        let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(text), value.isFinite else {
            throw TraceDecoder.error("\"\(text.prefix(40))\" is not a number; a finite number is needed", line: line)
        }
        return value
    }

    /// The time in nanoseconds. A whole number of ticks is exact: those of an absolute clock, such as nanoseconds since 1970,
    /// need more digits than a `Double` has.
    func nanoseconds(_ time: (column: Int, ticksPerSecond: Double)) throws(DocumentError) -> Int64 {
        let (number, unit) = (try number(time.column), 1e9 / time.ticksPerSecond)
        guard abs(number * unit) < 4e18 else {
            throw TraceDecoder.error("the time \"\(text(time.column).prefix(40))\" is out of range", line: line)
        }
        return Int64(text(time.column)).map { $0 * Int64(unit.rounded()) } ?? Int64((number * unit).rounded())
    }
}

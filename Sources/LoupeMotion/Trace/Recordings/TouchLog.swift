import LoupeBase

/// Reads a CSV of touches: a header with the names of the columns, in any order, then one event a line.
///
/// ```csv
/// t,id,x,y,phase
/// 0.016,1,120,80.5,moved
/// ```
/// `t` is in seconds unless its title names another unit, such as `time (ms)`.
enum TouchLog {
    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var titles: TouchLogTitles?
        var clock = LogClock()
        var last = 1
        for (index, line) in lines.enumerated() where line.contains(where: { !" \t\r".utf8.contains($0) }) {
            last = index + 1
            guard let columns = titles else {
                let read = try TouchLogTitles(LogTitles(line), line: last)
                for other in read.others { builder.notes.add("column \(other)", "left out; a trace has none") }
                titles = read
                continue
            }
            let row = try LogRow(line, columns.titles, line: last)
            let time = try row.time(columns.time, &clock)
            let number = try row.number(columns.id)
            guard number == number.rounded(), abs(number) <= 2_147_483_647 else {
                throw TraceDecoder.error(
                    "\"\(row.text(columns.id))\" is not an identifier; a whole number is needed", line: last)
            }
            let word = row.text(columns.phase)
            guard let phase = TouchLogTitles.phase(word) else {
                let allowed = Touch.Phase.allCases.map { $0.rawValue }.joined(separator: ", ")
                throw TraceDecoder.error("\"\(word.prefix(40))\" is not a phase; allowed are \(allowed)", line: last)
            }
            let position = Point(x: try row.number(columns.x), y: try row.number(columns.y))
            try builder.add(
                Int(number), phase, at: position, nanoseconds: time.nanoseconds, .text(line: last, column: 1))
        }
        return .text(line: last, column: 1)
    }
}

/// The columns of a CSV of touches.
struct TouchLogTitles {
    let titles: LogTitles
    let time: (column: Int, ticksPerSecond: Double)
    let id: Int
    let x: Int
    let y: Int
    let phase: Int
    /// The titles of the columns that are not read.
    let others: [String]

    private static let idNames: Set<String> = [
        "id", "touch", "touchid", "pointer", "pointerid", "finger", "identifier",
    ]
    private static let phaseNames: Set<String> = ["phase", "type", "action", "state", "event"]
    private static let phases: [String: Touch.Phase] = [
        "began": .began, "begin": .began, "start": .began, "down": .began, "moved": .moved, "move": .moved,
        "ended": .ended, "end": .ended, "up": .ended, "cancelled": .cancelled, "canceled": .cancelled,
        "cancel": .cancelled,
    ]

    /// Reads the header line.
    /// - Throws: An error if a column is missing or occurs twice.
    init(_ titles: LogTitles, line: Int) throws(DocumentError) {
        let names = titles.words.map { $0.joined() }
        func only(_ name: String, _ isIt: (String) -> Bool) throws(DocumentError) -> Int {
            try titles.only(names.indices.filter { isIt(names[$0]) }, name, needed: "t,id,x,y,phase", line: line)
        }
        id = try only("id", Self.idNames.contains)
        x = try only("x") { ["x", "clientx", "positionx"].contains($0) }
        y = try only("y") { ["y", "clienty", "positiony"].contains($0) }
        phase = try only("phase", Self.phaseNames.contains)
        if titles.time == nil { _ = try only("the time") { _ in false } }
        let time = titles.time ?? (0, 1)
        (self.titles, self.time) = (titles, time)
        let read: Set = [id, x, y, phase, time.column]
        others = names.indices.filter { !read.contains($0) }.map { titles.words[$0].joined(separator: " ") }
    }

    /// The phase of a word such as `moved`, `touchmove`, `pointerdown` or `ACTION_POINTER_UP(1)`.
    static func phase(_ word: String) -> Touch.Phase? {
        var text = String(word.lowercased().prefix { $0 != "(" })
        for prefix in ["action_", "touch", "pointer", "_"] where text.hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count))
        }
        return phases[text]
    }
}

import LoupeBase

/// Reads a CSV of touches: a header with the names of the columns, in any order, then one event a line.
///
/// ```csv
/// t,id,x,y,phase
/// 0.016,1,120,80.5,moved
/// ```
/// `t` is in seconds unless its title names another unit, such as `time (ms)`. Other columns are not read.
enum TouchLog {
    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        try LogTable.forEach(in: bytes, header: TouchLogHeader.init) { row, header throws(DocumentError) in
            let number = try row.number(header.id)
            guard let id = Int(exactly: number), Touch.idRange.contains(id) else {
                throw TraceDecoder.error(
                    "\"\(row.text(header.id))\" is not an identifier; a whole number is needed", line: row.line)
            }
            let word = row.text(header.phase)
            guard let phase = TouchLogHeader.phase(word) else {
                let allowed = Touch.Phase.allCases.map { $0.rawValue }.joined(separator: ", ")
                throw TraceDecoder.error(
                    "\"\(word.prefix(40))\" is not a phase; allowed are \(allowed)", line: row.line)
            }
            try builder.add(
                id, phase, at: Point(x: row.number(header.x), y: row.number(header.y)),
                nanoseconds: row.nanoseconds(header.time), .text(line: row.line, column: 1))
        }
    }
}

/// The columns of a CSV of touches.
struct TouchLogHeader {
    let time: (column: Int, ticksPerSecond: Double)
    let id: Int
    let x: Int
    let y: Int
    let phase: Int

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
        time = titles.time ?? (0, 1)
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

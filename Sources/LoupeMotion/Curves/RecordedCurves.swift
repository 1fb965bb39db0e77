import LoupeBase

/// Curves that a device has recorded, to compare a model with: a table with the time `t` and columns of `--states`.
package struct RecordedCurves: Sendable {
    struct Column: Sendable {
        let name: String
        var points: [(time: Double, value: Double)] = []
    }

    private(set) var columns: [Column] = []

    /// Reads a CSV.
    /// - Parameter model: The model that has to have each column as a number.
    /// - Throws: An error with the line of what is wrong.
    package init(parsing bytes: [UInt8], for model: Session.Model) throws(DocumentError) {
        let lines = bytes.withoutByteOrderMark.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first else { throw TraceDecoder.error("the table is empty", line: 1) }
        let numbers = CSV.columns(of: model.states(at: 0)).compactMap { column in
            if case .number = column.value { column.name } else { nil }
        }
        let titles = LogTitles(first)
        let header = try LogRow(first, titles, line: 1)
        let names = titles.words.indices.map { header.text($0) }
        let time = try titles.only(
            names.indices.filter { names[$0] == "t" }, "the time", needed: "t and numbers of the model", line: 1)
        for name in names where name != "t" {
            guard numbers.contains(name) else {
                throw TraceDecoder.error(
                    "the model has no number \"\(name.prefix(40))\"; it has \(numbers.joined(separator: ", "))", line: 1
                )
            }
            columns.append(Column(name: name))
        }
        let places = names.indices.filter { $0 != time }
        _ = try LogTable.forEach(in: bytes.withoutByteOrderMark) { _, _ in
        } _: { (row: LogRow, _: Void) throws(DocumentError) in
            let now = try row.number(time)
            guard Trace.timeRange.contains(now) else {
                throw TraceDecoder.error("the time \(now.jsonText) is out of range", line: row.line)
            }
            for (index, place) in places.enumerated() where !row.text(place).isEmpty {
                columns[index].points.append((now, try row.number(place)))
            }
        }
        if let empty = columns.first(where: { $0.points.isEmpty }) {
            throw TraceDecoder.error("the column \(empty.name) has no numbers", line: 1)
        }
        guard !columns.isEmpty else {
            throw TraceDecoder.error("there is no column beside t; numbers of the model are needed", line: 1)
        }
    }

    /// A line for each column: how far the model is from the recording. The model is asked at the recorded times, so no frame
    /// rate matters.
    package func comparison(with model: Session.Model) -> String {
        let charted = model.measures.quantities.filter { $0.plot != nil }.map { $0.key }
        return columns.map { column in
            let errors = column.points.map { point -> (time: Double, size: Double) in
                let found = CSV.columns(of: model.states(at: point.time)).first { $0.name == column.name }?.value
                guard case .number(let value)? = found else { return (point.time, .infinity) }
                return (point.time, abs(value - point.value))
            }
            let mean = errors.reduce(0) { $0 + $1.size * $1.size } / Double(errors.count)
            let worst = errors.max { $0.size < $1.size } ?? (0, 0)
            return "\(column.name): \(errors.count) samples, RMS \(mean.squareRoot().thousandths), "
                + "greatest difference \(worst.size.thousandths) at \(worst.time.thousandths) s"
                + (charted.contains(column.name) ? "\n" : "; no chart shows it\n")
        }.joined()
    }
}

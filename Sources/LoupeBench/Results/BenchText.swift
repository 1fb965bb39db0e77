// A run as text for people: its context, tables of its entries, and warnings.

import LoupeJSON
import LoupeScene

extension BenchRun {
    /// The context and all tables for a terminal.
    public var text: String { document(contextPrefix: "") { $0.text } }

    /// The same as GitHub-flavoured Markdown.
    public var markdown: String { document(contextPrefix: "- ") { $0.markdown } }

    private func document(contextPrefix: String, _ render: (Table) -> String) -> String {
        var parts = [context.lines.map { "\(contextPrefix)\($0.label): \($0.value)\n" }.joined()]
        parts += [stepTable, gridTable, sweepTable].filter { !$0.rows.isEmpty }.map(render)
        parts += remarks.isEmpty ? [] : [remarks.map { "- \($0)\n" }.joined()]
        return parts.joined(separator: "\n")
    }

    private var stepTable: Table {
        var table = Table(headings: ["step", "ms", "±"], isNumeric: [false, true, true])
        for entry in entries where entry.benchCase == nil {
            let summary = entry.summary
            table.rows.append([
                entry.name, summary.median.millisecondText, summary.medianAbsoluteDeviation.millisecondText,
            ])
        }
        return table
    }

    private var gridTable: Table {
        var table = Table(
            headings: ["case", "ms", "±", "fragments", "ns/fragment", "time / pieces", "time / no-edge"],
            isNumeric: [false, true, true, true, true, false, false])
        for entry in entries where entry.benchCase?.place.isState ?? false {
            let summary = entry.summary
            table.rows.append([
                entry.name, summary.median.millisecondText, summary.medianAbsoluteDeviation.millisecondText,
                String(entry.totalFragments), entry.nanosecondsPerFragment?.text(places: 1) ?? "",
                entry.samePlaceText, entry.comparisonToNoEdge?.ratio.text ?? "",
            ])
        }
        return table
    }

    /// The most expensive step of each sweep and variant; the HTML page shows all steps.
    private var sweepTable: Table {
        var table = Table(
            headings: ["sweep", "least ms", "most ms", "most expensive step", "time there"],
            isNumeric: [false, true, true, true, false])
        for curve in curves {
            guard let worst = curve.mostExpensive else { continue }
            let times = curve.points.map(\.summary.median)
            let base = worst.comparisonToNoEdge == nil ? "pieces" : "pieces/no-edge"
            table.rows.append([
                curve.name, (times.min() ?? .nan).millisecondText, (times.max() ?? .nan).millisecondText,
                String(worst.step), worst.comparisons.first.map { "\($0.ratio.text) × \(base)" } ?? "",
            ])
        }
        return table
    }

    /// Warnings about the results.
    private var remarks: [String] {
        var remarks: [String] = []
        for entry in entries where entry.pixelsOverTolerance > 0 {
            remarks.append(
                "\(entry.name): its picture differs: \(entry.pixelsOverTolerance.grouped) pixels over tolerance")
        }
        if context.disjointResults > 0 {
            remarks.append("\(context.disjointResults) results were discarded because the device's clock was disjoint")
        }
        return remarks
    }
}

extension BenchContext {
    fileprivate var lines: [(label: String, value: String)] {
        [
            ("device", deviceName + (isSoftware ? ", software" : "")),
            (
                "processor",
                "\(processor), \(processorCount) threads; load \(loadAverage.map { $0.text(places: 1) }.joined(separator: " to "))"
            ),
            ("clock", "\(clock) (\(clockFindings.joined(separator: "; ")))"),
            (
                "sampling",
                "\(blocks) blocks of batches of \(batchMilliseconds.jsonText) ms or more; fragments counted by \(counting)"
            ),
            ("revision", revision ?? "unknown"),
        ]
    }
}

extension BenchEntry {
    /// The comparison with `pieces`, or with the embedded shaders, at the same place, in words.
    fileprivate var samePlaceText: String {
        guard let benchCase, benchCase.variant != .pieces, let comparison = comparisons.first else { return "" }
        guard comparison.verdict != nil else {
            return "its picture differs: \(pixelsOverTolerance.grouped) pixels over tolerance"
        }
        return "\(comparison.ratio.text) \(comparison.sentence)"
    }
}

extension BenchEntry.Comparison {
    /// Such as `faster by 12 % ± 2`.
    var sentence: String {
        guard let verdict, verdict != .noDifference else { return SpeedVerdict.noDifference.rawValue }
        let change = abs(ratio.estimate - 1) * 100
        let spread = (ratio.high - ratio.low) / 2 * 100
        return "\(verdict.rawValue) by \(change.significantText) % ± \(spread.significantText)"
    }
}

extension Ratio {
    /// Such as `0.88 [0.86, 0.90]`.
    package var text: String {
        "\(estimate.text(places: 2)) [\(low.text(places: 2)), \(high.text(places: 2))]"
    }
}

extension Double {
    /// Milliseconds from nanoseconds, with three decimal places.
    package var millisecondText: String { (self / 1e6).text(places: 3) }

    /// The number with exactly so many decimal places.
    func text(places: Int) -> String {
        guard isFinite, abs(self) < 1e12 else { return "\(self)" }
        let scaled = (0..<places).reduce(abs(self)) { value, _ in value * 10 }.rounded()
        let digits = String(Int(scaled))
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return places == 0 ? sign + padded : sign + padded.dropLast(places) + "." + padded.suffix(places)
    }

    fileprivate var significantText: String {
        text(places: self >= 10 ? 0 : 1)
    }
}

extension Int {
    /// The digits with commas between thousands.
    package var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0 && index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}

/// A table of text for terminals and for Markdown.
struct Table {
    let headings: [String]
    /// Whether a column holds numbers, which are aligned to the right.
    let isNumeric: [Bool]
    var rows: [[String]] = []

    var text: String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([headings] + rows).map { row in
            var line = ""
            for column in row.indices {
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                line += (column > 0 ? "  " : "") + (isNumeric[column] ? space + row[column] : row[column] + space)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    var markdown: String {
        let rule = isNumeric.map { $0 ? "---:" : "---" }
        return ([headings, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}

// A run as text for people: its context, tables of its entries, and warnings.

import LoupeJSON
import LoupeScene

/// What a part of the text says, so that a terminal can show it with a colour and a mark.
public enum BenchTone: Sendable {
    /// The name of a table.
    case title
    /// The name of a value or of a column, or a note below a table.
    case label
    /// A comparison whose result is good: faster, or no case slower than in the other build.
    case better
    /// A comparison whose result is bad: slower, or another picture.
    case worse
    /// A comparison without either.
    case even
}

/// Gives a part of the text its look.
public typealias BenchTextStyle = (_ text: String, _ tone: BenchTone) -> String

extension BenchRun {
    /// The context and all tables for a terminal, within ``Table/columns`` columns.
    public var text: String { styledText { text, _ in text } }

    /// The same with colours or marks. A mark may take two columns, also before text that has none.
    public func styledText(_ style: BenchTextStyle) -> String {
        document(context: context.facts.map { Table.fact($0.label, $0.value, style) }.joined(), style) {
            $0.styledText(style)
        }
    }

    /// The same as GitHub-flavoured Markdown.
    public var markdown: String {
        let context = context.facts.map { "- \($0.label): \($0.value)\n" }.joined()
        return document(context: context, { text, _ in text }, \.markdown)
    }

    private func document(context: String, _ style: BenchTextStyle, _ render: (Table) -> String) -> String {
        var parts = [context] + tables.map(render)
        parts += remarks.isEmpty ? [] : [remarks.map { style("- \($0)", .worse) + "\n" }.joined()]
        return parts.joined(separator: "\n")
    }

    /// The tables that are not empty.
    package var tables: [Table] {
        ([fragmentTable, stepTable] + settings.map(gridTable) + settings.map(sweepTable)).filter { !$0.rows.isEmpty }
    }

    /// The loupes of the run, in its order.
    private var settings: [Setting] {
        var seen = Set<Setting>()
        return entries.compactMap { $0.benchCase?.setting }.filter { seen.insert($0).inserted }
    }

    private var stepTable: Table {
        var table = Table(title: "steps", headings: ["step", "ms", "±"], isNumeric: [false, true, true])
        for entry in entries where entry.benchCase == nil && entry.fragments.isEmpty {
            table.rows.append([entry.name, entry.millisecondText, entry.spreadText])
        }
        return table
    }

    /// A row for each fragment shader of the user's.
    private var fragmentTable: Table {
        var table = Table(
            title: "fragment shaders, each over a whole target",
            headings: ["shader", "ms", "±", "fragments", "ns each", "compared"],
            isNumeric: [false, true, true, true, true, false])
        for entry in entries where entry.benchCase == nil && !entry.fragments.isEmpty {
            if let tone = entry.comparedTone { table.tones[table.rows.count] = tone }
            table.rows.append([
                entry.name, entry.millisecondText, entry.spreadText, String(entry.totalFragments),
                entry.nanosecondsPerFragment?.text(places: 2) ?? "", entry.comparedText,
            ])
        }
        table.note = "compared with the first"
        return table
    }

    /// A row for each state, and below it one for each variant. Variants that draw the same plan were timed once; they
    /// share a row.
    private func gridTable(_ setting: Setting) -> Table {
        var table = Table(
            title: "in each state, \(setting.name)",
            headings: ["case", "ms", "±", "fragments", "ns each", "compared"],
            isNumeric: [false, true, true, true, true, false])
        let states = entries.filter { $0.benchCase?.setting == setting && $0.benchCase?.place.isState ?? false }
        var last = ""
        for group in Self.merged(states) {
            let entry = group[0]
            let state = entry.benchCase?.place.name ?? ""
            if state != last { table.rows.append([state] + Array(repeating: "", count: 5)) }
            last = state
            table.rows.append([
                "  " + group.compactMap { $0.benchCase?.variant.name }.joined(separator: ", "), entry.millisecondText,
                entry.spreadText, String(entry.totalFragments),
                entry.nanosecondsPerFragment?.text(places: 1) ?? "", entry.comparedText,
            ])
            table.tones[table.rows.count - 1] = entry.comparedTone
        }
        table.note = Self.note
        return table
    }

    private static let note =
        "compared with pieces there; pieces with those in the middle of the page; own shaders with Loupe's"

    /// Neighbours at one place with the same samples, in one group.
    private static func merged(_ entries: [BenchEntry]) -> [[BenchEntry]] {
        entries.reduce(into: []) { groups, entry in
            let index = groups.firstIndex {
                $0[0].benchCase?.place == entry.benchCase?.place && $0[0].times == entry.times
                    && $0[0].benchCase?.variant.isOwn == entry.benchCase?.variant.isOwn
                    && entry.pixelsOverTolerance == 0
            }
            if let index { groups[index].append(entry) } else { groups.append([entry]) }
        }
    }

    /// The most expensive step of each sweep and variant; the HTML page shows all steps.
    private func sweepTable(_ setting: Setting) -> Table {
        var table = Table(
            title: "across an edge and a corner, \(setting.name)",
            headings: ["sweep", "variant", "least ms", "most ms", "at step", "compared there"],
            isNumeric: [false, false, true, true, true, false])
        var last = ""
        for curve in curves where curve.setting == setting {
            guard let worst = curve.mostExpensive else { continue }
            let times = curve.points.map(\.summary.median)
            table.rows.append([
                curve.sweep.rawValue == last ? "" : curve.sweep.rawValue, curve.variant.name,
                (times.min() ?? .nan).millisecondText, (times.max() ?? .nan).millisecondText, String(worst.step),
                worst.comparedText,
            ])
            table.tones[table.rows.count - 1] = worst.comparedTone
            last = curve.sweep.rawValue
        }
        table.note = Self.note
        return table
    }

    /// Warnings about the results.
    package var remarks: [String] {
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
    /// How the run was made.
    package var facts: [(label: String, value: String)] {
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
    fileprivate var millisecondText: String { summary.median.millisecondText }
    fileprivate var spreadText: String { summary.medianAbsoluteDeviation.millisecondText }

    /// Its first comparison in words, such as `0.88 [0.86, 0.90] faster`.
    fileprivate var comparedText: String {
        guard let comparison = comparisons.first else { return "" }
        guard let verdict = comparison.verdict else { return "its picture differs" }
        return comparison.ratio.text + (verdict == .noDifference ? "" : " \(verdict.rawValue)")
    }

    /// What its first comparison says.
    fileprivate var comparedTone: BenchTone? {
        guard let comparison = comparisons.first else { return nil }
        return comparison.verdict?.tone ?? .worse
    }
}

extension SpeedVerdict {
    /// The tone in which a case with this verdict is printed.
    var tone: BenchTone {
        switch self {
        case .faster: .better
        case .slower: .worse
        case .noDifference: .even
        }
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

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// A table of text for terminals, for Markdown and for the HTML page.
package struct Table {
    /// What it shows.
    package var title = ""
    /// The columns' names.
    package let headings: [String]
    /// Whether a column holds numbers, which are aligned to the right.
    package let isNumeric: [Bool]
    /// The cells.
    package var rows: [[String]] = []
    /// What a reader has to know below it; nothing where that is empty.
    package var note = ""
    /// What the last cells of rows say that hold a comparison, by the row's index.
    package var tones: [Int: BenchTone] = [:]

    /// The width that a terminal's tables keep within.
    static let columns = 100

    /// A label and its value in lines that are not too long; those after the first are indented.
    static func fact(_ label: String, _ value: String, _ style: BenchTextStyle) -> String {
        let indent = 11
        var lines = ["\(label):" + String(repeating: " ", count: max(1, indent - label.count - 1))]
        for word in value.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.count + word.count > columns, last.count > indent {
                lines.append(String(repeating: " ", count: indent) + word + " ")
            } else {
                lines[lines.count - 1] += word + " "
            }
        }
        let text = lines.map { $0.trimmingSpaces + "\n" }.joined()
        return style("\(label):", .label) + text.dropFirst(label.count + 1)
    }

    var text: String { styledText { text, _ in text } }

    func styledText(_ style: BenchTextStyle) -> String { fitting.aligned(style) }

    /// The table with the names in its first column shortened in their middle, as far as that keeps it within `columns`.
    private var fitting: Table {
        let cells = [headings] + rows
        let widths = headings.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let mark = tones.isEmpty ? 0 : 2
        let most = max(20, Self.columns - mark - widths.dropFirst().reduce(0) { $0 + $1 + 2 })
        var table = self
        for index in rows.indices where rows[index][0].count > most {
            let name = rows[index][0]
            table.rows[index][0] = "\(name.prefix((most - 1) / 2))…\(name.suffix(most / 2))"
        }
        return table
    }

    private func aligned(_ style: BenchTextStyle) -> String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ row: [String], _ tone: BenchTone?) -> String {
            var line = ""
            for column in row.indices.dropLast(tone == nil ? 0 : 1) {
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                line += (column > 0 ? "  " : "") + (isNumeric[column] ? space + row[column] : row[column] + space)
            }
            guard let tone else { return line.trimmingSpaces }
            return line + "  " + style(row[row.count - 1], tone)
        }
        let head = style(line(headings, nil), .label)
        let lines = [head] + rows.enumerated().map { line($0.element, tones[$0.offset]) }
        return (title.isEmpty ? "" : style(title, .title) + "\n") + lines.map { $0 + "\n" }.joined()
            + (note.isEmpty ? "" : style("(\(note))", .label) + "\n")
    }

    var markdown: String {
        let rule = isNumeric.map { $0 ? "---:" : "---" }
        return (title.isEmpty ? "" : "**\(title)**\n\n")
            + ([headings, rule] + rows).map { row in
                "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }.joined()
            + (note.isEmpty ? "" : "\n\(note)\n")
    }
}

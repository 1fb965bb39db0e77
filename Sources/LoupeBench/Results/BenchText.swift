// A run as text for people: its context, tables of its entries, and warnings.

import LoupeBase

extension BenchRun {
    /// The context and all tables, which are no wider than ``Table/columns``.
    package var text: String {
        let context = context.facts.map { "\($0.label): \($0.value)\n" }.joined()
        return ([context] + tables.map(\.text)).joined(separator: "\n")
    }

    /// A table for each group of the run, in its order, with a row for each case.
    private var tables: [Table] {
        var tables: [Table] = []
        for entry in entries {
            if tables.last?.title != entry.group {
                tables.append(
                    Table(
                        title: entry.group, headings: ["case", "ms", "±", "fragments", "ns each", "compared"],
                        isNumeric: [false, true, true, true, true, false]))
            }
            let index = tables.count - 1
            // The title says the loupe already.
            let name =
                entry.name.hasSuffix("/\(entry.group)") ? entry.name.dropLast(entry.group.count + 1) : entry.name[...]
            if entry.comparison != nil {
                tables[index].note =
                    entry.group == BenchGroup.fragments.title
                    ? "compared with the first"
                    : "compared with pieces there; pieces with those in the middle of the page"
            }
            tables[index].rows.append([
                String(name), entry.summary.median.millisecondText,
                entry.summary.medianAbsoluteDeviation.millisecondText,
                entry.fragments.isEmpty ? "" : String(entry.totalFragments),
                entry.nanosecondsPerFragment?.text(places: 2) ?? "", entry.comparison?.text(entry) ?? "",
            ])
        }
        return tables
    }
}

extension BenchContext {
    /// The device and its driver.
    var deviceName: String { "\(renderer) (\(vendor), \(version))" }

    /// How the run was made.
    fileprivate var facts: [(label: String, value: String)] {
        [
            ("device", deviceName + (isSoftware ? ", software" : "")),
            ("processor", "\(processor), \(processorCount) threads"),
            ("sampling", "\(blocks) blocks of batches of about \(batchMilliseconds.jsonText) ms"),
        ]
    }
}

extension BenchEntry.Comparison {
    /// In words, such as `0.88 [0.86, 0.90] faster`.
    fileprivate func text(_ entry: BenchEntry) -> String {
        guard let verdict else { return "\(entry.pixelsOverTolerance.grouped) pixels differ" }
        return ratio.text + (verdict == .noDifference ? "" : " \(verdict.rawValue)")
    }
}

extension Ratio {
    /// Such as `0.88 [0.86, 0.90]`.
    var text: String {
        "\(estimate.text(places: 2)) [\(low.text(places: 2)), \(high.text(places: 2))]"
    }
}

extension Double {
    /// Milliseconds from nanoseconds, with three decimal places.
    var millisecondText: String { (self / 1e6).text(places: 3) }

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
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0 && index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}

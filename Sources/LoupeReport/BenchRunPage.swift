import LoupeBench
import LoupeJSON

extension HTMLPage {
    /// The page of a benchmark: the cost along each sweep as curves, the cost in each state as bars, and all numbers.
    package init(_ run: BenchRun) {
        let sweeps = Sweep.allCases.compactMap { sweep in
            SweepData(curves: run.curves.filter { $0.sweep == sweep }, of: run)?.json
        }
        var seen = Set<Setting>()
        let grid = run.entries.filter { $0.benchCase?.place.isState ?? false }
        let settings = grid.compactMap(\.benchCase?.setting).filter { seen.insert($0).inserted }
        self.init(
            template: PackageResources.bench_html, style: PackageResources.bench_css,
            script: [PackageResources.bench_js],
            data: [
                ("title", .string("loupe-render bench: \(run.context.renderer)")), ("sweeps", .array(sweeps)),
                ("grids", .array(settings.map { Self.gridData($0, grid) })),
                ("facts", .array(run.context.facts.map { [.string($0.label), .string($0.value)] })),
                ("remarks", .array(run.remarks.map(JSONValue.string))),
                ("tables", .array(run.tables.map(Self.tableData))),
            ])
    }

    private static func tableData(_ table: Table) -> JSONValue {
        [
            "title": .string(table.title), "note": .string(table.note),
            "headings": .array(table.headings.map(JSONValue.string)),
            "numeric": .array(table.isNumeric.map(JSONValue.bool)),
            "rows": .array(table.rows.map { .array($0.map(JSONValue.string)) }),
        ]
    }

    private static func gridData(_ setting: Setting, _ entries: [BenchEntry]) -> JSONValue {
        let bars = entries.compactMap { entry -> JSONValue? in
            guard let benchCase = entry.benchCase, benchCase.setting == setting else { return nil }
            return [
                "state": .string(benchCase.place.name), "variant": .string(benchCase.variant.name),
                "median": .number(entry.summary.median), "hover": .string(entry.hoverText),
            ]
        }
        return ["title": .string("In each state: \(setting.name)"), "bars": .array(bars)]
    }
}

/// The curves of one sweep.
private struct SweepData {
    let json: JSONValue

    /// Nil without curves.
    init?(curves: [SweepCurve], of run: BenchRun) {
        guard let first = curves.first else { return nil }
        let base = Self.noEdgeTime(curves, of: run)
        json = [
            "title": .string(
                "The loupe travels across \(first.sweep == .edge ? "an edge" : "a corner"): \(first.setting.name)"),
            "base": base.map(JSONValue.number), "curves": .array(curves.map(Self.curve)),
        ]
    }

    private static func curve(_ curve: SweepCurve) -> JSONValue {
        let points = curve.points.map { point -> JSONValue in
            [
                "step": .number(Double(point.step)), "state": .string((point.state ?? .noEdge).rawValue),
                "median": .number(point.summary.median), "spread": .number(point.summary.medianAbsoluteDeviation),
                "hover": .string(point.hoverText),
            ]
        }
        return ["variant": .string(curve.variant.name), "points": .array(points)]
    }

    /// The time of `pieces` in the middle of the page, nanoseconds: the last entry of that name, which was measured in
    /// the sweep's own group.
    private static func noEdgeTime(_ curves: [SweepCurve], of run: BenchRun) -> Double? {
        guard let base = curves.first(where: { $0.variant == .pieces })?.points.first?.comparisons.first?.base
        else { return nil }
        return run.entries.last { $0.name == base }?.summary.median
    }
}

extension BenchEntry {
    /// All numbers of the entry, a line each.
    fileprivate var hoverText: String {
        let summary = summary
        var lines = [name, "\(summary.median.millisecondText) ms ± \(summary.medianAbsoluteDeviation.millisecondText)"]
        lines += comparisons.map { "\($0.ratio.text) × \($0.base)" }
        lines += fragments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.grouped)" }
        return lines.joined(separator: "\n")
    }
}

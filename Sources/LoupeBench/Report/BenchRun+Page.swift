import LoupeJSON
import LoupePage
import LoupeScene

extension BenchRun {
    /// One page that needs nothing else: the costs along the journeys, the grid as bars, and the tables' numbers on hover.
    package var page: Page {
        let values: JSONValue = [
            "title": .string("loupe-render bench: \(context.renderer)"),
            "style": .string(PageStyle.base + String(decoding: PackageResources.bench_css, as: UTF8.self)),
            "charts": .string(charts),
            "numbers": .string(text),
        ]
        let template = String(decoding: PackageResources.bench_mustache, as: UTF8.self)
        return Page(templates: [(name: "bench", text: template)], parts: [Page.Part("bench", values)])
    }

    /// As SVG.
    private var charts: String {
        var charts = ""
        for sweep in Sweep.allCases {
            let curves = curves.filter { $0.sweep == sweep }
            if !curves.isEmpty { charts += SweepChart(sweep, curves, base: noEdgeTime(of: curves)).html }
        }
        let settings = entries.compactMap { $0.benchCase }.filter(\.place.isState).map(\.setting)
        var seen = Set<Setting>()
        for setting in settings where seen.insert(setting).inserted {
            charts += GridChart(setting, entries.filter { $0.isGrid(of: setting) }).html
        }
        return charts
    }

    /// `pieces` over the page's middle, of the same group: the last of that name before the sweep.
    private func noEdgeTime(of curves: [SweepCurve]) -> Double? {
        guard let base = curves.first(where: { $0.variant == .pieces })?.points.first?.comparisons.first?.base
        else { return nil }
        return entries.last { $0.name == base }?.summary.median
    }
}

extension BenchEntry {
    fileprivate func isGrid(of setting: Setting) -> Bool {
        benchCase.map { $0.setting == setting && $0.place.isState } ?? false
    }
}

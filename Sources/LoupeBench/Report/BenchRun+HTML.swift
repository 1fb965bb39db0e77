import LoupeScene

extension BenchRun {
    /// One page that needs nothing else: the costs along the journeys, the grid as bars, and the tables' numbers on hover.
    public var html: String {
        var body = ""
        for sweep in Sweep.allCases {
            let curves = curves.filter { $0.sweep == sweep }
            if !curves.isEmpty { body += SweepChart(sweep, curves, base: noEdgeTime(of: curves)).html }
        }
        let settings = entries.compactMap { $0.benchCase }.filter(\.place.isState).map(\.setting)
        var seen = Set<Setting>()
        for setting in settings where seen.insert(setting).inserted {
            body += GridChart(setting, entries.filter { $0.isGrid(of: setting) }).html
        }
        body += "<h2>Numbers</h2>\n<pre>\(text.escaped)</pre>\n"
        return ReportPage.html(title: "loupe-render bench: \(context.renderer)", body: body)
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

extension String {
    /// As text of HTML.
    var escaped: String {
        var text = ""
        for character in self {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
        return text
    }
}

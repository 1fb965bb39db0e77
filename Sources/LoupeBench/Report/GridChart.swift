import LoupePage
import LoupeScene

/// The cost in each state as bars, one for each variant, as SVG.
struct GridChart {
    private let title: String
    private let entries: [BenchEntry]
    private let most: Double

    private static let (left, width, barHeight) = (180.0, 600.0, 16.0)

    init(_ setting: Setting, _ entries: [BenchEntry]) {
        title = "In each state: \(setting.name)"
        self.entries = entries
        most = entries.map(\.summary.median).max() ?? 1
    }

    var html: String {
        var bars = ""
        var top = 4.0
        var before: Place?
        for entry in entries {
            if let before, before != entry.benchCase?.place { top += 8 }
            before = entry.benchCase?.place
            bars += bar(entry, at: top)
            top += Self.barHeight + 2
        }
        return "<h2>\(title.htmlEscaped)</h2>\n<svg viewBox=\"0 0 900 \(Int(top + 8))\" role=\"img\" "
            + "aria-label=\"\(title.htmlEscaped)\">\n\(bars)</svg>\n"
    }

    private func bar(_ entry: BenchEntry, at top: Double) -> String {
        guard let benchCase = entry.benchCase else { return "" }
        let median = entry.summary.median
        let length = median / most * Self.width
        let baseline = (top + 12).svg
        return "<text x=\"\((Self.left - 8).svg)\" y=\"\(baseline)\" text-anchor=\"end\">"
            + "\(benchCase.place.name) \(benchCase.variant.name)</text>"
            + "<rect class=\"\(benchCase.variant.name)\" x=\"\(Self.left.svg)\" y=\"\(top.svg)\" "
            + "width=\"\(length.svg)\" height=\"\(Self.barHeight.svg)\"><title>\(entry.hoverText.htmlEscaped)</title></rect>"
            + "<text x=\"\((Self.left + length + 6).svg)\" y=\"\(baseline)\">\(median.millisecondText) ms</text>\n"
    }
}

// The drawing of charts over time, as SVG: lanes and plots below each other on one axis, with numbered marks.

import LoupeBase

/// A chart over time: panels below each other on one time axis, numbered marks through all of them, and a sentence for
/// each mark.
///
/// It has plain presentation attributes only, no style sheet and no script, so every viewer shows the same. It has its
/// own white background. Text never crosses a line: marks and grid lines are drawn in the panels only, and text within a
/// panel keeps clear of the marks.
struct Chart {
    /// In words.
    let title: String
    /// What the chart was made from.
    let source: String
    /// The times at both ends of the axis, in seconds.
    let range: ClosedRange<Double>
    let panels: [ChartPanel]
    /// The marks within the range.
    let marks: [ModelDecision]

    // In units of the SVG.
    private static let width = 960.0
    private static let margin = 16.0
    private static let headerHeight = 80.0
    private static let axisHeight = 26.0
    private static let panelGap = 14.0
    private static let lineHeight = 17.0

    /// The chart as a complete SVG document. Equal charts give equal bytes.
    var svg: String {
        var (body, y) = ("", Self.headerHeight)
        let ticks = Self.ticks(range, atMost: 10, isWidened: false)
        let layout = ChartLayout(left: left, range: range, marks: marks.map { $0.time })
        for panel in panels {
            let height: Double
            let content: String
            switch panel {
            case .lanes(let lanes):
                height = Double(lanes.count) * ChartLane.height
                content = lanes.enumerated().map { $1.svg(top: y + Double($0) * ChartLane.height, layout) }.joined()
            case .plot(let plot):
                body += plot.header(top: y, layout)
                y += ChartPlot.headerHeight
                (height, content) = (plot.height, plot.svg(top: y, layout))
            }
            body += ticks.map { SVG.line(layout.x($0), y, layout.x($0), y + height, color: ChartColor.grid) }.joined()
            body += content
            body += layout.marks.map { SVG.line($0, y, $0, y + height, color: ChartColor.ink, opacity: 0.55) }.joined()
            y += height + Self.panelGap
        }
        y += Self.axisHeight - Self.panelGap
        let axis = ticks.map { SVG.text("\(Self.label(of: $0)) s", layout.x($0), y - 8, anchor: .middle) }
        let lines = sentences
        let texts = lines.enumerated().map { index, line in
            SVG.text(line.text, Self.margin + line.indent, y + Double(index + 1) * Self.lineHeight)
        }
        let height = y + Double(lines.count) * Self.lineHeight + Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width.tenths)" height="\(height.tenths)" \
            viewBox="0 0 \(Self.width.tenths) \(height.tenths)" role="img" aria-label="\(label.xmlEscaped)" \
            font-family="DejaVu Sans, Verdana, sans-serif" font-size="12">
            <rect width="\(Self.width.tenths)" height="\(height.tenths)" fill="\(ChartColor.paper)"/>

            """ + header + numbers(layout) + body + axis.joined() + texts.joined() + "</svg>\n"
    }

    private var label: String { source.isEmpty ? title : "\(title): \(source)" }

    private var header: String {
        SVG.text(title, Self.margin, 28, size: 15, isBold: true)
            + SVG.text(source, Self.margin, 46, size: 11, color: ChartColor.faintInk)
    }

    /// The left end of the time axis, beside the longest label of a lane.
    private var left: Double {
        let widths = panels.flatMap { panel -> [Double] in
            guard case .lanes(let lanes) = panel else { return [] }
            return lanes.map { SVG.width(of: $0.label) }
        }
        return max(92, (widths.max() ?? 0) + Self.margin + 10)
    }

    /// The marks' numbers above the panels, less those that would lie over the one before.
    private func numbers(_ layout: ChartLayout) -> String {
        var end = -Double.infinity
        return layout.marks.enumerated().map { index, x in
            let width = SVG.width(of: "\(index + 1)", isBold: true)
            guard x - width / 2 > end + 4 else { return "" }
            end = x + width / 2
            return SVG.text("\(index + 1)", x, Self.headerHeight - 8, isBold: true, anchor: .middle)
        }.joined()
    }

    /// A sentence for each mark, in lines that fit the chart.
    private var sentences: [(text: String, indent: Double)] {
        marks.enumerated().flatMap { index, mark in
            var lines: [(text: String, indent: Double)] = []
            var line = ""
            for word in "\(index + 1): \(mark.time.thousandths) s, \(mark.text)".split(separator: " ") {
                let longer = line.isEmpty ? String(word) : "\(line) \(word)"
                if !line.isEmpty, SVG.width(of: longer) > Self.width - 2 * Self.margin - 20 {
                    lines.append((line, lines.isEmpty ? 0 : 20))
                    line = String(word)
                } else {
                    line = longer
                }
            }
            return lines + [(line, lines.isEmpty ? 0 : 20)]
        }
    }

    // MARK: - Ticks

    /// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
    /// - Parameters:
    ///   - count: The greatest number of steps.
    ///   - isWidened: Whether the ticks go on to the first ones beyond the range; else they lie in it.
    static func ticks(_ range: ClosedRange<Double>, atMost count: Int, isWidened: Bool) -> [Double] {
        let length = max(range.upperBound - range.lowerBound, 1e-9)
        var (step, index) = (1e-9, 0)
        while length / step > Double(count) {
            step *= index % 3 == 1 ? 2.5 : 2
            index += 1
        }
        let (low, high, slack) = (range.lowerBound / step, range.upperBound / step, 1e-6)
        let first = isWidened ? (low + slack).rounded(.down) : (low - slack).rounded(.up)
        let last = isWidened ? (high - slack).rounded(.up) : (high + slack).rounded(.down)
        return last >= first ? (Int(first)...Int(last)).map { Double($0) * step } : []
    }

    /// A tick's number.
    static func label(of tick: Double) -> String { ((tick * 1e6).rounded() / 1e6 + 0).jsonText }
}

/// The positions of times in a chart, in units of the SVG.
struct ChartLayout {
    /// The left end of the time axis.
    let left: Double
    /// The right end of the time axis.
    let right = 930.0
    private let range: ClosedRange<Double>
    /// The x coordinates of the marks' lines.
    private(set) var marks: [Double] = []

    /// - Parameters:
    ///   - range: The times at both ends of the axis, in seconds.
    ///   - marks: The times of the marks.
    init(left: Double, range: ClosedRange<Double>, marks: [Double]) {
        (self.left, self.range) = (left, range)
        self.marks = marks.map(x)
    }

    /// The x coordinate of a time.
    func x(_ time: Double) -> Double {
        let length = max(range.upperBound - range.lowerBound, 1e-9)
        return left + (time.clamped(to: range) - range.lowerBound) / length * (right - left)
    }
}

/// One panel of a chart.
enum ChartPanel {
    case lanes([ChartLane])
    case plot(ChartPlot)
}

/// A row of bars with a label on its left.
struct ChartLane {
    /// A span of time, in seconds.
    struct Bar {
        let name: String
        let color: String
        let start: Double
        var end: Double
    }

    let label: String
    private(set) var bars: [Bar] = []

    /// The height of a lane with its gap, in units of the SVG.
    static let height = 20.0
    private static let barHeight = 15.0

    init(label: String) { self.label = label }

    /// Adds a bar, or extends the last one where it goes on.
    mutating func add(_ name: String, color: String, from start: Double, to end: Double) {
        if let last = bars.last, last.name == name, last.end == start {
            bars[bars.count - 1].end = end
        } else {
            bars.append(Bar(name: name, color: color, start: start, end: end))
        }
    }

    func svg(top: Double, _ layout: ChartLayout) -> String {
        SVG.text(label, layout.left - 10, top + 12, anchor: .end)
            + bars.map { bar in
                let (left, right) = (layout.x(bar.start), layout.x(bar.end))
                guard right > left else { return "" }
                return SVG.rect(left, top, right - left, Self.barHeight, color: bar.color, title: bar.name)
                    + caption(bar.name, from: left, to: right, top: top, layout)
            }.joined()
    }

    /// A bar's name, where there is room in the bar between the marks.
    private func caption(
        _ name: String, from left: Double, to right: Double, top: Double, _ layout: ChartLayout
    ) -> String {
        let width = SVG.width(of: name, size: 11)
        guard right - left >= width + 4 else { return "" }
        let inside = layout.marks.filter { left < $0 && $0 < right }
        guard let gap = zip([left] + inside, inside + [right]).first(where: { $1 - $0 >= width + 4 }) else { return "" }
        return SVG.text(
            name, gap.0 + min(4, (gap.1 - gap.0 - width) / 2), top + 11.5, size: 11, color: ChartColor.barInk)
    }
}

/// A plot of curves with an axis of values on its left.
struct ChartPlot {
    /// A curve.
    struct Series {
        let name: String
        let color: String
        let points: [(time: Double, value: Double)]
    }

    /// The title in words, with the unit.
    let title: String
    let series: [Series]
    let height: Double

    /// The height of the row with the title and the legend, in units of the SVG.
    static let headerHeight = 20.0

    func header(top: Double, _ layout: ChartLayout) -> String {
        var x = layout.left
        var text = SVG.text(title, x, top + 12, isBold: true)
        x += SVG.width(of: title, isBold: true) + 22
        guard series.count > 1 else { return text }
        for line in series {
            text += SVG.line(x, top + 8, x + 18, top + 8, color: line.color, width: 2)
            text += SVG.text(line.name, x + 24, top + 12, color: ChartColor.faintInk)
            x += 24 + SVG.width(of: line.name) + 18
        }
        return text
    }

    func svg(top: Double, _ layout: ChartLayout) -> String {
        let ticks = Chart.ticks(domain, atMost: Int(height / 20), isWidened: true)
        guard let low = ticks.first, let high = ticks.last else { return "" }
        func y(_ value: Double) -> Double { top + (1 - (value - low) / (high - low)) * height }
        let grid = ticks.map { tick in
            SVG.line(layout.left, y(tick), layout.right, y(tick), color: ChartColor.grid)
                + SVG.text(
                    Chart.label(of: tick), layout.left - 8, y(tick) + 4, size: 11, color: ChartColor.faintInk,
                    anchor: .end)
        }
        let curves = series.map { line in
            // Fewer points by less than can be seen.
            let places = line.points.map { (time: layout.x($0.time), value: y($0.value)) }
            return SVG.polyline(
                PolylineFit.corners(of: places, tolerance: 0.08).map { ($0.time, $0.value) }, color: line.color)
        }
        return grid.joined() + curves.joined()
    }

    /// The range of the curves.
    private var domain: ClosedRange<Double> {
        let values = series.flatMap { $0.points.map { $0.value } }
        let (low, high) = (values.min() ?? 0, values.max() ?? 1)
        guard high - low > 1e-9 * max(abs(high), 1) else {
            let margin = max(abs(high) / 10, 1)
            return (low - margin)...(high + margin)
        }
        return low...high
    }
}

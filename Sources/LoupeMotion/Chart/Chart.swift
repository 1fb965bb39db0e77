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
    let marks: [ModelDecision]

    // In units of the SVG.
    static let width = 960.0
    static let margin = 16.0
    private static let headerHeight = 80.0
    private static let axisHeight = 26.0
    private static let panelGap = 14.0
    private static let lineHeight = 17.0

    /// The chart as a complete SVG document. Equal charts give equal bytes.
    var svg: String {
        var (body, y) = ("", Self.headerHeight)
        let shown = shownMarks
        let ticks = ChartTicks(range, atMost: 10, isWidened: false)
        let layout = ChartLayout(left: left, range: range, marks: marks.map { $0.time }.filter(range.contains))
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
            body += ticks.values.map { time in
                SVG.line(layout.x(time), y, layout.x(time), y + height, color: ChartColor.grid)
            }.joined()
            body += content
            body += layout.marks.map { SVG.line($0, y, $0, y + height, color: ChartColor.ink, opacity: 0.55) }
                .joined()
            y += height + Self.panelGap
        }
        y += Self.axisHeight - Self.panelGap
        let axis = ticks.values.map { SVG.text("\(ticks.label(of: $0)) s", layout.x($0), y - 8, anchor: .middle) }
        let sentences = sentences(shown)
        let texts = text(sentences, top: y + Self.lineHeight)
        let height = y + Double(sentences.count) * Self.lineHeight + Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width.tenths)" height="\(height.tenths)" \
            viewBox="0 0 \(Self.width.tenths) \(height.tenths)" role="img" aria-label="\(label.xmlEscaped)" \
            font-family="DejaVu Sans, Verdana, sans-serif" font-size="12">
            <rect width="\(Self.width.tenths)" height="\(height.tenths)" fill="\(ChartColor.paper)"/>

            """ + header + numbers(shown, layout) + body + axis.joined() + texts + "</svg>\n"
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

    // MARK: - Marks

    private var shownMarks: [(number: Int, mark: ModelDecision)] {
        marks.filter { range.contains($0.time) }.enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// The marks' numbers above the panels, less those that would lie over the one before.
    private func numbers(_ shown: [(number: Int, mark: ModelDecision)], _ layout: ChartLayout) -> String {
        var end = -Double.infinity
        return shown.map { number, mark in
            let (x, width) = (layout.x(mark.time), SVG.width(of: "\(number)", isBold: true))
            guard x - width / 2 > end + 4 else { return "" }
            end = x + width / 2
            return SVG.text("\(number)", x, Self.headerHeight - 8, isBold: true, anchor: .middle)
        }.joined()
    }

    // MARK: - Sentences

    private typealias Line = (text: String, indent: Double, isBold: Bool)

    private func sentences(_ shown: [(number: Int, mark: ModelDecision)]) -> [Line] {
        shown.flatMap { number, mark -> [Line] in
            let head = "\(number): \(mark.time.thousandths) s, \(mark.text)"
            return lines(of: head, indent: 0, isBold: true)
                + mark.details.flatMap { lines(of: $0, indent: 20, isBold: false) }
        }
    }

    /// A text in lines that fit the chart.
    private func lines(of text: String, indent: Double, isBold: Bool) -> [Line] {
        var lines: [Line] = []
        var line = ""
        let room = Self.width - 2 * Self.margin - indent - 20
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if !line.isEmpty, SVG.width(of: longer, isBold: isBold) > room {
                lines.append((line, lines.isEmpty ? indent : indent + 20, isBold))
                line = String(word)
            } else {
                line = longer
            }
        }
        return lines + [(line, lines.isEmpty ? indent : indent + 20, isBold)]
    }

    private func text(_ lines: [Line], top: Double) -> String {
        lines.enumerated().map { index, line in
            SVG.text(
                line.text, Self.margin + line.indent, top + Double(index) * Self.lineHeight,
                color: line.isBold ? ChartColor.ink : ChartColor.faintInk, isBold: line.isBold)
        }.joined()
    }
}

/// The positions of times in a chart, in units of the SVG.
struct ChartLayout {
    /// The left end of the time axis.
    let left: Double
    /// The right end of the time axis.
    let right = 860.0
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
    let label: String
    var bars: [ChartBar]

    /// The height of a lane with its gap, in units of the SVG.
    static let height = 20.0
    private static let barHeight = 15.0

    /// Adds a bar, or extends the last one where it goes on.
    mutating func add(_ name: String, color: String, from start: Double, to end: Double) {
        if let last = bars.last, last.name == name, last.end == start {
            bars[bars.count - 1].end = end
        } else {
            bars.append(ChartBar(name: name, color: color, start: start, end: end))
        }
    }

    func svg(top: Double, _ layout: ChartLayout) -> String {
        SVG.text(label, layout.left - 10, top + 12, anchor: .end)
            + bars.map { bar($0, top: top, layout) + caption(of: $0, top: top, layout) }.joined()
    }

    private func bar(_ bar: ChartBar, top: Double, _ layout: ChartLayout) -> String {
        let (left, right) = (layout.x(bar.start), layout.x(bar.end))
        guard right > left else { return "" }
        return SVG.rect(left, top, right - left, Self.barHeight, color: bar.color, title: bar.name)
    }

    /// The bar's name, where there is room in the bar between the marks.
    private func caption(of bar: ChartBar, top: Double, _ layout: ChartLayout) -> String {
        let (left, right) = (layout.x(bar.start), layout.x(bar.end))
        let width = SVG.width(of: bar.name, size: 11)
        let inside = layout.marks.filter { left < $0 && $0 < right }
        guard let gap = zip([left] + inside, inside + [right]).first(where: { $1 - $0 >= width + 4 }) else { return "" }
        return SVG.text(
            bar.name, gap.0 + min(4, (gap.1 - gap.0 - width) / 2), top + 11.5, size: 11, color: ChartColor.barInk)
    }
}

/// A span of time in a lane.
struct ChartBar {
    let name: String
    let color: String
    let start: Double
    var end: Double
}

/// A plot of curves with an axis of values on its left.
struct ChartPlot {
    /// The title in words, with the unit.
    let title: String
    var series: [ChartSeries]
    /// Dashed lines with a name on the right.
    var guides: [(value: Double, name: String)] = []
    var height = 120.0

    /// The height of the row with the title and the legend, in units of the SVG.
    static let headerHeight = 20.0

    func header(top: Double, _ layout: ChartLayout) -> String {
        var x = layout.left
        var text = SVG.text(title, x, top + 12, isBold: true)
        x += SVG.width(of: title, isBold: true) + 22
        guard series.count > 1 else { return text }
        for line in series where !line.name.isEmpty {
            text += SVG.line(x, top + 8, x + 18, top + 8, color: line.color, width: 2, isDashed: line.isDashed)
            text += SVG.text(line.name, x + 24, top + 12, color: ChartColor.faintInk)
            x += 24 + SVG.width(of: line.name) + 18
        }
        return text
    }

    func svg(top: Double, _ layout: ChartLayout) -> String {
        let ticks = ChartTicks(shownDomain, atMost: max(2, Int(height / 20)), isWidened: true)
        let (low, high) = (ticks.low, ticks.high)
        func y(_ value: Double) -> Double {
            top + (1 - (value - low) / (high - low)) * height
        }
        var text = ""
        for tick in ticks.values {
            text += SVG.line(layout.left, y(tick), layout.right, y(tick), color: ChartColor.grid)
            text += SVG.text(
                ticks.label(of: tick), layout.left - 8, y(tick) + 4, size: 11, color: ChartColor.faintInk,
                anchor: .end)
        }
        var lastLabel = Double.infinity
        for guide in guides.sorted(by: { $0.value < $1.value }) where (low...high).contains(guide.value) {
            let position = y(guide.value)
            text += SVG.line(
                layout.left, position, layout.right, position, color: ChartColor.faintInk, isDashed: true)
            guard lastLabel - position >= 13 else { continue }
            text += SVG.text(guide.name, layout.right + 6, position + 4, size: 11, color: ChartColor.faintInk)
            lastLabel = position
        }
        return text + series.map { $0.svg(x: layout.x, y: y) }.joined()
    }

    /// The range of the curves, with guides that are near.
    private var shownDomain: ClosedRange<Double> {
        let values = series.flatMap { $0.runs.flatMap { $0.map { $0.value } } }
        var (low, high) = (values.min() ?? 0, values.max() ?? 1)
        let reach = max((high - low) / 4, 1e-9)
        for guide in guides where guide.value >= low - reach && guide.value <= high + reach {
            (low, high) = (min(low, guide.value), max(high, guide.value))
        }
        guard high - low > 1e-9 * max(abs(high), 1) else {
            let margin = max(abs(high) / 10, 1)
            return (low - margin)...(high + margin)
        }
        return low...high
    }
}

/// A curve of a plot, in runs where it is interrupted.
struct ChartSeries {
    let name: String
    let color: String
    var isDashed = false
    var width = 2.0
    var runs: [[(time: Double, value: Double)]]

    func svg(x: (Double) -> Double, y: (Double) -> Double) -> String {
        runs.map { run in
            // Fewer points by less than can be seen.
            let places = run.map { (time: x($0.time), value: y($0.value)) }
            let points = PolylineFit.corners(of: places, tolerance: 0.08).map { ($0.time, $0.value) }
            return SVG.polyline(points, color: color, width: width, isDashed: isDashed)
        }.joined()
    }
}

/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
struct ChartTicks {
    let values: [Double]
    /// The number of decimals that the step has.
    private let decimals: Int

    /// - Parameters:
    ///   - count: The greatest number of steps.
    ///   - isWidened: Whether the ticks go on to the first ones beyond the range; else they lie in it.
    init(_ range: ClosedRange<Double>, atMost count: Int, isWidened: Bool) {
        let length = max(range.upperBound - range.lowerBound, 1e-9)
        var (step, index) = (1e-9, 0)
        while length / step > Double(max(1, count)) {
            step *= index % 3 == 1 ? 2.5 : 2
            index += 1
        }
        decimals = max(0, 9 - index / 3)
        let (low, high, slack) = (range.lowerBound / step, range.upperBound / step, 1e-6)
        let first = isWidened ? (low + slack).rounded(.down) : (low - slack).rounded(.up)
        let last = isWidened ? (high - slack).rounded(.up) : (high + slack).rounded(.down)
        values = last >= first ? (Int(first)...Int(last)).map { Double($0) * step } : []
    }

    var low: Double { values.first ?? 0 }
    var high: Double { values.last ?? 1 }

    /// A tick's number with as many decimals as the step has.
    func label(of value: Double) -> String {
        let whole = Int((abs(value) * (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }).rounded())
        var digits = String(whole)
        while digits.count <= decimals { digits = "0" + digits }
        let text = decimals == 0 ? digits : "\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
        return value < 0 && whole != 0 ? "−" + text : text
    }
}

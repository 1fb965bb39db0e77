import LoupePage
import LoupeScene

/// Cost against position along one journey, as SVG: a curve for each variant, the zones of the states behind them.
struct SweepChart {
    private let title: String
    private let curves: [SweepCurve]
    /// `pieces` over the page's middle, nanoseconds.
    private let base: Double?
    private let steps: Int
    private let most: Double

    private static let plot = (left: 60.0, top: 40.0, width: 820.0, height: 300.0)

    init(_ sweep: Sweep, _ curves: [SweepCurve], base: Double?) {
        title = "The loupe travels across \(sweep == .edge ? "an edge" : "a corner"): \(curves[0].setting.name)"
        self.curves = curves
        self.base = base
        steps = max(2, (curves.flatMap(\.points).map(\.step).max() ?? 0) + 1)
        most = (curves.flatMap(\.points).map(\.summary.median).max() ?? 1) * 1.05
    }

    var html: String {
        let frame = Self.plot
        let size = "0 0 900 \(Int(frame.top + frame.height + 50))"
        return
            "<h2>\(title.htmlEscaped)</h2>\n<svg viewBox=\"\(size)\" role=\"img\" aria-label=\"\(title.htmlEscaped)\">\n"
            + zones + axes + baseLine + curves.map(curve).joined() + keys + "</svg>\n"
    }

    private func x(_ step: Double) -> Double { Self.plot.left + step / Double(steps - 1) * Self.plot.width }
    private func y(_ time: Double) -> Double { Self.plot.top + (1 - time / most) * Self.plot.height }

    /// Bands over the steps in which the page's outline is in the same state.
    private var zones: String {
        guard let states = curves.first?.points.map({ ($0.step, $0.state ?? .noEdge) }) else { return "" }
        var text = ""
        var start = 0
        var isEven = true
        for index in states.indices where index + 1 == states.count || states[index + 1].1 != states[index].1 {
            let left = max(x(Double(states[start].0) - 0.5), Self.plot.left)
            let right = min(x(Double(states[index].0) + 0.5), Self.plot.left + Self.plot.width)
            text +=
                "<rect class=\"zone-\(isEven ? "even" : "odd")\" x=\"\(left.svg)\" y=\"\(Self.plot.top.svg)\" "
                + "width=\"\((right - left).svg)\" height=\"\(Self.plot.height.svg)\"/>\n"
                + "<text x=\"\(((left + right) / 2).svg)\" y=\"\((Self.plot.top + 14).svg)\" text-anchor=\"middle\">"
                + "\(states[index].1.rawValue)</text>\n"
            start = index + 1
            isEven.toggle()
        }
        return text
    }

    private var axes: String {
        let bottom = Self.plot.top + Self.plot.height
        var text = ""
        for tick in 0...4 {
            let time = most * Double(tick) / 4
            text +=
                "<line class=\"axis\" x1=\"\(Self.plot.left.svg)\" x2=\"\((Self.plot.left + Self.plot.width).svg)\" "
                + "y1=\"\(y(time).svg)\" y2=\"\(y(time).svg)\"/>\n"
                + "<text x=\"\((Self.plot.left - 6).svg)\" y=\"\((y(time) + 4).svg)\" text-anchor=\"end\">"
                + "\(time.millisecondText)</text>\n"
        }
        return text + "<text x=\"8\" y=\"\((Self.plot.top - 10).svg)\">milliseconds a loupe</text>\n"
            + "<text x=\"\(Self.plot.left.svg)\" y=\"\((bottom + 20).svg)\">within the page</text>\n"
            + "<text x=\"\((Self.plot.left + Self.plot.width).svg)\" y=\"\((bottom + 20).svg)\" text-anchor=\"end\">"
            + "beyond it</text>\n"
    }

    private var baseLine: String {
        guard let base else { return "" }
        return "<line class=\"base\" x1=\"\(Self.plot.left.svg)\" x2=\"\((Self.plot.left + Self.plot.width).svg)\" "
            + "y1=\"\(y(base).svg)\" y2=\"\(y(base).svg)\"><title>pieces over the page's middle: "
            + "\(base.millisecondText) ms</title></line>\n"
    }

    private func curve(_ curve: SweepCurve) -> String {
        let name = curve.variant.name
        let line = curve.points.map { "\(x(Double($0.step)).svg),\(y($0.summary.median).svg)" }
        var text = "<polyline class=\"curve \(name)\" points=\"\(line.joined(separator: " "))\"/>\n"
        for point in curve.points {
            let summary = point.summary
            let (place, spread) = (x(Double(point.step)).svg, summary.medianAbsoluteDeviation)
            text +=
                "<line class=\"spread \(name)\" x1=\"\(place)\" x2=\"\(place)\" "
                + "y1=\"\(y(summary.median - spread).svg)\" y2=\"\(y(summary.median + spread).svg)\"/>"
                + "<circle class=\"\(name)\" cx=\"\(place)\" cy=\"\(y(summary.median).svg)\" r=\"3\">"
                + "<title>\(point.hoverText.htmlEscaped)</title></circle>\n"
        }
        return text
    }

    private var keys: String {
        var text = ""
        for (index, curve) in curves.enumerated() {
            let place = Self.plot.left + 160 * Double(index) + 120
            text +=
                "<text class=\"key \(curve.variant.name)\" x=\"\(place.svg)\" y=\"20\">\(curve.variant.name)</text>\n"
        }
        return text
    }
}

extension BenchEntry {
    var hoverText: String {
        let summary = summary
        var text = "\(name)\n\(summary.median.millisecondText) ms ± \(summary.medianAbsoluteDeviation.millisecondText)"
        for comparison in comparisons { text += "\n\(comparison.ratio.text) × \(comparison.base)" }
        for (program, count) in fragments.sorted(by: { $0.key < $1.key }) { text += "\n\(program): \(count.grouped)" }
        return text
    }
}

extension Double {
    /// For an attribute: to a tenth.
    var svg: String { "\(rounded(toPlaces: 1))" }
}

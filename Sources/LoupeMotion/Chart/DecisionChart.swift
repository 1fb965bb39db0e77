import LoupeGeometry
import LoupeJSON
import LoupeScene

/// A chart of how the gestures of a trace were recognized, as SVG over time: the role of each touch, the progress of
/// each gesture, the states of the recognizers, and each decision with its reasons.
///
/// It is readable on light and dark backgrounds and contains no script.
public struct DecisionChart {
    let model: LoupeModel
    private let title: String
    let decisions: [GestureDecision]

    static let left = 90.0
    static let width = 790.0
    /// The height of a lane with its gap, in units of the SVG.
    static let lane = 20.0
    static let bar = 15.0
    static let plotHeight = 200.0
    private static let lineHeight = 17.0

    /// A chart of a model's trace.
    /// - Parameter title: As a reader should see it; any text.
    public init(_ model: LoupeModel, title: String) {
        self.model = model
        self.title = title
        var seen: [GestureDecision] = []
        for decision in model.timeline.states.compactMap({ $0.decision }) where decision != seen.last {
            seen.append(decision)
        }
        decisions = seen
    }

    /// The chart as a complete SVG document.
    public var svg: String {
        let touches = TouchLanes(model)
        let plotTop = 60 + Double(touches.ids.count) * Self.lane + 30
        let statesTop = plotTop + Self.plotHeight + 40
        let textTop = statesTop + 3 * Self.lane + 30
        let lines = lines
        let height = textTop + Double(lines.count) * Self.lineHeight + 10
        let marks = marks(from: 50, to: statesTop + 3 * Self.lane)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 \(height.tenths)" role="img" \
            aria-label="\(title.xmlEscaped)">
            <style>
            \(ChartStyle.css)
            </style>
            <rect class="paper" width="900" height="\(height.tenths)"/>
            <text class="title" x="10" y="24">\(title.xmlEscaped)</text>

            """
                + touches.svg(top: 60, x: x) + ProgressPlot(model).svg(top: plotTop, x: x) + axis(at: statesTop - 18)
                + RecognizerLanes(model).svg(top: statesTop, x: x) + marks + text(lines, top: textTop) + "</svg>\n"
    }

    /// The x coordinate of a time.
    func x(_ time: Double) -> Double {
        Self.left + (time.clamped(to: 0...length)) / length * Self.width
    }

    /// The length of the chart's time axis, in seconds.
    private var length: Double { max(model.duration, 0.001) }

    // MARK: - Times

    /// Labels at multiples of a step of seconds, with at most 12 steps.
    private func axis(at y: Double) -> String {
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200].first { length / $0 <= 12 } ?? 28_800
        let ticks = (0...Int(length / step)).map { Double($0) * step }
        return ticks.map { time in
            "<text x=\"\(x(time).tenths)\" y=\"\(y.tenths)\" text-anchor=\"middle\">\(time.hundredths) s</text>\n"
        }.joined()
    }

    // MARK: - Decisions

    private func marks(from top: Double, to bottom: Double) -> String {
        decisions.enumerated().map { number, decision in
            let position = x(decision.time).tenths
            return """
                <line class="decision" x1="\(position)" x2="\(position)" y1="\(top.tenths)" y2="\(bottom.tenths)"/>
                <text class="number" x="\(position)" y="\((top - 3).tenths)" text-anchor="middle">\(number + 1)</text>

                """
        }.joined()
    }

    /// Each decision, followed by the gestures that failed for reasons of their own.
    private var lines: [(text: String, isDetail: Bool)] {
        var lines: [(text: String, isDetail: Bool)] = []
        for (number, decision) in decisions.enumerated() {
            let touches = decision.touches.map { String($0) }.joined(separator: " and ")
            lines.append(
                ("\(number + 1): \(decision.time.thousandths) s, touches \(touches): \(decision.text)", false))
            for detail in decision.details { lines.append((detail, true)) }
        }
        return lines
    }

    private func text(_ lines: [(text: String, isDetail: Bool)], top: Double) -> String {
        lines.enumerated().map { index, line in
            let y = top + Double(index) * Self.lineHeight
            return "<text class=\"\(line.isDetail ? "detail" : "head")\" x=\"\(line.isDetail ? 30 : 10)\" "
                + "y=\"\(y.tenths)\">\(line.text.xmlEscaped)</text>\n"
        }.joined()
    }
}

extension Double {
    fileprivate var thousandths: String { ((self * 1000).rounded() / 1000).jsonText }
}

/// The style: the colours of Okabe and Ito, which colour-blind readers can distinguish, lighter on a dark background.
enum ChartStyle {
    static let css = """
        svg { --paper: #fff; --ink: #222; --faint: #ccc; --none: #ccc; --pinch: #0072b2; --pan: #d55e00; --rewind: #009e73;
          --holding: #cc79a7; --drawing: #e69f00; --resizing: #56b4e9; }
        @media (prefers-color-scheme: dark) { svg { --paper: #16181c; --ink: #ddd; --faint: #444; --none: #8a8f98;
          --pinch: #56b4e9; --pan: #f0a35e; --rewind: #35c79b; --holding: #e3a5c7; --drawing: #f0c04a;
          --resizing: #8fd0f5; } }
        .paper { fill: var(--paper); } text { fill: var(--ink); font: 12px system-ui, sans-serif; }
        .title { font-size: 15px; font-weight: 600; } .head, .number { font-weight: 600; } .detail { opacity: .8; }
        .axis { stroke: var(--faint); stroke-width: 1; } .threshold { stroke: var(--ink); stroke-dasharray: 4 4; }
        .decision { stroke: var(--ink); stroke-width: 1; opacity: .7; }
        .waiting, .choosing, .idle { fill: var(--none); } .idle { opacity: .5; } .role { fill: #111; } .holding { fill: var(--holding); }
        .drawing { fill: var(--drawing); } .resizing { fill: var(--resizing); } .rewinding { fill: var(--rewind); }
        .ghost { fill: none; stroke: var(--holding); stroke-width: 1.5; stroke-dasharray: 3 3; }
        .curve { fill: none; stroke-width: 2; } .curve.pinch { stroke: var(--pinch); }
        .curve.pan { stroke: var(--pan); } .curve.rewind { stroke: var(--rewind); }
        .bar.pinch { fill: var(--pinch); } .bar.pan { fill: var(--pan); } .bar.rewind { fill: var(--rewind); }
        .bar.possible { opacity: .25; }
        text.pinch { fill: var(--pinch); } text.pan { fill: var(--pan); } text.rewind { fill: var(--rewind); }
        text.pinch, text.pan, text.rewind { font-weight: 600; }
        """
}

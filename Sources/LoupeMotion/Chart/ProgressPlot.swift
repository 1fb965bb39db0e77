import LoupeScene

/// The plot of each gesture's progress while it was possible and while it was active, in multiples of its threshold.
struct ProgressPlot {
    private struct Curve {
        let contest: Int
        let gesture: Gesture
        var points: [(time: Double, progress: Double)] = []
        /// Whether the gesture has failed or ended.
        var isOver = false
    }

    private var curves: [Curve] = []

    /// The highest progress that the plot shows, in thresholds.
    private static let most = 6.0

    init(_ model: LoupeModel) {
        for (time, state) in zip(model.timeline.times, model.timeline.states) {
            for pair in state.records {
                for record in pair.records { add(record, of: pair.number, at: time) }
            }
        }
    }

    private mutating func add(_ record: GestureRecord, of contest: Int, at time: Double) {
        let index = curves.lastIndex { $0.contest == contest && $0.gesture == record.gesture } ?? curves.count
        if index == curves.count { curves.append(Curve(contest: contest, gesture: record.gesture)) }
        guard !curves[index].isOver else { return }
        curves[index].points.append((time, record.progress))
        curves[index].isOver = record.state.isFinal
    }

    func svg(top: Double, x: (Double) -> Double) -> String {
        func y(_ progress: Double) -> Double {
            top + (1 - min(progress, Self.most) / Self.most) * DecisionChart.plotHeight
        }
        var text = ""
        for tick in stride(from: 0, through: Self.most, by: 1) {
            text += """
                <line class="\(tick == 1 ? "threshold" : "axis")" x1="\(DecisionChart.left.tenths)" \
                x2="\((DecisionChart.left + DecisionChart.width).tenths)" y1="\(y(tick).tenths)" y2="\(y(tick).tenths)"/>\
                <text x="\((DecisionChart.left - 6).tenths)" y="\((y(tick) + 4).tenths)" text-anchor="end">\
                \(label(of: tick))</text>

                """
        }
        return text + curves.map { line($0, x: x, y: y) }.joined()
    }

    private func label(of tick: Double) -> String {
        switch tick {
        case 1: "threshold"
        case Self.most: "\(tick.tenths) or more"
        default: tick.tenths
        }
    }

    private func line(_ curve: Curve, x: (Double) -> Double, y: (Double) -> Double) -> String {
        let points = curve.points.map { "\(x($0.time).tenths),\(y($0.progress).tenths)" }
        return """
            <polyline class="curve \(curve.gesture.rawValue)" points="\(points.joined(separator: " "))"/>

            """
    }
}

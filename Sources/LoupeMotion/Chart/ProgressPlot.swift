import LoupeBase

/// The plot of each gesture's progress while it was possible and while it was active, in multiples of its threshold.
struct ProgressPlot {
    private struct Curve {
        let contest: Int
        let gesture: Gesture
        var points: [(time: Double, value: Double)] = []
        /// Whether the gesture has failed or ended.
        var isOver = false
    }

    private var curves: [Curve] = []

    /// The highest progress that the plot shows, in thresholds: the decision is long made.
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
        curves[index].points.append((time, min(record.progress, Self.most)))
        curves[index].isOver = record.state.isFinal
    }

    var plot: ChartPlot {
        let series = Gesture.allCases.map { gesture in
            ChartSeries(
                name: gesture.rawValue, color: ChartColor.of(gesture),
                runs: curves.filter { $0.gesture == gesture }.map { $0.points })
        }
        return ChartPlot(title: "progress, in thresholds", series: series, guides: [(1, "threshold")], height: 180)
    }
}

// The panels of the gestures: the progress of each, and when it was possible and active.

import LoupeScene

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

    var plot: ChartPlot {
        let series = Gesture.allCases.map { gesture in
            ChartSeries(
                name: gesture.rawValue, color: ChartColor.of(gesture),
                runs: curves.filter { $0.gesture == gesture }.map { $0.points })
        }
        return ChartPlot(
            title: "progress, in thresholds", series: series, guides: [(1, "threshold")], domain: 0...Self.most,
            height: 180)
    }
}

/// The lanes of the gestures: pale while a gesture is possible, opaque while it is active. Contests at the same time
/// lie below each other.
struct RecognizerLanes {
    private struct Span {
        let contest: Int
        let gesture: Gesture
        let isActive: Bool
        let start: Double
        var end: Double
    }

    private var spans: [Span] = []

    init(_ model: LoupeModel) {
        let (times, states) = (model.timeline.times, model.timeline.states)
        for index in states.indices {
            let end = index + 1 < times.count ? times[index + 1] : model.duration
            for pair in states[index].records {
                for record in pair.records where !record.state.isFinal {
                    add(record, of: pair.number, from: times[index], to: end)
                }
            }
        }
    }

    private mutating func add(_ record: GestureRecord, of contest: Int, from start: Double, to end: Double) {
        let (gesture, isActive) = (record.gesture, record.state.isActive)
        let last = spans.lastIndex { $0.contest == contest && $0.gesture == gesture }
        if let last, spans[last].isActive == isActive {
            spans[last].end = end
        } else {
            spans.append(Span(contest: contest, gesture: gesture, isActive: isActive, start: start, end: end))
        }
    }

    var lanes: [ChartLane] {
        Gesture.allCases.map { gesture in
            ChartLane(
                label: gesture.rawValue, labelColor: ChartColor.of(gesture),
                bars: spans.filter { $0.gesture == gesture }.map { span in
                    ChartBar(
                        name: span.isActive ? "active" : "possible", color: ChartColor.of(gesture), start: span.start,
                        end: span.end, opacity: span.isActive ? 1 : 0.25, row: row(of: span))
                })
        }
    }

    /// Half the lane where another contest goes on at the same time, else all of it.
    private func row(of span: Span) -> ChartBar.Row {
        let isAlone = !spans.contains {
            $0.contest != span.contest && $0.start < span.end && span.start < $0.end
        }
        if isAlone { return .whole }
        return span.contest % 2 == 0 ? .upper : .lower
    }
}

import LoupeScene

/// A lane for each gesture: pale while it is possible, full while it goes on. Pairs of touches that are watched at the
/// same time lie one below the other.
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

    func svg(top: Double, x: (Double) -> Double) -> String {
        Gesture.allCases.enumerated().map { lane, gesture in
            let y = top + Double(lane) * DecisionChart.lane
            return "<text class=\"\(gesture.rawValue)\" x=\"10\" y=\"\((y + 12).tenths)\">\(gesture.rawValue)</text>\n"
                + spans.filter { $0.gesture == gesture }.map { bar($0, y: y, x: x) }.joined()
        }.joined()
    }

    private func bar(_ span: Span, y: Double, x: (Double) -> Double) -> String {
        let height = DecisionChart.bar / 2 - 0.5
        let top = y + (span.contest % 2 == 0 ? 0 : height + 1)
        return """
            <rect class="bar \(span.gesture.rawValue)\(span.isActive ? "" : " possible")" x="\(x(span.start).tenths)" \
            y="\(top.tenths)" width="\((x(span.end) - x(span.start)).tenths)" height="\(height.tenths)"/>

            """
    }
}

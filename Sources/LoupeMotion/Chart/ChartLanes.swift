// The lanes of the decision chart: one for each touch, and one for each gesture.

import LoupeScene

/// The lanes of the touches: when each was down, and its role.
struct TouchLanes {
    private struct Span {
        let id: Int
        let role: String
        let start: Double
        var end: Double
    }

    private var spans: [Span] = []
    /// The identifiers of the touches, in the order in which they came down.
    private(set) var ids: [Int] = []

    init(_ model: LoupeModel) {
        let (times, states) = (model.timeline.times, model.timeline.states)
        for index in states.indices {
            let end = index + 1 < times.count ? times[index + 1] : model.duration
            for (id, role) in Self.roles(states[index]) { add(id, role, from: times[index], to: end) }
        }
    }

    /// The roles of touches and ghosts.
    private static func roles(_ state: LoupeState) -> [(id: Int, role: String)] {
        state.touches.map { ($0.id, $0.role.name) }
            + (state.hold?.grips ?? []).filter { $0.ghost != nil }.map { ($0.id, "ghost") }
    }

    private mutating func add(_ id: Int, _ role: String, from start: Double, to end: Double) {
        if !ids.contains(id) { ids.append(id) }
        if let last = spans.lastIndex(where: { $0.id == id }), spans[last].role == role, spans[last].end == start {
            spans[last].end = end
        } else {
            spans.append(Span(id: id, role: role, start: start, end: end))
        }
    }

    func svg(top: Double, x: (Double) -> Double) -> String {
        var text = ""
        for (lane, id) in ids.enumerated() {
            let y = top + Double(lane) * DecisionChart.lane
            text += "<text x=\"10\" y=\"\((y + 12).tenths)\">touch \(id)</text>\n"
            for span in spans where span.id == id { text += bar(span, y: y, x: x) }
        }
        return text
    }

    /// A bar for a span of time, with the role's name if there is room.
    private func bar(_ span: Span, y: Double, x: (Double) -> Double) -> String {
        let (start, end) = (x(span.start), x(span.end))
        let name = span.role != "ghost" && end - start > 7 * Double(span.role.count) + 6 ? span.role : ""
        return """
            <rect class="\(span.role)" x="\(start.tenths)" y="\(y.tenths)" width="\((end - start).tenths)" \
            height="\(DecisionChart.bar.tenths)"><title>\(span.role)</title></rect>\
            <text class="role" x="\((start + 4).tenths)" y="\((y + 12).tenths)">\(name)</text>

            """
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

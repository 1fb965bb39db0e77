import LoupeScene

/// A lane for each touch: when it was down, and what it was there for.
struct TouchLanes {
    private struct Span {
        let id: Int
        let role: String
        let start: Double
        var end: Double
    }

    private var spans: [Span] = []
    /// In the order in which they came.
    private(set) var ids: [Int] = []

    init(_ model: LoupeModel) {
        let (times, states) = (model.timeline.times, model.timeline.states)
        for index in states.indices {
            let end = index + 1 < times.count ? times[index + 1] : model.duration
            for (id, role) in Self.roles(states[index]) { add(id, role, from: times[index], to: end) }
        }
    }

    /// Of touches and of ghosts.
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

    /// Named where there is room.
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

// How well gestures are recognized: labelled traces, the confusion matrix and the times of the decisions.

import LoupeBase
import LoupeScene

/// A comparison of what hands meant with what was recognized, for a set of labelled traces.
package struct GestureEvaluation: Sendable {
    /// One trace.
    struct Result: Hashable, Sendable {
        /// The trace's name in reports.
        let name: String
        /// The gesture that the hand made; nil for none.
        let label: Gesture?
        /// The first gesture of the touch that came down last; nil if none began.
        let found: Gesture?
        /// The time from that touch to the decision, in seconds; nil without one.
        let delay: Double?
    }

    /// A row of the confusion matrix: the traces of one group with the same label.
    package struct Row: Sendable {
        let group: String
        let label: Gesture?
        fileprivate(set) var results: [Result] = []

        /// The number of traces.
        package var total: Int { results.count }
        /// The number of traces that were recognized as what they are.
        package var right: Int { count(of: label) }
        /// The longest time of a right decision, in seconds; nil without any.
        package var slowest: Double? { delays.last }

        func count(of gesture: Gesture?) -> Int { results.count { $0.found == gesture } }
        /// The times of the right decisions, in seconds, ascending.
        var delays: [Double] { results.compactMap { $0.found == label ? $0.delay : nil }.sorted() }
    }

    /// The confusion matrix, a row for each group, in the order in which they were added.
    package private(set) var rows: [Row] = []
    private let thresholds: LoupeThresholds

    /// An evaluation with these limits between the gestures.
    package init(thresholds: LoupeThresholds = LoupeThresholds()) { self.thresholds = thresholds }

    /// Recognizes the first gesture of the touch that came down last.
    /// - Parameters:
    ///   - label: The gesture that the hand made; nil for none.
    ///   - group: The row of the matrix that the trace belongs to.
    package mutating func add(_ trace: Trace, name: String, label: Gesture?, group: String) {
        var options = LoupeModelOptions()
        options.thresholds = thresholds
        let model = LoupeModel(base: Self.page, trace: trace, options: options)
        let last = trace.events.last { if case .touch(let touch) = $0.content { touch.phase == .began } else { false } }
        var decision: GestureDecision?
        if let last, case .touch(let touch) = last.content {
            decision = model.gestureDecisions.first { $0.winner != nil && $0.touches.contains(touch.id) }
        }
        let index = rows.firstIndex { $0.group == group && $0.label == label } ?? rows.count
        if index == rows.count { rows.append(Row(group: group, label: label)) }
        rows[index].results.append(
            Result(
                name: name, label: label, found: decision?.winner, delay: decision.map { $0.time - (last?.time ?? 0) }))
    }

    /// Any page will do: what is decided first depends on the touches alone.
    private static let page = Scene(
        canvas: Scene.Canvas(width: 1024, height: 768),
        layers: [Layer(content: .fill(.transparent), rect: Rect(x: 0, y: 0, width: 1024, height: 768))])

    /// The matrix as a table with a line for each row.
    package var table: String {
        let titles = Gesture.allCases.map { $0.rawValue } + ["none", "right", "median", "slowest"]
        let lines =
            [["traces"] + titles]
            + rows.map { row in
                let share = (Double(row.right) / Double(row.total) * 1000).rounded() / 10
                let counts = Gesture.allCases.map { row.count(of: $0) } + [row.count(of: nil)]
                let delays = row.delays
                let times =
                    delays.isEmpty
                    ? ["–", "–"]
                    : [delays[(delays.count - 1) / 2], delays[delays.count - 1]].map {
                        $0.thousandths + " s"
                    }
                return [row.group] + counts.map { String($0) } + [share.jsonText + " %"] + times
            }
        let width = max(12, lines.map { $0[0].count + 2 }.max() ?? 0)
        return lines.map { cells in
            cells[0] + String(repeating: " ", count: width - cells[0].count)
                + cells.dropFirst().map { String(repeating: " ", count: max(1, 9 - $0.count)) + $0 }.joined() + "\n"
        }.joined()
    }

    /// What each trace is and what was recognized, as a JSON document.
    package var json: String {
        let traces = rows.flatMap { $0.results }.map { result -> JSONValue in
            [
                "trace": .string(result.name), "label": .string(result.label?.rawValue ?? "none"),
                "recognized": .string(result.found?.rawValue ?? "none"),
                "seconds": result.delay.map { .number($0) } ?? .null,
            ]
        }
        let document: JSONValue = ["traces": .array(traces)]
        return document.text() + "\n"
    }
}

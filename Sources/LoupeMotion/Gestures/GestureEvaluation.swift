// How well gestures are recognized: labelled traces, the confusion matrix and the times of the decisions.

import LoupeGeometry
import LoupeJSON
import LoupeScene

/// What hands meant and what was recognized, for a set of labelled traces.
public struct GestureEvaluation: Sendable {
    /// One trace.
    public struct Result: Hashable, Sendable {
        /// The trace's name in reports.
        public let name: String
        /// The row of the matrix that the trace belongs to.
        public let group: String
        /// The gesture that the hand made; nil for none.
        public let label: Gesture?
        /// The first gesture of the touch that came down last; nil if none began.
        public let found: Gesture?
        /// The time from that touch to the decision, in seconds; nil without one.
        public let delay: Double?

        /// Whether the recognized gesture is the one that the hand made.
        public var isRight: Bool { found == label }
    }

    /// A row of the confusion matrix: the traces of one group with the same label.
    public struct Row: Hashable, Sendable {
        /// The name of the group.
        public let group: String
        /// The gesture that the hands made; nil for none.
        public let label: Gesture?
        /// How often each gesture was recognized, in the order of `Gesture.allCases`, then how often none was.
        public let counts: [Int]
        /// The times of the right decisions, in seconds, ascending.
        public let delays: [Double]

        /// The number of traces.
        public var total: Int { counts.reduce(0, +) }
        /// The number of traces that were recognized as what they are.
        public var right: Int {
            counts[label.flatMap { Gesture.allCases.firstIndex(of: $0) } ?? Gesture.allCases.count]
        }
        /// The middle of the times of the right decisions, in seconds; nil without any.
        public var median: Double? { delays.isEmpty ? nil : delays[(delays.count - 1) / 2] }
        /// The longest time of a right decision, in seconds; nil without any.
        public var slowest: Double? { delays.last }
    }

    /// The traces, in the order in which they were added.
    public private(set) var results: [Result] = []
    private let thresholds: LoupeThresholds

    /// An evaluation with these limits between the gestures.
    public init(thresholds: LoupeThresholds = LoupeThresholds()) { self.thresholds = thresholds }

    /// Recognizes the first gesture of the touch that came down last.
    /// - Parameters:
    ///   - label: The gesture that the hand made; nil for none.
    ///   - group: The row of the matrix that the trace belongs to.
    public mutating func add(_ trace: Trace, name: String, label: Gesture?, group: String) {
        let model = LoupeModel(
            base: Self.page, trace: trace, options: LoupeModelOptions(thresholds: thresholds))
        let last = Self.lastTouch(trace)
        let decision = model.timeline.states.lazy.compactMap { $0.decision }.first {
            $0.winner != nil && $0.touches.contains(last.id)
        }
        results.append(
            Result(
                name: name, group: group, label: label, found: decision?.winner,
                delay: decision.map { $0.time - last.time }))
    }

    /// Any page will do: what is decided first depends on the touches alone.
    private static let page = Scene(
        canvas: Scene.Canvas(width: 1024, height: 768),
        layers: [Layer(content: .fill(.transparent), rect: Rect(x: 0, y: 0, width: 1024, height: 768))])

    private static func lastTouch(_ trace: Trace) -> (id: Int, time: Double) {
        var last = (id: -1, time: 0.0)
        for event in trace.events {
            if case .touch(let touch) = event.content, touch.phase == .began { last = (touch.id, event.time) }
        }
        return last
    }

    /// The confusion matrix, a row for each group, in the order in which they were added.
    public var rows: [Row] {
        var groups: [(group: String, label: Gesture?, results: [Result])] = []
        var indices: [String: Int] = [:]
        for result in results {
            let key = (result.label?.rawValue ?? "none") + " " + result.group
            if let index = indices[key] {
                groups[index].results.append(result)
            } else {
                indices[key] = groups.count
                groups.append((result.group, result.label, [result]))
            }
        }
        return groups.map { group in
            var counts = Gesture.allCases.map { gesture in group.results.count { $0.found == gesture } }
            counts.append(group.results.count { $0.found == nil })
            let delays = group.results.compactMap { $0.isRight ? $0.delay : nil }.sorted()
            return Row(group: group.group, label: group.label, counts: counts, delays: delays)
        }
    }

    // MARK: - Reports

    /// The matrix as a table with a line for each row.
    public var table: String {
        let width = max(12, rows.map { $0.group.utf8.count + 2 }.max() ?? 0)
        let titles = Gesture.allCases.map { $0.rawValue } + ["none", "right", "median", "slowest"]
        var text = Self.padded("traces", to: width) + titles.map { Self.aligned($0) }.joined() + "\n"
        for row in rows {
            let share = (Double(row.right) / Double(max(1, row.total)) * 1000).rounded() / 10
            let cells =
                row.counts.map { String($0) } + [
                    share.jsonText + " %", row.median.map(Self.seconds) ?? "–", row.slowest.map(Self.seconds) ?? "–",
                ]
            text += Self.padded(row.group, to: width) + cells.map { Self.aligned($0) }.joined() + "\n"
        }
        return text
    }

    /// The matrix and each trace, as a JSON document.
    public var json: String {
        let matrix = rows.map { row -> JSONValue in
            var counts = JSONObject()
            for (name, count) in zip(Gesture.allCases.map { $0.rawValue } + ["none"], row.counts) {
                _ = counts.append(.number(Double(count)), forKey: name)
            }
            return [
                "traces": .string(row.group), "label": .string(row.label?.rawValue ?? "none"),
                "recognized": .object(counts), "total": .number(Double(row.total)),
                "right": .number(Double(row.right)), "median": row.median.map { .number($0) } ?? .null,
                "slowest": row.slowest.map { .number($0) } ?? .null,
            ]
        }
        let traces = results.map { result -> JSONValue in
            [
                "trace": .string(result.name), "label": .string(result.label?.rawValue ?? "none"),
                "recognized": .string(result.found?.rawValue ?? "none"),
                "seconds": result.delay.map { .number($0) } ?? .null,
            ]
        }
        let document: JSONValue = ["rows": .array(matrix), "traces": .array(traces)]
        return document.text() + "\n"
    }

    private static func seconds(_ time: Double) -> String { ((time * 1000).rounded() / 1000).jsonText + " s" }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func aligned(_ text: String) -> String {
        String(repeating: " ", count: max(1, 9 - text.count)) + text
    }
}

extension LoupeModelOptions {
    fileprivate init(thresholds: LoupeThresholds) {
        self.init()
        self.thresholds = thresholds
    }
}

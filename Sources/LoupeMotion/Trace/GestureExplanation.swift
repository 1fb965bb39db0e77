import LoupeBase
import LoupeScene

/// The result of the loupe's recognizers for any recording of touches, without a scene: each touch, each pair with the progress
/// of its gestures, which of them won, and why.
///
/// The touches are those on a blank page without a loupe. One that a pinch opens closes when the last finger is lifted.
package struct GestureExplanation {
    /// Two touches that were watched, and what became of their gestures.
    private struct Pair {
        let touches: [Int]
        /// When the second touch came down, in seconds.
        let start: Double
        var records: [GestureRecord] = []
        /// The progress of each gesture at each event, in thresholds.
        var progress: [(time: Double, values: [Double])] = []
        /// When each gesture was decided, in seconds; nil for those that never were.
        var decided = Gesture.allCases.map { _ in Double?.none }

        var winner: Int? { records.firstIndex { $0.state != .possible && $0.state != .failed } }

        func most(_ index: Int) -> Double { progress.map { $0.values[index] }.max() ?? 0 }
    }

    private let source: String
    private let session: Session
    private let pairs: [Pair]
    /// The roles of each touch.
    private var lanes: [ChartLane] { SessionTimeline.touchLanes(of: session) }

    /// - Parameters:
    ///   - source: What was recorded, for the chart.
    ///   - canvas: In pixels; by default as large as the touches reach.
    /// - Throws: An error where the recording has no touches.
    package init(_ trace: Trace, source: String, canvas: ImageSize?) throws(DocumentError) {
        let touches = trace.events.compactMap { if case .touch(let touch) = $0.content { touch } else { nil } }
        guard !touches.isEmpty else {
            throw DocumentError(
                at: .text(line: 1, column: 1), "the recording has no touches; gestures are explained of touches only")
        }
        func side(_ values: [Double]) -> Int { Int(((values.max() ?? 1) + 1).rounded(.up).clamped(to: 1...16384)) }
        let size =
            canvas ?? ImageSize(width: side(touches.map { $0.position.x }), height: side(touches.map { $0.position.y }))
        var options = LoupeModelOptions()
        options.released = .closes
        let page = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let blank = Layer(content: .fill(Color(red: 255, green: 255, blue: 255)), rect: page)
        let model = LoupeModel(
            base: Scene(canvas: Scene.Canvas(width: size.width, height: size.height), layers: [blank]), trace: trace,
            options: options)
        session = Session(
            model: .loupe(model), trace: nil, framesPerSecond: 60, duration: max(trace.duration, 0.001))
        (self.source, pairs) = (source, Self.pairs(of: model))
    }

    private static func pairs(of model: LoupeModel) -> [Pair] {
        var pairs: [Int: Pair] = [:]
        for (time, state) in zip(model.timeline.times, model.timeline.states) {
            for record in state.records {
                var pair = pairs[record.number] ?? Pair(touches: record.touches, start: time)
                if pair.records.contains(where: { !$0.state.isFinal }) || pair.records.isEmpty {
                    pair.progress.append((time, record.records.map { $0.progress }))
                }
                for (index, gesture) in record.records.enumerated() where gesture.state != .possible {
                    pair.decided[index] = pair.decided[index] ?? time
                }
                pair.records = record.records
                pairs[record.number] = pair
            }
        }
        return pairs.sorted { $0.key < $1.key }.map { $0.value }
    }

    // MARK: - Outputs

    /// A line for each touch, and for each pair a line for each of its gestures.
    package var text: String {
        let touches = lanes.map { lane in
            let roles = lane.bars.map { "\($0.name) from \($0.start.thousandths) to \($0.end.thousandths) s" }
            return "\(lane.label): \(roles.joined(separator: ", "))\n"
        }
        if touches.isEmpty { return "no touch lasts any time, so no gesture is looked for\n" }
        return touches.joined() + pairs.map(Self.lines).joined()
    }

    private static func lines(of pair: Pair) -> String {
        let names = pair.touches.map { String($0) }.joined(separator: " and ")
        let outcome = pair.winner.map { "\(pair.records[$0].gesture.rawValue) wins" } ?? "no gesture wins"
        let gestures = pair.records.enumerated().map { index, record in
            let time = pair.decided[index].map { " at \($0.thousandths) s" } ?? ""
            let won = pair.winner == index ? "won" : record.state.rawValue
            return "  \(record.gesture.rawValue) \(won)\(time), at most \(pair.most(index).tenths) of its threshold: "
                + "\(record.reason)\n"
        }
        return "touches \(names), from \(pair.start.thousandths) s: \(outcome)\n" + gestures.joined()
    }

    /// `{"touches": [{"label": "touch 1", "bars": […]}], "pairs": [{"touches": [1, 2], "winner": "pinch", "gestures": […]}]}`
    package var json: JSONValue {
        ["touches": .array(lanes.map { $0.json }), "pairs": .array(pairs.map(Self.json))]
    }

    private static func json(of pair: Pair) -> JSONValue {
        let gestures = pair.records.enumerated().map { index, record -> JSONValue in
            [
                "gesture": .string(record.gesture.rawValue), "state": .string(record.state.rawValue),
                "decided": pair.decided[index].map { .number($0) } ?? .null, "most": .number(pair.most(index)),
                "why": .string(record.reason),
                "progress": .array(pair.progress.map { [.number($0.time), .number($0.values[index])] }),
            ]
        }
        return [
            "touches": .array(pair.touches.map { .number(Double($0)) }), "from": .number(pair.start),
            "winner": pair.winner.map { .string(pair.records[$0].gesture.rawValue) } ?? .null,
            "gestures": .array(gestures),
        ]
    }

    /// The touches with their roles, the progress of the gestures above them, and each decision, as SVG.
    package var svg: String {
        let series = Gesture.allCases.indices.map { index in
            var points: [(time: Double, value: Double)] = []
            for pair in pairs {
                points.append((pair.start, 0))
                for sample in pair.progress { points.append((sample.time, sample.values[index])) }
                points.append((pair.progress.last?.time ?? pair.start, 0))
            }
            return ChartPlot.Series(
                name: Gesture.allCases[index].rawValue, color: ChartColor.curves[index], points: points)
        }
        let plots =
            pairs.isEmpty
            ? [] : [ChartPanel.plot(ChartPlot(title: "progress, in thresholds", series: series, height: 120))]
        return Chart(
            title: "Gestures", source: source, range: 0...session.duration,
            panels: plots + [.lanes(lanes)],
            marks: session.model.measures.decisions.filter { $0.time <= session.duration }
        ).svg
    }
}

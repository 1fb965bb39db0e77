import LoupeBase
import LoupeScene

/// What the loupe's recognizers make of any recording of touches, without a scene: each touch, each pair with the progress
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

    /// A touch from its beginning to its end.
    private struct Course {
        let id: Int
        let start: Double
        let from: Point
        var end: Double
        var to: Point
        var samples = 1
        var roles: [(time: Double, role: TouchRole)] = []
    }

    private let source: String
    private let duration: Double
    private let model: LoupeModel
    private var pairs: [Pair] = []
    private var courses: [Course] = []

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
        model = LoupeModel(
            base: Scene(canvas: Scene.Canvas(width: size.width, height: size.height), layers: [blank]), trace: trace,
            options: options)
        (self.source, duration) = (source, trace.duration)
        for event in trace.events { follow(event) }
        pairs = Self.pairs(of: model)
    }

    private mutating func follow(_ event: Trace.Event) {
        guard case .touch(let touch) = event.content else { return }
        let role = model.timeline.state(at: event.time).touches.first { $0.id == touch.id }?.shownRole(at: event.time)
        if touch.phase == .began {
            courses.append(
                Course(id: touch.id, start: event.time, from: touch.position, end: event.time, to: touch.position))
        } else if let index = courses.lastIndex(where: { $0.id == touch.id }) {
            (courses[index].end, courses[index].to) = (event.time, touch.position)
            courses[index].samples += 1
        }
        guard let role, let index = courses.lastIndex(where: { $0.id == touch.id }) else { return }
        if courses[index].roles.last?.role != role { courses[index].roles.append((event.time, role)) }
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
        let touches = courses.map { course in
            let way = course.from.distance(to: course.to).tenths
            let roles = course.roles.map { $0.role.rawValue }.joined(separator: ", ")
            return "touch \(course.id): \(course.start.thousandths) to \(course.end.thousandths) s, "
                + "\(course.samples) samples, \(way) points from its start: \(roles)\n"
        }
        return touches.joined() + pairs.map(Self.lines).joined()
    }

    private static func lines(of pair: Pair) -> String {
        let names = pair.touches.map { String($0) }.joined(separator: " and ")
        let outcome = pair.winner.map { "\(pair.records[$0].gesture.rawValue) wins" } ?? "no gesture wins"
        let gestures = pair.records.indices.map { index in
            let record = pair.records[index]
            let time = pair.decided[index].map { " at \($0.thousandths) s" } ?? ""
            let won = pair.winner == index ? "won" : record.state.rawValue
            return "  \(record.gesture.rawValue) \(won)\(time), at most \(pair.most(index).tenths) of its threshold: "
                + "\(record.reason)\n"
        }
        return "touches \(names), from \(pair.start.thousandths) s: \(outcome)\n" + gestures.joined()
    }

    /// `{"touches": [{"touch": 1, "from": …}], "pairs": [{"touches": [1, 2], "winner": "pinch", "gestures": […]}]}`
    package var json: JSONValue {
        ["touches": .array(courses.map(Self.json)), "pairs": .array(pairs.map(Self.json))]
    }

    private static func json(of course: Course) -> JSONValue {
        [
            "touch": .number(Double(course.id)), "from": .number(course.start), "to": .number(course.end),
            "samples": .number(Double(course.samples)), "start": .point(course.from), "end": .point(course.to),
            "roles": .array(course.roles.map { ["t": .number($0.time), "role": .string($0.role.rawValue)] }),
        ]
    }

    private static func json(of pair: Pair) -> JSONValue {
        let names = pair.records.map { $0.gesture.rawValue }
        let gestures = pair.records.indices.map { index -> JSONValue in
            [
                "gesture": .string(names[index]), "state": .string(pair.records[index].state.rawValue),
                "decided": pair.decided[index].map { .number($0) } ?? .null, "most": .number(pair.most(index)),
                "why": .string(pair.records[index].reason),
            ]
        }
        let progress = pair.progress.map { sample -> JSONValue in
            var object = JSONObject([("t", .number(sample.time))])
            for (name, value) in zip(names, sample.values) { _ = object.append(.number(value), forKey: name) }
            return .object(object)
        }
        return [
            "touches": .array(pair.touches.map { .number(Double($0)) }), "from": .number(pair.start),
            "winner": pair.winner.map { .string(names[$0]) } ?? .null, "gestures": .array(gestures),
            "progress": .array(progress),
        ]
    }

    /// The touches with their roles, the progress of the gestures above them, and each decision, as SVG.
    package var svg: String {
        let session = Session(model: .loupe(model), trace: nil, framesPerSecond: 60, duration: max(duration, 0.001))
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
            panels: plots + [.lanes(SessionTimeline.touchLanes(of: session))],
            marks: session.model.measures.decisions.filter { $0.time <= session.duration }
        ).svg
    }
}

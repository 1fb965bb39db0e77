// What a session is expected to do: gestures and values at a time, and what never happens.

import LoupeBase
import LoupeScene

/// An expectation of a session, as the key `expect` has it.
struct Expectation: Sendable {
    /// What is looked at, such as `radius`; `never` for a phase, a gesture or a role of a touch that does not occur.
    let key: String
    /// A number, a boolean or a word.
    let value: JSONValue
    /// When it is looked at, in seconds: one time of a value.
    let times: ClosedRange<Double>
    /// How far a number may be off.
    var tolerance = 0.0
}

/// An expectation that a session does not meet.
public struct FailedExpectation: Hashable, Sendable {
    /// When it is not met for the first time, in seconds.
    public let time: Double
    /// What is there instead, with the reasons that the recognizers give, in one sentence without a full stop.
    public let message: String
}

extension Session {
    /// The expectations that are not met, in their order.
    public var failedExpectations: [FailedExpectation] { expectations.compactMap(failure) }

    /// How many expectations there are.
    public var expectationCount: Int { expectations.count }

    private func failure(of expectation: Expectation) -> FailedExpectation? {
        let (key, expected, time) = (expectation.key, expectation.value, expectation.times.lowerBound)
        if key == "never", let word = expected.text {
            let end = min(expectation.times.upperBound, duration)
            return firstTime(of: word, in: time...end).flatMap { failed("\(word) occurs", at: $0) }
        }
        let found = model.value(key, in: model.frame(at: time))
        if case .number(let number)? = found, case .number(let goal) = expected {
            let (off, most) = (abs(number - goal), expectation.tolerance)
            guard off > most else { return nil }
            let excess = "\(off.thousandths) off, over \(most.thousandths)"
            return failed("\(key) is \(number.thousandths), not \(goal.thousandths): \(excess)", at: time)
        }
        guard found != expected else { return nil }
        return failed("\(key) is \(found?.excerpt ?? "missing"), not \(expected.excerpt)", at: time)
    }

    /// When a phase, a gesture or a role occurs first: at an event, also where the next one at that time ends it, or in a frame.
    private func firstTime(of word: String, in times: ClosedRange<Double>) -> Double? {
        func occurs(_ states: JSONValue) -> Bool { model.words(in: states).contains(word) }
        if occurs(model.states(at: times.lowerBound)) { return times.lowerBound }
        var current = model.restarted
        var frame = Int((times.lowerBound * framesPerSecond).rounded(.up))
        let events = (trace?.events ?? []).prefix { $0.time <= times.upperBound }.map { Optional($0) }
        for event in events + [nil] {
            let end = event?.time ?? times.upperBound
            // What comes to rest before the next event stays as it is.
            let rest = model.states(at: end.nextDown)
            while time(ofFrame: frame) < end {
                let states = model.states(at: time(ofFrame: frame))
                if occurs(states) { return time(ofFrame: frame) }
                frame = max(frame + 1, states == rest ? Int((end * framesPerSecond).rounded(.up)) : 0)
            }
            guard let event else { break }
            current.pass(until: end)
            current.handle(event)
            if times.contains(end), occurs(current.states(at: end)) { return end }
        }
        return occurs(model.states(at: times.upperBound)) ? times.upperBound : nil
    }

    private func failed(_ problem: String, at time: Double) -> FailedExpectation {
        let reasons = model.reasons(at: time).map { "; \($0)" }.joined()
        return FailedExpectation(time: time, message: "at \(time.thousandths) s \(problem)\(reasons)")
    }
}

extension Session.Model {
    /// A value of a frame: the gesture, a column of `--states`, which may follow the model's name, or a number of the scene
    /// by its path, such as `loupes[0].radius`.
    fileprivate func value(_ key: String, in frame: MotionFrame) -> JSONValue? {
        let column = key.hasPrefix("\(name.rawValue).") ? String(key.dropFirst(name.rawValue.count + 1)) : key
        if let found = CSV.columns(of: frame.states).first(where: { $0.name == column }) { return found.value }
        if column == "gesture", hasRecognizers { return .string(frame.states.activeGesture ?? "none") }
        return SceneProperty.columns(of: frame.scene).first { $0.name == key }.map { .number($0.value) }
    }

    /// The phases, gestures and roles of touches of a state.
    fileprivate func words(in states: JSONValue) -> [String] {
        var words = ["phase", "mode", "gesture"].compactMap { states[$0]?.text }
        for touch in states["touches"]?.elements ?? [] { words += touch["role"]?.text.map { [$0] } ?? [] }
        return words + (states.activeGesture.map { [$0] } ?? [])
    }

    fileprivate var hasRecognizers: Bool { if case .loupe = self { true } else { false } }

    /// The words that `never` can name.
    fileprivate var possibleWords: [String] {
        switch self {
        case .keyframes: []
        case .tilt: ["panning", "full", "drag", "pinch"]
        case .scroll: ["idle", "dragging", "decelerating", "bouncing", "springing"]
        case .panorama: ["idle", "dragging", "snapping"]
        case .transition: ["thumbnail", "presenting", "full", "dismissing", "hold", "pan", "pinch"]
        case .loupe:
            ["closed", "held", "resting"] + Gesture.allCases.map { $0.rawValue }
                + TouchRole.allCases.filter { $0 != .ghost && $0 != .moving }.map { $0.rawValue }
        }
    }

    /// What the recognizers say at a time, and the last decision.
    fileprivate func reasons(at time: Double) -> [String] {
        let recognizers = (states(at: time)["recognizers"]?.elements ?? []).map { record in
            let progress = if case .number(let number)? = record["progress"] { number.hundredths } else { "0" }
            return "\(record["gesture"]?.text ?? "") \(record["state"]?.text ?? "") at \(progress) of its threshold: "
                + (record["why"]?.text ?? "")
        }
        let last = measures.decisions.last { $0.time <= time }
        return recognizers + (last.map { ["the last decision, at \($0.time.thousandths) s: \($0.text)"] } ?? [])
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The gesture that owns touches.
    fileprivate var activeGesture: String? {
        let active = [GestureState.began, .changed].map { $0.rawValue }
        return self["recognizers"]?.elements?.first { active.contains($0["state"]?.text ?? "") }?["gesture"]?.text
    }
}

// MARK: - Decoding

extension SessionDecoder {
    /// `[{"at": 0.42, "gesture": "rewind"}, {"at": 0.9, "radius": 110, "within": 1}, {"never": "drawing", "from": 0.5}]`
    func expectations(_ value: JSONReader, of session: Session) throws(DocumentError) -> [Expectation] {
        var expectations: [Expectation] = []
        for reader in try value.array() { expectations.append(try Self.expectation(reader, of: session)) }
        return expectations
    }

    private static func expectation(_ value: JSONReader, of session: Session) throws(DocumentError) -> Expectation {
        let (model, range) = (session.model, 0...session.duration)
        var reader = value
        if let never = try reader.optional("never") {
            let from = try reader.optional("from")?.number(in: range) ?? 0
            let to = try reader.optional("to")?.number(in: Trace.timeRange) ?? range.upperBound
            try reader.finish()
            guard from <= to else { throw reader.error(at: "to", "\(to.jsonText) is before from, \(from.jsonText)") }
            let (word, words) = (try never.string(), model.possibleWords)
            if words.isEmpty { throw never.error("the model \(model.name.rawValue) has no phases and no gestures") }
            guard words.contains(word) else {
                throw never.error("\(never.value.excerpt) is not allowed; allowed are \(words.joined(separator: ", "))")
            }
            return Expectation(key: "never", value: never.value, times: from...to)
        }
        let time = try reader.required("at").number(in: range)
        let tolerance = try reader.optional("within")
        let within = try tolerance?.number(in: 0...1e6) ?? 0.001
        let keys = try reader.keys().filter { $0 != "at" && $0 != "within" }
        guard keys.count == 1 else {
            throw value.error(
                "it has \(keys.count) values; one is needed, such as \"radius\": 110. Beside it, allowed are at, within"
            )
        }
        let expected = try reader.required(keys[0])
        if let tolerance {
            guard case .number = expected.value else { throw tolerance.error("it is for a number; leave it out") }
        }
        switch (model.value(keys[0], in: model.frame(at: time)), expected.value) {
        case (.number?, .number), (.string?, .string), (.bool?, .bool): break
        case (nil, _):
            let columns =
                (model.hasRecognizers ? ["gesture"] : []) + CSV.columns(of: model.states(at: time)).map { $0.name }
            throw expected.error(
                "the model shows no such value at \(time.jsonText) s; it has \(columns.joined(separator: ", "))"
            )
        case (let found?, _): throw expected.error("the model shows \(found.excerpt); a value of that kind is needed")
        }
        return Expectation(key: keys[0], value: expected.value, times: time...time, tolerance: within)
    }
}

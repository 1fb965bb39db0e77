import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// The rules that hold for any trace: 500 traces, or 10,000 if the tests try everything. Half of them are gestures at
/// random times and positions, half random events.
@Suite struct LoupeInvariantTests {
    @Test(arguments: Sample.of(0..<100, every: 20)) func everyTraceKeepsTheRules(block: UInt64) {
        for seed in block * 100..<block * 100 + 100 {
            let trace = seed % 2 == 0 ? GestureScript.random(seed: seed) : Self.noise(seed)
            check(trace, seed)
        }
    }

    private func check(_ trace: Trace, _ seed: UInt64) {
        var gestures = LoupeGestures(canvas: SampleModels.loupeBase.canvas, options: LoupeModelOptions())
        var dead: Set<Int> = []
        var broken: Set<String> = []
        func expect(_ isKept: Bool, _ rule: String) { if !isKept { broken.insert(rule) } }
        for event in trace.events {
            guard case .touch(let touch) = event.content else { continue }
            while let end = gestures.ghostEnd, end <= event.time { gestures.giveUpGhost(at: end) }
            let before = gestures.state
            gestures.handle(touch, at: event.time)
            let state = gestures.state
            dead.formUnion(cancelled(by: touch, from: before, to: state))
            expect(hasOneWinner(state), "one winner")
            expect((state.decision?.time ?? 0) <= event.time, "decisions are of the past")
            expect(dead.isDisjoint(with: state.history.done.items), "cancelled strokes are not done")
            expect(Set(state.history.done.items).count == state.history.done.count, "nothing is done twice")
            expect(
                dead.isDisjoint(with: state.touches.compactMap { $0.stroke?.number }), "cancelled strokes are not drawn"
            )
        }
        let model = SampleModels.loupe(trace)
        expect(
            zip(model.timeline.times, model.timeline.times.dropFirst()).allSatisfy { $0 < $1 }, "time runs forwards")
        let text = Array(SceneEncoder().encode(model.end.scene).utf8)
        expect(
            (try? SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(text)) == model.end.scene,
            "the scene is valid")
        #expect(broken.isEmpty, "seed \(seed)")
    }

    /// At most one recognizer of two touches has ever begun, and at most one pair rewinds.
    private func hasOneWinner(_ state: LoupeState) -> Bool {
        let winners = state.records.map { pair in pair.records.filter { $0.state != .possible && $0.state != .failed } }
        let rewinds = winners.joined().filter { $0.gesture == .rewind && $0.state.isActive }
        return winners.allSatisfy { $0.count <= 1 } && rewinds.count <= 1
    }

    /// The strokes of a touch that the system took away, and of those that became Rewind.
    private func cancelled(by touch: Touch, from old: LoupeState, to new: LoupeState) -> [Int] {
        old.touches.compactMap { before in
            let isTakenAway = before.id == touch.id && touch.phase == .cancelled
            let role = new.touches.first { $0.id == before.id }?.role
            return isTakenAway || role == .rewinding ? before.stroke?.number : nil
        }
    }

    // MARK: - Traces

    /// Random events, including sequences that no screen sends.
    private static func noise(_ seed: UInt64) -> Trace {
        var generator = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        var events = GestureScript.held(seed: seed).trace.events
        var time = 0.6
        for _ in 0..<80 {
            time += number(0...1) < 0.2 ? 0 : number(0...0.08)
            let phases: [Touch.Phase] = [.began, .moved, .moved, .moved, .moved, .ended, .cancelled]
            let touch = Touch(
                id: Int.random(in: 0..<10, using: &generator), phase: phases.randomElement(using: &generator) ?? .moved,
                position: Point(x: number(300...700), y: number(200...600)))
            events.append(Trace.Event(time: time, .touch(touch)))
        }
        return Trace(events)
    }
}

import LoupeBase
import TestSupport

@testable import LoupeMotion

/// Builds traces from taps and drags.
struct TouchScript {
    private(set) var events: [Trace.Event] = []
    private var nextID = 1

    var trace: Trace { Trace(events.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.element)) }

    /// Down at a time, and up a little later.
    mutating func tap(_ x: Double, _ y: Double, at time: Double, for duration: Double = 0.05) {
        finger([(time, x, y), (time + duration, x, y)])
    }

    /// A straight drag at a constant speed, sampled at a rate in Hz.
    mutating func drag(
        from start: (Double, Double), to end: (Double, Double), at time: Double, for duration: Double,
        rate: Double = 120, rest: Double = 0, cancelled: Bool = false
    ) {
        let steps = max(1, Int(duration * rate))
        var positions = (0...steps).map { step in
            let part = Double(step) / Double(steps)
            return (
                time + part * duration, start.0 + part * (end.0 - start.0), start.1 + part * (end.1 - start.1)
            )
        }
        positions.append((time + duration + rest, end.0, end.1))
        finger(positions, cancelled: cancelled)
    }

    /// Down at the first position, up at the last.
    mutating func finger(_ positions: [(Double, Double, Double)], cancelled: Bool = false) {
        for (index, (time, x, y)) in positions.enumerated() {
            let last: Touch.Phase = cancelled ? .cancelled : .ended
            let phase: Touch.Phase = index == 0 ? .began : index == positions.count - 1 ? last : .moved
            events.append(
                Trace.Event(time: time, .touch(Touch(id: nextID, phase: phase, position: Point(x: x, y: y)))))
        }
        nextID += 1
    }

    mutating func rotate(_ x: Double, _ y: Double, _ z: Double, at time: Double) {
        events.append(Trace.Event(time: time, .rotation(RotationRate(x: x, y: y, z: z))))
    }

    /// Random taps and drags within and around a canvas of 320×480.
    static func random(seed: UInt64) -> Trace {
        var generator = SplitMix64(seed: seed)
        var script = TouchScript()
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        for _ in 0..<12 {
            let time = number(0...6)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: script.tap(number(0...320), number(0...480), at: time)
            case 1:
                for step in 0..<20 {
                    script.rotate(number(-1...1), number(-8...8), number(-1...1), at: time + Double(step) / 60)
                }
            default:
                script.drag(
                    from: (number(0...320), number(0...480)), to: (number(-50...370), number(-50...530)), at: time,
                    for: number(0.02...0.6), rest: number(0...0.1), cancelled: number(0...1) < 0.2)
            }
        }
        return script.trace
    }
}

import Glibc
import LoupeBase
import LoupeMotion
import TestSupport

import func Glibc.cos
import func Glibc.log
import func Glibc.sin

/// Builds traces from gestures, as a hand makes them: with seeded jitter of the fingers, noise in the times of the
/// samples, and fingers of one hand that come down one after the other.
///
/// ```swift
/// var hand = GestureScript(seed: 1)
/// hand.pinch(at: Point(x: 500, y: 400), by: 120, in: 0.3)
/// hand.lift("left")
/// hand.move("right", to: Point(x: 700, y: 300), in: 0.5)
/// ```
/// Fingers have names. Each gesture begins where the last one ended; `time` may be set back for another hand.
struct GestureScript {
    /// The time of the next event, in seconds.
    var time = 0.1
    private var events: [Trace.Event] = []
    private var fingers: [String: (id: Int, position: Point)] = [:]
    private var generator: SplitMix64
    private let jitter: Double
    private let rate: Double
    private var nextID = 1
    /// The part of the way after a part of a movement's duration; by default at a constant speed.
    var profile = Profile.constant

    enum Profile: CaseIterable {
        case constant
        /// Accelerates evenly for two fifths of the duration.
        case ramp
        /// As people reach for things (Flash and Hogan 1985).
        case minimumJerk

        func callAsFunction(_ part: Double) -> Double {
            switch self {
            case .constant: part
            case .ramp: (part < 0.4 ? part * part / 0.8 : part - 0.2) / 0.8
            case .minimumJerk: part * part * part * (10 - 15 * part + 6 * part * part)
            }
        }
    }

    /// - Parameters:
    ///   - jitter: The standard deviation of each coordinate, in points.
    ///   - rate: The sample rate, in Hz.
    init(seed: UInt64, jitter: Double = 0.5, rate: Double = 60) {
        generator = SplitMix64(seed: seed)
        self.jitter = jitter
        self.rate = rate
    }

    var trace: Trace {
        Trace(events.enumerated().sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.element))
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }

    // MARK: - Single fingers

    mutating func put(_ finger: String, at position: Point) {
        fingers[finger] = (nextID, position)
        nextID += 1
        note(finger, .began, at: time)
    }

    mutating func lift(_ names: String...) {
        for finger in names { end(finger, .ended) }
    }

    mutating func cancel(_ names: String...) {
        for finger in names { end(finger, .cancelled) }
    }

    mutating func move(_ finger: String, to position: Point, in duration: Double) {
        guard let start = fingers[finger]?.position else { return }
        move([finger], in: duration) { part in [start + part * (position - start)] }
    }

    mutating func wait(_ duration: Double) { time += duration }

    /// Fingers that stay where they are, with their jitter.
    mutating func rest(_ names: String..., for duration: Double) {
        let places = names.compactMap { fingers[$0]?.position }
        move(names, in: duration) { _ in places }
    }

    // MARK: - Two fingers

    /// Puts two fingers down, the second up to 20 ms after the first.
    mutating func put(
        _ a: String = "left", _ b: String = "right", around position: Point, span: Double, angle: Double = 0
    ) {
        let half = 0.5 * span * Vector(dx: cos(angle), dy: sin(angle))
        put(a, at: position - half)
        time += number(0...0.02)
        put(b, at: position + half)
    }

    /// Puts two fingers down and spreads them, or brings them together.
    /// - Parameter by: The change of span, in points.
    mutating func pinch(
        at position: Point, by change: Double, in duration: Double, span: Double = 60, angle: Double = 0
    ) {
        put(around: position, span: span, angle: angle)
        pinch(by: change, in: duration)
    }

    /// - Parameter drift: The movement of the fingers' midpoint, in points.
    mutating func pinch(
        _ a: String = "left", _ b: String = "right", by change: Double, in duration: Double, drift: Vector = .zero
    ) {
        pair(a, b, in: duration) { part, start, half in
            let middle = start + part * drift
            let factor = 1 + part * change / (2 * half.length)
            return (middle, factor * half)
        }
    }

    mutating func pan(_ a: String = "left", _ b: String = "right", by way: Vector, in duration: Double) {
        pair(a, b, in: duration) { part, start, half in (start + part * way, half) }
    }

    /// The fingers' midpoint moves along a circle; the hand turns with it a little.
    mutating func circle(
        _ a: String = "left", _ b: String = "right", by degrees: Double, radius: Double, heading: Double = 0,
        in duration: Double, growing: Double = 0
    ) {
        let sign = degrees < 0 ? -1.0 : 1
        let normal = heading + sign * .pi / 2
        pair(a, b, in: duration) { part, start, half in
            let turn = part * degrees * .pi / 180
            let center = start + radius * Vector(dx: cos(normal), dy: sin(normal))
            let spoke = normal + .pi + turn
            let middle = center + radius * Vector(dx: cos(spoke), dy: sin(spoke))
            let growth = 1 + part * growing / (2 * half.length)
            return (middle, growth * half.turned(by: 0.15 * turn))
        }
    }

    private mutating func pair(
        _ a: String, _ b: String, in duration: Double,
        _ path: (_ part: Double, _ start: Point, _ half: Vector) -> (middle: Point, half: Vector)
    ) {
        guard let first = fingers[a]?.position, let second = fingers[b]?.position else { return }
        let half = 0.5 * (second - first)
        let start = first + half
        move([a, b], in: duration) { part in
            let (middle, half) = path(part, start, half)
            return [middle - half, middle + half]
        }
    }

    // MARK: - Events

    private mutating func move(_ names: [String], in duration: Double, _ path: (Double) -> [Point]) {
        let steps = max(1, Int((duration * rate).rounded()))
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            for (finger, position) in zip(names, path(profile(part))) {
                fingers[finger]?.position = position
                note(finger, .moved, at: time + part * duration + number(-0.0015...0.0015))
            }
        }
        time += duration + 0.005
    }

    private mutating func end(_ finger: String, _ phase: Touch.Phase) {
        note(finger, phase, at: time)
        fingers[finger] = nil
        time += 0.004
    }

    private mutating func note(_ finger: String, _ phase: Touch.Phase, at time: Double) {
        guard let (id, position) = fingers[finger] else { return }
        let seen = position + Vector(dx: jitter * normal(), dy: jitter * normal())
        events.append(Trace.Event(time: time, .touch(Touch(id: id, phase: phase, position: seen))))
    }

    /// A normally distributed number, by the Box–Muller method.
    private mutating func normal() -> Double {
        (-2 * log(number(1e-12...1))).squareRoot() * cos(2 * .pi * number(0...1))
    }
}

extension Vector {
    func turned(by angle: Double) -> Vector {
        Vector(dx: dx * cos(angle) - dy * sin(angle), dy: dx * sin(angle) + dy * cos(angle))
    }
}

/// The beginning of most tests of the loupe.
extension GestureScript {
    static let center = Point(x: 500, y: 400)

    /// A loupe at (500, 400) of radius 110 that two fingers, "left" and "right", have opened and hold.
    static func opened(seed: UInt64 = 1, jitter: Double = 0, rate: Double = 60) -> GestureScript {
        var hand = GestureScript(seed: seed, jitter: jitter, rate: rate)
        hand.pinch(at: center, by: 120, in: 0.3)
        return hand
    }

    /// The same, held by one finger, "right", at (590, 400).
    static func held(seed: UInt64 = 0, jitter: Double = 0, rate: Double = 60) -> GestureScript {
        var hand = opened(seed: seed, jitter: jitter, rate: rate)
        hand.lift("left")
        hand.wait(0.1)
        return hand
    }

    /// The same, let go a while ago.
    static func resting(seed: UInt64 = 1) -> GestureScript {
        var hand = opened(seed: seed)
        hand.lift("left", "right")
        hand.wait(0.3)
        return hand
    }

    /// Up to six gestures at any times and positions of a page of 1024×768, many at once, after a loupe is held.
    static func random(seed: UInt64) -> Trace {
        var hand = held(seed: seed, jitter: 0.5)
        for index in 0..<6 {
            hand.time = hand.number(0.2...2)
            let (a, b) = ("a\(index)", "b\(index)")
            let position = Point(x: hand.number(-20...1044), y: hand.number(-20...788))
            let near = center + Vector(dx: hand.number(-140...140), dy: hand.number(-140...140))
            hand.put(a, b, around: hand.number(0...1) < 0.7 ? near : position, span: hand.number(20...200))
            switch hand.number(0...4) {
            case ..<1: hand.pinch(a, b, by: hand.number(-100...200), in: 0.3)
            case ..<2: hand.pan(a, b, by: Vector(dx: hand.number(-900...900), dy: hand.number(-900...900)), in: 0.4)
            case ..<3: hand.circle(a, b, by: hand.number(-300...300), radius: hand.number(10...100), in: 0.6)
            default: hand.move(a, to: position, in: 0.2)
            }
            for finger in [a, b] where hand.number(0...1) < 0.8 {
                if hand.number(0...1) < 0.25 { hand.cancel(finger) } else { hand.lift(finger) }
            }
        }
        return hand.trace
    }

    /// Strokes within the loupe, one after the other.
    mutating func draw(_ count: Int) {
        for index in 0..<count {
            put("pen", at: Point(x: 440, y: 360 + 10 * Double(index)))
            move("pen", to: Point(x: 520, y: 360 + 10 * Double(index)), in: 0.1)
            lift("pen")
            wait(0.3)
        }
    }

    /// Positions of two adjoining touches on the loupe of `held`.
    enum Place: CaseIterable {
        case inside, edge, outside

        /// - Parameter x: −1 for the left one, 1 for the right one.
        func point(_ x: Double) -> Point {
            switch self {
            case .inside: center + Vector(dx: 30 * x, dy: -50)
            case .edge: center + Vector(dx: 30 * x, dy: -105.83)
            case .outside: center + Vector(dx: 30 * x, dy: -180)
            }
        }
    }
}

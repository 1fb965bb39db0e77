import Glibc
import LoupeBase
import LoupeScene
import TestSupport
import Testing

import func Glibc.cos
import func Glibc.exp
import func Glibc.sin

@testable import LoupeMotion

/// A CSS easing function, parsed and evaluated as CSS Easing Functions Level 2 defines `linear()`.
private struct LinearFunction {
    private var stops: [(output: Double, input: Double)] = []

    /// Reads the function of a custom property in a style sheet.
    init(_ name: String, in css: String) throws {
        let start = try #require(css.range(of: "--\(name): linear(")).upperBound
        let list = css[start...].prefix { $0 != ")" }
        let parts = list.split(separator: ",").map { $0.split(separator: " ") }
        for (index, part) in parts.enumerated() {
            let output = try #require(Double(part[0]))
            let percent = try part.dropFirst().first.map { try #require(Double($0.dropLast())) }
            // The first stop without an input lies at 0, the last one at 1.
            stops.append((output, percent.map { $0 / 100 } ?? (index == 0 ? 0 : 1)))
        }
        #expect(zip(stops, stops.dropFirst()).allSatisfy { $0.input <= $1.input })
    }

    func callAsFunction(_ input: Double) -> Double {
        guard let next = stops.firstIndex(where: { $0.input > input }) else { return stops[stops.count - 1].output }
        guard next > 0 else { return stops[0].output }
        let (from, to) = (stops[next - 1], stops[next])
        return from.output + (to.output - from.output) * (input - from.input) / (to.input - from.input)
    }

}

extension String {
    fileprivate func range(of part: String) -> Range<Index>? {
        indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
    }
}

/// The curves of models as easing functions, and tables.
@Suite struct CurveTests {
    /// A tap on the thumbnail at 0.1 s, which presents from there on.
    private static let presenting: Session.Model = {
        let touch = Point(x: 60, y: 340)
        let trace = Trace([
            Trace.Event(time: 0, .touch(Touch(id: 1, phase: .began, position: touch))),
            Trace.Event(time: 0.1, .touch(Touch(id: 1, phase: .ended, position: touch))),
        ])
        return .transition(SampleModels.transition(trace))
    }()

    @Test func easingFollowsTheSpring() throws {
        let text = CSSEasing(Self.presenting, range: 0.1...0.7, title: "spring").text
        let function = try LinearFunction("scale", in: text)
        // UIKit's spring in closed form: ζ = 0.7, 0.5 s, from the thumbnail's scale of 1/3 to 1.
        let (ratio, frequency) = (0.7, 19.679293)
        let damped = frequency * (1 - ratio * ratio).squareRoot()
        func spring(_ t: Double) -> Double {
            guard t < 0.5 else { return 1 }
            return 1 - exp(-ratio * frequency * t) * (cos(damped * t) + ratio * frequency / damped * sin(damped * t))
        }
        for step in 0...3000 {
            let part = Double(step) / 3000
            // The scale goes from 1/3 to 1 and 4.6 % beyond; the function's 1 is the rise to 1.
            #expect(abs(function(part) - spring(part * 0.6)) <= CSSEasing.tolerance * 1.046)
        }
        #expect(text.contains("--duration: 0.6s;") && text.utf8.count < 6000)
    }

    /// At the times of frames, of every function of every model.
    @Test(arguments: Sample.of(0..<12, every: 6)) func everyFunctionKeepsTheTolerance(seed: Int) throws {
        for model in SampleModels.all(TouchScript.random(seed: UInt64(seed))) {
            let text = CSSEasing(model, range: 0.5...2.5, title: "x").text
            let curves = MotionCurves(model)
            for line in text.split(separator: "\n") where line.contains(" from ") {
                let words = line.split(separator: " ")
                let (key, from, to) = (words[1], try #require(Double(words[3])), try #require(Double(words[5])))
                let index = try #require(curves.quantities.firstIndex { $0.key == key })
                let function = try LinearFunction(String(key.map { $0 == "." ? "-" : $0 }), in: text)
                let values = (0...240).map { curves.values(at: 0.5 + Double($0) / 120)[index] }
                let extent = (values.max() ?? 0) - (values.min() ?? 0)
                let misses = values.enumerated().filter { step, value in
                    abs(from + (to - from) * function(Double(step) / 240) - value) > 1.1 * CSSEasing.tolerance * extent
                        + 1e-6
                }
                // A frame exactly at a jump may show the value before it.
                #expect(misses.count <= 2, "\(key): \(misses.map(\.offset))")
            }
        }
    }

    @Test func curveThatReturnsIsBetweenItsLeastAndItsGreatestValue() throws {
        let scene = Scene(
            canvas: Scene.Canvas(width: 100, height: 100), layers: [],
            loupes: [Loupe(center: Point(x: 10, y: 20), radius: 10, zoom: 2)])
        let model = KeyframeModel(
            scene: scene,
            keyframes: [
                .init(time: 1, values: [.loupe(0, "zoom"): [6]]), .init(time: 2, values: [.loupe(0, "zoom"): [2]]),
            ])
        let text = CSSEasing(.keyframes(model), range: 0...2, title: "").text
        #expect(text.contains("from 2 to 6"))
        let function = try LinearFunction("loupes-0-zoom", in: text)
        for (part, value) in [(0, 0.0), (0.25, 0.5), (0.5, 1), (0.75, 0.5), (1, 0)] {
            #expect(abs(function(part) - value) <= CSSEasing.tolerance)
        }
    }

    /// A loupe closes at once, so its opacity jumps: two stops at the same time.
    @Test func jumpIsKept() throws {
        let samples = (0...10).map { (time: Double($0), value: 0.0) } + (10...20).map { (time: Double($0), value: 5.0) }
        let corners = PolylineFit.corners(of: samples, tolerance: 0.1)
        #expect(corners.map(\.time) == [0, 10, 10, 20])
        #expect(corners.map(\.value) == [0, 0, 5, 5])
    }

    @Test func cellsWithCommasAreQuoted() {
        #expect(CSV.columns(of: ["touches": [1, 2]]).map(\.name) == ["touches"], "numbers of fingers are no point")
        let columns = CSV.columns(of: ["a": [1, 2], "b": ["c": [1, 2, 3, 4]], "d": [["e": "f"]], "g": "h,i"])
        #expect(columns.map(\.name) == ["a.x", "a.y", "b.c.x", "b.c.y", "b.c.width", "b.c.height", "d", "g"])
        #expect(
            CSV.line(columns.map(\.value)) == "1,2,1,2,3,4,\"[{\"\"e\"\": \"\"f\"\"}]\",\"h,i\"\n")
    }

    /// 200 points upwards in a third of a second, at 60 Hz.
    private static let drag = Trace(
        (0...20).map { step in
            let phase: Touch.Phase = step == 0 ? .began : step == 20 ? .ended : .moved
            let touch = Touch(id: 1, phase: phase, position: Point(x: 100, y: 400 - 10 * Double(step)))
            return Trace.Event(time: Double(step) / 60, .touch(touch))
        })

    /// Under a finger the velocity is what a release would pass on.
    @Test func velocityUnderAFingerIsThatOfTheRelease() {
        let curves = MotionCurves(.scroll(SampleModels.scroll(Self.drag)))
        #expect(abs(curves.velocities(at: 15.5 / 60)[1] - 600) < 1e-6)
        // Between the recorded positions the curve is straight.
        #expect(abs(curves.values(at: 15.5 / 60)[1] - 155) < 1e-9)
    }

    /// A model that comes to rest jumps the last fraction of a point, which is no velocity.
    @Test func velocityHasNoSpikeWhereAModelComesToRest() {
        let model = SampleModels.scroll(Self.drag)
        let curves = MotionCurves(.scroll(model))
        // Around the step in which it comes to rest, more finely than slopes are taken.
        for step in -500...500 {
            let time = model.duration + Double(step) * 1e-6
            #expect(abs(curves.velocities(at: time)[1]) < 10, "\(time)")
        }
    }
}

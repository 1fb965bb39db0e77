import Foundation
import LoupeBase
import LoupeMotion
import LoupePlan
import LoupeScene
import TestSupport
import Testing

import func Glibc.cos
import func Glibc.sin

/// `tools/browser/live` compares plans and gestures of this machine with those of the WebAssembly module. With
/// LOUPE_LIVE_NUMBERS, a path, this suite writes what is to be compared.
@Suite("Numbers of plans and gestures")
struct LiveNumbersTests {
    @Test(
        "what WebAssembly is compared with is written",
        .enabled(if: ProcessInfo.processInfo.environment["LOUPE_LIVE_NUMBERS"] != nil))
    func write() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment["LOUPE_LIVE_NUMBERS"])
        let scenes = Int(environment["LOUPE_LIVE_SCENES"] ?? "") ?? 10_000
        let traces = Int(environment["LOUPE_LIVE_TRACES"] ?? "") ?? 1000
        var lines: [String] = []
        let sizes = Pages.small.compactMap { path in Pages.traits[path].map { (path, $0) } }
        for (path, traits) in sizes {
            lines.append("image\t\(path)\t\(traits.size.width)\t\(traits.size.height)\t\(traits.isOpaque ? 1 : 0)")
        }
        for seed in 0..<scenes {
            var generator = SceneGenerator(seed: UInt64(seed))
            // By its document, as a page has it: numbers are written so that reading gives the same bits.
            let text = SceneEncoder().encode(generator.scene(hasShapes: seed % 2 == 1))
            let scene = try SceneDecoder { try Pages.size(of: $0) }.decode(Array(text.utf8))
            let list = NumberList(DrawPlan(scene, images: Pages.traits))
            let line = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
            lines.append("scene\t\(list.values.count)\t\(String(list.hash, radix: 16))\t\(line)")
        }
        for seed in 0..<traces {
            let trace = Self.trace(seed: UInt64(seed))
            let list = NumberList(trace)
            lines.append("trace\t\(list.values.count)\t\(String(list.hash, radix: 16))\t\(Self.text(of: trace))")
        }
        for path in environment["LOUPE_LIVE_TRACE_FILES"]?.split(separator: ":") ?? [] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: String(path)))
            let trace = try TraceDecoder.decode(Array(bytes))
            let list = NumberList(trace)
            let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "\u{1e}")
            lines.append("trace\t\(list.values.count)\t\(String(list.hash, radix: 16))\t\(text)")
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Hands that tap, drag, pinch, circle and leave the screen.
    private static func trace(seed: UInt64) -> Trace {
        var random = SplitMix64(seed: seed)
        var events: [Trace.Event] = []
        var time = 0.1
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let fingers = Int.random(in: 1...3, using: &random)
            let center = Point(x: number(100...800), y: number(100...600))
            let (spread, growth) = (number(30...140), number(-1.5...3))
            let (turn, radius) = (number(-8...8), number(0...120))
            let drift = Vector(dx: number(-300...300), dy: number(-300...300))
            let steps = Int.random(in: 0...40, using: &random)
            func position(_ finger: Int, _ step: Int) -> Point {
                let part = Double(step) / 40
                let angle = turn * part
                let side = Double(finger) - Double(fingers - 1) / 2
                let jitter = Vector(dx: number(-1...1), dy: number(-1...1))
                return Point(
                    x: center.x + side * spread * max(0.1, 1 + growth * part) + radius * cos(angle) + drift.dx * part,
                    y: center.y + radius * sin(angle) + drift.dy * part) + jitter
            }
            func add(_ finger: Int, _ phase: Touch.Phase, _ position: Point) {
                events.append(Trace.Event(time: time, .touch(Touch(id: finger, phase: phase, position: position))))
            }
            for finger in 0..<fingers {
                add(finger, .began, position(finger, 0))
                time += number(0...0.05)
            }
            for step in 0..<steps {
                for finger in 0..<fingers { add(finger, .moved, position(finger, step)) }
                time += number(0.004...0.02)
            }
            for finger in 0..<fingers {
                add(finger, isCancelled(&random) ? .cancelled : .ended, position(finger, steps))
                time += number(0...0.03)
            }
            time += number(0.02...0.8)
        }
        return Trace(events)
    }

    private static func isCancelled(_ random: inout SplitMix64) -> Bool { Int.random(in: 0..<12, using: &random) == 0 }

    /// As JSON Lines, with U+001E in place of line breaks. Swift writes numbers so that reading gives the same bits.
    private static func text(of trace: Trace) -> String {
        trace.events.compactMap { event -> String? in
            guard case .touch(let touch) = event.content else { return nil }
            return "{\"t\": \(event.time), \"touch\": \(touch.id), \"phase\": \"\(touch.phase.rawValue)\", "
                + "\"at\": [\(touch.position.x), \(touch.position.y)]}"
        }.joined(separator: "\u{1e}")
    }
}

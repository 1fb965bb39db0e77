import Foundation
import LoupeBase
import LoupeMotion
import LoupePlan
import LoupeScene
import TestSupport
import Testing

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
            lines.append(try Self.line(of: TraceEncoder.text(of: GestureScript.random(seed: UInt64(seed)))))
        }
        for path in environment["LOUPE_LIVE_TRACE_FILES"]?.split(separator: ":") ?? [] {
            lines.append(try Self.line(of: String(contentsOfFile: String(path), encoding: .utf8)))
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    }

    /// A trace by its document, whose line breaks become U+001E. Swift writes numbers so that reading gives the same bits.
    private static func line(of text: String) throws -> String {
        let list = NumberList(try TraceDecoder.decode(Array(text.utf8)))
        let document = text.split(separator: "\n").joined(separator: "\u{1e}")
        return "trace\t\(list.values.count)\t\(String(list.hash, radix: 16))\t\(document)"
    }
}

import Foundation
import LoupeScene
import TestSupport
import Testing

/// With LOUPE_RANDOM_SCENES, a path, this suite writes scenes for `tools/check/anywhere`, one a line.
@Suite("Random scenes in a file")
struct RandomScenesTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LOUPE_RANDOM_SCENES"] != nil)) func write() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try #require(environment["LOUPE_RANDOM_SCENES"])
        let count = Int(environment["LOUPE_RANDOM_SCENES_COUNT"] ?? "") ?? 1000
        let lines = (0..<count).map { seed in
            var generator = SceneGenerator(seed: UInt64(seed))
            let text = SceneEncoder().encode(generator.scene(hasShapes: seed % 2 == 1))
            return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined()
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    }
}

import Foundation
import LoupeBase
import TestSupport
import Testing

@testable import LoupeScene

/// Scenes as text: for people to read, and to come back as the very same scene.
@Suite struct SceneEncoderTests {
    private struct NoImage: Error {}

    /// An encoded scene says everything, so that no image is ever asked for.
    private let decoder = SceneDecoder { _ in throw NoImage() }

    @Test func theTextHasTheShapeOfTheSpecificationsExample() throws {
        let scene = try decoder.decode(Array(SceneDecoderTests.example.utf8))
        #expect(
            SceneEncoder().encode(scene) == """
                {
                  "canvas": {"width": 1024, "height": 768, "background": "#cccccc"},
                  "blending": "srgb",
                  "layers": [
                    {
                      "image": "page.png",
                      "rect": [62, 34, 900, 700],
                      "corner": {"radius": 60, "exponent": 4},
                      "filter": "lanczos",
                      "opacity": 1
                    }
                  ],
                  "loupes": [
                    {
                      "center": [900, 100],
                      "radius": 180,
                      "zoom": 4,
                      "focus": [900, 100],
                      "filter": "linear",
                      "rim": {"width": 6, "color": "#ffffff"},
                      "shadow": {"offset": [0, 6], "blur": 24, "color": "#00000080"}
                    }
                  ]
                }

                """)
    }

    @Test func aThousandRandomScenesComeBackExactly() throws {
        var random = SplitMix64(seed: 20)
        for _ in 0..<1000 {
            let scene = Scene.random(using: &random)
            let text = SceneEncoder().encode(scene)
            #expect(try decoder.decode(Array(text.utf8)) == scene)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        }
    }
}

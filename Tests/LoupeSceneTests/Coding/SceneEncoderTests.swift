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

    /// Every second one with corners and loupes of other shapes, every fourth with numbers at the ends of their ranges.
    @Test(arguments: 0..<1000) func anySceneComesBackExactly(seed: Int) throws {
        let paths: [ImagePath] = ["page.png", "../a b/\"ü\"\n😀.png", "\\\u{1}"]
        var generator = SceneGenerator(
            seed: UInt64(seed), images: paths.map { ($0, ImageSize(width: 40, height: 30)) })
        var scene = generator.scene(hasShapes: seed % 2 == 1)
        if seed % 4 > 1 {
            (scene.canvas.width, scene.canvas.height) = (16384, 1)
            for index in scene.layers.indices {
                scene.layers[index].strokes.append(Stroke(points: [Point(x: -1e6, y: 1e6)], width: 1024))
            }
            for index in scene.loupes.indices {
                (scene.loupes[index].center, scene.loupes[index].focus) = (Point(x: 1e6, y: -1e6), .zero)
                scene.loupes[index].zoom = 64
            }
        }
        let text = SceneEncoder().encode(scene)
        #expect(try decoder.decode(Array(text.utf8)) == scene)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
}

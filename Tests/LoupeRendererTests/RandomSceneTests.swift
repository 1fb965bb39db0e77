import LoupeOracle
import LoupeScene
import Testing

/// The GPU renderer against the double-precision renderer on scenes that nobody chose.
@Suite struct RandomSceneTests {
    @Test(arguments: 0..<400)
    func gpuAndOracleDrawTheSamePicture(seed: Int) async throws {
        var generator = SceneGenerator(seed: UInt64(seed))
        let scene = generator.scene()
        let expected = try Oracle().render(scene, images: Pages.images)
        try expectPicture(
            await GPU.draw(scene), equals: expected, within: Tolerance(for: scene), of: scene,
            named: "random/seed-\(seed)")
    }
}

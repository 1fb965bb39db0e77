import LoupeScene
import LoupeTesting
import TestSupport
import Testing

/// The GPU renderer against the double-precision renderer on scenes that nobody chose.
@Suite struct RandomSceneTests {
    /// Beyond the first 400: seeds whose scenes once showed a crack between a loupe's inside and its ring, or too much
    /// rounding under a shadow.
    @Test(arguments: Sample.of(0..<400, every: 20) + [589, 819, 1539, 1831, 2045, 2641])
    func gpuAndOracleDrawTheSamePicture(seed: Int) {
        var generator = SceneGenerator(seed: UInt64(seed))
        expectRendersLikeOracle(generator.scene(), as: "seed-\(seed)", images: Pages.images)
    }

    /// Corners that differ, rectangular loupes, and split loupes.
    @Test(arguments: Sample.of(0..<400, every: 100))
    func gpuAndOracleDrawTheSameShapes(seed: Int) {
        var generator = SceneGenerator(seed: UInt64(seed))
        expectRendersLikeOracle(generator.scene(hasShapes: true), as: "shapes-\(seed)", images: Pages.images)
    }

    /// Translucent loupes, with all that loupes may have.
    @Test(arguments: Sample.of(0..<400, every: 50))
    func gpuAndOracleDrawTheSameTranslucentLoupes(seed: Int) {
        var generator = SceneGenerator(seed: UInt64(seed))
        var scene = generator.scene(hasShapes: seed % 2 == 1)
        for index in scene.loupes.indices { scene.loupes[index].opacity = generator.pick(0, 0.25, 0.5, 0.9) }
        expectRendersLikeOracle(scene, as: "translucent-\(seed)", images: Pages.images)
    }
}

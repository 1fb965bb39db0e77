import LoupeBase
import LoupeOracle
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

    /// A dithered picture is rounded once, however many shadows lie over each other. Half floats are fine enough in the dark
    /// that few pixels fall on the other side of the dither's step, and none by two.
    @Test func ditheredPictureIsRoundedOnce() throws {
        let shadow = Loupe.Shadow(offset: Vector(dx: 0, dy: 6), blur: 80, color: .defaultShadow, dither: true)
        let dark = (from: Color(red: 60, green: 44, blue: 20), to: Color(red: 20, green: 30, blue: 60))
        let scene = Scene(
            canvas: .init(
                width: 160, height: 120, background: .gradient(.init(from: dark.from, to: dark.to, dither: true))),
            loupes: [40, 80, 120].map { Loupe(center: Point(x: $0, y: 60), radius: 15, zoom: 2, shadow: shadow) })
        let (actual, expected) = try (GPU.draw(scene), Oracle().render(scene, images: [:]))
        let deltas = zip(actual.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }
        #expect(deltas.contains(where: { $0 > 1 }) == false)
        #expect(Double(deltas.count { $0 == 1 }) < 0.05 * Double(deltas.count))
    }
}

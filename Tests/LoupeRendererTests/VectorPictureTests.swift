import LoupeBase
import LoupeCompare
import LoupeScene
import LoupeTesting
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// Pictures that each view draws anew.
@Suite struct VectorPictureTests {
    private static let vectors: [ImagePath] = ["../pages/diagram.svg", "../pages/emblem.svg"]

    /// With a vector picture in the place of each other one.
    private static func scene(seed: UInt64, hasShapes: Bool) -> Scene {
        var generator = SceneGenerator(seed: seed)
        return generator.scene(hasShapes: hasShapes).renamingImages { vectors[$0.bytes.count % vectors.count] }
    }

    @Test(arguments: Sample.of(0..<80, every: 6))
    func gpuAndOracleDrawTheSamePicture(seed: Int) {
        let scene = Self.scene(seed: UInt64(seed), hasShapes: seed % 2 == 1)
        expectRendersLikeOracle(scene, as: "vectors-\(seed)", images: Pages.images)
    }

    @Test func framesEqualPicturesDrawnAlone() throws {
        let sequence = FrameSequence(try GPU.renderer())
        var scene = try ReferenceCase(suite: "svg", name: "corner-at-zoom-8").scene()
        for step in 0..<12 {
            scene.loupes[0].center.x += 2.25
            if step == 6 { scene.layers[0].rect.x += 0.5 }
            let plan = DrawPlan(scene, images: Pages.traits)
            #expect(try sequence.next(plan).image == GPU.draw(plan), "frame \(step)")
        }
    }

    @Test func anImageMayTakeAVectorPicturesPlace() throws {
        let renderer = try GPU.renderer()
        let scene = try ReferenceCase(suite: "svg", name: "page").scene()
        let path = try #require(scene.layers[0].imagePath)
        let vector = try #require(Pages.images[path])
        let drawn = try renderer.render(DrawPlan(scene, images: Pages.traits))
        let flat = vector.flattened
        try renderer.load([path: flat])
        let copied = try renderer.render(DrawPlan(scene, images: [path: flat.traits]))
        // On whole pixels, in its natural size; but an opaque page is blended in 8 bits.
        expectMatches(copied, drawn, as: "copied", comparison: Comparison(metric: .channel(Tolerance(1))))
        renderer.unload(path)
        #expect(throws: RenderError.self) { try renderer.render(DrawPlan(scene, images: Pages.traits)) }
        try renderer.load([path: vector])
        #expect(try renderer.render(DrawPlan(scene, images: Pages.traits)) == drawn)
    }
}

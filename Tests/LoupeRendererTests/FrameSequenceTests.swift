import LoupeGeometry
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeRenderer

/// A frame costs what has changed, and nobody can tell from its picture.
@MainActor @Suite struct FrameSequenceTests {
    /// Each frame's scene differs from the last in its loupes, now and then in its layers.
    private func scenes() -> [Scene] {
        var generator = SceneGenerator(seed: 11)
        var scene = generator.scene()
        return (0..<120).map { index in
            let other = generator.scene()
            if index % 20 == 0 { scene = other }
            if index % 3 != 0 { scene.loupes = other.loupes }
            for loupe in scene.loupes.indices { scene.loupes[loupe].center.x += 3.25 }
            return scene
        }
    }

    @Test func framesEqualPicturesDrawnAlone() throws {
        let alone = try GPU.renderer()
        let sequence = FrameSequence(try GPU.renderer())
        for (index, scene) in scenes().enumerated() {
            let plan = DrawPlan(scene, images: Pages.traits)
            #expect(try sequence.next(plan).image == alone.render(plan), "frame \(index)")
        }
    }

    @Test func onlyTheChangedBlockDiffersFromTheFrameBefore() throws {
        let sequence = FrameSequence(try GPU.renderer())
        var last: Image?
        for scene in scenes() {
            let frame = try sequence.next(DrawPlan(scene, images: Pages.traits))
            if let last, last.width == frame.image.width, last.height == frame.image.height {
                #expect(differingPixels(last, frame.image).allSatisfy { frame.changed.contains($0) })
            }
            last = frame.image
        }
    }

    @Test func aLoupeThatMovesLeavesTheRestOfTheCanvasAlone() throws {
        let sequence = FrameSequence(try GPU.renderer())
        var scene = try ReferenceCase(suite: "large", name: "notebook-corner").scene()
        _ = try sequence.next(DrawPlan(scene, images: Pages.traits))
        scene.loupes[0].center.x += 10
        let changed = try sequence.next(DrawPlan(scene, images: Pages.traits)).changed
        #expect(changed.pixelCount < scene.canvas.pixels.pixelCount / 3)
    }

    private func differingPixels(_ a: Image, _ b: Image) -> [(x: Int, y: Int)] {
        (0..<a.width * a.height).filter { a.pixels[4 * $0..<4 * $0 + 4] != b.pixels[4 * $0..<4 * $0 + 4] }
            .map { ($0 % a.width, $0 / a.width) }
    }
}

extension PixelRect {
    fileprivate func contains(_ pixel: (x: Int, y: Int)) -> Bool {
        minX <= pixel.x && pixel.x < maxX && minY <= pixel.y && pixel.y < maxY
    }
}

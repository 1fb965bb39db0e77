import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

import func Glibc.cos
import func Glibc.sin

@testable import LoupePlan
@testable import LoupeRenderer

/// A frame costs what has changed, and nobody can tell from its picture.
@Suite struct FrameSequenceTests {
    /// Each frame's scene differs from the last in its loupes, now and then in its layers.
    private func scenes() -> [Scene] {
        var generator = SceneGenerator(seed: 11)
        var scene = generator.scene()
        return (0..<Sample.count(16, whole: 120)).map { index in
            let other = generator.scene()
            if index % 20 == 0 { scene = other }
            if index % 3 != 0 { scene.loupes = other.loupes }
            for loupe in scene.loupes.indices { scene.loupes[loupe].center.x += 3.25 }
            return scene
        }
    }

    /// Also those that were kept while the next ones were drawn, whether there was memory for them or not.
    @Test(arguments: [0, 1, 3])
    func framesEqualPicturesDrawnAlone(framesInUse: Int) throws {
        let sequence = FrameSequence(try GPU.renderer(), framesInUse: framesInUse)
        let plans = scenes().map { DrawPlan($0, images: Pages.traits) }
        var last: DrawPlan?
        let frames = try plans.map { plan in
            // As sessions are drawn: what the last plan has already is taken from it.
            last = DrawPlan(plan.scene, images: Pages.traits, after: last)
            return try sequence.next(last ?? plan).image
        }
        for (index, plan) in plans.enumerated() {
            #expect(try frames[index] == GPU.draw(plan), "frame \(index)")
        }
    }

    /// As many pixels as before, but none of the old places need be there.
    @Test(arguments: [0, 1, 3])
    func aCanvasMayBeTurned(framesInUse: Int) throws {
        let sequence = FrameSequence(try GPU.renderer(), framesInUse: framesInUse)
        for (width, height) in [(40, 90), (40, 90), (90, 40), (90, 40), (40, 90)] {
            let canvas = Scene.Canvas(width: width, height: height, background: .defaultBackground)
            let loupe = Loupe(center: Point(x: 20, y: 20), radius: 15, zoom: 2)
            let plan = DrawPlan(Scene(canvas: canvas, loupes: [loupe]), images: [:])
            #expect(try sequence.next(plan).image == GPU.draw(plan))
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

    /// Strokes that grow, are added and taken away, under loupes that move now and then.
    private func drawing(over scene: Scene) -> [Scene] {
        var generator = SceneGenerator(seed: 3)
        var scene = scene
        return (0..<Sample.count(8, whole: 40)).map { index in
            var strokes = scene.layers[0].strokes
            switch index % 8 {
            case 0:
                strokes.append(
                    Stroke(
                        points: [Point(x: 60, y: 40)], width: 5, color: Color(red: 192, green: 32, blue: 64, alpha: 128)
                    ))
            case 6 where strokes.count > 2: strokes.removeFirst()
            case 7: strokes[strokes.count - 1].width += 1
            default:
                let angle = Double(index * index)
                strokes[strokes.count - 1].points.append(Point(x: 60 + 40 * cos(angle), y: 50 + 30 * sin(angle)))
            }
            scene.layers[0].strokes = strokes
            if index % 5 == 0 { scene.loupes = generator.scene().loupes }
            return scene
        }
    }

    /// Pages of every sampling, clip and precision, and one with a shadow of its own.
    @Test(arguments: [
        "strokes/opacity-50", "strokes/page-corner", "strokes/stretched-page", "strokes/crop", "linear/strokes",
    ])
    func strokesDrawnLiveEqualPicturesDrawnAlone(_ name: String) throws {
        let parts = name.split(separator: "/").map(String.init)
        var scene = try ReferenceCase(suite: parts[0], name: parts[1]).scene()
        if name == "strokes/crop" {
            scene.layers[0].shadow = Loupe.Shadow(offset: .zero, blur: 9, color: .defaultShadow)
        }
        let sequence = FrameSequence(try GPU.renderer())
        for (index, scene) in drawing(over: scene).enumerated() {
            let plan = DrawPlan(scene, images: Pages.traits)
            #expect(try sequence.next(plan).image == GPU.draw(plan), "frame \(index)")
        }
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

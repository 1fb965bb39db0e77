import LoupeImaging
import LoupePipeline
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// A frame is drawn over what the last one left, and shows nothing of it.
@Suite struct ModelFrameTests {
    /// A session of each model, frames in any order, some of them again: all strokes, layers and loupes may change at once.
    @Test(
        "Frames of every model in any order equal pictures drawn alone",
        arguments: [
            "motion/keyframes", "motion/panorama", "motion/scroll", "motion/tilt", "motion/transition",
            "gestures/in-hand",
            "gestures/tray",
        ])
    func framesInAnyOrder(session: String) throws {
        let file = try SessionFile.read(
            Path("\(Repository.path)/examples/\(session).json"), allowsOutside: true)
        var random = SplitMix64(seed: 25)
        var numbers = (0..<Sample.count(2, whole: 40)).map { _ in
            Int.random(in: 0..<file.session.frameCount, using: &random)
        }
        // Neighbours, and a frame twice.
        numbers += numbers.prefix(2).flatMap { [$0, min($0 + 1, file.session.frameCount - 1), $0] }
        let pipeline = Pipeline(device: .cpu)
        let framesInUse = Int.random(in: 0...2, using: &random)
        var drawer = try FrameDrawer(
            Pipeline(device: .cpu).renderer(), images: file.images, framesInUse: framesInUse)
        var images: [ImagePath: Image] = [:]
        for number in numbers {
            let scene = file.frame(number).scene
            let missing = scene.imagePaths.filter { images[$0] == nil }
            images.merge(try file.images.load(missing, limits: ImageLimits())) { $1 }
            let alone = try pipeline.render(scene, images: images).image
            #expect(try drawer.draw(scene).image == alone, "frame \(number)")
        }
    }
}

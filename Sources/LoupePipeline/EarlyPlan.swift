import LoupeImaging
import LoupePlan
import LoupeScene
import Synchronization

/// A plan that is made from the images' headers, before they are decoded, and is the right one if all pixels turn out to be
/// opaque. It is made once, when a thread first asks for it.
final class EarlyPlan: Sendable {
    struct Guess: Sendable {
        let traits: [ImagePath: ImageTraits]
        let plan: DrawPlan
    }

    private let scene: Scene
    private let source: ImageSource
    private let depth: SampleDepth
    private let known = Mutex<Guess?>(nil)

    init(_ scene: Scene, _ source: ImageSource, depth: SampleDepth) {
        (self.scene, self.source, self.depth) = (scene, source, depth)
    }

    /// - Throws: `ImageError` where a header can't be read.
    func guess() throws -> Guess {
        try known.withLock { known in
            if let known { return known }
            let traits = try source.traits(of: scene.imagePaths)
            let guess = Guess(traits: traits, plan: DrawPlan(scene, images: traits, depth: depth))
            known = guess
            return guess
        }
    }

    /// The plan of the complete scene over images with some traits.
    func plan(of scene: Scene, for traits: [ImagePath: ImageTraits]) -> DrawPlan {
        let guess = known.withLock { $0 }
        if let guess, guess.traits == traits, guess.plan.scene == scene { return guess.plan }
        return DrawPlan(scene, images: traits, depth: depth)
    }

    /// The plan of the complete scene over images in memory.
    func plan(of scene: Scene, over images: SceneImages) -> DrawPlan {
        if let plan = images.plan, plan.scene == scene { return plan }
        return plan(of: scene, for: images.traits)
    }
}

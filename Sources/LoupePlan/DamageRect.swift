import LoupeBase
import LoupeScene

extension DrawPlan {
    /// The block in which the base view has to be drawn where another plan's is there already; empty where it is the same.
    /// - Parameter old: nil where none is there.
    func baseDamage(since old: DrawPlan?) -> PixelRect {
        guard let old, old.precision == precision else { return canvas }
        return scene.damageRect(since: old.scene) ?? canvas
    }
}

extension Scene {
    /// The block outside of which the base view is the same as that of an older scene, where the two differ only in strokes
    /// and loupes; empty where no stroke differs. Nil where they differ in anything else.
    func damageRect(since old: Scene) -> PixelRect? {
        guard withoutInk == old.withoutInk else { return nil }
        let changes = zip(layers, old.layers).flatMap { $0.strokes.changes(since: $1.strokes) }
        return .union(of: changes.map { $0.intersection(canvas.pixels) })
    }

    private var withoutInk: Scene {
        var scene = self
        (scene.loupes, scene.scaleBars, scene.labels) = ([], [], [])
        for index in layers.indices { scene.layers[index].strokes = [] }
        return scene
    }
}

extension [Stroke] {
    /// Blocks outside of which nothing changes at magnification 1. For appended strokes and a last stroke that grows, they
    /// hold only what is new.
    fileprivate func changes(since old: [Stroke]) -> [PixelRect] {
        let same = zip(self, old).prefix { $0 == $1 }.count
        var (new, gone) = (self[same...], old[same...])
        if let first = new.first, let before = gone.first, first.width == before.width, first.color == before.color {
            // The ends of both, from the last point that they share.
            let shared = Swift.max(0, zip(first.points, before.points).prefix { $0 == $1 }.count - 1)
            new[same].points.removeFirst(shared)
            gone[same].points.removeFirst(shared)
        }
        return (new + gone).map { $0.bounds }
    }
}

extension Stroke {
    /// Every pixel with any coverage at magnification 1.
    fileprivate var bounds: PixelRect { PixelRect(around: points, reach: width / 2 + 1) }
}

import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import Synchronization

/// One renderer for all expectations of the process: a context takes longer to make than a small scene to draw.
enum SceneRenderer {
    private struct State: ~Copyable {
        var renderer: Renderer?
        /// What the renderer holds.
        var images: [String: Image] = [:]
    }

    private static let state = Mutex(State())

    /// Draws on the device that the settings name, one scene at a time.
    /// - Throws: `RenderError`, also where an image that the scene shows is not among `images`.
    static func draw(_ scene: Scene, images: [String: Image], on device: DeviceChoice) throws -> Image {
        if let path = scene.imagePaths.first(where: { images[$0] == nil }) {
            throw RenderError.missingImage(path: path)
        }
        return try state.withLock { state in
            let renderer = try state.renderer ?? Renderer(device: device)
            state.renderer = renderer
            let shown = images.filter { scene.imagePaths.contains($0.key) }
            try renderer.load(shown.filter { state.images[$0.key] != $0.value })
            state.images.merge(shown) { $1 }
            return try renderer.render(DrawPlan(scene, images: shown.mapValues(\.traits)))
        }
    }
}

import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeTesting

/// One renderer for all tests, on the main thread, where its context is current.
@MainActor
enum GPU {
    private static let shared = Result { try renderer() }

    /// A renderer of its own on the device that `LOUPE_DEVICE` names, with every page.
    nonisolated static func renderer() throws -> Renderer {
        let renderer = try Renderer(device: Settings.current.get().device)
        try renderer.load(Pages.images)
        return renderer
    }

    static func draw(_ scene: Scene, policy: ShaderPolicy = .pieces) throws -> Image {
        try shared.get().render(DrawPlan(scene, images: Pages.traits, policy: policy))
    }
}

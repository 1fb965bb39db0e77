import Glibc
import LoupeImaging
import LoupeRenderer
import LoupeScene

/// One renderer for all tests, on the main thread, where its context is current.
@MainActor
enum GPU {
    /// `LOUPE_DEVICE` chooses another device, as the command's `--device` does.
    static var choice: DeviceChoice {
        getenv("LOUPE_DEVICE").flatMap { DeviceChoice(argument: String(cString: $0)) } ?? .auto
    }

    private static let shared = Result { try renderer() }

    /// A renderer of its own, with every page on the device.
    static func renderer() throws -> Renderer {
        let renderer = try Renderer(device: choice)
        try renderer.load(Pages.images)
        return renderer
    }

    static func draw(_ scene: Scene, policy: ShaderPolicy = .pieces) throws -> Image {
        try shared.get().render(DrawPlan(scene, images: Pages.traits, policy: policy))
    }
}

import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeTesting
import Synchronization

@testable import LoupeRenderer

/// Renderers that the tests share, each used by one test at a time. There are as many as tests have drawn at once, so two
/// on two cores: making one, and compiling its shaders, takes longer than most tests.
enum GPU {
    /// Those with every page that no test uses just now.
    private static let idle = Mutex<[Shared]>([])
    /// Those without any image.
    private static let idleBare = Mutex<[Shared]>([])

    private struct Shared: @unchecked Sendable {
        let renderer: Renderer
    }

    /// A renderer of its own on the device that `LOUPE_DEVICE` names, with every page.
    static func renderer() throws -> Renderer {
        let renderer = try bareRenderer()
        try renderer.load(Pages.images)
        return renderer
    }

    /// A renderer of its own without any image.
    static func bareRenderer() throws -> Renderer { try Renderer(device: Settings.current.get().device) }

    static func draw(_ scene: Scene, policy: ShaderPolicy = .pieces) throws -> Image {
        try draw(DrawPlan(scene, images: Pages.traits, policy: policy))
    }

    static func draw(_ plan: DrawPlan) throws -> Image {
        let shared = try idle.withLock { $0.popLast() } ?? Shared(renderer: renderer())
        defer { idle.withLock { $0.append(shared) } }
        return try shared.renderer.render(plan)
    }

    /// Draws a plan whose images all come from streams.
    static func drawStreams(_ plan: DrawPlan, _ streams: [ImageStream]) throws -> Image {
        let shared = try idleBare.withLock { $0.popLast() } ?? Shared(renderer: bareRenderer())
        defer { idleBare.withLock { $0.append(shared) } }
        return try shared.renderer.render(plan, streams: streams)
    }
}

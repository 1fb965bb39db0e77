import CGLES
import LoupeScene
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// Every GL object that is made is deleted again.
@Suite struct ObjectLifetimeTests {
    @Test func drawingLeavesNoObjectsBehind() throws {
        let renderer = try GPU.renderer()
        let references = ReferenceCase.sample(every: 16).filter { $0.suite != "large" }
        let draw = {
            for reference in references {
                _ = try renderer.render(DrawPlan(reference.scene(), images: Pages.traits))
            }
        }
        try draw()
        let before = try LiveObjects.count(of: renderer)
        try draw()
        #expect(try LiveObjects.count(of: renderer) == before)
        #expect((before["framebuffers"] ?? 0) <= 6, "one for each role is kept")
    }

    @Test func rendererTakesItsObjectsWithIt() throws {
        var renderer: Renderer? = try GPU.renderer()
        let context = try #require(renderer?.context)
        let scene = try ReferenceCase(suite: "several", name: "six-loupes").scene()
        _ = try renderer?.render(DrawPlan(scene, images: Pages.traits))
        if let renderer { #expect(try LiveObjects.count(of: renderer).values.reduce(0, +) > 0) }
        renderer = nil
        try context.makeCurrent()
        // A program lives on while it is in use.
        glUseProgram(0)
        let left = LiveObjects.countInCurrentContext()
        #expect(left.values.allSatisfy { $0 == 0 }, "\(left)")
    }

    @Test func whatFailsHalfwayLeavesNothing() throws {
        let context = try Context()
        let vertex = "#version 300 es\nin vec2 place;\nvoid main() { gl_Position = vec4(place, 0, 1); }"
        for main in ["absent()", "no GLSL"] {
            let fragment =
                "#version 300 es\nprecision highp float;\nout vec4 result;\nvoid main() { \(main); }"
            #expect(throws: GLError.self) {
                try Program(context, label: "test", vertex: vertex, fragment: fragment)
            }
        }
        #expect(throws: GLError.self) { try Texture(context, format: .rgba8, width: 1 << 20, height: 1) }
        let left = LiveObjects.countInCurrentContext()
        withExtendedLifetime(context) { #expect(left.values.allSatisfy { $0 == 0 }, "\(left)") }
    }
}

import TestSupport
import Testing

@testable import LoupeRenderer

@Suite(.leavesNoGLObjects) struct ObjectLedgerTests {
    @Test func everyKindOfObjectIsCountedUntilItGoes() throws {
        let context = try Context()
        do {
            let framebuffer = try Framebuffer(context, format: .rgba8, width: 4, height: 3)
            let table = try Texture(context, format: .r32F, width: 3, height: 1)
            let vertices = try VertexBuffer(context)
            let program = try program(context, uniforms: ["color"])
            withExtendedLifetime((framebuffer, table, vertices, program)) {
                #expect(
                    context.objects.live == [
                        .texture: 2, .framebuffer: 1, .buffer: 1, .vertexArray: 1, .program: 1,
                    ])
            }
        }
        #expect(context.objects.live.isEmpty)
    }

    @Test func whatFailsHalfwayLeavesNothing() throws {
        let context = try Context()
        #expect(throws: GLError.self) { try program(context, uniforms: ["color", "absent"]) }
        #expect(throws: GLError.self) { try program(context, fragment: "no GLSL", uniforms: []) }
        #expect(throws: GLError.self) { try program(context, fragment: fragment(main: "absent()"), uniforms: []) }
        #expect(throws: GLError.self) { try Texture(context, format: .rgba8, width: 1 << 20, height: 1) }
        #expect(context.objects.live.isEmpty, "\(context.objects.live)")
    }

    private func program(_ context: Context, fragment: String? = nil, uniforms: [String]) throws -> Program {
        try Program(
            context, label: "test",
            vertex: "#version 300 es\nin vec2 place;\nvoid main() { gl_Position = vec4(place, 0, 1); }",
            fragment: fragment ?? self.fragment(main: "result = color"), uniforms: uniforms)
    }

    private func fragment(main: String) -> String {
        "#version 300 es\nprecision highp float;\nuniform vec4 color;\nout vec4 result;\nvoid main() { \(main); }"
    }
}

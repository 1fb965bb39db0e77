import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders
import TestSupport
import Testing

@testable import LoupeRenderer

/// Vertex shaders may hand the uniforms of fragment shaders on; which shader reads them shows in no picture.
@Suite struct FlatUniformTests {
    @Test func `pictures are the same bytes whichever shader reads the uniforms`() throws {
        let renderers = try [true, false].map { isHandedOn in
            let renderer = try GPU.renderer()
            renderer.context.drawsManyFrames = isHandedOn
            return renderer
        }
        var generator = SceneGenerator(seed: 25)
        for index in 0..<Sample.count(12, whole: 300) {
            let scene = generator.scene(hasShapes: index % 2 == 1)
            let pictures = try renderers.map { try $0.render(DrawPlan(scene, images: Pages.traits)) }
            #expect(pictures[0] == pictures[1], "scene \(index)")
        }
    }

    /// With every content and option.
    @Test(arguments: Shader.allCases.filter { $0 != .mesh })
    func `the fragment shader keeps samplers and arrays, and the vertex shader gets all else`(shader: Shader) {
        for program in ShaderProgram.checked(shader) {
            let source = ShaderSource(program).text
            let flat = FlatUniforms(vertex: ShaderSource.mesh().text, fragment: source)
            let declared = Self.uniforms(of: source)
            let kept = Self.uniforms(of: flat.fragment)
            #expect(kept == declared.filter { $0.contains("sampler") || $0.contains("[") }, "\(program)")
            let handedOn = declared.filter { !kept.contains($0) }.map { $0.replacing(" ", with: " given_") }
            #expect(Self.uniforms(of: flat.vertex).filter { $0 != "vec3 viewport" } == handedOn, "\(program)")
            // So that the driver's log names the shader's own lines.
            #expect(source.split(separator: "\n").count == flat.fragment.split(separator: "\n").count)
        }
    }

    /// What stands between `uniform` and the semicolon, without the precision.
    private static func uniforms(of text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("uniform ") }.map { line in
            line.dropFirst(8).prefix { $0 != ";" }.split(separator: " ").filter { $0 != "highp" }.joined(separator: " ")
        }
    }

    @Test func `conditions are kept, and what is no simple declaration stays`() {
        let flat = FlatUniforms(
            vertex: "#version 300 es\nvoid main() { gl_Position = vec4(0.0); }",
            fragment: """
                #version 300 es
                #define LIGHT 1
                precision highp float;
                #if LIGHT
                uniform mediump float a, b;
                uniform vec2 shift; // in pixels
                #endif
                uniform float weights[4];
                uniform int count;
                out vec4 color;
                void main() { color = vec4(shift, weights[count], a * b); }
                """)
        #expect(
            flat.fragment == """
                #version 300 es
                #define LIGHT 1
                precision highp float;
                #if LIGHT
                uniform mediump float a, b;
                flat in highp vec2 shift;
                #endif
                uniform float weights[4];
                flat in highp int count;
                out vec4 color;
                void main() { color = vec4(shift, weights[count], a * b); }
                """)
        #expect(
            flat.vertex == """
                #version 300 es
                #define LIGHT 1
                #if LIGHT
                uniform highp vec2 given_shift;
                flat out highp vec2 shift;
                #endif
                uniform highp int given_count;
                flat out highp int count;
                #define main placeVertex
                void main() { gl_Position = vec4(0.0); }
                #undef main
                void main() {
                placeVertex();
                #define LIGHT 1
                #if LIGHT
                shift = given_shift;
                #endif
                count = given_count;
                }

                """)
        #expect(flat.names == ["shift": "given_shift", "count": "given_count"])
    }

    @Test func `shaders of GLSL ES 1.00 stay as they are`() {
        let (vertex, fragment) = ("attribute vec2 position;", "uniform highp vec2 shift;")
        let flat = FlatUniforms(vertex: vertex, fragment: fragment)
        #expect(flat.vertex == vertex && flat.fragment == fragment && flat.names.isEmpty)
    }
}

import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders
import TestSupport
import Testing

@testable import LoupeRenderer

/// Vertex shaders may hand the uniforms of fragment shaders on; which shader reads them shows in no picture.
@Suite struct FlatUniformTests {
    @Test("Pictures are the same bytes whichever shader reads the uniforms") func sameBytes() throws {
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
    @Test(
        "The fragment shader keeps samplers and arrays, and the vertex shader gets all else",
        arguments: Shader.fragments)
    func uniformsMove(shader: Shader) {
        for program in ShaderProgram.checked(shader) {
            let source = ShaderSource(program).text
            let flat = FlatUniforms(vertex: ShaderSource.mesh().text, fragment: source)
            let declared = Self.uniforms(of: source)
            let kept = Self.uniforms(of: flat.fragment)
            #expect(kept == declared.filter { $0.contains("sampler") || $0.contains("[") }, "\(program)")
            let handedOn = declared.filter { !kept.contains($0) }.map { $0.replacing(" ", with: " given_") }
            #expect(Self.uniforms(of: flat.vertex).filter { $0 != "vec2 targetSize" } == handedOn, "\(program)")
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

    @Test("Shaders of GLSL ES 1.00 stay as they are") func oldShaders() {
        let (vertex, fragment) = ("attribute vec2 position;", "uniform highp vec2 shift;")
        let flat = FlatUniforms(vertex: vertex, fragment: fragment)
        #expect(flat.vertex == vertex && flat.fragment == fragment && flat.names.isEmpty)
    }
}

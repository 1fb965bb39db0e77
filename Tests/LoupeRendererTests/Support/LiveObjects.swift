import CGLES

@testable import LoupeRenderer

/// How many GL objects of each kind there are.
enum LiveObjects {
    static func count(of renderer: Renderer) throws -> [String: Int] {
        try renderer.context.makeCurrent()
        defer { renderer.context.release() }
        return countInCurrentContext()
    }

    /// How many names of each kind the current context knows. Drivers hand out small names first.
    static func countInCurrentContext() -> [String: Int] {
        func count(_ isObject: (GLuint) -> GLboolean) -> Int { (1...4096).count { isObject($0) != 0 } }
        return [
            "textures": count(glIsTexture), "framebuffers": count(glIsFramebuffer), "buffers": count(glIsBuffer),
            "vertex arrays": count(glIsVertexArray), "programs": count(glIsProgram), "shaders": count(glIsShader),
        ]
    }
}

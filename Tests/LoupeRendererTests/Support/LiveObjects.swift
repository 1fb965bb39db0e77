import CGLES

@testable import LoupeRenderer

/// How many GL objects of each kind there are, as the driver itself knows them.
enum LiveObjects {
    static func count(of renderer: Renderer) throws -> [String: Int] {
        try renderer.context.makeCurrent()
        defer { renderer.context.release() }
        return countInCurrentContext()
    }

    static func countInCurrentContext() -> [String: Int] {
        [
            "textures": count("glIsTexture", glGenTextures, glDeleteTextures),
            "framebuffers": count("glIsFramebuffer", glGenFramebuffers, glDeleteFramebuffers),
            "buffers": count("glIsBuffer", glGenBuffers, glDeleteBuffers),
            "vertex arrays": count("glIsVertexArray", glGenVertexArrays, glDeleteVertexArrays),
            // Made once and kept, so that their names stay small.
            "programs": count("glIsProgram", upTo: 4096), "shaders": count("glIsShader", upTo: 4096),
        ]
    }

    private static func count(_ name: String, upTo last: GLuint) -> Int {
        // They all have the same type.
        let isObject: PFNGLISTEXTUREPROC = DriverLibrary.function(name)
        return (1...last).count { isObject($0) != 0 }
    }

    /// Drivers hand out the smallest free name, or one more than the last: a fresh one tells how far names may reach.
    private static func count(
        _ name: String, _ make: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void,
        _ delete: (GLsizei, UnsafePointer<GLuint>?) -> Void
    ) -> Int {
        var fresh: GLuint = 0
        make(1, &fresh)
        delete(1, &fresh)
        return count(name, upTo: max(4096, fresh))
    }
}

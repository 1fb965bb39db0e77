import CEGL
import CGLES

extension Context {
    /// A context that compiles programs and draws nothing that can be seen, under mesa-drm-shim: of a driver whose GPU this
    /// machine does not have. It is on the surfaceless platform, and current on this thread.
    ///
    /// Its pictures are empty, which ``init(_:)`` refuses. Its compiler is the GPU's.
    static func compiling() throws(EGLError) -> Context {
        let device = try OpenDevice(.surfaceless, client: try EGLClient(), requiresSoftware: false, onlyCompiles: true)
        CompilerMessages.listen()
        return Context(device, .auto)
    }
}

/// The driver's messages about the programs that it compiles (GL_KHR_debug, which is part of OpenGL ES 3.2).
enum CompilerMessages {
    nonisolated(unsafe) private static var messages: [String] = []

    /// The messages since the last call.
    static func take() -> [String] {
        defer { messages = [] }
        return messages
    }

    fileprivate static func listen() {
        typealias Callback =
            @convention(c) (GLenum, GLenum, GLuint, GLenum, GLsizei, UnsafePointer<GLchar>?, UnsafeRawPointer?) -> Void
        typealias SetCallback = @convention(c) (Callback, UnsafeRawPointer?) -> Void
        typealias Control = @convention(c) (GLenum, GLenum, GLenum, GLsizei, UnsafePointer<GLuint>?, GLboolean) -> Void
        let names = ["glDebugMessageCallback", "glDebugMessageControl"]
        let functions = names.map { eglGetProcAddress($0) ?? eglGetProcAddress($0 + "KHR") }
        guard let setCallback = functions[0], let control = functions[1] else { return }
        // GL_DEBUG_OUTPUT_SYNCHRONOUS and GL_DEBUG_OUTPUT.
        glEnable(0x8242)
        glEnable(0x92e0)
        unsafeBitCast(setCallback, to: SetCallback.self)(
            { _, _, _, _, _, text, _ in
                if let text { CompilerMessages.messages.append(String(cString: text)) }
            }, nil)
        unsafeBitCast(control, to: Control.self)(
            GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), 0, nil, GLboolean(GL_TRUE))
    }
}

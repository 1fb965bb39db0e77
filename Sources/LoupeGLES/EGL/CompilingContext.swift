import CEGL
import CGLES

/// A context that compiles programs and draws nothing that can be seen, under mesa-drm-shim: of a driver whose GPU this
/// machine does not have.
///
/// Its pictures are empty, which ``Context`` refuses. Its compiler is the GPU's.
public final class CompilingContext {
    /// `GL_RENDERER`.
    public let renderer: String
    /// `GL_VERSION`.
    public let version: String
    private let native: NativeContext
    /// What the driver said about the program that is being compiled.
    nonisolated(unsafe) fileprivate static var messages: [String] = []

    /// The result for one program.
    public enum Outcome: Sendable {
        /// It compiled and linked; what the driver said about it.
        case compiled(messages: [String])
        /// It did not; the driver's log.
        case failed(GLError)
    }

    /// A context on the surfaceless platform, current on this thread.
    public init() throws(EGLError) {
        native = try NativeContext(on: try Display(.surfaceless, client: try EGLClient()), isDebug: true)
        try native.makeCurrent()
        renderer = glGetString(GLenum(GL_RENDERER)).map { String(cString: $0) } ?? ""
        version = glGetString(GLenum(GL_VERSION)).map { String(cString: $0) } ?? ""
        Self.listen()
    }

    /// Collects the messages of GL_KHR_debug, which is part of OpenGL ES 3.2.
    private static func listen() {
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
                if let text { CompilingContext.messages.append(String(cString: text)) }
            }, nil)
        unsafeBitCast(control, to: Control.self)(
            GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), GLenum(GL_DONT_CARE), 0, nil, GLboolean(GL_TRUE))
    }

    /// Compiles and links a program and draws with it, since some drivers compile at the first draw.
    public func compile(label: String, vertex: String, fragment: String) -> Outcome {
        Self.messages = []
        var shaders: [GLuint] = []
        defer { for shader in shaders { glDeleteShader(shader) } }
        for (stage, label, text) in [
            (GL_VERTEX_SHADER, Program.vertexLabel, vertex), (GL_FRAGMENT_SHADER, label, fragment),
        ] {
            let shader = glCreateShader(GLenum(stage))
            shaders.append(shader)
            text.withCString { pointer in
                var source: UnsafePointer<GLchar>? = pointer
                glShaderSource(shader, 1, &source, nil)
            }
            glCompileShader(shader)
            var isCompiled: GLint = 0
            glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &isCompiled)
            if isCompiled == 0 {
                return .failed(.compile(shader: label, log: Self.log { glGetShaderInfoLog(shader, $0, nil, $1) }))
            }
        }
        let program = glCreateProgram()
        defer { glDeleteProgram(program) }
        for shader in shaders { glAttachShader(program, shader) }
        if let position = Program.positionAttribute(of: vertex) { glBindAttribLocation(program, 0, position) }
        glLinkProgram(program)
        var isLinked: GLint = 0
        glGetProgramiv(program, GLenum(GL_LINK_STATUS), &isLinked)
        guard isLinked != 0 else {
            return .failed(.link(shader: label, log: Self.log { glGetProgramInfoLog(program, $0, nil, $1) }))
        }
        draw(program, integers: fragment.contains("out uvec4") || fragment.contains("out highp uvec4"))
        return .compiled(messages: Self.messages)
    }

    private static func log(_ fill: (GLsizei, UnsafeMutablePointer<GLchar>?) -> Void) -> String {
        var buffer = [GLchar](repeating: 0, count: 4096)
        fill(GLsizei(buffer.count), &buffer)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// One triangle onto a target of bytes, or of integers.
    private func draw(_ program: GLuint, integers: Bool) {
        var (texture, framebuffer, buffer): (GLuint, GLuint, GLuint) = (0, 0, 0)
        glGenTextures(1, &texture)
        glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        glTexStorage2D(GLenum(GL_TEXTURE_2D), 1, GLenum(integers ? GL_RGBA16UI : GL_RGBA8), 64, 64)
        glGenFramebuffers(1, &framebuffer)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        // A sampler that reads the target makes radeonsi compile shaders of its own, which it prints too.
        glBindTexture(GLenum(GL_TEXTURE_2D), 0)
        glViewport(0, 0, 64, 64)
        glGenBuffers(1, &buffer)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer)
        let corners: [Float] = [-1, -1, 3, -1, -1, 3]
        corners.withUnsafeBytes {
            glBufferData(GLenum(GL_ARRAY_BUFFER), $0.count, $0.baseAddress, GLenum(GL_STREAM_DRAW))
        }
        glVertexAttribPointer(0, 2, GLenum(GL_FLOAT), GLboolean(GL_FALSE), 0, nil)
        glEnableVertexAttribArray(0)
        glUseProgram(program)
        Program.assignUnits(of: program)
        glDrawArrays(GLenum(GL_TRIANGLES), 0, 3)
        glFinish()
        glUseProgram(0)
        glDeleteBuffers(1, &buffer)
        glDeleteFramebuffers(1, &framebuffer)
        glDeleteTextures(1, &texture)
    }
}

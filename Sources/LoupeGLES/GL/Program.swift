import CGLES

/// A linked vertex and fragment shader with its uniforms looked up once; deleted with its last owner.
public final class Program {
    /// The fragment shader's name, for errors.
    public let label: String
    private let name: GLuint
    private let locations: [String: GLint]
    private let context: Context

    /// Compiles and links a program.
    /// - Parameters:
    ///   - label: the fragment shader's name, for errors.
    ///   - vertex: the text of the vertex shader.
    ///   - fragment: the text of the fragment shader.
    ///   - uniforms: every name that will be set. One that the linked program lacks is an error,
    ///     unless `mayLackUniforms` is true: then setting it does nothing.
    public init(
        _ context: Context, label: String, vertex: String, fragment: String, uniforms: [String],
        mayLackUniforms: Bool = false
    ) throws(GLError) {
        self.context = context
        self.label = label
        let program = try Self.link(context, label: label, vertex: vertex, fragment: fragment)
        name = program
        var locations: [String: GLint] = [:]
        for uniform in uniforms {
            let location = glGetUniformLocation(program, uniform)
            guard location >= 0 || mayLackUniforms else {
                // An object whose init throws is not deinitialised.
                Self.delete(program: program, of: context)
                throw .missingUniform(shader: label, name: uniform)
            }
            locations[uniform] = location
        }
        self.locations = locations
    }

    deinit {
        if context.makeCurrentForDeletion() { glDeleteProgram(name) }
        context.objects.deleted(.program)
    }

    private static func delete(program: GLuint, of context: Context) {
        glDeleteProgram(program)
        context.objects.deleted(.program)
    }

    private static func delete(shader: GLuint, of context: Context) {
        glDeleteShader(shader)
        context.objects.deleted(.shader)
    }

    private static func link(
        _ context: Context, label: String, vertex: String, fragment: String
    ) throws(GLError) -> GLuint {
        let vertexShader = try compile(context, GLenum(GL_VERTEX_SHADER), label: "mesh.vert", text: vertex)
        defer { delete(shader: vertexShader, of: context) }
        let fragmentShader = try compile(context, GLenum(GL_FRAGMENT_SHADER), label: label, text: fragment)
        defer { delete(shader: fragmentShader, of: context) }
        let program = glCreateProgram()
        context.objects.made(.program)
        glAttachShader(program, vertexShader)
        glAttachShader(program, fragmentShader)
        glLinkProgram(program)
        var isLinked: GLint = 0
        glGetProgramiv(program, GLenum(GL_LINK_STATUS), &isLinked)
        guard isLinked != 0 else {
            try context.check("glLinkProgram")
            let log = Self.log { glGetProgramInfoLog(program, $0, nil, $1) }
            delete(program: program, of: context)
            throw .link(shader: label, log: log)
        }
        return program
    }

    private static func compile(
        _ context: Context, _ stage: GLenum, label: String, text: String
    ) throws(GLError) -> GLuint {
        let shader = glCreateShader(stage)
        context.objects.made(.shader)
        text.withCString { pointer in
            var source: UnsafePointer<GLchar>? = pointer
            glShaderSource(shader, 1, &source, nil)
        }
        glCompileShader(shader)
        var isCompiled: GLint = 0
        glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &isCompiled)
        guard isCompiled != 0 else {
            try context.check("glCompileShader")
            let log = Self.log { glGetShaderInfoLog(shader, $0, nil, $1) }
            delete(shader: shader, of: context)
            throw .compile(shader: label, log: log)
        }
        return shader
    }

    private static func log(_ fill: (GLsizei, UnsafeMutablePointer<GLchar>?) -> Void) -> String {
        var buffer = [GLchar](repeating: 0, count: 4096)
        fill(GLsizei(buffer.count), &buffer)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes this the program of the next draws, and of the uniforms that are set next.
    public func use() { glUseProgram(name) }

    private func location(_ uniform: String) -> GLint {
        guard let location = locations[uniform] else {
            preconditionFailure("\(label) was made without the uniform \(uniform)")
        }
        return location
    }

    /// Sets an integer of the program in use.
    public func set(_ uniform: String, integer value: Int) { glUniform1i(location(uniform), GLint(value)) }
    /// Sets two integers of the program in use.
    public func set(_ uniform: String, integers x: Int, _ y: Int) { glUniform2i(location(uniform), GLint(x), GLint(y)) }
    /// Sets a float of the program in use.
    public func set(_ uniform: String, _ value: Float) { glUniform1f(location(uniform), value) }
    /// Sets two floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD2<Float>) { glUniform2f(location(uniform), v.x, v.y) }
    /// Sets three floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD3<Float>) { glUniform3f(location(uniform), v.x, v.y, v.z) }
    /// Sets four floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD4<Float>) { glUniform4f(location(uniform), v.x, v.y, v.z, v.w) }

    /// Sets the first elements of an array of the program in use.
    public func set(_ uniform: String, _ vectors: [SIMD3<Float>]) {
        let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] }
        glUniform3fv(location(uniform), GLsizei(vectors.count), numbers)
    }

    /// Binds a texture to a unit and the sampler to that unit.
    public func set(_ uniform: String, _ texture: Texture, unit: Int) {
        glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
        glUniform1i(location(uniform), GLint(unit))
        glActiveTexture(GLenum(GL_TEXTURE0))
    }
}

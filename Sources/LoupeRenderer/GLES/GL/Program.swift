import CGLES

/// A linked vertex and fragment shader with its uniforms looked up once; deleted with its last owner.
final class Program {
    private let name: GLuint
    private let context: Context
    /// The names that uniforms have in the program, where they are not their own.
    private let names: [String: String]
    private var locations: [String: GLint] = [:]

    /// Compiles and links a program.
    /// - Parameters:
    ///   - label: the fragment shader's name, for errors.
    ///   - vertex: the text of the vertex shader.
    ///   - fragment: the text of the fragment shader.
    ///   - isMeasured: whether the shaders are to be compiled as they stand, on every driver.
    init(
        _ context: Context, label: String, vertex: String, fragment: String, isMeasured: Bool = false
    ) throws(GLError) {
        self.context = context
        let flat = context.handsOnUniforms && !isMeasured ? FlatUniforms(vertex: vertex, fragment: fragment) : nil
        names = flat?.names ?? [:]
        name = try Self.link(
            context, label: label, vertex: flat?.vertex ?? vertex, fragment: flat?.fragment ?? fragment)
    }

    deinit {
        if context.makeCurrentForDeletion() { glDeleteProgram(name) }
    }

    private static func link(
        _ context: Context, label: String, vertex: String, fragment: String
    ) throws(GLError) -> GLuint {
        let vertexShader = try compile(context, GLenum(GL_VERTEX_SHADER), label: vertexLabel, text: vertex)
        defer { glDeleteShader(vertexShader) }
        let fragmentShader = try compile(context, GLenum(GL_FRAGMENT_SHADER), label: label, text: fragment)
        defer { glDeleteShader(fragmentShader) }
        let program = glCreateProgram()
        glAttachShader(program, vertexShader)
        glAttachShader(program, fragmentShader)
        // GLSL ES 1.00 has no way to write the location in the shader. Where there is no such attribute, this does nothing.
        glBindAttribLocation(program, 0, positionAttribute)
        glLinkProgram(program)
        var isLinked: GLint = 0
        glGetProgramiv(program, GLenum(GL_LINK_STATUS), &isLinked)
        guard isLinked != 0 else {
            try context.check("glLinkProgram")
            let log = Self.log { glGetProgramInfoLog(program, $0, nil, $1) }
            glDeleteProgram(program)
            throw .link(shader: label, log: log)
        }
        return program
    }

    /// What errors call a vertex shader.
    static let vertexLabel = "mesh.vert"

    /// The name of the position in vertex shaders of GLSL ES 1.00.
    static let positionAttribute = "loupe_corner"

    private static func compile(
        _ context: Context, _ stage: GLenum, label: String, text: String
    ) throws(GLError) -> GLuint {
        let shader = glCreateShader(stage)
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
            glDeleteShader(shader)
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
    func use() { glUseProgram(name) }

    /// Where a uniform is; -1 where the program has none of this name, so that setting it does nothing.
    private func location(_ uniform: String) -> GLint {
        if let known = locations[uniform] { return known }
        let location = glGetUniformLocation(name, names[uniform] ?? uniform)
        locations[uniform] = location
        return location
    }

    /// Sets an integer of the program in use.
    func set(_ uniform: String, integer value: Int) { glUniform1i(location(uniform), GLint(value)) }
    /// Sets two integers of the program in use.
    func set(_ uniform: String, integers x: Int, _ y: Int) {
        glUniform2i(location(uniform), GLint(x), GLint(y))
    }
    /// Sets a float of the program in use.
    func set(_ uniform: String, _ value: Float) { glUniform1f(location(uniform), value) }
    /// Sets two floats of the program in use.
    func set(_ uniform: String, _ v: SIMD2<Float>) { glUniform2f(location(uniform), v.x, v.y) }
    /// Sets three floats of the program in use.
    func set(_ uniform: String, _ v: SIMD3<Float>) { glUniform3f(location(uniform), v.x, v.y, v.z) }
    /// Sets four floats of the program in use.
    func set(_ uniform: String, _ v: SIMD4<Float>) { glUniform4f(location(uniform), v.x, v.y, v.z, v.w) }

    /// Sets the first elements of an array of the program in use.
    func set(_ uniform: String, _ vectors: [SIMD3<Float>]) {
        let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] }
        glUniform3fv(location(uniform), GLsizei(vectors.count), numbers)
    }

    /// Binds a texture to a unit and the sampler to that unit.
    func set(_ uniform: String, _ texture: Texture, unit: Int) {
        glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
        glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
        glUniform1i(location(uniform), GLint(unit))
        glActiveTexture(GLenum(GL_TEXTURE0))
    }
}

/// A uniform or an input of a linked program, as the driver reports it.
package struct ActiveVariable: Hashable, Sendable {
    /// Its name in GLSL, without the `[0]` of an array.
    package let name: String
    /// Its type, such as `GL_FLOAT_VEC2`.
    package let type: UInt32
    /// The number of elements of an array; 1 for anything else.
    package let count: Int

    init(name: some Sequence<GLchar>, type: UInt32, count: Int) {
        let name = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.name = name.hasSuffix("[0]") ? String(name.dropLast(3)) : name
        (self.type, self.count) = (type, count)
    }

    /// Its type in GLSL; nil for types whose values can't be given.
    var typeName: String? { Self.types[Int32(bitPattern: type)]?.name }
    /// The numbers that an element holds; 0 for samplers and for types whose values can't be given.
    package var components: Int { Self.types[Int32(bitPattern: type)]?.components ?? 0 }
    /// Whether it is a sampler of a two-dimensional texture of floats.
    var isSampler2D: Bool { Int32(bitPattern: type) == GL_SAMPLER_2D }
    /// Whether it is a sampler of any type: what has no value that can be given, but matrices that are not square, images and
    /// counters.
    var isSampler: Bool {
        let others: [ClosedRange<UInt32>] = [0x8b65...0x8b6a, 0x904c...0x906c, 0x92db...0x92db]
        return isSampler2D || typeName == nil && !others.contains { $0.contains(type) }
    }

    /// The types whose values can be given, the numbers of an element, and what sets some elements of the program in use.
    fileprivate nonisolated(unsafe) static let types:
        [Int32: (name: String, components: Int, set: (GLint, GLsizei, [Double]) -> Void)] = {
            typealias Setter = (GLint, GLsizei, [Double]) -> Void
            func floats(_ set: PFNGLUNIFORM1FVPROC) -> Setter { { set($0, $1, $2.map(Float.init)) } }
            func integers(_ set: PFNGLUNIFORM1IVPROC) -> Setter { { set($0, $1, $2.map { GLint($0) }) } }
            func naturals(_ set: PFNGLUNIFORM1UIVPROC) -> Setter {
                { set($0, $1, $2.map { GLuint($0) }) }
            }
            func matrices(_ set: PFNGLUNIFORMMATRIX2FVPROC) -> Setter {
                { set($0, $1, GLboolean(GL_FALSE), $2.map(Float.init)) }
            }
            return [
                GL_FLOAT: ("float", 1, floats(glUniform1fv)), GL_FLOAT_VEC2: ("vec2", 2, floats(glUniform2fv)),
                GL_FLOAT_VEC3: ("vec3", 3, floats(glUniform3fv)), GL_FLOAT_VEC4: ("vec4", 4, floats(glUniform4fv)),
                GL_INT: ("int", 1, integers(glUniform1iv)), GL_INT_VEC2: ("ivec2", 2, integers(glUniform2iv)),
                GL_INT_VEC3: ("ivec3", 3, integers(glUniform3iv)), GL_INT_VEC4: ("ivec4", 4, integers(glUniform4iv)),
                GL_UNSIGNED_INT: ("uint", 1, naturals(glUniform1uiv)),
                GL_UNSIGNED_INT_VEC2: ("uvec2", 2, naturals(glUniform2uiv)),
                GL_UNSIGNED_INT_VEC3: ("uvec3", 3, naturals(glUniform3uiv)),
                GL_UNSIGNED_INT_VEC4: ("uvec4", 4, naturals(glUniform4uiv)),
                GL_BOOL: ("bool", 1, integers(glUniform1iv)), GL_BOOL_VEC2: ("bvec2", 2, integers(glUniform2iv)),
                GL_BOOL_VEC3: ("bvec3", 3, integers(glUniform3iv)), GL_BOOL_VEC4: ("bvec4", 4, integers(glUniform4iv)),
                GL_FLOAT_MAT2: ("mat2", 4, matrices(glUniformMatrix2fv)),
                GL_FLOAT_MAT3: ("mat3", 9, matrices(glUniformMatrix3fv)),
                GL_FLOAT_MAT4: ("mat4", 16, matrices(glUniformMatrix4fv)),
                GL_SAMPLER_2D: ("sampler2D", 0, { _, _, _ in }),
            ]
        }()
}

extension Program {
    /// Every uniform that the linked program has, in the driver's order.
    var activeUniforms: [ActiveVariable] {
        var count: GLint = 0
        glGetProgramiv(name, GLenum(GL_ACTIVE_UNIFORMS), &count)
        return (0..<GLuint(max(0, count))).map { index in
            var (size, type): (GLint, GLenum) = (0, 0)
            var text = [GLchar](repeating: 0, count: 256)
            glGetActiveUniform(name, index, GLsizei(text.count), nil, &size, &type, &text)
            return ActiveVariable(name: text, type: type, count: Int(size))
        }
    }

    /// Sets a uniform of the program in use from numbers: whole elements, columns first in matrices.
    /// - Precondition: the number of values is a multiple of the uniform's components, up to all of its elements, and integers
    ///   have values in the range of `Int32` or `UInt32`.
    func set(_ uniform: ActiveVariable, numbers: [Double]) {
        ActiveVariable.types[Int32(bitPattern: uniform.type)]?.set(
            glGetUniformLocation(name, uniform.name), GLsizei(numbers.count / max(1, uniform.components)), numbers)
    }

    /// Gives each sampler of the program in use texture units of its own: two samplers of different types must not share one.
    /// - Returns: the units of each, by its name.
    @discardableResult
    func assignUnits() -> [String: Range<Int>] {
        var (units, used): ([String: Range<Int>], Int) = ([:], 0)
        for uniform in activeUniforms where uniform.isSampler {
            let own = used..<used + uniform.count
            glUniform1iv(glGetUniformLocation(name, uniform.name), GLsizei(own.count), own.map(GLint.init))
            (units[uniform.name], used) = (own, own.upperBound)
        }
        return units
    }

    /// Binds a texture to some units, filtered linearly.
    static func bind(_ texture: Texture, to units: Range<Int>) {
        for unit in units {
            glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
            glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        }
        glActiveTexture(GLenum(GL_TEXTURE0))
    }
}

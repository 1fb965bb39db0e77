import CGLES

/// A linked vertex and fragment shader with its uniforms looked up once; deleted with its last owner.
package final class Program {
    /// The fragment shader's name, for errors.
    package let label: String
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
    ///   - isMeasured: whether the shaders are to be compiled as they stand, on every driver.
    package init(
        _ context: Context, label: String, vertex: String, fragment: String, uniforms: [String],
        mayLackUniforms: Bool = false, isMeasured: Bool = false
    ) throws(GLError) {
        self.context = context
        self.label = label
        let flat = context.handsOnUniforms && !isMeasured ? FlatUniforms(vertex: vertex, fragment: fragment) : nil
        let program = try Self.link(
            context, label: label, vertex: flat?.vertex ?? vertex, fragment: flat?.fragment ?? fragment)
        name = program
        var locations: [String: GLint] = [:]
        for uniform in uniforms {
            let location = glGetUniformLocation(program, flat?.names[uniform] ?? uniform)
            guard location >= 0 || mayLackUniforms else {
                // An object whose init throws is not deinitialised.
                glDeleteProgram(program)
                throw .missingUniform(shader: label, name: uniform)
            }
            locations[uniform] = location
        }
        self.locations = locations
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
    package static let vertexLabel = "mesh.vert"

    /// The name of the position in vertex shaders of GLSL ES 1.00.
    package static let positionAttribute = "loupe_corner"

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
    package func use() { glUseProgram(name) }

    private func location(_ uniform: String) -> GLint {
        guard let location = locations[uniform] else {
            preconditionFailure("\(label) was made without the uniform \(uniform)")
        }
        return location
    }

    /// Sets an integer of the program in use.
    package func set(_ uniform: String, integer value: Int) { glUniform1i(location(uniform), GLint(value)) }
    /// Sets two integers of the program in use.
    package func set(_ uniform: String, integers x: Int, _ y: Int) {
        glUniform2i(location(uniform), GLint(x), GLint(y))
    }
    /// Sets a float of the program in use.
    package func set(_ uniform: String, _ value: Float) { glUniform1f(location(uniform), value) }
    /// Sets two floats of the program in use.
    package func set(_ uniform: String, _ v: SIMD2<Float>) { glUniform2f(location(uniform), v.x, v.y) }
    /// Sets three floats of the program in use.
    package func set(_ uniform: String, _ v: SIMD3<Float>) { glUniform3f(location(uniform), v.x, v.y, v.z) }
    /// Sets four floats of the program in use.
    package func set(_ uniform: String, _ v: SIMD4<Float>) { glUniform4f(location(uniform), v.x, v.y, v.z, v.w) }

    /// Sets the first elements of an array of the program in use.
    package func set(_ uniform: String, _ vectors: [SIMD3<Float>]) {
        let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] }
        glUniform3fv(location(uniform), GLsizei(vectors.count), numbers)
    }

    /// Binds a texture to a unit and the sampler to that unit.
    package func set(_ uniform: String, _ texture: Texture, unit: Int) {
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
    package var typeName: String? { Self.types[Int32(bitPattern: type)]?.name }
    /// The numbers that an element holds; 0 for samplers and for types whose values can't be given.
    package var components: Int { Self.types[Int32(bitPattern: type)]?.components ?? 0 }
    /// Whether it is a sampler of a two-dimensional texture of floats.
    package var isSampler2D: Bool { Int32(bitPattern: type) == GL_SAMPLER_2D }
    /// Whether it is a sampler of any type.
    package var isSampler: Bool { Self.samplers.contains(Int32(bitPattern: type)) }

    private static let types: [Int32: (name: String, components: Int)] = [
        GL_FLOAT: ("float", 1), GL_FLOAT_VEC2: ("vec2", 2), GL_FLOAT_VEC3: ("vec3", 3), GL_FLOAT_VEC4: ("vec4", 4),
        GL_INT: ("int", 1), GL_INT_VEC2: ("ivec2", 2), GL_INT_VEC3: ("ivec3", 3), GL_INT_VEC4: ("ivec4", 4),
        GL_UNSIGNED_INT: ("uint", 1), GL_UNSIGNED_INT_VEC2: ("uvec2", 2), GL_UNSIGNED_INT_VEC3: ("uvec3", 3),
        GL_UNSIGNED_INT_VEC4: ("uvec4", 4), GL_BOOL: ("bool", 1), GL_BOOL_VEC2: ("bvec2", 2),
        GL_BOOL_VEC3: ("bvec3", 3), GL_BOOL_VEC4: ("bvec4", 4), GL_FLOAT_MAT2: ("mat2", 4), GL_FLOAT_MAT3: ("mat3", 9),
        GL_FLOAT_MAT4: ("mat4", 16), GL_SAMPLER_2D: ("sampler2D", 0),
    ]

    private static let samplers: Set<Int32> = [
        GL_SAMPLER_2D, GL_SAMPLER_3D, GL_SAMPLER_CUBE, GL_SAMPLER_2D_ARRAY, GL_SAMPLER_2D_SHADOW,
        GL_SAMPLER_CUBE_SHADOW, GL_SAMPLER_2D_ARRAY_SHADOW, GL_INT_SAMPLER_2D, GL_INT_SAMPLER_3D, GL_INT_SAMPLER_CUBE,
        GL_INT_SAMPLER_2D_ARRAY, GL_UNSIGNED_INT_SAMPLER_2D, GL_UNSIGNED_INT_SAMPLER_3D, GL_UNSIGNED_INT_SAMPLER_CUBE,
        GL_UNSIGNED_INT_SAMPLER_2D_ARRAY,
        // Of OpenGL ES 3.1 and 3.2: multisampled textures, arrays of them, buffers, arrays of cubes; of
        // GL_OES_EGL_image_external.
        0x9108, 0x9109, 0x910a, 0x910b, 0x910c, 0x910d, 0x8dc2, 0x8dd0, 0x8dd8, 0x900c, 0x900d, 0x900e, 0x900f, 0x8d66,
    ]
}

extension Program {
    /// Every uniform that the linked program has, in the driver's order.
    package var activeUniforms: [ActiveVariable] {
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
    /// - Precondition: the number of values is a multiple of the uniform's components, up to all of its elements.
    package func set(_ uniform: ActiveVariable, numbers: [Double]) {
        let location = glGetUniformLocation(name, uniform.name)
        let count = GLsizei(numbers.count / max(1, uniform.components))
        let floats = numbers.map(Float.init)
        let integers = numbers.map { GLint(clamping: Int($0.isFinite ? max(-1e15, min($0, 1e15)) : 0)) }
        let naturals = numbers.map { GLuint(clamping: Int($0.isFinite ? max(-1e15, min($0, 1e15)) : 0)) }
        switch Int32(bitPattern: uniform.type) {
        case GL_FLOAT: glUniform1fv(location, count, floats)
        case GL_FLOAT_VEC2: glUniform2fv(location, count, floats)
        case GL_FLOAT_VEC3: glUniform3fv(location, count, floats)
        case GL_FLOAT_VEC4: glUniform4fv(location, count, floats)
        case GL_INT, GL_BOOL: glUniform1iv(location, count, integers)
        case GL_INT_VEC2, GL_BOOL_VEC2: glUniform2iv(location, count, integers)
        case GL_INT_VEC3, GL_BOOL_VEC3: glUniform3iv(location, count, integers)
        case GL_INT_VEC4, GL_BOOL_VEC4: glUniform4iv(location, count, integers)
        case GL_UNSIGNED_INT: glUniform1uiv(location, count, naturals)
        case GL_UNSIGNED_INT_VEC2: glUniform2uiv(location, count, naturals)
        case GL_UNSIGNED_INT_VEC3: glUniform3uiv(location, count, naturals)
        case GL_UNSIGNED_INT_VEC4: glUniform4uiv(location, count, naturals)
        case GL_FLOAT_MAT2: glUniformMatrix2fv(location, count, GLboolean(GL_FALSE), floats)
        case GL_FLOAT_MAT3: glUniformMatrix3fv(location, count, GLboolean(GL_FALSE), floats)
        case GL_FLOAT_MAT4: glUniformMatrix4fv(location, count, GLboolean(GL_FALSE), floats)
        default: break
        }
    }

    /// Gives each sampler of the program in use texture units of its own: two samplers of different types must not share one.
    /// - Returns: the units of each, by its name.
    @discardableResult
    package func assignUnits() -> [String: Range<Int>] {
        var (units, used): ([String: Range<Int>], Int) = ([:], 0)
        for uniform in activeUniforms where uniform.isSampler {
            let own = used..<used + uniform.count
            glUniform1iv(glGetUniformLocation(name, uniform.name), GLsizei(own.count), own.map(GLint.init))
            (units[uniform.name], used) = (own, own.upperBound)
        }
        return units
    }

    /// Binds a texture to some units, filtered linearly.
    package static func bind(_ texture: Texture, to units: Range<Int>) {
        for unit in units {
            glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
            glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_LINEAR)
            glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_LINEAR)
        }
        glActiveTexture(GLenum(GL_TEXTURE0))
    }
}

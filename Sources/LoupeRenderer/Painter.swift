import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

/// Makes draw calls on one context, with the programs and framebuffers that they need.
final class Painter {
    let context: Context
    let programs: ProgramCache
    /// The draw calls since recording began; nil where none are recorded.
    var recorded: [DrawCall]?
    private let vertices: VertexBuffer
    private var framebuffers: [FramebufferRole: Framebuffer] = [:]

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws(GLError) {
        self.context = context
        programs = ProgramCache(context, replacements: replacements)
        vertices = try VertexBuffer(context)
    }

    /// A framebuffer for one purpose, reused from frame to frame: page-faulting fresh memory costs more than drawing into it.
    ///
    /// It holds whatever was drawn last. It is at least as large as asked for, and exactly as large where rows of it
    /// will be read.
    func framebuffer(
        _ role: FramebufferRole, _ format: Texture.Format, width: Int, height: Int
    ) throws(GLError) -> Framebuffer {
        let (width, height) = role.size(width, height)
        if let old = framebuffers[role], old.texture.format == format, role.fits(old, width, height) { return old }
        framebuffers[role] = nil
        try context.requireMemory(format, width: width, height: height)
        let framebuffer = try Framebuffer(context, format: format, width: width, height: height)
        framebuffers[role] = framebuffer
        return framebuffer
    }

    /// The canvas that will be read, where one has been drawn.
    var lastCanvas: Framebuffer? { framebuffers[.canvas] }

    /// Draws a mesh with a program whose other uniforms `bind` sets.
    func draw(
        _ shader: ShaderProgram, _ region: MeshRegion, in rects: [PixelRect], onto target: Target, blend: Blend,
        bind: @escaping (Program) -> Void
    ) throws(GLError) {
        let mesh = region.mesh(in: rects, from: (target.x, target.y))
        guard !mesh.isEmpty else { return }
        // A recorded call keeps its own triangles on the device.
        let vertices = recorded == nil ? self.vertices : try VertexBuffer(context)
        let call = DrawCall(
            shader: shader, program: try programs[shader], vertices: vertices, target: target, blend: blend, bind: bind)
        try vertices.upload(mesh)
        call.issue()
        recorded?.append(call)
    }

    /// Fills blocks, no two of which overlap, with a working colour.
    func fill(
        _ color: SIMD4<Float>, _ region: MeshRegion, in rects: [PixelRect], onto target: Target, blending: Blending,
        blend: Blend = .replace
    ) throws(GLError) {
        let shader = ShaderProgram(.noEdge, blending.options, content: .fill)
        try draw(shader, region, in: rects, onto: target, blend: blend) { program in
            program.set(.fillColor, color)
        }
    }
}

/// What a framebuffer is used for. The painter keeps one of each.
enum FramebufferRole: Hashable {
    /// The canvas that is read back.
    case canvas
    /// The canvas with more than 8 bits a channel.
    case wideCanvas
    /// The base view, kept from frame to frame of a sequence.
    case base
    /// The block of a sequence's frame that is drawn anew.
    case frameBlock
    /// The same as it is read back, where the canvas has more than 8 bits a channel.
    case finishedBlock
    /// The block of the loupes, where it has more bits than the canvas.
    case loupeBlock
    /// What the canvas held under the border of the loupe that is being drawn.
    case below
    /// The other half of the loupe that is being drawn.
    case otherHalf
    /// The result of the first pass of a separable filter.
    case filteredRows
    /// Where fragments are counted.
    case count

    /// The sides of a new framebuffer.
    fileprivate func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch self {
        // A little larger, so that blocks that differ by a few pixels share one.
        case .frameBlock, .finishedBlock: ((width + 127) & ~127, (height + 127) & ~127)
        default: (width, height)
        }
    }

    fileprivate func fits(_ framebuffer: Framebuffer, _ width: Int, _ height: Int) -> Bool {
        switch self {
        case .canvas, .wideCanvas, .base: framebuffer.width == width && framebuffer.height == height
        // The first frame needs a target of the whole canvas; later frames must not keep it.
        case .frameBlock, .finishedBlock:
            framebuffer.width >= width && framebuffer.height >= height
                && framebuffer.width * framebuffer.height <= 4 * width * height
        case .loupeBlock, .below, .otherHalf, .filteredRows, .count:
            framebuffer.width >= width && framebuffer.height >= height
        }
    }
}

extension Program {
    func set(_ uniform: Uniform, integer value: Int) { set(uniform.rawValue, integer: value) }
    func set(_ uniform: Uniform, integers x: Int, _ y: Int) { set(uniform.rawValue, integers: x, y) }
    func set(_ uniform: Uniform, _ value: Float) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD2<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD3<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD4<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ vectors: [SIMD3<Float>]) { set(uniform.rawValue, vectors) }
    func set(_ uniform: Uniform, _ texture: Texture, unit: Int) { set(uniform.rawValue, texture, unit: unit) }
}

/// Triangles, the program that draws them and everything that it reads.
struct DrawCall {
    let shader: ShaderProgram
    let program: Program
    let vertices: VertexBuffer
    let target: Target
    let blend: Blend
    /// Sets every uniform but the viewport.
    let bind: (Program) -> Void

    func issue() { issue(program) }

    /// The same by another program with the same uniforms, or with another blending.
    func issue(_ program: Program, blend: Blend? = nil) {
        program.use()
        bind(program)
        issueTriangles(program, onto: target.framebuffer, blend ?? self.blend)
    }

    /// Draws only the triangles, by the program in use and its uniforms as they are.
    func issueTriangles(_ program: Program, onto framebuffer: Framebuffer, _ blend: Blend) {
        let viewport = target.framebuffer.viewport
        program.set(
            Uniform.viewport.rawValue,
            SIMD3(Float(viewport.centerX), Float(viewport.centerY), Float(viewport.reach)))
        framebuffer.bind()
        vertices.drawTriangles(blend)
    }
}

/// A framebuffer that shows a block of the canvas.
struct Target {
    let framebuffer: Framebuffer
    /// The canvas pixel that the framebuffer's pixel (0, 0) shows.
    let x: Int
    let y: Int
}

/// The programs that have been needed so far, compiled at first use.
final class ProgramCache {
    private let context: Context
    /// Files to compile instead of the embedded ones.
    let replacements: ShaderReplacements
    private var programs: [ShaderProgram: Program] = [:]

    init(_ context: Context, replacements: ShaderReplacements) {
        self.context = context
        self.replacements = replacements
    }

    subscript(shader: ShaderProgram) -> Program {
        get throws(GLError) {
            if let program = programs[shader] { return program }
            let program = try compile(ShaderSource(shader, replacements: replacements), uniforms: shader.uniforms)
            programs[shader] = program
            return program
        }
    }

    /// A new program. A replaced shader may leave out uniforms that it does not use.
    /// - Parameter vertex: nil takes `mesh.vert`.
    func compile(
        vertex: ShaderSource? = nil, _ fragment: ShaderSource, uniforms: [Uniform]
    ) throws(GLError) -> Program {
        try Program(
            context, label: fragment.name, vertex: (vertex ?? .mesh(replacements)).text, fragment: fragment.text,
            uniforms: uniforms.map { $0.rawValue }, mayLackUniforms: !replacements.isEmpty)
    }
}

extension Shader {
    /// The only switch from a piece's state to its shader; nil where nothing is drawn.
    init?(_ state: ClipState, of outline: Outline) {
        switch state {
        case .outside: return nil
        case .noEdge: self = .noEdge
        case .singleEdge: self = .singleEdge
        case .corner: self = outline.hasUniformCorners ? .corner : .mixedCorners
        }
    }
}

extension Blending {
    /// What the shaders are compiled with.
    var options: ShaderOptions { self == .linear ? .linearLight : [] }
}

extension Color {
    /// Premultiplied 0…1 in the space in which the scene blends.
    func working(_ blending: Blending) -> SIMD4<Float> {
        let straight = SIMD3(Double(red), Double(green), Double(blue)) / 255
        let light =
            switch blending {
            case .srgb: straight
            case .linear: SIMD3(Self.decoded(straight.x), Self.decoded(straight.y), Self.decoded(straight.z))
            }
        let a = Double(alpha) / 255
        return SIMD4(Float(light.x * a), Float(light.y * a), Float(light.z * a), Float(a))
    }
}

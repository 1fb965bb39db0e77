import LoupeBase
import LoupePlan
import LoupeShaders
import LoupeSystem

/// Carries out the commands of passes on one context.
final class GLDevice: DrawingDevice {
    let context: Context
    /// Files to compile instead of the embedded ones.
    let replacements: ShaderReplacements
    /// The draw calls since recording began; nil where none are recorded.
    var recorded: [RecordedCall]?
    private let vertices: VertexBuffer

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws(GLError) {
        (self.context, self.replacements) = (context, replacements)
        vertices = try VertexBuffer(context)
    }

    /// What passes depend on.
    var traits: DeviceTraits {
        DeviceTraits(readsBelow: context.readsBelow, largestTexture: context.info.limits.textureSize)
    }

    // MARK: - Objects

    func makeTexture(_ numbers: FloatTexture) throws(GLError) -> Texture {
        let format: Texture.Format = if case .floats = numbers.texels { .r32F } else { .rgba32F }
        let texture = try Texture(context, format: format, width: numbers.width, height: numbers.height)
        switch numbers.texels {
        case .floats(let floats): try texture.upload(values: floats)
        case .vectors(let vectors): try texture.upload(values: vectors)
        }
        return texture
    }

    func makeTarget(_ format: TargetFormat, width: Int, height: Int) throws(GLError) -> Framebuffer {
        let format: Texture.Format =
            switch format {
            case .bytes: .rgba8
            case .halves: context.blendableFormat(floats: false)
            case .floats: context.blendableFormat(floats: true)
            case .integers: .rgba16UI
            case .floatBits: .rgba32UI
            }
        try context.requireMemory(format, width: width, height: height)
        return try Framebuffer(context, format: format, width: width, height: height)
    }

    func texture(of target: Framebuffer) -> Texture { target.texture }

    func makeProgram(_ program: ShaderProgram) throws(GLError) -> Program {
        let fragment = ShaderSource(program, replacements: replacements)
        return try Program(
            context, label: fragment.name, vertex: ShaderSource.mesh(replacements).text, fragment: fragment.text)
    }

    // MARK: - Commands

    func draw(_ call: DrawCall<GLDevice>) throws(GLError) {
        // A recorded call keeps its own triangles on the device.
        let vertices = recorded == nil ? self.vertices : try VertexBuffer(context)
        try vertices.upload(call.mesh)
        let issued = RecordedCall(call: call, vertices: vertices)
        issued.issue()
        recorded?.append(issued)
    }

    func copy(
        _ block: PixelRect, of source: Framebuffer, dx: Int, dy: Int, to target: Framebuffer
    ) throws(GLError) {
        try target.copy(block, from: source, dx: dx, dy: dy)
    }

    /// Does nothing where shaders are replaced, so that a replaced one draws all that it would.
    func copyTexels(
        _ blocks: [PixelRect], of texture: Texture, dx: Int, dy: Int, to target: Framebuffer
    ) throws(GLError) -> Bool {
        let texels = PixelRect(minX: -dx, minY: -dy, maxX: texture.width - dx, maxY: texture.height - dy)
        guard replacements.isEmpty, texture.format == target.texture.format,
            blocks.allSatisfy({ texels.intersection($0) == $0 })
        else { return false }
        let image = try Framebuffer(context, texture: texture)
        for block in blocks { try copy(block, of: image, dx: dx, dy: dy, to: target) }
        return true
    }

    func upload(
        _ blocks: [PixelRect], of image: PixelsInMemory, dx: Int, dy: Int, to target: Framebuffer
    ) throws(GLError) {
        try image.bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(GLError) in
                guard let start = bytes.baseAddress else { return }
                for block in blocks {
                    let first = start + ((block.minY + dy) * image.width + block.minX + dx) * 4
                    try target.texture.upload(block, from: first, rowLength: image.width)
                }
            }
        }.get()
    }
}

extension Framebuffer: DrawingTarget {}

/// A draw call with its triangles on the device.
struct RecordedCall {
    var call: DrawCall<GLDevice>
    let vertices: VertexBuffer

    var shader: ShaderProgram { call.pass.program }

    /// How many pixels it draws: six corners are a block.
    var fragments: Int {
        stride(from: 0, to: call.mesh.count, by: 6).reduce(0) { sum, first in
            let size = call.mesh[first + 2] - call.mesh[first]
            return sum + Int(size.x * size.y)
        }
    }

    func issue() {
        let program = call.program
        program.use()
        program.set(call.pass.inputs, call.textures)
        program.set(
            Uniform.targetSize.rawValue, SIMD2(Float(call.target.width), Float(call.target.height)))
        call.target.bind()
        vertices.drawTriangles(call.pass.blend)
    }
}

extension Program {
    /// Sets uniforms of the program in use, and binds each texture to a unit of its own.
    fileprivate func set(_ inputs: ShaderInputs, _ textures: [Texture]) {
        var unit = 0
        for (uniform, value) in inputs.values {
            let name = uniform.rawValue
            switch value {
            case .integers(let v, count: 1): set(name, integer: v.x)
            case .integers(let v, count: _): set(name, integers: v.x, v.y)
            case .floats(let v, count: 1): set(name, v.x)
            case .floats(let v, count: 2): set(name, v.lowHalf)
            case .floats(let v, count: 3): set(name, SIMD3(v.x, v.y, v.z))
            case .floats(let v, count: _): set(name, v)
            case .vectors(let vectors): set(name, vectors)
            case .texture:
                set(name, textures[unit], unit: unit)
                unit += 1
            }
        }
    }
}

extension Texture {
    /// Fills a texture from an array that holds every component of every texel.
    func upload<Value>(values: [Value]) throws(GLError) {
        try values.withUnsafeBytes { values in Result { () throws(GLError) in try upload(values) } }.get()
    }

    /// A texture of a block's values, row by row; of anything where none have come yet.
    convenience init<Value>(
        _ context: Context, _ format: Format, _ block: PixelRect, _ values: [Value]
    ) throws(GLError) {
        try self.init(context, format: format, width: block.width, height: block.height)
        if !values.isEmpty { try upload(values: values) }
    }
}

extension Context {
    /// Throws where a texture would take more memory than is left; a hardware device has its own.
    func requireMemory(_ format: Texture.Format, width: Int, height: Int) throws(GLError) {
        if info.isSoftware, !Memory.hasRoom(forPixels: width, height, bytesPerPixel: format.bytesPerTexel) {
            throw .noRoom(width: width, height: height)
        }
    }
}

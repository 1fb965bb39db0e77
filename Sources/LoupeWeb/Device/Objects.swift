/// A two-dimensional texture without mipmaps, fetched texel by texel; deleted with its last owner.
public final class Texture {
    /// The type of its texels; the script's table of formats has the same order.
    public enum Format: Int, Hashable, Sendable {
        /// Four unsigned bytes, read as 0…1.
        case rgba8
        /// Four half floats: the wide canvas.
        case rgba16F
        /// Four unsigned 16-bit integers: filtered rows.
        case rgba16UI
        /// Four unsigned 32-bit integers: filtered rows that hold the bits of floats.
        case rgba32UI
        /// One float: tables.
        case r32F
        /// Four floats: tangents, and the wide canvas of linear light.
        case rgba32F

        var bytesPerTexel: Int {
            switch self {
            case .rgba8, .r32F: 4
            case .rgba16F, .rgba16UI: 8
            case .rgba32UI, .rgba32F: 16
            }
        }
    }

    /// The type of its texels.
    public let format: Format
    /// In texels.
    public let width: Int
    /// In texels.
    public let height: Int
    let number: Int
    private let context: Context

    /// A texture whose texels are undefined; sides in texels.
    public init(_ context: Context, format: Format, width: Int, height: Int) throws(GLError) {
        let limit = context.info.limits.textureSize
        guard width <= limit, height <= limit else { throw .tooLarge(width: width, height: height, limit: limit) }
        (self.context, self.format, self.width, self.height) = (context, format, width, height)
        number = context.takeNumber()
        context.stream.append(.makeTexture)
        for value in [number, format.rawValue, width, height] { context.stream.append(value) }
    }

    deinit {
        context.stream.append(.deleteTexture)
        context.stream.append(number)
        context.giveBack(number)
    }

    /// Fills the texture from tightly packed values of its format.
    public func upload(_ bytes: UnsafeRawBufferPointer) throws(GLError) {
        context.stream.append(.uploadTexture)
        for value in [number, 0, 0, width, height] { context.stream.append(value) }
        context.stream.append(bytes)
    }

    /// Fills a block from the same block of a larger one in memory, of the texture's format.
    /// - Parameters:
    ///   - texels: the block's first texel.
    ///   - rowLength: how many texels a row in memory has.
    public func upload(
        x: Int, y: Int, width: Int, height: Int, from texels: UnsafeRawPointer, rowLength: Int
    ) throws(GLError) {
        for row in 0..<height {
            context.stream.append(.uploadTexture)
            for value in [number, x, y + row, width, 1] { context.stream.append(value) }
            let start = texels + row * rowLength * format.bytesPerTexel
            context.stream.append(UnsafeRawBufferPointer(start: start, count: width * format.bytesPerTexel))
        }
    }

    /// Fills the texture with one of the page's pictures, by its index.
    public func uploadPicture(_ index: Int) {
        context.stream.append(.uploadPicture)
        context.stream.append(number)
        context.stream.append(index)
    }
}

/// A texture to draw into; deleted with its last owner.
public final class Framebuffer {
    /// What it draws into.
    public let texture: Texture
    private let number: Int
    private let context: Context

    /// A framebuffer with a new texture; sides in texels.
    public convenience init(
        _ context: Context, format: Texture.Format, width: Int, height: Int
    ) throws(GLError) {
        try self.init(context, texture: try Texture(context, format: format, width: width, height: height))
    }

    /// A framebuffer that draws into an existing texture, or copies from it.
    public init(_ context: Context, texture: Texture) throws(GLError) {
        (self.context, self.texture) = (context, texture)
        number = context.takeNumber()
        context.stream.append(.makeFramebuffer)
        context.stream.append(number)
        context.stream.append(texture.number)
    }

    deinit {
        context.stream.append(.deleteFramebuffer)
        context.stream.append(number)
        context.giveBack(number)
    }

    /// In pixels.
    public var width: Int { texture.width }
    /// In pixels.
    public var height: Int { texture.height }

    /// The square of window coordinates that is drawn through.
    public var viewport: Viewport { Viewport(ofWidth: width, height: height, limits: context.info.limits) }

    /// Makes this the target of what is drawn next.
    public func bind() {
        let viewport = viewport
        context.stream.append(.bindFramebuffer)
        context.stream.append(number)
        context.stream.append(viewport.centerX - viewport.reach)
        context.stream.append(viewport.centerY - viewport.reach)
        context.stream.append(2 * viewport.reach)
    }

    /// Copies a block from another target of the same format; x and y are its first pixel here.
    /// - Parameters:
    ///   - dx: how many pixels further right the block lies in `source`.
    ///   - dy: how many pixels further down it lies there.
    public func copy(
        x: Int, y: Int, width blockWidth: Int, height blockHeight: Int, from source: Framebuffer, dx: Int = 0,
        dy: Int = 0
    ) throws(GLError) {
        guard blockWidth > 0, blockHeight > 0 else { return }
        context.stream.append(.copyBlock)
        for value in [source.number, number, x, y, blockWidth, blockHeight, dx, dy] { context.stream.append(value) }
    }

    /// Shows the target on the page.
    public func present() {
        context.stream.append(.present)
        context.stream.append(number)
    }
}

/// A linked vertex and fragment shader; deleted with its last owner.
public final class Program {
    private let uniforms: [String]
    private let number: Int
    private let context: Context

    /// Compiles and links a program.
    /// - Parameters:
    ///   - label: the fragment shader's name, for errors.
    ///   - vertex: the text of the vertex shader.
    ///   - fragment: the text of the fragment shader.
    ///   - uniforms: every name that will be set.
    public init(
        _ context: Context, label: String, vertex: String, fragment: String, uniforms: [String],
        mayLackUniforms: Bool = false
    ) throws(GLError) {
        (self.context, self.uniforms) = (context, uniforms)
        number = context.takeNumber()
        context.stream.append(.makeProgram)
        context.stream.append(number)
        for text in [label, vertex, fragment, uniforms.joined(separator: " ")] { context.stream.append(text) }
    }

    deinit {
        context.stream.append(.deleteProgram)
        context.stream.append(number)
        context.giveBack(number)
    }

    /// Makes this the program of what is drawn next.
    public func use() {
        context.stream.append(.useProgram)
        context.stream.append(number)
    }

    /// Its index among the program's own; the ledger of names is short, and they are ASCII.
    private func begin(_ command: Command, _ uniform: String) {
        guard let index = uniforms.firstIndex(where: { $0.utf8.elementsEqual(uniform.utf8) }) else {
            preconditionFailure("a program has every uniform that is set")
        }
        context.stream.append(command)
        context.stream.append(index)
    }

    private func set(_ uniform: String, integers values: [Int]) {
        begin(.setIntegers, uniform)
        context.stream.append(values.count)
        for value in values { context.stream.append(value) }
    }

    private func set(_ uniform: String, floats values: [Float]) {
        begin(.setFloats, uniform)
        context.stream.append(values.count)
        for value in values { context.stream.append(value) }
    }

    /// Sets an integer of the program in use.
    public func set(_ uniform: String, integer value: Int) { set(uniform, integers: [value]) }
    /// Sets two integers of the program in use.
    public func set(_ uniform: String, integers x: Int, _ y: Int) { set(uniform, integers: [x, y]) }
    /// Sets a float of the program in use.
    public func set(_ uniform: String, _ value: Float) { set(uniform, floats: [value]) }
    /// Sets two floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD2<Float>) { set(uniform, floats: [v.x, v.y]) }
    /// Sets three floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD3<Float>) { set(uniform, floats: [v.x, v.y, v.z]) }
    /// Sets four floats of the program in use.
    public func set(_ uniform: String, _ v: SIMD4<Float>) { set(uniform, floats: [v.x, v.y, v.z, v.w]) }

    /// Sets the first elements of an array of the program in use.
    public func set(_ uniform: String, _ vectors: [SIMD3<Float>]) {
        begin(.setVectors, uniform)
        let numbers = vectors.flatMap { [$0.x, $0.y, $0.z] }
        numbers.withUnsafeBytes { context.stream.append($0) }
    }

    /// Binds a texture to a unit and the sampler to that unit.
    public func set(_ uniform: String, _ texture: Texture, unit: Int) {
        begin(.setTexture, uniform)
        context.stream.append(texture.number)
        context.stream.append(unit)
    }
}

/// Positions of triangles, two floats each; deleted with its last owner.
public final class VertexBuffer {
    private let number: Int
    private let context: Context
    private var count = 0

    /// An empty buffer.
    public init(_ context: Context) throws(GLError) {
        self.context = context
        number = context.takeNumber()
        context.stream.append(.makeBuffer)
        context.stream.append(number)
    }

    deinit {
        context.stream.append(.deleteBuffer)
        context.stream.append(number)
        context.giveBack(number)
    }

    /// Replaces everything in the buffer.
    public func upload(_ positions: [SIMD2<Float>]) throws(GLError) {
        context.stream.append(.uploadBuffer)
        context.stream.append(number)
        positions.withUnsafeBytes { context.stream.append($0) }
        count = positions.count
    }

    /// Draws the triangles that were uploaded last, with the program and target in use.
    public func drawTriangles(_ blend: Blend) {
        context.stream.append(.setBlend)
        context.stream.append(blend.number)
        context.stream.append(.drawTriangles)
        context.stream.append(number)
        context.stream.append(count)
    }
}

extension Blend {
    /// As `Command.setBlend` has it.
    fileprivate var number: Int {
        switch self {
        case .replace: 0
        case .over: 1
        case .erase: 2
        case .add: 3
        }
    }
}

import CGLES
import LoupeBase

/// A two-dimensional texture without mipmaps, fetched texel by texel; deleted with its last owner.
final class Texture {
    /// The type of its texels.
    enum Format: Hashable, Sendable {
        /// Four unsigned bytes, read as 0…1.
        case rgba8
        /// Four unsigned 16-bit numbers, read as 0…1; only where ``Context/has16BitTextures``.
        case rgba16
        /// Four half floats: the wide canvas.
        case rgba16F
        /// Four unsigned 16-bit integers: filtered rows.
        case rgba16UI
        /// Four unsigned 32-bit integers: filtered rows that hold the bits of floats.
        case rgba32UI
        /// One float: tables.
        case r32F
        /// Four floats: tangents, and pictures of 16 bits.
        case rgba32F

        /// The bytes of a texel.
        var bytesPerTexel: Int { layout.bytes }

        /// What OpenGL ES calls it, its components and their type, and the bytes of a texel.
        fileprivate var layout: (sized: Int32, components: Int32, type: Int32, bytes: Int) {
            switch self {
            case .rgba8: (GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4)
            // GL_RGBA16_EXT of GL_EXT_texture_norm16.
            case .rgba16: (0x805b, GL_RGBA, GL_UNSIGNED_SHORT, 8)
            case .rgba16F: (GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8)
            case .rgba16UI: (GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8)
            case .rgba32UI: (GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16)
            case .r32F: (GL_R32F, GL_RED, GL_FLOAT, 4)
            case .rgba32F: (GL_RGBA32F, GL_RGBA, GL_FLOAT, 16)
            }
        }
    }

    /// The type of its texels.
    let format: Format
    /// In texels.
    let width: Int
    /// In texels.
    let height: Int
    let name: GLuint
    private let context: Context

    /// A texture whose texels are undefined; sides in texels.
    /// - Throws: `tooLarge` over the device's limit, `outOfMemory` where the driver has no memory.
    init(_ context: Context, format: Format, width: Int, height: Int) throws(GLError) {
        let limit = context.info.limits.textureSize
        guard width <= limit, height <= limit else {
            throw .tooLarge(width: width, height: height, limit: limit)
        }
        self.context = context
        self.format = format
        self.width = width
        self.height = height
        name = context.make(glGenTextures)
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glTexStorage2D(
            GLenum(GL_TEXTURE_2D), 1, GLenum(format.layout.sized), GLsizei(width), GLsizei(height))
        // Integer and 32-bit float textures are complete only with these.
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MAG_FILTER), GL_NEAREST)
        try check("glTexStorage2D")
    }

    deinit {
        context.delete(name, glDeleteTextures)
    }

    /// Fills the texture from tightly packed values of its format.
    func upload(_ bytes: UnsafeRawBufferPointer) throws(GLError) {
        guard let texels = bytes.baseAddress else { return }
        try upload(PixelRect(width: width, height: height), from: texels, rowLength: width)
    }

    /// Fills a block from the same block of a larger one in memory, of the texture's format.
    /// - Parameters:
    ///   - texels: the block's first texel.
    ///   - rowLength: how many texels a row in memory has.
    func upload(_ block: PixelRect, from texels: UnsafeRawPointer, rowLength: Int) throws(GLError) {
        glBindTexture(GLenum(GL_TEXTURE_2D), name)
        glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(rowLength))
        defer { glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0) }
        glTexSubImage2D(
            GLenum(GL_TEXTURE_2D), 0, GLint(block.minX), GLint(block.minY), GLsizei(block.width), GLsizei(block.height),
            GLenum(format.layout.components), GLenum(format.layout.type), texels)
        try check("glTexSubImage2D")
    }

    /// Leaves no texture bound to the first unit.
    static func unbind() { glBindTexture(GLenum(GL_TEXTURE_2D), 0) }

    private func check(_ call: String) throws(GLError) {
        do throws(GLError) {
            try context.check("\(call) \(width)×\(height)")
        } catch .call(_, code: GLenum(GL_OUT_OF_MEMORY)) {
            throw .outOfMemory(width: width, height: height, bytes: width * height * format.layout.bytes)
        }
    }
}

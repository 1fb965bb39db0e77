import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupeScene
import LoupeShaders

/// Carries out draw plans on one OpenGL ES context. Belongs to the thread that made it.
public final class Renderer {
    let context: Context
    let painter: Painter
    private(set) var textures: [String: Texture] = [:]

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws(RenderError) {
        self.context = context
        painter = try wrapped { () throws(GLError) in try Painter(context, replacements: replacements) }
    }

    /// Uploads images, by the paths under which layers name them; a path that is loaded already is replaced.
    public func load(_ images: [String: Image]) throws(RenderError) {
        let limit = context.info.limits.textureSize
        for (path, image) in images.sorted(by: { $0.key < $1.key }) {
            guard image.width <= limit, image.height <= limit else {
                throw .imageTooLarge(path: path, width: image.width, height: image.height, limit: limit)
            }
            textures[path] = try wrapped { () throws(GLError) in try Texture(context, image) }
        }
    }

    /// Draws the plan and reads it back as straight 8-bit RGBA.
    ///
    /// Every image that the plan shows must have been loaded.
    public func render(_ plan: DrawPlan) throws(RenderError) -> Image {
        let canvas = try draw(plan)
        return try wrapped { () throws(GLError) in
            try read(canvas, isStraight: plan.needsWideCanvas || plan.scene.canvas.background.isOpaque)
        }
    }

    /// Draws the plan and leaves it on the device, ready to be read.
    func draw(_ plan: DrawPlan) throws(RenderError) -> Framebuffer {
        let canvas = plan.scene.canvas
        let limits = context.info.limits
        let limit = min(limits.textureSize, limits.viewportWidth, limits.viewportHeight)
        guard canvas.width <= limit, canvas.height <= limit else {
            throw .canvasTooLarge(width: canvas.width, height: canvas.height, limit: limit)
        }
        if let path = plan.scene.imagePaths.first(where: { textures[$0] == nil }) {
            throw .missingImage(path: path)
        }
        return try wrapped { () throws(GLError) in
            let frame = FramePainter(plan: plan, textures: textures, painter: painter)
            return try frame.paint()
        }
    }

    func read(_ canvas: Framebuffer, isStraight: Bool) throws(GLError) -> Image {
        let (width, height) = (canvas.width, canvas.height)
        var failure: GLError?
        var pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            do throws(GLError) {
                try canvas.read(rows: 0..<height, into: UnsafeMutableRawBufferPointer(buffer))
                count = width * height * 4
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if !isStraight { unpremultiply(&pixels) }
        return Image(width: width, height: height, pixels: pixels)
    }
}

extension Texture {
    convenience init(_ context: Context, _ image: Image) throws(GLError) {
        try self.init(context, format: .rgba8, width: image.width, height: image.height)
        try image.pixels.withUnsafeBufferPointer { (pixels) throws(GLError) in
            try upload(UnsafeRawBufferPointer(pixels))
        }
    }
}

/// Divides colour by alpha, rounded to nearest.
func unpremultiply(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBufferPointer { bytes in
        for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 {
            let alpha = Int(bytes[pixel + 3])
            for channel in pixel..<(pixel + 3) {
                let value = Int(bytes[channel])
                bytes[channel] = alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
            }
        }
    }
}

func wrapped<Value>(_ body: () throws(GLError) -> Value) throws(RenderError) -> Value {
    do {
        return try body()
    } catch {
        throw .gl(error)
    }
}

import LoupeFiles
import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

/// Carries out draw plans on one OpenGL ES context. Used from any thread, but from one at a time.
///
/// Where the device is reset it makes a new context, loads the images again and draws the picture once more.
public final class Renderer {
    private(set) var context: Context
    private(set) var painter: Painter
    private(set) var textures: [String: Texture] = [:]
    /// What is loaded, for a device that may be lost. A software device can't be.
    private var kept: [String: Image] = [:]
    /// Loaded pictures that each view draws anew.
    private(set) var vectors: [String: SVGDocument] = [:]
    /// What was drawn of them for the last plan.
    var drawings: [VectorDrawing: Texture] = [:]

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws(RenderError) {
        self.context = context
        defer { context.release() }
        painter = try wrapped { () throws(GLError) in try Painter(context, replacements: replacements) }
    }

    /// Runs `body` with the context current on this thread, and leaves the thread without it: threads of
    /// a pool, and the main queue on Linux, are not the same from call to call.
    func withContext<Value>(_ body: () throws(RenderError) -> Value) throws(RenderError) -> Value {
        do {
            try context.makeCurrent()
        } catch .callFailed(_, code: "EGL_CONTEXT_LOST") {
            throw .gl(.contextLost)
        } catch {
            throw .egl(error)
        }
        defer { context.release() }
        return try body()
    }

    /// Runs `body`, and where the context is lost on the way, once more on a new one.
    func withoutLoss<Value>(_ body: () throws(RenderError) -> Value) throws(RenderError) -> Value {
        do {
            return try body()
        } catch .gl(.contextLost) {
            try rebuild()
            return try body()
        }
    }

    /// Makes everything anew on another context of the same choice.
    private func rebuild() throws(RenderError) {
        (textures, drawings) = ([:], [:])
        do {
            context = try Context(context.choice)
        } catch {
            throw .egl(error)
        }
        painter = try withContext { () throws(RenderError) in
            try wrapped { () throws(GLError) in try Painter(context, replacements: painter.programs.replacements) }
        }
        try upload(kept)
    }

    /// Uploads images, by the paths under which layers name them; a path that is loaded already is replaced.
    public func load(_ images: [String: Image]) throws(RenderError) {
        if !context.info.isSoftware { kept.merge(images) { $1 } }
        try withoutLoss { () throws(RenderError) in try upload(images) }
    }

    private func upload(_ images: [String: Image]) throws(RenderError) {
        try withContext { () throws(RenderError) in
            for (path, image) in images.sorted(by: { $0.key < $1.key }) {
                drawings = drawings.filter { $0.key.path != path }
                vectors[path] = image.vector
                if image.vector != nil {
                    textures[path] = nil
                    continue
                }
                if let pixels16 = image.pixels16 {
                    try load(pixels16, of: image, as: path)
                    continue
                }
                let texture = try texture(for: path, width: image.width, height: image.height)
                try wrapped { () throws(GLError) in
                    try image.pixels.withUnsafeBufferPointer { (pixels) throws(GLError) in
                        try texture.upload(UnsafeRawBufferPointer(pixels))
                    }
                }
            }
        }
    }

    /// Lets go of an image that was loaded; nothing happens where none was.
    public func unload(_ path: String) {
        kept[path] = nil
        _ = try? withContext { () throws(RenderError) in
            (textures[path], vectors[path]) = (nil, nil)
            drawings = drawings.filter { $0.key.path != path }
        }
    }

    /// Draws the plan once over images that have not arrived yet, so that the driver compiles every program and takes
    /// the memory it needs meanwhile. What is drawn is never seen.
    public func warmUp(_ plan: DrawPlan, images: [String: ImageTraits]) throws(RenderError) {
        try withoutLoss { () throws(RenderError) in
            try withContext { () throws(RenderError) in
                var streams: [ImageStream] = []
                for (path, image) in images {
                    if let stream = ImageStream(path, awaiting: image.size, for: plan) {
                        streams.append(stream)
                        continue
                    }
                    // Of a vector picture nothing is known yet but that each view will have a texture of it.
                    let size = image.isVector ? ImageSize(width: 1, height: 1) : image.size
                    _ = try texture(for: path, width: size.width, height: size.height)
                }
                let frame = try framePainter(plan, streams: streams)
                try wrapped { () throws(GLError) in
                    if let block = streams.first?.base?.block(of: frame) {
                        if !block.isEmpty { _ = try frame.draw(block, hasBase: false) }
                    } else {
                        _ = try frame.draw()
                    }
                    try context.finish()
                }
            }
        }
    }

    /// The texture of an image, made where there is none of that size.
    func texture(
        for path: String, width: Int, height: Int, format: Texture.Format = .rgba8
    ) throws(RenderError) -> Texture {
        if let texture = textures[path], texture.width == width, texture.height == height, texture.format == format {
            return texture
        }
        let limit = context.info.limits.textureSize
        guard width <= limit, height <= limit else {
            throw .imageTooLarge(path: path, width: width, height: height, limit: limit)
        }
        let texture = try wrapped { () throws(GLError) in
            try Texture(context, format: format, width: width, height: height)
        }
        textures[path] = texture
        return texture
    }

    /// Draws the plan and reads it back as straight RGBA, of the plan's depth.
    ///
    /// Every image that the plan shows must have been loaded, or be among the streams, made for this very scene and drawn
    /// once; streams are of 8 bits, for plans of that depth.
    public func render(_ plan: DrawPlan, streams: [ImageStream] = []) throws(RenderError) -> Image {
        try withoutLoss { () throws(RenderError) in
            try withContext { () throws(RenderError) in
                if let base = streams.lazy.compactMap(\.base).first {
                    let (block, drawn) = try drawOverBase(base, plan, streams)
                    // Last, for a device that is lost on the way needs the image once more.
                    return base.takePicture(of: plan.scene.canvas.pixels, with: drawn, at: block)
                }
                let frame = try framePainter(plan, streams: streams)
                let canvas = try wrapped { () throws(GLError) in try frame.draw() }
                return plan.depth == .sixteen ? try read16Bit(canvas) : try read(canvas)
            }
        }
    }

    /// What lies over a stream's base view, and where; nil where nothing does.
    private func drawOverBase(
        _ base: HeldBase, _ plan: DrawPlan, _ streams: [ImageStream]
    ) throws(RenderError) -> (block: PixelRect, drawn: Image?) {
        let frame = try framePainter(plan, streams: streams)
        let block = base.block(of: frame)
        if block.isEmpty { return (block, nil) }
        return (block, try read(wrapped { () throws(GLError) in try frame.draw(block) }))
    }

    private func isLoaded(_ path: String) -> Bool { textures[path] != nil || vectors[path] != nil }

    func read(_ canvas: Framebuffer) throws(RenderError) -> Image {
        let (width, height) = (canvas.width, canvas.height)
        var failure: GLError?
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            do throws(GLError) {
                try canvas.read(PixelRect(width: width, height: height), into: UnsafeMutableRawBufferPointer(buffer))
                count = width * height * 4
            } catch {
                failure = error
            }
        }
        if let failure { throw .gl(failure) }
        return Image(width: width, height: height, pixels: pixels)
    }

    /// Draws the plan and leaves it on the device, ready to be read: straight RGBA. The context is current.
    func draw(_ plan: DrawPlan) throws(RenderError) -> Framebuffer {
        let frame = try framePainter(plan)
        return try wrapped { () throws(GLError) in try frame.draw() }
    }

    /// What draws a plan here, once it is sure that the plan can be drawn.
    func framePainter(_ plan: DrawPlan, streams: [ImageStream] = []) throws(RenderError) -> FramePainter {
        let canvas = plan.scene.canvas
        let limits = context.info.limits
        let limit = min(limits.textureSize, limits.viewportWidth, limits.viewportHeight)
        guard canvas.width <= limit, canvas.height <= limit else {
            throw .canvasTooLarge(width: canvas.width, height: canvas.height, limit: limit)
        }
        guard Memory.hasRoom(forPixels: canvas.width, canvas.height, bytesPerPixel: plan.depth == .sixteen ? 28 : 4)
        else { throw .outOfMemory(width: canvas.width, height: canvas.height) }
        if plan.depth == .sixteen, context.blendableFormat(floats: true) != .rgba32F { throw .tooCoarse }
        let streamed = Set(streams.map(\.path))
        if let path = plan.scene.imagePaths.first(where: { !isLoaded($0) && !streamed.contains($0) }) {
            throw .missingImage(path: path)
        }
        let streamedParts = try wrapped { () throws(GLError) in try ImageStream.parts(of: streams, on: context) }
        let parts = try drawVectors(of: plan).merging(streamedParts) { $1 }
        return FramePainter(plan: plan, textures: textures, parts: parts, painter: painter)
    }
}

func wrapped<Value>(_ body: () throws(GLError) -> Value) throws(RenderError) -> Value {
    do {
        return try body()
    } catch {
        throw .gl(error)
    }
}

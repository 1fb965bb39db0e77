import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeShaders
import LoupeSystem

/// Draws plans on one OpenGL ES context. It may be used from any thread, but from one at a time.
///
/// After a reset of the device it makes a new context, loads the images again and draws the picture once more.
public final class Renderer {
    private(set) var context: Context
    private(set) var executor: PassExecutor<GLDevice>
    private(set) var textures: [ImagePath: Texture] = [:]
    /// The loaded images, for a device that may be lost. A software device is never lost.
    private var kept: [ImagePath: Image] = [:]
    /// Loaded vector pictures, which each view draws at its own resolution.
    private(set) var vectors: [ImagePath: VectorDocument] = [:]
    /// What was drawn of them for the last plan.
    private(set) var drawings = FrameCache<DrawnVector, Texture>()
    /// The scale bars and text of the last plan; nil for what lies outside of the canvas.
    private(set) var overlays = FrameCache<Overlay, OverlayTexture>()

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws {
        self.context = context
        defer { context.release() }
        executor = PassExecutor(try GLDevice(context, replacements: replacements))
    }

    /// Runs `body` with the context current on this thread, and releases it afterwards: the threads of a pool, and of the
    /// main queue on Linux, change from call to call.
    func withContext<Value>(_ body: () throws -> Value) throws -> Value {
        do throws(EGLError) {
            try context.makeCurrent()
        } catch {
            if case .callFailed(_, code: "EGL_CONTEXT_LOST") = error { throw GLError.contextLost }
            throw error
        }
        defer { context.release() }
        return try body()
    }

    /// Runs `body`. Where the context is lost meanwhile, runs it once more on a new one.
    func withoutLoss<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch GLError.noRoom(let width, let height) {
            throw RenderError.outOfMemory(width: width, height: height)
        } catch GLError.contextLost {
            try rebuild()
            return try body()
        }
    }

    /// Makes all objects anew on another context of the same choice.
    private func rebuild() throws {
        (textures, drawings, overlays) = ([:], FrameCache(), FrameCache())
        context = try Context(context.choice)
        let replacements = executor.device.replacements
        executor = try withContext { PassExecutor(try GLDevice(context, replacements: replacements)) }
        try upload(kept)
    }

    /// Uploads images, by the paths under which layers name them. An image that is loaded already is replaced.
    /// - Throws: `RenderError.imageTooLarge` over the device's limit, `.gl` where the device has no memory.
    package func load(_ images: [ImagePath: Image]) throws {
        if !context.info.isSoftware { kept.merge(images) { $1 } }
        try withoutLoss { try upload(images) }
    }

    private func upload(_ images: [ImagePath: Image]) throws {
        try withContext {
            for (path, image) in images.sorted(by: { $0.key < $1.key }) {
                drawings.remove { $0.path == path }
                vectors[path] = image.vector
                if image.vector != nil {
                    textures[path] = nil
                    continue
                }
                // Each sample is exact: as it is, or as floats where the device has no textures of 16 bits.
                let deep = context.has16BitTextures ? Texture.Format.rgba16 : .rgba32F
                let texture = try texture(
                    for: path, width: image.width, height: image.height, format: image.pixels16 == nil ? .rgba8 : deep)
                guard let samples = image.pixels16 else {
                    try texture.upload(values: image.pixels)
                    continue
                }
                if deep == .rgba16 {
                    try texture.upload(values: samples)
                } else {
                    try texture.upload(values: samples.map { Float($0) / 65535 })
                }
            }
        }
    }

    /// Frees an image that was loaded. Does nothing where it is not loaded.
    package func unload(_ path: ImagePath) {
        kept[path] = nil
        _ = try? withContext {
            (textures[path], vectors[path]) = (nil, nil)
            drawings.remove { $0.path == path }
        }
    }

    /// The texture of an image, made where there is none of that size.
    private func texture(
        for path: ImagePath, width: Int, height: Int, format: Texture.Format
    ) throws -> Texture {
        if let texture = textures[path], texture.width == width, texture.height == height, texture.format == format {
            return texture
        }
        let limit = context.info.limits.textureSize
        guard width <= limit, height <= limit else {
            throw RenderError.imageTooLarge(path: path, width: width, height: height, limit: limit)
        }
        textures[path] = nil
        try context.requireMemory(format, width: width, height: height)
        let texture = try Texture(context, format: format, width: width, height: height)
        textures[path] = texture
        return texture
    }

    /// Draws the plan and reads it back as straight RGBA, of the plan's depth.
    ///
    /// - Parameters:
    ///   - plan: what to draw. Every image that it shows must have been loaded or be among the streams.
    ///   - streams: images that are not held whole, made for this very scene. Each is drawn once. They have 8 bits a channel,
    ///     and so has the plan.
    /// - Throws: where an image is missing, the canvas is over the device's limit, or OpenGL ES fails.
    package func render(_ plan: DrawPlan, streams: [ImageStream] = []) throws -> Image {
        try withoutLoss {
            try withContext {
                if let base = streams.lazy.compactMap(\.base).first {
                    let (block, drawn) = try drawOverBase(base, plan, streams)
                    // Last, since a device that is lost meanwhile needs the image once more.
                    return base.takePicture(of: plan.canvas, with: drawn, at: block)
                }
                var frame = try frame(plan, streams: streams)
                return plan.depth == .sixteen ? try frame.drawn16Bit() : try read(frame.draw())
            }
        }
    }

    /// What lies over a stream's base view, and where; nil where nothing does.
    private func drawOverBase(
        _ base: HeldBase, _ plan: DrawPlan, _ streams: [ImageStream]
    ) throws -> (block: PixelRect, drawn: Image?) {
        var frame = try frame(plan, streams: streams)
        let block = base.block(of: frame)
        if block.isEmpty { return (block, nil) }
        return (block, try read(frame.draw(block)))
    }

    private func isLoaded(_ path: ImagePath) -> Bool { textures[path] != nil || vectors[path] != nil }

    func read(_ canvas: Framebuffer) throws -> Image {
        let (width, height) = (canvas.width, canvas.height)
        let pixels = try [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            try canvas.read(
                ImageSize(width: width, height: height), into: UnsafeMutableRawBufferPointer(buffer), rowLength: width)
            count = width * height * 4
        }
        return Image(width: width, height: height, pixels: pixels)
    }

    /// Checks that the plan can be drawn here, and makes what draws it.
    /// - Parameter isNew: whether memory for the canvas is still to be taken.
    func frame(_ plan: DrawPlan, streams: [ImageStream] = [], isNew: Bool = true) throws -> PlannedFrame {
        let canvas = plan.canvas
        let limits = context.info.limits
        let limit = min(limits.textureSize, limits.viewportWidth, limits.viewportHeight)
        guard canvas.width <= limit, canvas.height <= limit else {
            throw RenderError.canvasTooLarge(width: canvas.width, height: canvas.height, limit: limit)
        }
        // The framebuffers that hold all of it, and the picture that is read.
        let bytesPerPixel =
            switch plan.precision {
            case .bytes: 8
            case .halves: 16
            case .floats: plan.depth == .sixteen ? 8 : 24
            }
        guard !isNew || Memory.hasRoom(forPixels: canvas.width, canvas.height, bytesPerPixel: bytesPerPixel) else {
            throw RenderError.outOfMemory(width: canvas.width, height: canvas.height)
        }
        if plan.depth == .sixteen, context.blendableFormat(floats: true) != .rgba32F { throw RenderError.tooCoarse }
        let streamed = Set(streams.map(\.path))
        if let path = plan.imagePaths.first(where: { !isLoaded($0) && !streamed.contains($0) }) {
            throw RenderError.missingImage(path: path)
        }
        var images = FrameImages<GLDevice>(whole: textures)
        let held = try ImageStream.hold(streams, in: &images, context)
        let uses = plan.drawnUses
        for (use, texture) in zip(uses, try drawings.values(of: uses.map { $0.picture }, draw)) {
            images.held[use.use] = texture
        }
        let drawn = try overlays.values(of: plan.overlays) { try draw($0, on: canvas) }.compactMap { $0 }
        images.overlays = drawn.map { $0.texture }
        let passes = FramePasses(
            plan, on: executor.device.traits, held: held, overlays: drawn.map { $0.block })
        return PlannedFrame(passes: passes, images: images, executor: executor)
    }
}

extension Renderer {
    /// Bytes that a driver needs to start; Mesa's llvmpipe with LLVM needs the most. With less it may wait forever for a
    /// thread that it could not start.
    private static let driverNeeds = 160 << 20

    /// A renderer on a context of its own.
    ///
    /// - Parameters:
    ///   - device: the device to draw with.
    ///   - shaders: files that replace some of the embedded shaders; a file that does not compile throws at the first draw
    ///     that needs it.
    /// - Throws: `EGLError` where no device works, or that there is too little memory for a driver.
    package convenience init(
        device: DeviceChoice = .auto, shaders: ShaderReplacements = .embedded
    ) throws {
        guard Memory.hasAddressSpace(for: Self.driverNeeds) else {
            throw RenderError.noMemoryForDriver(needed: Self.driverNeeds)
        }
        let context = try Context(device)
        guard Memory.hasAddressSpace(for: 0) else { throw RenderError.noMemoryBesideDriver }
        try self.init(context, replacements: shaders)
    }

    /// The device that it draws with.
    package var device: DeviceInfo { context.info }
}

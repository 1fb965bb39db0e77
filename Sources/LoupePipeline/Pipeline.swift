import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// Options for drawing a scene as a picture.
public struct RenderOptions: Sendable {
    /// Bits a channel of the picture.
    public var depth = SampleDepth.eight
    /// Whether the double-precision CPU renderer draws, which references are made with; it needs no device.
    public var usesOracle = false
    /// The most pixels of an image; nil is 2²⁸ for images that are held whole, and 2³⁰ for PNGs that are read row by row.
    public var maxPixels: Int?
    /// PNGs of at least so many pixels are read row by row.
    public var streamFrom = 1 << 26
    /// Whether the device draws every pixel, also those that could be copied from an opaque page without it.
    public var drawsEverything = false
    /// How many of the picture's pixels lie on a metre of paper. Nil: as many as its page says, see ``Picture/density``.
    public var density: PixelDensity?
    /// Whether the PNG stores the scene, the program and the device, so that it can be drawn again.
    public var isDescribed = true
    /// Whether the decoded images stay with their source, for another picture of them.
    package var keepsImages = false
    /// The name and version of the program that the PNG stores.
    public var program = "Loupe \(Pipeline.version)"

    /// 8 bits, on a device, with a description.
    public init() {}

    /// For images that are held whole.
    public var heldLimits: ImageLimits { maxPixels.map { ImageLimits(maxPixels: $0) } ?? ImageLimits() }
    /// For images that are read row by row.
    var streamedLimits: ImageLimits { ImageLimits(maxPixels: maxPixels ?? 1 << 30) }
    /// Whether no image is read row by row: that is done in 8 bits only, and with the shaders' numbers.
    var isHoldingAll: Bool { usesOracle || depth == .sixteen }
}

/// Draws scenes, from their images to a ``Picture``, on one device.
///
/// ```swift
/// let scene = try SceneFile.read("page.json")
/// let picture = try Pipeline().render(scene)
/// try picture.write(to: "out.png")
/// ```
///
/// The device starts at the first picture and is kept for the next ones. Use a pipeline from one thread at a time.
///
/// Where no device works, drawing fails, unless the pipeline was made with a fallback: then the reference renderer draws,
/// exactly and without a device, but slower, and holds all images whole.
public final class Pipeline {
    /// The version of Loupe.
    public static let version = "0.2.0"

    private let start: () throws -> Renderer
    /// Called with the reason when the reference renderer draws. Nil: that case is an error.
    private let fallback: ((EGLError) -> Void)?
    private var started: Renderer?
    private var hasFallenBack = false
    /// What the renderer holds, by path; nil where it came from a file.
    private var loaded: [ImagePath: Image?] = [:]

    /// A pipeline that draws on the first device that works, hardware before software.
    public convenience init() { self.init { try Renderer() } }

    /// A pipeline that draws on the device of a choice.
    public convenience init(device: DeviceChoice) { self.init { try Renderer(device: device) } }

    /// A pipeline that draws with the renderer that a function makes, once, when it is needed.
    /// - Parameter fallback: called once, with the reason, where no device works. The reference renderer draws then. Without
    ///   it the reason is thrown.
    public init(fallback: ((EGLError) -> Void)? = nil, starting start: @escaping () throws -> Renderer) {
        (self.start, self.fallback) = (start, fallback)
    }

    /// Whether the device has started.
    var isStarted: Bool { started != nil }

    /// The renderer, started at the first use.
    /// - Throws: `EGLError` where no device works.
    public func renderer() throws -> Renderer {
        if let started { return started }
        let renderer = try start()
        started = renderer
        return renderer
    }

    /// The renderer, or nil where no device works and the reference renderer draws instead.
    /// - Throws: `EGLError` where no device works and the pipeline has no fallback.
    public func device() throws -> Renderer? {
        if hasFallenBack { return nil }
        do {
            return try renderer()
        } catch let error as EGLError {
            guard let fallback else { throw error }
            hasFallenBack = true
            fallback(error)
            return nil
        }
    }

    /// Draws a scene whose image paths are relative to the working folder.
    /// - Throws: as ``render(_:options:)-(SceneFile,_)``.
    public func render(_ scene: Scene, options: RenderOptions = RenderOptions()) throws -> Picture {
        try render(SceneFile(scene), options: options)
    }

    /// Draws a scene over images in memory, by the paths in the scene. The picture has no description.
    /// - Throws: `RenderError`, `EGLError`, `GLError` or `OracleError`, also where an image is missing.
    public func render(
        _ scene: Scene, images: [ImagePath: Image], options: RenderOptions = RenderOptions()
    ) throws -> Picture {
        let shown = images.filter { scene.imagePaths.contains($0.key) }
        let missing = scene.imagePaths.first { shown[$0] == nil }
        if let missing { throw RenderError.missingImage(path: missing) }
        let plan = DrawPlan(scene, images: shown.mapValues(\.traits), depth: options.depth)
        let clock = ContinuousClock()
        let began = clock.now
        let renderer = options.usesOracle ? nil : try device()
        let started = clock.now
        if let renderer {
            let fresh = shown.filter { loaded[$0.key] != $0.value }
            for path in loaded.keys where shown[path] == nil { renderer.unload(path) }
            // What is loaded now where the next line throws.
            loaded = loaded.filter { shown[$0.key] != nil && fresh[$0.key] == nil }
            try renderer.load(fresh)
            loaded = shown.mapValues(Optional.some)
        }
        let image = try renderer?.render(plan) ?? Oracle().render(scene, images: shown, depth: options.depth)
        return Picture(
            image: image, plan: plan, colors: [], device: renderer?.device,
            times: StepTimes(start: started - began, draw: clock.now - started),
            density: options.density, description: nil, program: options.program)
    }

    /// Draws a scene with its images.
    ///
    /// Images are decoded while the device starts. Large PNGs are read row by row and never held whole.
    /// - Throws: `FileError`, `ImageError` and `PipelineError` for images, `RenderError`, `EGLError`, `GLError` and
    ///   `OracleError` for drawing.
    public func render(_ file: SceneFile, options: RenderOptions = RenderOptions()) throws -> Picture {
        try render(options: options) { file }.picture
    }

    /// Draws a scene that is read on another thread while the device starts.
    /// - Parameter read: reads the scene.
    /// - Returns: the picture, and what was read.
    /// - Throws: as ``render(_:options:)-(SceneFile,_)``, and what `read` throws.
    public func render(
        options: RenderOptions = RenderOptions(), reading read: @escaping @Sendable () throws -> SceneFile
    ) throws -> (picture: Picture, file: SceneFile) {
        let clock = ContinuousClock()
        let began = clock.now
        let loading = Background { try LoadedScene(read(), options) }
        let renderer = options.usesOracle ? nil : Result { try self.device() }
        let start = clock.now - began
        // An unusable input is reported before an unusable device.
        var loaded = try loading.take()
        let times = StepTimes(decode: loaded.time, start: start)
        let picture = try draw(&loaded, on: renderer, times)
        if !options.keepsImages { loaded.source.release() }
        return (picture, loaded.file)
    }

    /// - Parameter renderer: nil where the reference renderer draws.
    private func draw(
        _ loaded: inout LoadedScene, on renderer: Result<Renderer?, any Error>?, _ times: StepTimes
    ) throws -> Picture {
        guard let renderer = try renderer?.get() ?? nil else { return try loaded.drawnByReference(times) }
        let clock = ContinuousClock()
        let began = clock.now
        let is16Bit = loaded.options.depth == .sixteen
        let moved = try upload(&loaded, on: renderer)
        // The images are freed now, and would stay in memory beside the picture.
        if is16Bit { Memory.tidy() }
        let image = try renderer.render(loaded.plan, streams: loaded.streams + moved)
        // Textures of 16 bits take as much memory as the picture, which its encoding needs.
        if is16Bit { try load([:], into: renderer) }
        var times = times
        times.draw = clock.now - began
        return loaded.picture(image, times: times, device: renderer.device)
    }

    /// Hands the images to the device. Those that need not become textures are moved into streams.
    private func upload(_ loaded: inout LoadedScene, on renderer: Renderer) throws -> [ImageStream] {
        defer { loaded.images.free() }
        let images = loaded.images.images
        let moved =
            loaded.options.drawsEverything || !loaded.streams.isEmpty
            ? []
            : images.compactMap {
                ImageStream($0, moving: $1, for: loaded.plan, filtersOnDevice: !renderer.device.isSoftware)
            }
        let paths = Set(moved.map(\.path))
        try load(images.filter { !paths.contains($0.key) }, into: renderer)
        return moved
    }

    /// Replaces the images of the last picture.
    private func load(_ images: [ImagePath: Image], into renderer: Renderer) throws {
        for path in loaded.keys where images[path] == nil { renderer.unload(path) }
        loaded = images.mapValues { _ in nil }
        try renderer.load(images)
    }
}

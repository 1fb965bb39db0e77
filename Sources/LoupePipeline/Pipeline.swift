import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene

/// How a scene becomes a picture.
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
    /// How the picture is to be packed as a PNG. Then rows that no loupe covers are packed while the device starts and draws. Nil
    /// where it is not known, or where other pictures are drawn at the same time.
    public var packing: PNGOptions?
    /// How many of the picture's pixels lie on a metre of paper. Nil: as many as its page says, see ``Picture/density``.
    public var density: PixelDensity?
    /// Whether the PNG stores the scene, the program and the device, so that it can be drawn again.
    public var isDescribed = true
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
        var clock = Stopwatch()
        let renderer = options.usesOracle ? nil : try device()
        clock.lap(\.start)
        try renderer?.load(shown.filter { loaded[$0.key] != $0.value })
        if renderer != nil { loaded.merge(shown.mapValues(Optional.some)) { $1 } }
        let image = try renderer?.render(plan) ?? Oracle().render(scene, images: shown, depth: options.depth)
        clock.lap(\.draw)
        return Picture(
            image: image, plan: plan, colors: [], device: renderer?.device, times: clock.times,
            density: options.density,
            description: nil, program: options.program)
    }

    /// Draws a scene with its images.
    ///
    /// Images are decoded while the device starts. Large PNGs are read row by row and never held whole.
    /// - Throws: `FileError`, `ImageError` and `PipelineError` for images, `RenderError`, `EGLError`, `GLError` and
    ///   `OracleError` for drawing.
    public func render(_ file: SceneFile, options: RenderOptions = RenderOptions()) throws -> Picture {
        // Until the page is decoded: its pixels may decide other filters, but no other shaders.
        let scene = try file.sceneOfOrdinaryPage()
        let source = file.images.keepingDepth(options.depth == .sixteen)
        var clock = Stopwatch()
        let large =
            options.isHoldingAll ? [] : try source.large(among: scene.imagePaths, from: options.streamFrom)
        let small = scene.imagePaths.filter { !large.contains($0) }
        let early = EarlyPlan(scene, source, depth: options.depth)
        let packing =
            large.isEmpty && !options.usesOracle && !options.drawsEverything
            ? options.packing.map(PackingAhead.init) : nil
        let images = Background { () -> LoadedImages in
            let clock = ContinuousClock()
            let began = clock.now
            let images = try SceneImages(
                small, of: file.scene, from: source, limits: options.heldLimits, depth: options.depth,
                choice: file.filterChoice)
            guard large.isEmpty else { return LoadedImages(images: images, plan: nil, time: clock.now - began) }
            let plan = early.plan(of: file.completed(by: images), over: images)
            packing?.take(images.images, plan)
            return LoadedImages(images: images, plan: plan, time: clock.now - began)
        }
        packing?.start(after: images)
        defer { packing?.end() }
        // Once the processor that decodes is free: the picture is drawn before anything asks for them.
        let needsDigests = options.isDescribed || !source.recorded.isEmpty
        let digests = needsDigests ? Background(after: images) { try source.digests(of: scene.imagePaths) } : nil
        let drawing =
            if options.usesOracle {
                try drawReference(images.take(), options, &clock)
            } else if large.isEmpty {
                try draw(images, early, packing, options, &clock)
            } else {
                try draw(file, source, images, early, streaming: large, options, &clock)
            }
        let known = try digests?.take()
        let density = try options.density ?? file.density()
        source.release()
        return Picture(
            image: drawing.image, plan: drawing.plan, colors: drawing.colors, device: drawing.device,
            times: clock.times, density: density,
            description: known.map {
                SelfDescription(
                    scene: drawing.plan.scene, source: source, digests: $0, isStored: options.isDescribed)
            }, program: options.program, packed: drawing.packed)
    }

    /// Images in memory.
    private struct LoadedImages: Sendable {
        let images: SceneImages
        /// The plan of the complete scene; nil where other images of it are read row by row.
        let plan: DrawPlan?
        /// How long it took.
        let time: Duration
    }

    private struct Drawing {
        let image: Image
        let plan: DrawPlan
        let colors: [ImageColor]
        let device: DeviceInfo?
        var packed: PNGSequence.Frame?
    }

    /// Starts the device while the images are decoded, and lets it compile what it will need for as long as they take.
    private func draw(
        _ loading: Background<LoadedImages>, _ early: EarlyPlan, _ packing: PackingAhead?, _ options: RenderOptions,
        _ clock: inout Stopwatch
    ) throws -> Drawing {
        let renderer = Result { try self.device() }
        clock.lap(\.start)
        guard let renderer = renderer.unwrapped else { return try drawReference(loading.take(), options, &clock) }
        if !loading.isDone, let renderer = try? renderer.get() {
            // Assuming opaque images is enough: opacity decides no program.
            let guess = try early.guess()
            try renderer.warmUp(guess.plan, images: guess.traits)
        }
        // An unusable input is reported before an unusable device.
        let (plan, colors, moved) = try upload(loading.take(), renderer: renderer, options, &clock)
        // The images are freed now, and would stay in memory beside the picture.
        if options.depth == .sixteen { Memory.tidy() }
        let image = try renderer.get().render(plan, streams: moved) { packing?.end() }
        // Textures of 16 bits take as much memory as the picture, which its encoding needs.
        if options.depth == .sixteen { try load([:], into: renderer.get()) }
        clock.lap(\.draw)
        return Drawing(
            image: image, plan: plan, colors: colors, device: try renderer.get().device,
            packed: moved.isEmpty ? nil : packing?.frame(of: image))
    }

    /// The same where some images are read row by row: each keeps what the scene shows of it.
    private func draw(
        _ file: SceneFile, _ source: ImageSource, _ loading: Background<LoadedImages>, _ early: EarlyPlan,
        streaming large: [ImagePath], _ options: RenderOptions, _ clock: inout Stopwatch
    ) throws -> Drawing {
        let scene = try file.sceneOfOrdinaryPage()
        let renderer = Result { try self.device() }
        clock.lap(\.start)
        guard let renderer = renderer.unwrapped else {
            return try drawReference(holding(file, source, options), options, &clock)
        }
        let guess = try early.guess()
        // What the canvas and the loupes can show of a page, filtered.
        let (width, height) = (scene.canvas.width, scene.canvas.height)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 16 * large.count) else {
            throw RenderError.outOfMemory(width: width, height: height)
        }
        let page = file.probed
        var texels: [ImagePath: PageColors.Texels] = [:]
        let streams = try large.map { path -> (ImageStream, ImageColor) in
            let rows = try source.rows(of: path, limits: options.streamedLimits)
            let size = ImageSize(width: rows.width, height: rows.height)
            let stream = ImageStream(path, size: size, for: guess.plan)
            let samples = page?.texels(of: path, size)
            try rows.forEachConvertedBand { band, rows in
                stream.take(band, rows: rows)
                samples?.take(band, rows: rows)
            }
            texels[path] = samples?.texels
            return (stream, ImageColor(path, converting: rows.color))
        }
        let held = try loading.take()
        clock.lap(\.decode)
        let traits = held.images.traits.merging(streams.map { ($0.0.path, $0.0.traits) }) { $1 }
        let isOpaque = streams.allSatisfy(\.0.isOpaque) && held.images.images.values.allSatisfy(\.isOpaque)
        let complete = file.completed(held.images.scene, isOpaque: !file.keepsTransparency || isOpaque) { page in
            page.colors { texels[$0] ?? held.images.images[$0].map(PageColors.texels) }
        }
        let plan = early.plan(of: complete, for: traits)
        try load(held.images.images, into: renderer.get())
        let image = try renderer.get().render(plan, streams: streams.map(\.0))
        clock.lap(\.draw)
        let known = held.images.colors + streams.map(\.1)
        let colors = scene.imagePaths.compactMap { path in known.first { $0.path == path } }
        return Drawing(image: image, plan: plan, colors: colors, device: try renderer.get().device)
    }

    /// Hands the images to the device. Those that need not become textures are moved into streams, and the rest is freed
    /// at the end.
    private func upload(
        _ held: LoadedImages, renderer: Result<Renderer, any Error>, _ options: RenderOptions, _ clock: inout Stopwatch
    ) throws -> (DrawPlan, [ImageColor], moved: [ImageStream]) {
        clock.set(\.decode, held.time)
        guard let plan = held.plan else { preconditionFailure("all images are held whole") }
        let hasHardware = (try? renderer.get())?.device.isSoftware == false
        let moved =
            options.drawsEverything
            ? []
            : held.images.images.compactMap {
                ImageStream($0, moving: $1, for: plan, filtersOnDevice: hasHardware)
            }
        let paths = Set(moved.map(\.path))
        try load(held.images.images.filter { !paths.contains($0.key) }, into: renderer.get())
        return (plan, held.images.colors, moved)
    }

    /// Replaces the images of the last picture.
    private func load(_ images: [ImagePath: Image], into renderer: Renderer) throws {
        for path in loaded.keys where images[path] == nil { renderer.unload(path) }
        loaded = images.mapValues { _ in nil }
        try renderer.load(images)
    }

    /// All images of a scene, held whole, as the reference renderer needs them.
    private func holding(_ file: SceneFile, _ source: ImageSource, _ options: RenderOptions) throws -> LoadedImages {
        do {
            let clock = ContinuousClock()
            let began = clock.now
            let images = try SceneImages(
                file.sceneOfOrdinaryPage().imagePaths, of: file.scene, from: source, limits: options.heldLimits,
                choice: file.filterChoice)
            let plan = DrawPlan(file.completed(by: images), images: images.traits, depth: options.depth)
            return LoadedImages(images: images, plan: plan, time: clock.now - began)
        } catch PipelineError.tooManyPixels(let error, let pixels, _) {
            throw PipelineError.tooManyPixels(error, pixels: pixels, heldFor: .reference)
        }
    }

    private func drawReference(
        _ held: LoadedImages, _ options: RenderOptions, _ clock: inout Stopwatch
    ) throws -> Drawing {
        clock.set(\.decode, held.time)
        guard let plan = held.plan else { preconditionFailure("all images are held whole") }
        let image = try Oracle().render(plan.scene, images: held.images.images, depth: options.depth)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, colors: held.images.colors, device: nil)
    }
}

extension Result<Renderer?, any Error> {
    /// The renderer, or why there is none; nil where the reference renderer draws.
    fileprivate var unwrapped: Result<Renderer, any Error>? {
        switch self {
        case .success(let renderer): renderer.map(Result<Renderer, any Error>.success)
        case .failure(let error): .failure(error)
        }
    }
}

import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A scene whose images are read: all that drawing it needs but a device.
struct LoadedScene: Sendable {
    let file: SceneFile
    let options: RenderOptions
    let source: ImageSource
    /// The images that are held whole.
    var images: SceneImages
    /// What the scene shows of images that are read row by row.
    // No longer written to, and taken by one renderer.
    nonisolated(unsafe) let streams: [ImageStream]
    /// The plan of the scene, in which images have the names of ``images``.
    let plan: DrawPlan
    /// In the order of the scene.
    let colors: [ImageColor]
    private let density: PixelDensity?
    /// What the picture stores about itself, or is compared with; nil where it does neither.
    private let description: SelfDescription?
    /// How long it took.
    let time: Duration

    /// - Parameter cache: images that other pictures show, too.
    /// - Throws: `ImageError` and `PipelineError` for images, `RenderError.outOfMemory`.
    init(_ file: SceneFile, _ options: RenderOptions, cache: ImageCache? = nil) throws {
        let (clock, scene) = (ContinuousClock(), file.scene)
        let began = clock.now
        (self.file, self.options) = (file, options)
        let source = file.images.reading(options.depth, sharing: cache)
        self.source = source
        let large = options.isHoldingAll ? [] : try source.large(among: scene.imagePaths, from: options.streamFrom)
        images = try SceneImages(
            scene.imagePaths.filter { !large.contains($0) }, of: scene, from: source, limits: options.heldLimits,
            depth: options.depth, sharesNames: source.isSharing)
        if !options.keepsImages { source.forgetImages() }
        let streams = try Self.streams(large, of: file, from: source, options)
        self.streams = streams.map(\.stream)
        let known = images.colors + streams.map(\.color)
        colors = scene.imagePaths.compactMap { path in known.first { $0.path == path } }
        let traits = images.traits.merging(streams.map { ($0.stream.path, $0.stream.traits) }) { $1 }
        plan = DrawPlan(images.renaming(scene), images: traits, depth: options.depth)
        density = try options.density ?? file.density()
        description = try Self.description(of: file, from: source, images, options)
        time = clock.now - began
    }

    /// Reads the images' files.
    private static func description(
        of file: SceneFile, from source: ImageSource, _ images: SceneImages, _ options: RenderOptions
    ) throws -> SelfDescription? {
        let needsDigests = options.isDescribed || !source.recorded.isEmpty
        guard needsDigests || file.scene.alt != nil else { return nil }
        var digests: [ImagePath: String] = [:]
        for path in needsDigests ? file.scene.imagePaths : [] {
            let read = { try source.file(of: path).digest() }
            digests[path] = try images.shared[path]?.image.digest(read) ?? read()
        }
        return SelfDescription(
            scene: file.scene, source: source, digests: digests, asked: file.asked, isStored: options.isDescribed)
    }

    /// Reads images row by row; each keeps what the scene shows of it.
    private static func streams(
        _ paths: [ImagePath], of file: SceneFile, from source: ImageSource, _ options: RenderOptions
    ) throws -> [(stream: ImageStream, color: ImageColor)] {
        let scene = file.scene
        // What the canvas and the loupes can show of a page, filtered.
        let (width, height) = (scene.canvas.width, scene.canvas.height)
        guard paths.isEmpty || Memory.hasRoom(forPixels: width, height, bytesPerPixel: 16 * paths.count) else {
            throw RenderError.outOfMemory(width: width, height: height)
        }
        return try paths.map { path in
            let rows = try source.rows(of: path, limits: options.streamedLimits)
            let color = ImageColor(path, converting: rows.color)
            if let stream = file.streams[path] { return (stream, color) }
            let guess = DrawPlan(scene, images: try source.traits(of: scene.imagePaths), depth: options.depth)
            let stream = ImageStream(path, size: ImageSize(width: rows.width, height: rows.height), for: guess)
            try rows.forEachConvertedBand { band, rows in stream.take(band, rows: rows) }
            return (stream, color)
        }
    }

    /// - Parameter device: nil for the reference renderer.
    func picture(_ image: Image, times: StepTimes, device: DeviceInfo?) -> Picture {
        Picture(
            image: image, plan: plan, colors: colors, device: device, times: times, density: density,
            description: description, program: options.program)
    }

    /// Draws by the reference renderer, which needs all images held whole.
    func drawnByReference(_ times: StepTimes) throws -> Picture {
        guard streams.isEmpty else {
            var options = options
            options.usesOracle = true
            return try LoadedScene(file, options).drawnByReference(times)
        }
        var (times, image) = (times, Image?.none)
        times.draw = try ContinuousClock().measure {
            image = try Oracle().render(plan.scene, images: images.images, depth: options.depth)
        }
        return picture(image!, times: times, device: nil)
    }
}

import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene

/// A job that needs nothing more but the device.
struct PreparedJob: Sendable {
    enum Work: Sendable {
        case draw
        /// The reference renderer has drawn it.
        case encode(Image)
        /// Its output is there already.
        case nothing
    }

    let render: Render
    /// Images have the names under which jobs share them.
    let plan: DrawPlan
    let images: [String: JobImage]
    let colors: [ImageColor]
    let description: SelfDescription
    let work: Work
    var times = Stopwatch.Times()

    /// - Parameter resumes: whether a finished output ends the job.
    init(_ job: Job, cache: ImageCache, resumes: Bool) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let order = try job.order()
        let (named, source) = try order.readScene()
        render = order.render
        try render.checkFiles(of: named, from: source)
        if resumes, let output = render.output,
            FinishedOutput.isUpToDate(output, with: [render.input] + named.imagePaths.map(source.place)),
            [render.stats, render.beside.map].compactMap(\.self).allSatisfy(ImageSource.exists)
        {
            (plan, images, colors, work) = (DrawPlan(Scene(canvas: named.canvas), images: [:]), [:], [], .nothing)
            description = SelfDescription(scene: named, source: source, digests: [:])
            return
        }
        let shown = try Self.images(of: named, source, cache, limits: render.limits.held)
        let scene = named.renamingImages { shown[$0]?.name ?? $0 }
        images = Dictionary(shown.values.map { ($0.name, $0) }) { first, _ in first }
        colors = named.imagePaths.compactMap { shown[$0]?.color }
        let digests = render.needsDigests(of: source) ? try Self.digests(of: shown, source) : [:]
        description = SelfDescription(scene: named, source: source, digests: digests)
        plan = DrawPlan(scene, images: images.mapValues(\.shared.traits), depth: render.beside.depth)
        let decoded = clock.now
        times.decode = decoded - start
        guard render.reference else {
            work = .draw
            return
        }
        work = .encode(
            try Oracle().render(
                scene, images: images.mapValues(\.image), depth: render.beside.depth))
        times.draw = clock.now - decoded
    }

    /// By the path in the scene.
    private static func images(
        of scene: Scene, _ source: ImageSource, _ cache: ImageCache, limits: ImageLimits
    ) throws -> [String: JobImage] {
        var images: [String: JobImage] = [:]
        for path in scene.imagePaths {
            let name = source.sharedName(of: path)
            let shared = try cache.image(at: source.place(of: path), as: name) {
                try source.picture(at: path, limits: limits)
            }
            images[path] = try JobImage(shared, name: name, path: path, in: scene)
        }
        return images
    }

    private static func digests(of images: [String: JobImage], _ source: ImageSource) throws -> [String: String] {
        var digests: [String: String] = [:]
        for (path, image) in images {
            digests[path] = try image.shared.digest { try source.digest(of: path) }
        }
        return digests
    }
}

/// An image as one job shows it.
struct JobImage: Sendable {
    let shared: SharedImage
    /// As it is drawn: in sRGB, or its own numbers.
    let image: Image
    /// What tells it from other images, and from the same that is drawn otherwise.
    let name: String
    let color: ImageColor

    init(_ shared: SharedImage, name: String, path: String, in scene: Scene) throws {
        self.shared = shared
        color = try ImageColor(path, shared.picture, in: scene)
        image = color.isCarried ? shared.picture.image : try shared.converted()
        self.name = name + (color.isCarried ? " (as stored)" : "")
    }
}

/// Tells whether an earlier run has done a job.
enum FinishedOutput {
    /// Whether a whole PNG lies at a path and is no older than each of the files that it shows.
    static func isUpToDate(_ path: String, with inputs: [String]) -> Bool {
        guard let version = FileVersion(of: path), PNG.isWhole(path: path) else { return false }
        return inputs.compactMap(FileVersion.init(of:)).allSatisfy { !version.isOlder(than: $0) }
    }
}

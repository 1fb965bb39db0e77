import LoupeImaging
import LoupeOracle
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
    /// Images are named by their paths without links.
    let plan: DrawPlan
    let images: [String: SharedImage]
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
        let scene = named.renamingImages { source.place(of: $0) }
        if resumes, let output = render.output,
            FinishedOutput.isUpToDate(output, with: [render.input] + scene.imagePaths)
        {
            (plan, images, work) = (DrawPlan(Scene(canvas: scene.canvas), images: [:]), [:], .nothing)
            description = SelfDescription(scene: named, source: source, digests: [:])
            return
        }
        images = try Self.images(of: named, source, cache)
        let digests = render.needsDigests(of: source) ? try Self.digests(of: named, source, images) : [:]
        description = SelfDescription(scene: named, source: source, digests: digests)
        plan = DrawPlan(scene, images: images.mapValues(\.traits))
        let decoded = clock.now
        times.decode = decoded - start
        guard render.reference else {
            work = .draw
            return
        }
        work = .encode(try Oracle().render(scene, images: images.mapValues(\.image)))
        times.draw = clock.now - decoded
    }

    private static func images(
        of scene: Scene, _ source: ImageSource, _ cache: ImageCache
    ) throws -> [String: SharedImage] {
        var images: [String: SharedImage] = [:]
        for path in scene.imagePaths {
            let place = source.place(of: path)
            images[place] = try cache.image(at: place) { try source.image(at: path) }
        }
        return images
    }
}

extension PreparedJob {
    private static func digests(
        of scene: Scene, _ source: ImageSource, _ images: [String: SharedImage]
    ) throws -> [String: String] {
        var digests: [String: String] = [:]
        for path in scene.imagePaths {
            digests[path] = try images[source.place(of: path)]?.digest {
                try SelfDescription.digest(source.file(at: path))
            }
        }
        return digests
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

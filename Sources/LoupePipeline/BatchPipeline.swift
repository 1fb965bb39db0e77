import Dispatch
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem
import Synchronization

/// One picture of a batch.
public struct BatchJob: Sendable {
    let file: SceneFile
    let options: RenderOptions
    /// Sentences about what is not seen, drawn or stored.
    let warnings: @Sendable (Picture) throws -> [String]
    let write: @Sendable (Picture) throws -> Void
    /// Does all that there is to do; nil where a device draws.
    private(set) var carryOut: (@Sendable () throws -> [String])?

    /// A scene to draw, and a function that writes its picture. The function runs on another thread than the drawing.
    /// - Parameter warnings: sentences about its picture; nil for those about the scene and what is drawn.
    public init(
        _ file: SceneFile, options: RenderOptions, warnings: (@Sendable (Picture) throws -> [String])? = nil,
        write: @escaping @Sendable (Picture) throws -> Void
    ) {
        (self.file, self.options, self.write) = (file, options, write)
        self.warnings = warnings ?? { try file.unseen + $0.warnings() }
    }
}

extension BatchJob {
    /// A scene that a function draws and writes without a device. It runs on another thread than the drawing, and returns
    /// warnings.
    public init(_ file: SceneFile, carryOut: @escaping @Sendable () throws -> [String]) {
        self.init(file, options: RenderOptions()) { _ in }
        self.carryOut = carryOut
    }
}

/// An event of a job in a batch: how the job ended, or what happened on the way.
public enum BatchEvent: Sendable {
    /// Its pixels are there; nil where no device drew it. Only encoding and writing its picture can still fail; another
    /// event says how that ended.
    case rendered(Picture?)
    /// Its picture is written.
    case drawn
    /// There was nothing to draw.
    case skipped
    /// It failed; the others continue.
    case failed(any Error)
    /// It is drawn, but something looks wrong: an image has changed since the picture was made that is drawn again, or a
    /// loupe shows nothing. The text is a sentence.
    case warned(String)
}

/// Draws many scenes on one device.
///
/// One thread draws, in the order of the jobs. The next jobs are prepared and the last pictures encoded on other threads, a
/// bounded number of each, so that memory does not grow with the number of jobs. Images that several jobs show are
/// decoded once.
public struct BatchPipeline {
    private let pipeline: Pipeline
    private let width: Int
    /// The images that jobs share.
    public let cache = ImageCache()
    private let group = DispatchGroup()
    /// Bounds the pictures that wait for an encoder.
    private let room: DispatchSemaphore
    /// What the renderer holds, by the images' names.
    private var loaded: [ImagePath: SharedImage] = [:]

    /// - Parameters:
    ///   - pipeline: its device starts at the first job that needs one.
    ///   - width: how many jobs are prepared, and how many pictures encoded, at once; 1 or more.
    public init(_ pipeline: Pipeline, width: Int) {
        (self.pipeline, self.width) = (pipeline, width)
        room = DispatchSemaphore(value: width + 1)
    }

    /// Carries out jobs until all are done or `isCancelled` is true; then every drawn picture is written.
    /// - Parameters:
    ///   - prepare: reads what a job needs, on another thread; nil skips the job.
    ///   - note: called on any thread.
    ///   - isCancelled: asked before each job.
    /// - Throws: `EGLError` where no device works; all other errors go to `note`.
    public mutating func run<Job: Sendable>(
        _ jobs: [Job], prepare: @escaping @Sendable (Job) throws -> BatchJob?,
        note: @escaping @Sendable (Job, BatchEvent) -> Void, isCancelled: () -> Bool = { false }
    ) throws {
        let taken = Mutex(0)
        let next = { @Sendable () -> Job? in
            taken.withLock { taken in
                guard taken < jobs.count else { return nil }
                defer { taken += 1 }
                return jobs[taken]
            }
        }
        try run(next, prepare: prepare, note: note, isCancelled: isCancelled)
    }

    /// Carries out jobs that come one by one, until there is none or `isCancelled` is true; then every drawn picture is
    /// written. A job is drawn without waiting for the next one.
    /// - Parameters:
    ///   - next: the next job, for which it may wait; nil at the end. It is called on another thread, at most as many
    ///     jobs ahead as are prepared at once.
    ///   - prepare: reads what a job needs, on another thread; nil skips the job.
    ///   - note: called on any thread. A job's warnings come before its end.
    ///   - isCancelled: asked before each job.
    /// - Throws: `EGLError` where no device works; all other errors go to `note`.
    public mutating func run<Job: Sendable>(
        _ next: @escaping @Sendable () -> Job?, prepare: @escaping @Sendable (Job) throws -> BatchJob?,
        note: @escaping @Sendable (Job, BatchEvent) -> Void, isCancelled: () -> Bool = { false }
    ) throws {
        // Pictures that are drawn are written, also where an error ends the batch.
        defer { group.wait() }
        let queue = JobQueue(next, width: width) { [cache] job in
            try prepare(job).map { try Self.step($0, cache) }
        }
        defer { queue.close() }
        while let (entry, preparation) = queue.take() {
            if isCancelled() { return }
            do {
                guard let (job, scene, warnings) = try preparation.take() else {
                    note(entry, .skipped)
                    continue
                }
                if let scene {
                    finish(try drawing(of: scene), job) { note(entry, $0) }
                } else {
                    for event in warnings.map(BatchEvent.warned) + [.rendered(nil), .drawn] { note(entry, event) }
                }
            } catch let error as EGLError where !pipeline.isStarted {
                throw error
            } catch {
                note(entry, .failed(error))
            }
        }
    }

    /// What is done of a job before the device is asked: the scene to draw; or nil and warnings where all is done.
    private static func step(_ job: BatchJob, _ cache: ImageCache) throws -> Step {
        if let carryOut = job.carryOut { return (job, nil, try job.file.unseen + carryOut()) }
        let scene = try LoadedScene(job.file, job.options, cache: cache)
        scene.source.release()
        return (job, scene, [])
    }

    private typealias Step = (job: BatchJob, scene: LoadedScene?, warnings: [String])

    /// Draws a job, or leaves that to the thread that encodes it: the reference renderer draws several side by side.
    private mutating func drawing(of scene: LoadedScene) throws -> @Sendable () throws -> Picture {
        var times = StepTimes(decode: scene.time)
        guard !scene.options.usesOracle, let renderer = try pipeline.device() else {
            return { [times] in try scene.drawnByReference(times) }
        }
        var image: Image?
        times.draw = try ContinuousClock().measure {
            for (name, image) in scene.images.shared.values where loaded[name] !== image {
                loaded[name] = nil
                try renderer.load(scene.images.images.filter { $0.key == name })
                loaded[name] = image
            }
            image = try renderer.render(scene.plan, streams: scene.streams)
        }
        // Images that the cache has dropped leave the device too.
        for (name, image) in loaded where !cache.holds(image) {
            renderer.unload(name)
            loaded[name] = nil
        }
        let picture = scene.picture(image!, times: times, device: renderer.device)
        return { picture }
    }

    /// Writes a picture, and what is to be said of it, on another thread.
    private func finish(
        _ picture: @escaping @Sendable () throws -> Picture, _ job: BatchJob,
        _ note: @escaping @Sendable (BatchEvent) -> Void
    ) {
        room.wait()
        group.enter()
        let write = { @Sendable [room, group] in
            do {
                let picture = try picture()
                for sentence in try job.warnings(picture) { note(.warned(sentence)) }
                note(.rendered(picture))
                try job.write(picture)
                note(.drawn)
            } catch {
                note(.failed(error))
            }
            room.signal()
            group.leave()
        }
        if !Threads.start(write) { write() }
    }
}

/// The next jobs in their order, whose preparation has started.
private final class JobQueue<Job: Sendable, Prepared: Sendable>: Sendable {
    typealias Entry = (job: Job, preparation: Background<Prepared?, any Error>)

    private struct State: Sendable {
        var entries: [Entry] = []
        var isClosed = false
    }

    private let next: @Sendable () -> Job?
    private let prepare: @Sendable (Job) throws -> Prepared?
    private let state = Mutex(State())
    /// Signalled for each job that may be asked for, and for each entry or the end.
    private let (room, filled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    /// Whether a thread asks for the jobs; without one they are asked for when they are taken.
    private let isFed: Mutex<Bool> = Mutex(false)

    /// - Parameter width: how many jobs are asked for before they are taken.
    init(_ next: @escaping @Sendable () -> Job?, width: Int, prepare: @escaping @Sendable (Job) throws -> Prepared?) {
        (self.next, self.prepare) = (next, prepare)
        for _ in 0..<width { room.signal() }
        let isStarted = Threads.start { self.feed() }
        isFed.withLock { $0 = isStarted }
    }

    private func feed() {
        while true {
            room.wait()
            if state.withLock(\.isClosed) { return }
            guard let entry = entry() else { break }
            state.withLock { $0.entries.append(entry) }
            filled.signal()
        }
        filled.signal()
    }

    private func entry() -> Entry? {
        next().map { job in (job, Background { [prepare] in try prepare(job) }) }
    }

    /// The next job, for which it waits; nil at the end. To be called from one thread.
    func take() -> Entry? {
        guard isFed.withLock(\.self) else { return entry() }
        filled.wait()
        let entry = state.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
        room.signal()
        return entry
    }

    /// Asks for no more jobs.
    func close() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }
}

import Dispatch
import LoupeImaging
import LoupeJSON
import LoupeRenderer
import LoupeScene

/// Carries out jobs: the next ones are prepared and the last ones encoded on other threads while one is drawn.
struct BatchRunner {
    private let list: String
    private let jobs: [Job]
    private let options: Batch
    private let cache = ImageCache()
    private let encoders = DispatchQueue(label: "encoders", attributes: .concurrent)
    private let group = DispatchGroup()
    /// So few pictures wait at once that memory stays the same however many jobs there are.
    private let room: DispatchSemaphore
    private let tally: BatchTally
    /// Made for the first job that needs it, kept for all.
    private var renderer: Renderer?
    /// What the renderer holds, by the images' names.
    private var loaded: [String: SharedImage] = [:]

    init(list: String, jobs: [Job], options: Batch) {
        (self.list, self.jobs, self.options) = (list, jobs, options)
        room = DispatchSemaphore(value: options.width + 1)
        tally = BatchTally(list: list, total: jobs.count, isQuiet: options.quiet)
    }

    /// - Throws: `Failure` where there is no device, or where it was interrupted.
    mutating func run() throws -> BatchTally {
        // Pictures that are drawn are written, whatever becomes of the rest.
        defer { group.wait() }
        var waiting: [Background<PreparedJob>] = []
        var next = 0
        for job in jobs {
            while next < jobs.count, waiting.count < options.width {
                waiting.append(prepare(jobs[next]))
                next += 1
            }
            if Interruption.isRequested { break }
            let prepared = Result { try waiting.removeFirst().take() }
            try handle(job, prepared)
        }
        group.wait()
        tally.end()
        try Interruption.check("interrupted; \(tally.summary); --resume draws the rest")
        return tally
    }

    private func prepare(_ job: Job) -> Background<PreparedJob> {
        Background { [cache, resumes = options.resume] in try PreparedJob(job, cache: cache, resumes: resumes) }
    }

    private mutating func handle(_ job: Job, _ prepared: Result<PreparedJob, any Error>) throws {
        do {
            let prepared = try prepared.get()
            switch prepared.work {
            case .nothing: tally.noteSkipped()
            case .encode(let image): encode(image, job, prepared, device: nil)
            case .draw: try draw(job, prepared)
            }
            for change in prepared.description.changes { tally.warn(change, of: job) }
        } catch let failure as Failure where failure.code == .noDevice {
            throw failure
        } catch {
            tally.note(error, of: job)
        }
    }

    private mutating func draw(_ job: Job, _ prepared: PreparedJob) throws {
        let renderer = try device()
        let clock = ContinuousClock()
        let start = clock.now
        try load(prepared.images, into: renderer)
        var prepared = prepared
        let image = try renderer.render(prepared.plan)
        prepared.times.draw = clock.now - start
        unload(from: renderer)
        encode(image, job, prepared, device: renderer.device)
    }

    private mutating func device() throws -> Renderer {
        if let renderer { return renderer }
        do {
            let fresh = try Renderer.started(on: options.device.device)
            renderer = fresh
            return fresh
        } catch {
            throw Failure(error)
        }
    }

    private mutating func load(_ images: [String: JobImage], into renderer: Renderer) throws {
        for (name, image) in images where loaded[name] !== image.shared {
            loaded[name] = nil
            try renderer.load([name: image.image])
            loaded[name] = image.shared
        }
    }

    /// Lets go of what the cache has let go of.
    private mutating func unload(from renderer: Renderer) {
        for (name, image) in loaded where !cache.holds(image) {
            renderer.unload(name)
            loaded[name] = nil
        }
    }

    private func encode(_ image: Image, _ job: Job, _ prepared: PreparedJob, device: DeviceInfo?) {
        room.wait()
        encoders.async(group: group) { [tally, room] in
            defer { room.signal() }
            do {
                try prepared.write(image, device: device)
                tally.noteDrawn()
            } catch {
                tally.note(error, of: job)
            }
        }
    }
}

extension PreparedJob {
    /// Encodes the picture and writes all that the job asks for, the picture last: `--resume` goes by it.
    func write(_ image: Image, device: DeviceInfo?) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let bytes = try PNG.encode(image, options: render.options(description, colors: colors, device: device))
        var times = times
        times.encode = clock.now - start
        times.total = times.decode + times.draw + times.encode
        try render.writeMap(of: description.scene, from: description.source)
        if let stats = render.stats {
            try Output(stats).write(
                Statistics(device: device, plan: plan, colors: colors, times: times).json.text() + "\n")
        }
        if let output = render.output { try Output(output).write(bytes) }
    }
}

import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupeMotion
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Carries out a replay: which frames, drawn how, to where.
struct Replayer {
    private let options: Replay
    private let session: Session
    private let images: ImageSource
    private let numbers: [Int]

    private static let framesBetweenTidying = 500

    init(options: Replay) throws {
        self.options = options
        let allowsOutside = options.files.allowOutside
        images = ImageSource(besideSceneFile: options.session, allowsOutside: allowsOutside)
        session = try Self.read(options.session, images, allowsOutside: allowsOutside)
        numbers = try Self.numbers(of: session, options)
    }

    private static func read(_ name: String, _ images: ImageSource, allowsOutside: Bool) throws -> Session {
        let input = try Input(name)
        guard case .scene(let bytes) = input.content else {
            throw Failure(.badInput, "\(name.inputName): a picture, not a session; loupe-render render draws pages")
        }
        do {
            let decoder = SessionDecoder(
                refusal: { path, folder in
                    let source = ImageSource(
                        besideSceneFile: ImageSource.folder(ofFile: name) + folder, allowsOutside: allowsOutside)
                    return source.refusal(of: path)
                },
                imageSize: images.size(of:), file: images.file(at:))
            return try decoder.decode(bytes)
        } catch let error as DocumentError {
            throw Failure(.badInput, "\(name.inputName): \(error.description)")
        }
    }

    /// The numbers of the frames that are asked for.
    private static func numbers(of session: Session, _ options: Replay) throws -> [Int] {
        let between = (0..<session.frameCount).filter { number in
            let time = session.time(ofFrame: number)
            return time >= (options.from ?? 0) && time < (options.to ?? .infinity)
        }
        let chosen = stride(from: 0, to: between.count, by: options.every).map { between[$0] }
        guard !chosen.isEmpty else {
            throw Failure(
                .usage, "--from, --to: no frame lies there; the session lasts \(session.duration.plain) s")
        }
        guard let sheet = options.sheet else { return chosen }
        let places = sheet.columns * sheet.rows
        guard places > 1, chosen.count > places else { return Array(chosen.prefix(places)) }
        return (0..<places).map { chosen[$0 * (chosen.count - 1) / (places - 1)] }
    }

    func run() throws {
        Interruption.watch()
        if let time = options.sceneAt {
            return try Output.standard.write(SceneEncoder().encode(frame(at: time).scene))
        }
        if let timeline = options.timeline { try writeTimeline(to: timeline) }
        if let states = options.states { try writeStates(to: states) }
        if options.dryRun { return }
        guard let output = options.output else { return }
        try draw(to: output)
    }

    private func frame(_ number: Int) -> MotionFrame { frame(at: session.time(ofFrame: number)) }

    private func frame(at time: Double) -> MotionFrame {
        var frame = session.model.frame(at: time)
        if options.showTouches, let trace = session.trace {
            frame.scene.loupes += TouchMarks.discs(of: trace, at: time)
        }
        return frame
    }

    private func writeTimeline(to path: String) throws {
        guard let model = session.model as? LoupeModel else {
            throw Failure(.usage, "--timeline: only a session of the model loupe has gestures to tell apart")
        }
        try Output(path).write(DecisionChart(model, title: options.session.inputName).svg)
    }

    // MARK: - States

    private func writeStates(to path: String) throws {
        var traits: [String: ImageTraits] = [:]
        try ByteSink.open(path) { sink in
            for number in numbers {
                let frame = frame(number)
                for path in frame.scene.imagePaths where traits[path] == nil {
                    traits[path] = try images.traits(of: path)
                }
                try sink.write(Array((line(number, frame, traits) + "\n").utf8))
                try Interruption.check("interrupted at frame \(number)")
            }
        }
    }

    /// The frame's number and time, the model's own values, and the state of each layer in each view.
    private func line(_ number: Int, _ frame: MotionFrame, _ traits: [String: ImageTraits]) -> String {
        let plan = DrawPlan(frame.scene, images: traits)
        let views = plan.views.flatMap { view in
            view.layers.map { layer -> JSONValue in
                [
                    "view": .string(view.view.kind.description), "layer": .number(Double(layer.index)),
                    "state": .string(layer.state.rawValue),
                ]
            }
        }
        var object = JSONObject()
        _ = object.append(.number(Double(number)), forKey: "frame")
        _ = object.append(.number(session.time(ofFrame: number)), forKey: "t")
        if case .object(let values) = frame.states {
            for member in values.members { _ = object.append(member.value, forKey: member.key) }
        }
        _ = object.append(.array(views), forKey: "views")
        return JSONValue.object(object).line
    }

    // MARK: - Pictures

    private func draw(to path: String) throws {
        let pngs = options.pngs.options
        let canvas = frame(numbers[0]).scene.canvas
        if let sheet = options.sheet {
            let output = ContactSheet(columns: sheet.columns, rows: sheet.rows, to: Output(path), options: pngs)
            return try draw(numbers, into: output, scaledBy: output.scale(of: canvas))
        }
        switch try Self.format(of: path, options.format, frames: numbers.count) {
        case .png: try drawNumbered(path, pngs)
        case .raw: try ByteSink.open(path) { try draw(numbers, into: RawOutput(to: $0), isKept: path == "-") }
        case .y4m:
            try ByteSink.open(path) { sink in
                let output = try Y4MOutput(
                    to: sink, width: canvas.width, height: canvas.height, framesPerSecond: session.framesPerSecond,
                    step: options.every)
                try draw(numbers, into: output, isKept: path == "-")
            }
        case .apng:
            try ByteSink.open(path) { sink in
                let writer = try APNGWriter(
                    to: sink, width: canvas.width, height: canvas.height, isOpaque: canvas.background.isOpaque,
                    frameTime: FrameTime(framesPerSecond: session.framesPerSecond, step: options.every),
                    loops: options.loops, effort: options.pngs.pngEffort)
                try draw(numbers, into: APNGOutput(writer))
            }
        }
    }

    private static func format(of path: String, _ given: Replay.Format?, frames: Int) throws -> Replay.Format {
        if let given, given != .png { return given }
        if given == .png || path.hasSuffix(".png") {
            guard frames == 1 || FramePattern(path) != nil else {
                throw Failure(.usage, "\(path): \(frames) frames need a number in their names, such as frames/%04d.png")
            }
            return .png
        }
        if path.hasSuffix(".apng") { return .apng }
        if path.hasSuffix(".y4m") { return .y4m }
        if path.hasSuffix(".rgba") || path.hasSuffix(".raw") { return .raw }
        throw Failure(.usage, "\(path): its name tells no format; add --format png, apng, y4m or raw")
    }

    private func drawNumbered(_ path: String, _ pngs: PNGOptions) throws {
        guard let pattern = FramePattern(path) else {
            return try draw(numbers, into: SingleFrame(to: Output(path), options: pngs))
        }
        let left = options.resume ? numbers.filter { !PNG.isWhole(path: pattern.path(of: $0)) } : numbers
        let output = NumberedFrames(pattern, options: pngs)
        do {
            try draw(left, into: output)
        } catch let failure as Failure where failure.code == Interruption.code {
            try output.finish()
            throw Failure(
                failure.code,
                "interrupted; \(output.written) of \(left.count) frames are written; --resume draws the rest")
        }
    }

    /// - Parameter isKept: whether what is written stays where the replay is interrupted.
    private func draw(
        _ numbers: [Int], into output: some FrameOutput, scaledBy factor: Double = 1, isKept: Bool = false
    ) throws {
        guard !numbers.isEmpty else { return }
        var drawer = try FrameDrawer(
            device: options.device.device, images: images, limits: options.limits.held,
            framesInUse: output.framesInUse)
        var progress = Progress(total: numbers.count, isQuiet: options.quiet)
        defer { progress.clear() }
        for (done, number) in numbers.enumerated() {
            if Interruption.isRequested, isKept { try output.finish() }
            try Interruption.check(
                "interrupted after \(done) of \(numbers.count) frames; \(isKept ? "they are" : "nothing is") written")
            try output.take(drawer.draw(frame(number).scene.scaled(by: factor)), number: number)
            progress.show(done + 1, of: "frames")
            if (done + 1) % Self.framesBetweenTidying == 0 { Heap.tidy() }
        }
        try output.finish()
    }
}

/// A single frame under a name without a number.
private final class SingleFrame: FrameOutput {
    private let output: Output
    private let options: PNGOptions

    init(to output: Output, options: PNGOptions) {
        self.output = output
        self.options = options
    }

    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        try output.write(PNG.encode(frame.image, options: options))
    }

    func finish() {}
}

/// Draws scenes one after another, loading images as they come into sight.
private struct FrameDrawer {
    private let renderer: Renderer
    private let sequence: FrameSequence
    private let images: ImageSource
    private let limits: ImageLimits
    private var traits: [String: ImageTraits] = [:]

    init(device: DeviceChoice, images: ImageSource, limits: ImageLimits, framesInUse: Int) throws {
        renderer = try Renderer.started(on: device)
        sequence = FrameSequence(renderer, framesInUse: framesInUse)
        self.images = images
        self.limits = limits
    }

    mutating func draw(_ scene: Scene) throws -> FrameSequence.Frame {
        let missing = scene.imagePaths.filter { traits[$0] == nil }
        if !missing.isEmpty {
            let loaded = try images.load(missing, limits: limits)
            try renderer.load(loaded)
            traits.merge(loaded.mapValues(\.traits)) { $1 }
        }
        return try sequence.next(DrawPlan(scene, images: traits))
    }
}

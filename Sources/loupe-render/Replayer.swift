import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupeMotion
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Carries out a replay: chooses the frames, draws them and writes them.
struct Replayer {
    private let options: Replay
    private let file: SessionFile
    private let numbers: [Int]

    private static let framesBetweenTidying = 500

    init(options: Replay) throws {
        self.options = options
        var file = try SessionFile.read(options.session, allowsOutside: options.files.allowOutside)
        file.showsTouches = options.showTouches
        self.file = file
        numbers = try Self.numbers(of: file.session, options)
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
                .usage, "--from, --to: no frame lies there; the session lasts \(session.duration.jsonText) s")
        }
        guard let sheet = options.sheet else { return chosen }
        let places = sheet.columns * sheet.rows
        guard places > 1, chosen.count > places else { return Array(chosen.prefix(places)) }
        return (0..<places).map { chosen[$0 * (chosen.count - 1) / (places - 1)] }
    }

    func run() throws {
        Interruption.watch()
        if let time = options.sceneAt {
            return try Output.standard.write(SceneEncoder().encode(file.frame(at: time).scene))
        }
        if let timeline = options.timeline { try writeTimeline(to: timeline) }
        if let states = options.states { try writeStates(to: states) }
        if options.dryRun { return }
        guard let output = options.output else { return }
        try draw(to: output)
    }

    private func writeTimeline(to path: String) throws {
        guard case .loupe(let model) = file.session.model else {
            throw Failure(.usage, "--timeline: only a session of the model loupe has gestures")
        }
        try Output(path).write(DecisionChart(model, title: options.session.inputName).svg)
    }

    // MARK: - States

    private func writeStates(to path: String) throws {
        var traits: [String: ImageTraits] = [:]
        try ByteSink.open(path) { sink in
            for number in numbers {
                let frame = file.frame(number)
                for path in frame.scene.imagePaths where traits[path] == nil {
                    traits[path] = try file.images.traits(of: path)
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
        _ = object.append(.number(file.session.time(ofFrame: number)), forKey: "t")
        if case .object(let values) = frame.states {
            for member in values.members { _ = object.append(member.value, forKey: member.key) }
        }
        _ = object.append(.array(views), forKey: "views")
        return JSONValue.object(object).line
    }

    // MARK: - Pictures

    private func draw(to path: String) throws {
        let pngs = options.pngs.options
        let canvas = file.frame(numbers[0]).scene.canvas
        let size = ImageSize(width: canvas.width, height: canvas.height)
        let frame = options.showPlan ? PlanPicture.size(ofCanvas: size) : size
        if let sheet = options.sheet {
            let output = ContactSheet(
                columns: sheet.columns, rows: sheet.rows, options: pngs, write: Output(path).write)
            return try draw(numbers, into: output, scaledBy: output.scale(of: canvas))
        }
        switch try Self.format(of: path, options.format, frames: numbers.count) {
        case .png: try drawNumbered(path, pngs)
        case .raw: try ByteSink.open(path) { try draw(numbers, into: RawOutput(to: $0), isKept: path == "-") }
        case .y4m:
            try ByteSink.open(path) { sink in
                let output = try Y4MOutput(
                    to: sink, width: frame.width, height: frame.height, framesPerSecond: file.session.framesPerSecond,
                    step: options.every)
                try draw(numbers, into: output, isKept: path == "-")
            }
        case .apng:
            try ByteSink.open(path) { sink in
                let writer = try APNGWriter(
                    to: sink, width: frame.width, height: frame.height,
                    isOpaque: options.showPlan || canvas.background.isOpaque,
                    frameTime: FrameTime(framesPerSecond: file.session.framesPerSecond, step: options.every),
                    loops: options.loops, effort: options.pngs.pngEffort)
                try draw(numbers, into: APNGOutput(writer))
            }
        }
    }

    private static func format(of path: String, _ given: Replay.Format?, frames: Int) throws -> Replay.Format {
        if let given, given != .png { return given }
        if given == .png || path.hasSuffix(".png") {
            guard frames == 1 || FramePattern(path) != nil else {
                throw Failure(.usage, "\(path.quotable): \(frames) frames need a number in their names, such as frames/%04d.png")
            }
            return .png
        }
        if path.hasSuffix(".apng") { return .apng }
        if path.hasSuffix(".y4m") { return .y4m }
        if path.hasSuffix(".rgba") || path.hasSuffix(".raw") { return .raw }
        throw Failure(.usage, "\(path.quotable): the format is not known from the name; add --format png, apng, y4m or raw")
    }

    private func drawNumbered(_ path: String, _ pngs: PNGOptions) throws {
        guard let pattern = FramePattern(path) else {
            return try draw(numbers, into: SingleFrame(options: pngs, write: Output(path).write))
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

    /// - Parameter isKept: whether the frames before an interruption stay written.
    private func draw(
        _ numbers: [Int], into output: some FrameOutput, scaledBy factor: Double = 1, isKept: Bool = false
    ) throws {
        guard !numbers.isEmpty else { return }
        var drawer = try FrameDrawer(
            .started(on: options.device.device), images: file.images, limits: options.limits.held,
            framesInUse: output.framesInUse)
        drawer.showsPlan = options.showPlan
        var progress = Progress(total: numbers.count, isQuiet: options.quiet)
        defer { progress.clear() }
        for (done, number) in numbers.enumerated() {
            if Interruption.isRequested, isKept { try output.finish() }
            try Interruption.check(
                "interrupted after \(done) of \(numbers.count) frames; \(isKept ? "they are" : "nothing is") written")
            try output.take(drawer.draw(file.frame(number).scene.scaled(by: factor)), number: number)
            progress.show(done + 1, of: "frames")
            if (done + 1) % Self.framesBetweenTidying == 0 { Heap.tidy() }
        }
        try output.finish()
    }
}

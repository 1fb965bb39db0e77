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
    /// How many times as large everything is drawn.
    private let scale: Double
    /// The device around the frames; nil where neither it nor a caption is shown.
    private let stage: DeviceStage?

    private static let framesBetweenTidying = 500

    init(options: Replay) throws {
        self.options = options
        var file = try Self.session(options)
        // On a stage they are drawn beside the frame too.
        file.showsTouches = options.showTouches && !Self.hasStage(options)
        self.file = file
        numbers = try Self.numbers(of: file.session, options)
        scale = try FlagValue.checked("--scale", options.scale ?? 1, in: 0.1...16)
        let canvas = file.frame(numbers[0]).scene.scaled(by: scale).canvas
        guard Scene.Canvas.sideRange.contains(canvas.width), Scene.Canvas.sideRange.contains(canvas.height) else {
            throw Failure(
                .usage,
                "--scale: the canvas would have \(canvas.width)×\(canvas.height) pixels; allowed is 1…16384 each way")
        }
        stage = try Self.stage(file, numbers, options, scale: Int(scale))
    }

    private static func hasStage(_ options: Replay) -> Bool { options.showDevice || options.caption != nil }

    private static func session(_ options: Replay) throws -> SessionFile {
        let path = options.session.path
        do {
            return try SessionFile.read(path, allowsOutside: options.files.allowOutside)
        } catch let error as PipelineError {
            guard !path.isDash, let bytes = try? InputBytes.read(path: path, as: .json) else { throw error }
            throw Suggestion.otherDocument(bytes, name: path.inputName, isForSession: true) ?? error
        }
    }

    private static func stage(
        _ file: SessionFile, _ numbers: [Int], _ options: Replay, scale: Int
    ) throws -> DeviceStage? {
        guard hasStage(options) else { return nil }
        let parts = DeviceStage.Parts(
            caption: options.caption ?? "", hasDevice: options.showDevice, hasTouches: options.showTouches)
        let canvas = file.frame(numbers[0]).scene.canvas
        return try DeviceStage(
            file.session, canvas: ImageSize(width: canvas.width, height: canvas.height),
            times: numbers.map(file.session.time(ofFrame:)), parts: parts, scale: scale)
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
            return try Output.standard.write(SceneEncoder().encode(file.frame(at: time).scene.scaled(by: scale)))
        }
        try checkFiles()
        if let plot = options.plot { try writePlot(to: plot) }
        if let curve = options.curve {
            let name = options.session.path.inputName
            try Output(curve).write(CSSEasing(file.session.model, range: span, title: name).text)
        }
        if let states = options.states { try writeStates(to: states) }
        if options.dryRun { return }
        guard let output = options.output else { return }
        try draw(to: output)
    }

    /// Checks that no output replaces another one, or a file that the session names.
    private func checkFiles() throws {
        var uses = options.fileUses(without: ["output"])
        for path in file.files { uses.read(path, as: "the session's file") }
        if let output = options.output, !options.dryRun {
            for path in try paths(of: output) { uses.write(path, as: "-o") }
        }
        try uses.check()
        try options.plot?.misnomer("--plot", for: .svg, .png).refuse()
    }

    /// The files that the frames are written to.
    private func paths(of output: OutputPath) throws -> [Path] {
        guard options.sheet == nil, try Self.format(of: output.path, options.format, frames: numbers.count) == .png,
            let pattern = FramePattern(output.path)
        else { return [output.path] }
        return numbers.map(pattern.path(of:))
    }

    // MARK: - Charts and curves

    /// The times from --from, or the first frame, to the end of the last one, in seconds.
    private var span: ClosedRange<Double> {
        let session = file.session
        let first = max(0, options.from ?? session.time(ofFrame: numbers[0]))
        let last = session.time(ofFrame: numbers[numbers.count - 1] + options.every)
        let end = min(max(session.duration, first), options.to ?? .infinity)
        return first...max(min(last, end), first + 1 / session.framesPerSecond)
    }

    private func writePlot(to path: OutputPath) throws {
        let svg = Array(MotionChart(file.session, source: options.session.path.inputName, range: span).svg.utf8)
        guard path.path.hasEnding(".png") else { return try Output(path).write(svg) }
        let document = try VectorDocument(svg, name: "--plot \(path.path)")
        let image = try document.draw(scaledBy: 2)
        try Output(path).write(try PNG.encode(image, options: options.pngs.options))
    }

    // MARK: - States

    private func writeStates(to path: OutputPath) throws {
        var traits: [ImagePath: ImageTraits] = [:]
        try ByteSink.open(path.path) { sink in
            for number in numbers {
                let frame = file.frame(number)
                for path in frame.scene.imagePaths where traits[path] == nil {
                    traits[path] = try file.images.traits(of: path)
                }
                let object = frame.described(
                    number: number, at: file.session.time(ofFrame: number), images: traits)
                guard path.path.hasEnding(".csv") else {
                    try sink.write(Array((object.line + "\n").utf8))
                    continue
                }
                let columns = CSV.columns(of: object)
                if number == numbers[0] { try sink.write(Array(CSV.line(columns.map(\.name)).utf8)) }
                try sink.write(Array(CSV.line(columns.map(\.cell)).utf8))
                try Interruption.check("interrupted at frame \(number)")
            }
        }
    }

    // MARK: - Pictures

    private func draw(to output: OutputPath) throws {
        let (path, pngs) = (output.path, options.pngs.options)
        let unscaled = file.frame(numbers[0]).scene
        let canvas = unscaled.scaled(by: scale).canvas
        let size = ImageSize(width: canvas.width, height: canvas.height)
        let frame = stage?.size ?? (options.showPlan ? PlanPicture.size(ofCanvas: size) : size)
        if let sheet = options.sheet {
            let sheets = ContactSheet(
                columns: sheet.columns, rows: sheet.rows, options: pngs, write: Output(output).write)
            return try draw(numbers, into: sheets, scaledBy: stage == nil ? sheets.scale(of: unscaled.canvas) : 1)
        }
        let isOpaque = stage != nil || options.showPlan || canvas.background.isOpaque
        let frameTime = FrameTime(framesPerSecond: file.session.framesPerSecond, step: options.every)
        switch try Self.format(of: path, options.format, frames: numbers.count) {
        case .png: try drawNumbered(output, pngs)
        case .raw: try ByteSink.open(path) { try draw(numbers, into: RawOutput(to: $0), isKept: path.isDash) }
        case .y4m:
            try ByteSink.open(path) { sink in
                let output = try Y4MOutput(
                    to: sink, width: frame.width, height: frame.height, framesPerSecond: file.session.framesPerSecond,
                    step: options.every)
                try draw(numbers, into: output, isKept: path.isDash)
            }
        case .video(let video): try drawVideo(path, video, frame, isOpaque: isOpaque)
        case .webp:
            try ByteSink.open(path) { sink in
                let writer = try WebPAnimationWriter(
                    to: sink, name: path.description, width: frame.width, height: frame.height, isOpaque: isOpaque,
                    frameTime: frameTime, loops: options.loops, packing: options.packing)
                try draw(numbers, into: WebPOutput(writer))
            }
        case .apng:
            try ByteSink.open(path) { sink in
                let writer = try APNGWriter(
                    to: sink, width: frame.width, height: frame.height, isOpaque: isOpaque, frameTime: frameTime,
                    loops: options.loops, effort: options.pngs.pngEffort)
                try draw(numbers, into: APNGOutput(writer))
            }
        }
    }

    private func drawVideo(
        _ path: Path, _ format: VideoFormat, _ size: ImageSize, isOpaque: Bool
    ) throws {
        try VideoOutput.requireEncoder(for: path.description)
        let rate = file.session.framesPerSecond
        let step = format.step(framesPerSecond: rate / Double(options.every))
        let taken = numbers.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let frames = VideoOutput.Frames(
            width: size.width, height: size.height, isOpaque: isOpaque,
            count: taken.count, framesPerSecond: rate, step: options.every * step)
        try ByteSink.open(path) { sink in
            try draw(taken, into: VideoOutput(to: sink, path: path.description, format: format, frames: frames))
        }
    }

    private static func format(of path: Path, _ given: FrameFormat?, frames: Int) throws -> FrameFormat {
        guard let format = given ?? FrameFormat(path: path) else {
            let names = FrameFormat.all.map(\.name)
            throw Failure(
                .usage,
                "\(path): the format is not known from the name; add --format \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
            )
        }
        if format == .png && frames > 1 && FramePattern(path) == nil {
            throw Failure(.usage, "\(path): \(frames) frames need a number in their names, such as frames/%04d.png")
        }
        return format
    }

    private func drawNumbered(_ path: OutputPath, _ pngs: PNGOptions) throws {
        guard let pattern = FramePattern(path.path) else {
            return try draw(numbers, into: SingleFrame(options: pngs, write: Output(path).write))
        }
        let left = options.resume ? numbers.filter { !PNG.isWhole(path: pattern.path(of: $0)) } : numbers
        let output = NumberedFrames(pattern, options: pngs)
        do {
            try FileSync.withFoldersSyncedOnce { try draw(left, into: output) }
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
        let pipeline = Pipeline(fallback: options.fallback.fallback(from: options.device)) {
            try Renderer.started(on: options.device.device)
        }
        var drawer = try FrameDrawer(
            pipeline.device(), images: file.images, limits: options.limits.held, framesInUse: output.framesInUse)
        drawer.showsPlan = options.showPlan
        var stage = stage
        var progress = Progress(total: numbers.count, isQuiet: options.quiet)
        defer { progress.clear() }
        for (done, number) in numbers.enumerated() {
            if Interruption.isRequested, isKept { try output.finish() }
            try Interruption.check(
                "interrupted after \(done) of \(numbers.count) frames; \(isKept ? "they are" : "nothing is") written")
            var frame = try drawer.draw(file.frame(number).scene.scaled(by: factor * scale))
            if let picture = try stage?.picture(of: frame.image, at: file.session.time(ofFrame: number)) {
                frame = FrameSequence.Frame(
                    image: picture, changed: PixelRect(width: picture.width, height: picture.height))
            }
            try output.take(frame, number: number)
            progress.show(done + 1, of: "frames")
            if (done + 1) % Self.framesBetweenTidying == 0 { Heap.tidy() }
        }
        try output.finish()
        progress.clear()
        for sentence in try drawer.fontSubstitutions() {
            StandardError.write("loupe-render: warning: \(sentence.forTerminal)\n")
        }
    }
}

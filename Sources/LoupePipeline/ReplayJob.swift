import LoupeBase
import LoupeImaging
import LoupeMotion
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The frames of a session that are drawn, and what is written of them.
package struct ReplayJob {
    /// The settings of a replay.
    package struct Settings: Sendable {
        /// In seconds of the session: the first frame's time at least, and the time before which frames end.
        package var (from, to): (Double?, Double?) = (nil, nil)
        /// Each how many-th frame is taken.
        package var every = 1
        /// How many frames lie side by side, and below one another, on one sheet; nil for single frames.
        package var sheet: ImageSize?
        /// How many times as large everything is drawn.
        package var scale = 1.0
        package var showsTouches = false
        package var showsDevice = false
        package var caption: String?
        package var showsPlan = false
        /// Nil: by the name of the file.
        package var format: FrameFormat?
        /// How a WebP is packed.
        package var packing = WebPAnimationWriter.Packing.lossless
        /// How often an animation plays; 0 for ever.
        package var loops = 0
        /// Whether numbered frames that are whole are left out.
        package var resumes = false
        package var limits = ImageLimits()

        /// All frames, each as it is.
        package init() {}

        /// Whether something is drawn around the frames.
        fileprivate var hasStage: Bool { showsDevice || caption != nil }
    }

    package private(set) var file: SessionFile
    private let settings: Settings
    private let numbers: FrameNumbers
    /// How much earlier than the session's own each frame is, in seconds: the first one is at the time that is asked for.
    private let lead: Double
    /// The device around the frames; nil where neither it nor a caption is shown.
    private let stage: DeviceStage?

    private var recorded: RecordedCurves?

    private static let framesBetweenTidying = 500

    /// Chooses the frames.
    /// - Throws: `ReplayError.usage` where there are none, or none of this size; `ImageError` for the device around them.
    package init(_ file: SessionFile, _ settings: Settings) throws {
        (self.file, self.settings) = (file, settings)
        // On a stage they are drawn beside the frame too.
        self.file.showsTouches = settings.showsTouches && !settings.hasStage
        let session = file.session
        (numbers, lead) = try Self.frames(of: session, settings)
        let first = self.file.frame(at: session.time(ofFrame: numbers[0]) - lead).scene
        let (canvas, scaled) = (first.canvas, first.scaled(by: settings.scale).canvas)
        guard Scene.Canvas.sideRange.contains(scaled.width), Scene.Canvas.sideRange.contains(scaled.height) else {
            throw ReplayError.usage(
                "--scale: the canvas would have \(scaled.width)×\(scaled.height) pixels; allowed is 1…16384 each way")
        }
        guard settings.hasStage else {
            stage = nil
            return
        }
        stage = try DeviceStage(
            session, settings, canvas: ImageSize(width: canvas.width, height: canvas.height),
            times: numbers.lazy.map { [lead] in session.time(ofFrame: $0) - lead })
    }

    /// The time of a frame, in seconds of the session.
    private func time(of number: Int) -> Double { file.session.time(ofFrame: number) - lead }

    private func frame(_ number: Int) -> MotionFrame { file.frame(at: time(of: number)) }

    /// The numbers of the frames that are asked for, and how much earlier than the session's own they are.
    private static func frames(of session: Session, _ settings: Settings) throws -> (
        numbers: FrameNumbers, lead: Double
    ) {
        let from = max(0, settings.from ?? 0)
        let later = (0..<session.frameCount).drop { session.time(ofFrame: $0) < from }
        let lead = later.first.map { session.time(ofFrame: $0) - from } ?? 0
        let between = later.prefix { session.time(ofFrame: $0) - lead < settings.to ?? .infinity }
        let every = settings.every
        let chosen = FrameNumbers(count: (between.count + every - 1) / every) { between.lowerBound + $0 * every }
        guard !chosen.isEmpty else {
            throw ReplayError.usage(
                "--from, --to: no frame lies there; the session lasts \(session.duration.jsonText) s")
        }
        guard let sheet = settings.sheet else { return (chosen, lead) }
        let places = sheet.width * sheet.height
        guard places > 1, chosen.count > places else {
            return (FrameNumbers(count: min(places, chosen.count)) { chosen[$0] }, lead)
        }
        return (FrameNumbers(count: places) { chosen[$0 * (chosen.count - 1) / (places - 1)] }, lead)
    }

    /// The scene at a time, in seconds.
    package func scene(at time: Double) -> Scene { file.frame(at: time).scene.scaled(by: settings.scale) }

    /// The files that the frames are written to.
    /// - Throws: `ReplayError.usage` where the name does not say what to write.
    package func paths(of output: Path) throws -> [Path] {
        guard settings.sheet == nil, try format(of: output) == .png, let pattern = FramePattern(output) else {
            return [output]
        }
        // A path with the bytes of its name, in two lists.
        guard Memory.hasRoom(for: 512 * numbers.count) else {
            throw ReplayError.usage(
                "\(output): the names of \(numbers.count) frames take \((512 * numbers.count) >> 20) MiB, and \(Memory.advice), or draw fewer: --from, --to, --every"
            )
        }
        return numbers.map(pattern.path(of:))
    }

    private func format(of path: Path) throws -> FrameFormat {
        guard let format = settings.format ?? FrameFormat(path: path) else {
            let names = FrameFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ReplayError.usage("\(path): the format is not known from the name; add --format with one of \(names)")
        }
        if format == .png, numbers.count > 1, FramePattern(path) == nil {
            throw ReplayError.usage(
                "\(path): \(numbers.count) frames need a number in their names, such as frames/%04d.png")
        }
        return format
    }
}

/// The numbers of the frames that are drawn, in their order. A session may have tens of millions, so they are computed.
private struct FrameNumbers: RandomAccessCollection, Sendable {
    let count: Int
    private let number: @Sendable (Int) -> Int

    /// - Parameter number: of the frame that is drawn at an index in 0 ..< `count`.
    init(count: Int, number: @escaping @Sendable (Int) -> Int) { (self.count, self.number) = (count, number) }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    subscript(index: Int) -> Int { number(index) }
}

/// An error of replaying a session. Its description is one sentence.
package enum ReplayError: Error, CustomStringConvertible {
    /// The options do not fit each other, or the session.
    case usage(String)
    /// Somebody has asked for an end.
    case interrupted(String)

    package var description: String {
        switch self {
        case .usage(let sentence), .interrupted(let sentence): sentence
        }
    }
}

// MARK: - Charts, curves and states

extension ReplayJob {
    /// Compares the model with what a device has recorded, a line for each number; a chart shows both.
    /// - Parameter name: Of the recording, a CSV.
    package mutating func compare(with bytes: [UInt8], name: String) throws -> String {
        do {
            let recorded = try RecordedCurves(parsing: bytes, for: file.session.model)
            self.recorded = recorded
            return recorded.comparison(with: file.session.model)
        } catch {
            throw PipelineError.document(name: name, error)
        }
    }

    /// A chart of the model over time, as a PNG or an SVG by the end of a file's name.
    package func plot(for path: Path) throws -> [UInt8] {
        try Self.chart(
            MotionChart(file.session, source: file.name, range: span, recorded: recorded).svg, for: path)
    }

    /// A chart of the option --plot, by the end of a file's name.
    package static func chart(_ svg: String, for path: Path) throws -> [UInt8] {
        let svg = Array(svg.utf8)
        return path.ending == "png"
            ? try PNG.encode(VectorDocument(svg, name: "--plot \(path)").draw(scaledBy: 2)) : svg
    }

    /// The model's numbers as a style sheet with easing functions.
    package var styleSheet: String { CSSEasing(file.session.model, range: span, title: file.name).text }

    /// The times from --from, or the first frame, to the end of the last one, in seconds.
    private var span: ClosedRange<Double> {
        let session = file.session
        let first = time(of: numbers[0])
        let last = time(of: numbers[numbers.count - 1] + settings.every)
        let end = min(max(session.duration, first), settings.to ?? .infinity)
        return first...max(min(last, end), first + 1 / session.framesPerSecond)
    }

    /// Writes one JSON object a frame, or a line of a table where the name ends in .csv.
    package func writeStates(to path: Path, isInterrupted: () -> Bool) throws {
        var traits: [ImagePath: ImageTraits] = [:]
        try ByteSink.open(path) { sink in
            for number in numbers {
                if isInterrupted() { throw ReplayError.interrupted("interrupted at frame \(number)") }
                let frame = frame(number)
                for path in frame.scene.imagePaths where traits[path] == nil {
                    traits[path] = try file.images.traits(of: path)
                }
                let object = frame.described(number: number, at: time(of: number), images: traits)
                guard path.ending == "csv" else {
                    try sink.write(Array((object.line + "\n").utf8))
                    continue
                }
                let columns = CSV.columns(of: object)
                if number == numbers[0] { try sink.write(Array(CSV.line(columns.map { .string($0.name) }).utf8)) }
                try sink.write(Array(CSV.line(columns.map(\.value)).utf8))
            }
        }
    }
}

// MARK: - Pictures

extension ReplayJob {
    /// The functions through which a caller watches the drawing.
    package struct Watch {
        /// Asked before each frame: whether to end.
        let isInterrupted: () -> Bool
        /// Called before the first frame and after each, with how many are done of how many.
        let progress: (_ done: Int, _ total: Int) -> Void
        /// Called at the end with each sentence about what looks wrong.
        let warn: (String) -> Void

        package init(
            isInterrupted: @escaping () -> Bool, progress: @escaping (_ done: Int, _ total: Int) -> Void,
            warn: @escaping (String) -> Void
        ) {
            (self.isInterrupted, self.progress, self.warn) = (isInterrupted, progress, warn)
        }
    }

    /// Draws the frames and writes them.
    package func draw(to path: Path, on pipeline: Pipeline, _ watch: Watch) throws {
        let canvas = frame(numbers[0]).scene.canvas
        if let sheet = settings.sheet {
            let sheets = ContactSheet(columns: sheet.width, rows: sheet.height) { try path.write($0) }
            let scale = stage == nil ? sheets.scale(of: canvas) : 1
            return try self.draw(numbers, into: sheets, on: pipeline, watch, scaledBy: scale)
        }
        let scaled = frame(numbers[0]).scene.scaled(by: settings.scale).canvas
        let own = ImageSize(width: scaled.width, height: scaled.height)
        let size = stage?.size ?? (settings.showsPlan ? PlanPicture.size(ofCanvas: own) : own)
        let isOpaque = stage != nil || settings.showsPlan || canvas.background.isOpaque
        func draw(isKept: Bool = false, _ output: (ByteSink) throws -> any FrameOutput) throws {
            try ByteSink.open(path) { sink in
                try self.draw(numbers, into: output(sink), on: pipeline, watch, isKept: isKept)
            }
        }
        let format = try format(of: path)
        switch format {
        case .png: try drawNumbered(path, on: pipeline, watch)
        case .raw:
            try draw(isKept: path.isDash) { sink in FrameStream { try sink.write($0.image.pixels) } }
        case .mp4, .webm, .gif:
            try drawVideo(format, to: path, size, isOpaque: isOpaque, on: pipeline, watch)
        case .webp: try draw { try webP(to: $0, named: path, size, isOpaque: isOpaque) }
        case .apng: try draw { try apng(to: $0, size, isOpaque: isOpaque) }
        }
    }

    private var frameTime: FrameTime {
        FrameTime(framesPerSecond: file.session.framesPerSecond, step: settings.every)
    }

    private func webP(to sink: ByteSink, named path: Path, _ size: ImageSize, isOpaque: Bool) throws -> FrameStream {
        let writer = try WebPAnimationWriter(
            to: sink, name: path.description, width: size.width, height: size.height, isOpaque: isOpaque,
            frameTime: frameTime, loops: settings.loops, packing: settings.packing)
        return FrameStream({ try writer.append($0.image) }, end: writer.finish)
    }

    private func apng(to sink: ByteSink, _ size: ImageSize, isOpaque: Bool) throws -> FrameStream {
        let writer = try APNGWriter(
            to: sink, width: size.width, height: size.height, isOpaque: isOpaque, frameTime: frameTime,
            loops: settings.loops)
        return FrameStream({ try writer.append($0.image, changedWithin: $0.changed) }, end: writer.finish)
    }

    private func drawVideo(
        _ format: FrameFormat, to path: Path, _ size: ImageSize, isOpaque: Bool, on pipeline: Pipeline, _ watch: Watch
    ) throws {
        let rate = file.session.framesPerSecond
        let step = format.step(framesPerSecond: rate / Double(settings.every))
        let taken = FrameNumbers(count: (numbers.count + step - 1) / step) { [numbers] in numbers[$0 * step] }
        let frames = VideoOutput.Frames(
            size: size, isOpaque: isOpaque, count: taken.count, framesPerSecond: rate, step: settings.every * step,
            loops: settings.loops)
        try ByteSink.open(path) { sink in
            let output = try VideoOutput(to: sink, path: path.description, format: format, frames: frames)
            try draw(taken, into: output, on: pipeline, watch)
        }
    }

    private func drawNumbered(_ path: Path, on pipeline: Pipeline, _ watch: Watch) throws {
        guard let pattern = FramePattern(path) else {
            let single = FrameStream { try path.write(PNG.encode($0.image)) }
            return try draw(numbers, into: single, on: pipeline, watch)
        }
        let left = settings.resumes ? numbers.filter { !PNG.isWhole(path: pattern.path(of: $0)) } : Array(numbers)
        let output = NumberedFrames(pattern)
        do {
            try FileSync.withFoldersSyncedOnce { try draw(left, into: output, on: pipeline, watch) }
        } catch ReplayError.interrupted {
            try output.finish()
            throw ReplayError.interrupted(
                "interrupted; \(output.written) of \(left.count) frames are written; --resume draws the rest")
        }
    }

    /// - Parameter isKept: whether the frames before an interruption stay written.
    private func draw(
        _ numbers: some RandomAccessCollection<Int>, into output: any FrameOutput, on pipeline: Pipeline,
        _ watch: Watch,
        scaledBy factor: Double = 1, isKept: Bool = false
    ) throws {
        guard !numbers.isEmpty else { return }
        var drawer = try FrameDrawer(
            pipeline.device(), images: file.images, limits: settings.limits, framesInUse: output.framesInUse)
        drawer.showsPlan = settings.showsPlan
        var stage = stage
        watch.progress(0, numbers.count)
        for (done, number) in numbers.enumerated() {
            if watch.isInterrupted() {
                if isKept { try output.finish() }
                throw ReplayError.interrupted(
                    "interrupted after \(done) of \(numbers.count) frames; \(isKept ? "they are" : "nothing is") written"
                )
            }
            var frame = try drawer.draw(self.frame(number).scene.scaled(by: factor * settings.scale))
            if let picture = try stage?.picture(of: frame.image, at: time(of: number)) {
                frame = FrameSequence.Frame(
                    image: picture, changed: PixelRect(width: picture.width, height: picture.height))
            }
            try output.take(frame, number: number)
            watch.progress(done + 1, numbers.count)
            // Arrays of changing sizes leave more and more pages between what is in use.
            if (done + 1) % Self.framesBetweenTidying == 0 { Memory.tidy() }
        }
        try output.finish()
        let shown = self.frame(numbers[numbers.startIndex]).scene.imagePaths
        for sentence in try drawer.fontSubstitutions() + file.images.undrawn(of: shown) { watch.warn(sentence) }
    }
}

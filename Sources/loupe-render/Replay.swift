import ArgumentParser
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeScene
import LoupeSystem

/// `loupe-render replay`: draws a session frame by frame.
struct Replay: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Draws the frames of a session: keyframes, or a motion model driven by a trace.",
        usage: "loupe-render replay SESSION -o OUT [options]")

    @Argument(help: ArgumentHelp("A session (.json); - is standard input.", valueName: "session"))
    var session: InputPath

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "frames/%04d.png: one PNG a frame; out.webp (animated); out.apng; out.rgba; out.mp4, out.webm or out.gif by ffmpeg, if it is installed; - with --format webp or raw: standard output.",
            valueName: "out"))
    var output: OutputPath?

    @Option(
        help: ArgumentHelp(
            "png, apng, webp, raw (RGBA), mp4 (H.264), webm (VP9) or gif (at most 50 frames a second). Default: by the name of OUT.",
            valueName: "F")
    )
    var format: FrameFormat?

    @Option(
        help: ArgumentHelp(
            "One PNG with frames side by side, evenly chosen; 1 to 100 each way.", valueName: "COLSxROWS"))
    var sheet: SheetGrid?

    @Option(
        help: ArgumentHelp(
            "Write one JSON object a frame: its values and the state of each layer; a name that ends in .csv gets a table; - is standard output.",
            valueName: "path"))
    var states: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write a chart of the model over time: positions, velocities, phases, touches or rotation, and decisions. An SVG, or a PNG where the name ends in .png; - is standard output.",
            valueName: "path"))
    var plot: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write the model's numbers as a style sheet (.css) with an easing function each (linear()); - is standard output.",
            valueName: "path"))
    var curve: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Compare the model with a CSV that a device has recorded, of the time t and columns of --states: prints the RMS and the greatest difference of each; --plot shows both.",
            valueName: "csv"))
    var against: InputPath?

    @Option(
        help: ArgumentHelp(
            "Print the scene at this time, in seconds, as JSON and draw nothing; images as the session names them.",
            valueName: "T"), transform: FlagValue.decimal)
    var sceneAt: Double?

    @Option(help: ArgumentHelp(.scale), transform: FlagValue.decimal) var scale: Double?

    @Flag(help: "Draw nothing; with --states. Needs no device.")
    var dryRun = false

    @Flag(help: "Draw the trace's touches, in the colours of their roles; those that have left the screen are dotted.")
    var showTouches = false

    @Flag(help: "Draw the frames in the outline of a device, with room for touches beside it.")
    var showDevice = false

    @Option(help: ArgumentHelp("One line of text above the frames.", valueName: "text"))
    var caption: String?

    @Flag(help: "Draw each frame with its pieces tinted by their shaders and the cuts outlined.")
    var showPlan = false

    @Option(help: ArgumentHelp("Begin at this time, in seconds.", valueName: "T"), transform: FlagValue.decimal)
    var from: Double?

    @Option(help: ArgumentHelp("End before this time, in seconds.", valueName: "T"), transform: FlagValue.decimal)
    var to: Double?

    @Option(help: ArgumentHelp("Take each N-th frame from there on.", valueName: "N"))
    var every = 1

    @Flag(help: "Leave out numbered frames that are there already and whole.")
    var resume = false

    @Option(help: ArgumentHelp("How often an APNG, WebP or GIF plays; 0 for ever.", valueName: "N"))
    var loops = 0

    @Option(
        help: ArgumentHelp(
            "How well a WebP is packed: 0 (small) to 100 (like the frames).", valueName: "Q"),
        transform: FlagValue.decimal)
    var quality: Double?

    @Flag(help: "Keep every pixel of a WebP as it is; its file is many times as large.")
    var lossless = false

    @Flag(help: "No progress and no summary.")
    var quiet = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions

    /// The largest time that a flag takes, in seconds.
    private static let longest = 1e6

    func validate() throws {
        try FlagValue.check("--every", Double(every), in: 1...1_000_000)
        try FlagValue.check("--scene-at", sceneAt, in: 0...Self.longest)
        try FlagValue.check("--from", from, in: -Self.longest...Self.longest)
        try FlagValue.check("--to", to, in: -Self.longest...Self.longest)
        try FlagValue.checkStandardOutput([
            ("-o", dryRun ? nil : output), ("--plot", plot), ("--curve", curve), ("--states", states),
        ])
        if let curve, !curve.isStandardOutput, curve.path.ending != "css" {
            throw ValidationError("--curve \(curve.path): only a style sheet can be written; end the name in .css")
        }
        if against != nil, [dryRun ? nil : output, plot, curve, states].contains(where: \.isStandardOutput) {
            throw ValidationError("--against: its lines go to standard output; name a file for the rest")
        }
        let isDrawn = output != nil || (plot == nil && curve == nil && against == nil)
        let ofFrames = [
            ("--sheet", sheet != nil), ("--format", format != nil), ("--caption", caption != nil),
            ("--show-device", showDevice), ("--show-plan", showPlan), ("--resume", resume), ("--loops", loops != 0),
            ("--quality", quality != nil), ("--lossless", lossless),
        ]
        if !dryRun, !isDrawn || sceneAt != nil, let flag = ofFrames.first(where: \.1)?.0 {
            throw ValidationError("\(flag): no frame is drawn; name one or more with -o OUT, or leave it out")
        }
        if dryRun || sceneAt != nil || !isDrawn { return }
        guard output != nil else {
            throw ValidationError(
                "there is nowhere to write to; name a file with -o OUT, or add --dry-run to draw nothing")
        }
        if output.isStandardOutput && format == nil && sheet == nil {
            throw ValidationError("-o -: say what to write with --format webp or --format raw")
        }
        try validateStage()
        if sheet != nil, let format, format != .png {
            throw ValidationError("--format \(format.rawValue): --sheet writes a PNG; leave one of them out")
        }
        if showPlan && sheet != nil { throw ValidationError("--show-plan: not with --sheet; name out.apng") }
        if resume
            && (sheet != nil || (format ?? output.flatMap { FrameFormat(path: $0.path) }) != .png
                || output?.path.bytes.contains(UInt8(ascii: "%")) != true)
        {
            throw ValidationError("--resume: only numbered PNGs, such as frames/%04d.png, can be continued")
        }
        if output.isStandardOutput, let format, !format.isSequential {
            throw ValidationError("--format \(format.rawValue): not to standard output; name a file")
        }
        try validateAnimation()
    }

    private func validateStage() throws {
        let hasStage = showDevice || caption != nil
        if hasStage, let scale, scale != scale.rounded() {
            throw ValidationError("--scale: with \(showDevice ? "--show-device" : "--caption") it has to be whole")
        }
        if hasStage && showPlan {
            throw ValidationError("\(showDevice ? "--show-device" : "--caption"): not with --show-plan")
        }
    }

    private func validateAnimation() throws {
        try FlagValue.check("--quality", quality, in: 0...100)
        if quality != nil && lossless {
            throw ValidationError("--quality, --lossless: a lossless WebP has no quality; leave one of them out")
        }
        let format = sheet == nil ? output.flatMap { self.format ?? FrameFormat(path: $0.path) } : nil
        let isWebP = format == .webp
        if let option = quality != nil ? "--quality" : lossless ? "--lossless" : nil, !isWebP {
            throw ValidationError("\(option): only for a WebP, such as -o out.webp")
        }
        if loops != 0, format != .apng, format != .webp, format != .gif {
            throw ValidationError("--loops: only for an APNG, WebP or GIF, such as -o out.gif")
        }
        // An APNG has 31 bits for it.
        let most = isWebP ? WebPAnimationWriter.mostLoops : format == .gif ? 65535 : Int(Int32.max)
        try FlagValue.check("--loops", Double(loops), in: 0...Double(most))
    }

    /// At this quality, the frames of a photograph and of a drawing look like the original beside them.
    private static let defaultQuality = 85.0

    func run() throws {
        do {
            try perform()
        } catch let error as FileError where error.isBrokenPipe {
            // A reader that closes a pipe has what it wanted.
        } catch ReplayError.interrupted(let sentence) {
            throw Failure(Interruption.code, sentence)
        }
    }

    private func perform() throws {
        var job = try ReplayJob(
            SessionFile.read(session.path, allowsOutside: files.allowOutside), settings())
        Interruption.watch()
        for sentence in job.file.session.model.warnings where !quiet {
            StandardError.warn("\(session.path.inputName): \(sentence)")
        }
        if let sceneAt { return try Output.standard.write(SceneEncoder().encode(job.scene(at: sceneAt))) }
        try checkFiles(of: job)
        if let against {
            let bytes = try InputBytes.read(input: against.path, as: .text)
            try Output.standard.write(job.compare(with: bytes, name: against.path.inputName.quotable))
        }
        if let plot { try Output(plot).write(job.plot(for: plot.path)) }
        if let curve { try Output(curve).write(job.styleSheet) }
        if let states { try job.writeStates(to: states.path) { Interruption.isRequested } }
        guard !dryRun, let output else { return }
        let pipeline = device.pipeline(fallback)
        var progress: Progress?
        defer { progress?.clear() }
        let watch = ReplayJob.Watch {
            Interruption.isRequested
        } progress: { [quiet] done, total in
            if done == 0 { progress = Progress(total: total, isQuiet: quiet) }
            progress?.show(done, of: "frames")
        } warn: { sentence in
            progress?.clear()
            StandardError.warn(sentence)
        }
        try job.draw(to: output.path, on: pipeline, watch)
    }

    private func settings() throws -> ReplayJob.Settings {
        var settings = ReplayJob.Settings()
        (settings.from, settings.to, settings.every) = (from, to, every)
        settings.sheet = sheet.map { ImageSize(width: $0.columns, height: $0.rows) }
        settings.scale = try FlagValue.checked("--scale", scale ?? 1, in: 0.1...16)
        (settings.showsTouches, settings.showsDevice) = (showTouches, showDevice)
        settings.caption = caption.map { String(decoding: Arguments.bytes(of: $0), as: UTF8.self) }
        settings.showsPlan = showPlan
        (settings.format, settings.loops) = (format, loops)
        settings.packing = lossless ? .lossless : .lossy(quality: Float(quality ?? Self.defaultQuality))
        (settings.resumes, settings.limits) = (resume, limits.held)
        return settings
    }

    /// Checks that no output replaces another one, or a file that the session names.
    private func checkFiles(of job: ReplayJob) throws {
        var uses = fileUses(without: ["output"])
        for path in job.file.files { uses.read(path, as: "the session's file") }
        if let output, !dryRun { for path in try job.paths(of: output.path) { uses.write(path, as: "-o") } }
        try uses.check()
        if sheet != nil { try output?.path.misnomer("-o", for: .png).refuse() }
        try plot?.path.misnomer("--plot", for: .svg, .png).refuse()
    }
}

extension FrameFormat: ExpressibleByArgument {}

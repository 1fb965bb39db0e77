import ArgumentParser
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeMotion
import LoupeRenderer
import LoupeScene

/// `loupe-render replay`: draws a session frame by frame.
struct Replay: ParsableCommand, MemoryLimited {
    static let configuration = CommandConfiguration(
        abstract: "Draws the frames of a session: keyframes, or a motion model driven by a trace.",
        usage: "loupe-render replay SESSION -o OUT [options]")

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case png, apng, y4m, raw
    }

    @Argument(help: ArgumentHelp("A session (.json); - is standard input.", valueName: "session"))
    var session: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "frames/%04d.png: one PNG a frame; out.apng; out.y4m; out.rgba; - with --format: standard output.",
            valueName: "out"))
    var output: String?

    @Option(
        help: ArgumentHelp("png, apng, y4m (4:4:4, BT.601) or raw (RGBA). Default: by the name of OUT.", valueName: "F")
    )
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "One PNG with frames side by side, evenly chosen; 1 to 100 each way.", valueName: "COLSxROWS"))
    var sheet: SheetGrid?

    @Option(
        help: ArgumentHelp(
            "Write one JSON object a frame: its values and which shaders draw it; - is standard output.",
            valueName: "path"))
    var states: String?

    @Option(
        help: ArgumentHelp(
            "Write how the model loupe recognized the gestures of its touches, as an SVG over time; - is standard output.",
            valueName: "path"))
    var timeline: String?

    @Option(
        help: ArgumentHelp(
            "Print the scene at this time, in seconds, as JSON and draw nothing; images as the session names them.",
            valueName: "T"))
    var sceneAt: Double?

    @Flag(help: "Draw nothing; with --states. Needs no device.")
    var dryRun = false

    @Flag(help: "Draw the trace's touches.")
    var showTouches = false

    @Flag(help: "Draw each frame with its pieces tinted by their shaders, the cuts outlined, and a legend.")
    var showPlan = false

    @Option(help: ArgumentHelp("Begin at this time, in seconds.", valueName: "T"))
    var from: Double?

    @Option(help: ArgumentHelp("End before this time, in seconds.", valueName: "T"))
    var to: Double?

    @Option(help: ArgumentHelp("Take each N-th frame from there on.", valueName: "N"))
    var every = 1

    @Flag(help: "Leave out numbered frames that are there already and whole.")
    var resume = false

    @Option(help: ArgumentHelp("How often an APNG plays; 0 for ever.", valueName: "N"))
    var loops = 0

    @OptionGroup var pngs: PNGWritingOptions

    @Flag(help: "No progress and no summary.")
    var quiet = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var memory: MemoryOptions
    @OptionGroup var svgs: SVGOptions
    @OptionGroup var files: FileOptions

    /// Of a time, in seconds.
    private static let longest = 1e6

    func validate() throws {
        try FlagValue.check("--every", Double(every), in: 1...1_000_000)
        // APNG has 31 bits for it.
        try FlagValue.check("--loops", Double(loops), in: 0...Double(Int32.max))
        try FlagValue.check("--scene-at", sceneAt, in: 0...Self.longest)
        try FlagValue.check("--from", from, in: -Self.longest...Self.longest)
        try FlagValue.check("--to", to, in: -Self.longest...Self.longest)
        if timeline == "-" && states == "-" {
            throw ValidationError(
                "--timeline - and --states - would both write to standard output; give one of them a file")
        }
        if dryRun || sceneAt != nil || (timeline != nil && output == nil) { return }
        guard output != nil else {
            throw ValidationError(
                "there is nowhere to write to; name a file with -o OUT, or add --dry-run to draw nothing")
        }
        if output == "-" && format == nil && sheet == nil {
            throw ValidationError("-o -: say what to write with --format y4m or --format raw")
        }
        if showPlan && sheet != nil { throw ValidationError("--show-plan: not with --sheet; name out.apng or out.y4m") }
        if resume && (sheet != nil || format.map { $0 != .png } == true || output?.contains("%") != true) {
            throw ValidationError("--resume: only numbered PNGs, such as frames/%04d.png, can be continued")
        }
        if output == "-" && (format == .apng || format == .png) {
            throw ValidationError("--format \(format?.rawValue ?? ""): not to standard output; name a file")
        }
    }

    func run() throws {
        svgs.apply()
        do {
            try Replayer(options: self).run()
        } catch let error as FileError where error.isBrokenPipe {
            // A reader that closes a pipe has what it wanted.
        } catch {
            throw Failure(error)
        }
    }
}

import ArgumentParser
import LoupeBase
import LoupeMotion
import LoupePipeline
import LoupeScene
import LoupeSystem

/// `loupe-render trace`: recordings of touches and of the rotation.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Converts recordings of touches and of the rotation.",
        subcommands: [Convert.self])

    /// `loupe-render trace convert`: a recording in another format.
    struct Convert: LoupeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Converts a recording of a device to a trace.",
            usage: "loupe-render trace convert INPUT -o OUT [options]",
            discussion: """
                Formats: trace (this program's), w3c (pointer events), getevent (Android), csv (touches), gyroscope \
                (CSV). The format is detected from the content. Touches that are left out are reported on standard \
                error. Exit codes: 0 done; 65 the input is invalid; 66 it is missing; 73 the output can't be written.
                """)

        @Argument(help: ArgumentHelp("A recording; - is standard input.", valueName: "input"))
        var input: InputPath

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp("Where to write to; - is standard output.", valueName: "out"))
        var output: OutputPath

        @Option(
            help: ArgumentHelp(
                "getevent: the size in canvas pixels that fills the axes of the touch screen. Default: a pixel for each unit.",
                valueName: "WxH"))
        var canvas: ImageSize?

        @Option(
            help: ArgumentHelp(
                "Multiply all positions, for example by 1/3 for a screen of 3 pixels a point.", valueName: "S"),
            transform: FlagValue.decimal)
        var scale: Double = 1.0

        @Option(
            help: ArgumentHelp(
                "The time of the first event, in seconds. Default: as recorded, or 0 where that is later than an hour.",
                valueName: "T"), transform: FlagValue.decimal)
        var start: Double?

        @OptionGroup var process: WritingOptions

        func validate() throws {
            guard scale > 0, scale <= 1e6 else {
                throw ValidationError("--scale: \(scale.jsonText) is out of range; allowed is over 0 and up to 1000000")
            }
            try FlagValue.check("--start", start, in: Trace.timeRange)
            for side in canvas.map({ [$0.width, $0.height] }) ?? [] {
                try FlagValue.check("--canvas", Double(side), in: 1...1_000_000)
            }
        }

        func run() throws {
            try fileUses().check()
            let bytes = try InputBytes.read(input: input.path, as: .text)
            var options = RecordingOptions()
            options.canvas = canvas.map { (Double($0.width), Double($0.height)) }
            (options.scale, options.start) = (scale, start)
            let name = input.path.inputName.quotable
            let recording: Recording
            do {
                recording = try Recording(bytes, options: options)
            } catch {
                throw Failure(.badInput, "\(name): \(error.description)")
            }
            try Output(output).write(TraceEncoder.text(of: recording.trace))
            for note in recording.notes { StandardError.note("\(name): \(note)") }
        }
    }
}

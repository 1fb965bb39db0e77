import ArgumentParser
import LoupeBase
import LoupeImaging
import LoupeMotion
import LoupePipeline
import LoupeScene
import LoupeSystem

/// `loupe-render trace`: recordings of touches and of the rotation.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Converts and explains recordings of touches and of the rotation.",
        subcommands: [Convert.self, Explain.self])

    /// A recording, and the options that turn its times and positions into those of a canvas.
    struct Input: ParsableArguments {
        @Argument(help: ArgumentHelp("A recording; - is standard input.", valueName: "input"))
        var input: InputPath

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

        func validate() throws {
            guard scale > 0, scale <= 1e6 else {
                throw ValidationError("--scale: \(scale.jsonText) is out of range; allowed is over 0 and up to 1000000")
            }
            try FlagValue.check("--start", start, in: Trace.timeRange)
            for side in canvas.map({ [$0.width, $0.height] }) ?? [] {
                try FlagValue.check("--canvas", Double(side), in: 1...1_000_000)
            }
        }

        /// The name of the input in messages.
        var name: String { input.path.inputName.quotable }

        /// Calls a function with the recording. Its notes follow what the function writes.
        func read(_ use: (Recording) throws -> Void) throws {
            let bytes = try InputBytes.read(input: input.path, as: .text)
            var options = RecordingOptions()
            options.canvas = canvas.map { (Double($0.width), Double($0.height)) }
            (options.scale, options.start) = (scale, start)
            do {
                let recording = try Recording(bytes, options: options)
                try use(recording)
                for note in recording.notes { StandardError.note("\(name): \(note)") }
            } catch let error as DocumentError {
                throw Failure(.badInput, "\(name): \(error.description)")
            }
        }
    }

    /// `loupe-render trace explain`: which gestures the touches of a recording are, and why.
    struct Explain: LoupeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says which gestures the touches of a recording are, and why.",
            usage: "loupe-render trace explain INPUT [options]",
            discussion: """
                Prints each touch, and for each pair what the recognizers of pinch, pan and Rewind said: which one won, how \
                far the others were, and why. The formats are those of `trace convert`; no scene is needed. \
                Exit codes: 0 done; 65 the input is invalid or has no touches; 66 it is missing.
                """)

        @OptionGroup var input: Input

        @Option(help: ArgumentHelp("Write the same as JSON; - is standard output.", valueName: "path"))
        var json: OutputPath?

        @Option(
            help: ArgumentHelp(
                "Write a chart of the touches and of each gesture's progress. An SVG, or a PNG where the name ends in .png; - is standard output.",
                valueName: "path"))
        var plot: OutputPath?

        @OptionGroup var process: WritingOptions

        func validate() throws { try FlagValue.checkStandardOutput([("--json", json), ("--plot", plot)]) }

        func run() throws {
            try fileUses().check()
            try plot?.path.misnomer("--plot", for: .svg, .png).refuse()
            try input.read { recording in
                let explanation = try GestureExplanation(
                    recording.trace, source: input.name, canvas: input.canvas)
                if let json { try Output(json).write(explanation.json.text() + "\n") }
                if let plot { try Output(plot).write(ReplayJob.chart(explanation.svg, for: plot.path)) }
                if !json.isStandardOutput, !plot.isStandardOutput { try Output.standard.write(explanation.text) }
            }
        }
    }

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

        @OptionGroup var input: Input

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp("Where to write to; - is standard output.", valueName: "out"))
        var output: OutputPath

        @OptionGroup var process: WritingOptions

        func run() throws {
            try fileUses().check()
            try input.read { try Output(output).write(TraceEncoder.text(of: $0.trace)) }
        }
    }
}

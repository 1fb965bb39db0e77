import ArgumentParser
import LoupeBase
import LoupeMotion
import LoupePipeline
import LoupeSystem

/// `loupe-render gestures`: how gestures are recognized.
struct Gestures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gestures",
        abstract: "Measures how gestures of two touches are recognized.", subcommands: [Evaluate.self])

    /// `loupe-render gestures evaluate`: the confusion matrix of a folder of labelled traces.
    struct Evaluate: LoupeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints which gestures are recognized in labelled traces, and how soon.",
            discussion: """
                The label of a trace is pinch, pan, rewind or none: the name of its folder in FOLDER, or the start of \
                its name, such as pinch-fast-007.jsonl. Traces may be recordings of any format that trace convert \
                reads. The first gesture that begins counts; its time is from the second touch on. Names that differ \
                only in the number after the last - share a row. Exit codes: 0 done; 1 a row misses --right or \
                --within; 65 a trace is invalid or has no label.
                """)

        @Argument(help: ArgumentHelp("A folder of traces.", valueName: "folder"))
        var folder: InputPath

        @Option(
            help: ArgumentHelp(
                "A JSON object with thresholds, as options of a session have them; or a file that holds it.",
                valueName: "json"))
        var thresholds: String?

        @Option(help: ArgumentHelp("The least percentage of each row that must be right, 0 to 100.", valueName: "P"))
        var right: Double?

        @Option(help: ArgumentHelp("The longest time to a right decision, in seconds.", valueName: "T"))
        var within: Double?

        @Option(
            help: ArgumentHelp(
                "Write the matrix and each trace's result as JSON; - is standard output.", valueName: "path"))
        var json: OutputPath?

        @OptionGroup var process: WritingOptions

        func validate() throws {
            try FlagValue.check("--right", right, in: 0...100)
            try FlagValue.check("--within", within, in: 0...)
        }

        func run() throws {
            var uses = fileUses()
            if let thresholdsFile { uses.read(thresholdsFile, as: "--thresholds") }
            let traces = try LabelledTrace.all(in: folder.path)
            for trace in traces { uses.read(trace.path, as: "the trace") }
            try uses.check()
            let evaluation = try evaluate(traces)
            if let json { try Output(json).write(evaluation.json) }
            if !json.isStandardOutput { try Output.standard.write(evaluation.table) }
            let isGood = evaluation.rows.allSatisfy { row in
                100 * Double(row.right) >= (right ?? 0) * Double(row.total)
                    && (row.slowest ?? 0) <= (within ?? .infinity)
            }
            if !isGood { throw Failure.Code.checkFailed.alone }
        }

        private func evaluate(_ traces: [LabelledTrace]) throws -> GestureEvaluation {
            var evaluation = GestureEvaluation(thresholds: try readThresholds())
            for file in traces {
                evaluation.add(try file.trace, name: file.name, label: file.label, group: file.group)
                try Interruption.check("interrupted; nothing is written")
            }
            return evaluation
        }

        /// The file that `--thresholds` names; nil where the thresholds themselves are given.
        private var thresholdsFile: Path? {
            guard let thresholds, !thresholds.hasPrefix("{") else { return nil }
            return InputPath(argument: thresholds).path
        }

        private func readThresholds() throws -> LoupeThresholds {
            guard let thresholds else { return LoupeThresholds() }
            let bytes =
                try thresholdsFile.map { try InputBytes.read(input: $0, as: .json) }
                ?? Arguments.bytes(of: thresholds)
            do {
                return try LoupeThresholds(parsing: bytes)
            } catch {
                let sentence = "\(thresholdsFile?.inputName ?? "--thresholds"): \(error.description)"
                throw Failure(thresholdsFile == nil ? .usage : .badInput, sentence)
            }
        }
    }
}

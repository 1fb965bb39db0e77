import ArgumentParser
import Glibc
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
            if let right, !(0...100 ~= right) {
                throw ValidationError("--right: \(right.jsonText) is out of range; allowed is 0…100")
            }
            if let within, !(within >= 0) {
                throw ValidationError("--within: \(within.jsonText) is out of range; allowed is 0 and up")
            }
        }

        func run() throws {
            let evaluation: GestureEvaluation
            do {
                var uses = fileUses()
                if let thresholdsFile { uses.read(thresholdsFile, as: "--thresholds") }
                let traces = try LabelledTrace.all(in: folder.path)
                for trace in traces { uses.read(trace.path, as: "the trace") }
                try uses.check()
                evaluation = try evaluate(traces)
                if let json { try Output(json).write(evaluation.json) }
                if !json.isStandardOutput { try Output.standard.write(evaluation.table) }
            } catch {
                throw Failure(error)
            }
            let isGood = evaluation.rows.allSatisfy { row in
                100 * Double(row.right) >= (right ?? 0) * Double(row.total)
                    && (row.slowest ?? 0) <= (within ?? .infinity)
            }
            if !isGood { throw ExitCode(Failure.Code.checkFailed.rawValue) }
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

/// A trace whose path says which gesture it is.
private struct LabelledTrace {
    let path: Path
    /// The path in the folder.
    let name: String
    /// Nil for hands that make no gesture.
    let label: Gesture?
    /// The name without its extension and without the number at its end.
    let group: String

    private static let labels = Gesture.allCases.map(\.rawValue) + ["none"]

    /// The traces in a folder and in the folders in it that are named like labels.
    static func all(in folder: Path) throws -> [LabelledTrace] {
        var traces: [LabelledTrace] = []
        for name in try names(in: folder) {
            if labels.contains(name) {
                for file in try names(in: folder.child(Path(name))) {
                    traces.append(LabelledTrace(folder, "\(name)/\(file)", stem: file, label: name))
                }
                continue
            }
            guard
                let label = labels.first(where: {
                    name.hasPrefix($0) && !(name.dropFirst($0.count).first?.isLetter ?? true)
                })
            else {
                throw Failure(
                    .badInput,
                    "\(folder.child(Path(name))): it has no label; its name or its folder's must begin with pinch, pan, rewind or none"
                )
            }
            traces.append(LabelledTrace(folder, name, stem: name, label: label))
        }
        guard !traces.isEmpty else {
            throw Failure(
                .badInput, "\(folder): it has no traces; such names as pinch-1.jsonl or pinch/1.jsonl are needed")
        }
        return traces
    }

    private init(_ folder: Path, _ name: String, stem: String, label: String) {
        path = folder.child(Path(name))
        self.name = name
        self.label = Gesture(rawValue: label)
        let base = String(stem.prefix { $0 != "." })
        let parts = base.split(separator: "-", omittingEmptySubsequences: false)
        let row = parts.last.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } == true ? parts.dropLast() : parts
        let text = row.joined(separator: "-")
        group = text.hasPrefix(label) ? text : text.isEmpty ? label : "\(label)/\(text)"
    }

    /// Without hidden files.
    /// - Throws: `Failure` where the folder can't be read, and for a name that is not UTF-8, which no result can name.
    private static func names(in folder: Path) throws -> [String] {
        guard let entries = folder.entries() else {
            throw Failure(.noInput, "\(folder): \(String(cString: strerror(errno)))")
        }
        let names = entries.filter { $0.bytes.first != UInt8(ascii: ".") }
        try TextNames.check(names.map(folder.child), in: "a result")
        return names.compactMap(\.text)
    }

    var trace: Trace {
        get throws {
            var options = RecordingOptions()
            options.cutOff = .lift
            do {
                return try Recording(try InputBytes.read(path: path, as: .text), options: options).trace
            } catch let error as DocumentError {
                throw Failure(.badInput, "\(path): \(error.description)")
            }
        }
    }
}

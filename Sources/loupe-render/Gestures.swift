import ArgumentParser
import Glibc
import LoupeFiles
import LoupeJSON
import LoupeMotion
import LoupePipeline

/// `loupe-render gestures`: how gestures are recognized.
struct Gestures: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how gestures of two touches are recognized.", subcommands: [Evaluate.self])

    /// `loupe-render gestures evaluate`: the confusion matrix of a folder of labelled traces.
    struct Evaluate: ParsableCommand {
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
        var folder: String

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
        var json: String?

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
                evaluation = try evaluate()
                if let json { try Output(json).write(evaluation.json) }
                if json != "-" { try Output.standard.write(evaluation.table) }
            } catch {
                throw Failure(error)
            }
            let isGood = evaluation.rows.allSatisfy { row in
                100 * Double(row.right) >= (right ?? 0) * Double(row.total)
                    && (row.slowest ?? 0) <= (within ?? .infinity)
            }
            if !isGood { throw ExitCode(Failure.Code.checkFailed.rawValue) }
        }

        private func evaluate() throws -> GestureEvaluation {
            var evaluation = GestureEvaluation(thresholds: try readThresholds())
            for file in try LabelledTrace.all(in: folder) {
                evaluation.add(try file.trace, name: file.name, label: file.label, group: file.group)
                try Interruption.check("interrupted; nothing is written")
            }
            return evaluation
        }

        private func readThresholds() throws -> LoupeThresholds {
            guard let text = thresholds else { return LoupeThresholds() }
            let isInline = text.hasPrefix("{")
            let bytes = isInline ? Array(text.utf8) : try InputBytes.read(input: text, as: .json)
            do {
                return try LoupeThresholds(parsing: bytes)
            } catch {
                let sentence = "\(isInline ? "--thresholds" : text.inputName): \(error.description)"
                throw Failure(isInline ? .usage : .badInput, sentence)
            }
        }
    }
}

/// A trace whose path says which gesture it is.
private struct LabelledTrace {
    let path: String
    /// The path in the folder.
    let name: String
    /// Nil for hands that make no gesture.
    let label: Gesture?
    /// The name without its extension and without the number at its end.
    let group: String

    private static let labels = Gesture.allCases.map(\.rawValue) + ["none"]

    /// The traces in a folder and in the folders in it that are named like labels.
    static func all(in folder: String) throws -> [LabelledTrace] {
        var traces: [LabelledTrace] = []
        for name in try names(in: folder) {
            if labels.contains(name) {
                for file in try names(in: "\(folder)/\(name)") {
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
                    "\(folder)/\(name): it has no label; its name or its folder's must begin with pinch, pan, rewind or none"
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

    private init(_ folder: String, _ name: String, stem: String, label: String) {
        path = "\(folder)/\(name)"
        self.name = name
        self.label = Gesture(rawValue: label)
        let base = String(stem.prefix { $0 != "." })
        let parts = base.split(separator: "-", omittingEmptySubsequences: false)
        let row = parts.last.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } == true ? parts.dropLast() : parts
        let text = row.joined(separator: "-")
        group = text.hasPrefix(label) ? text : text.isEmpty ? label : "\(label)/\(text)"
    }

    private static func names(in folder: String) throws -> [String] {
        guard let names = Paths.names(in: folder) else {
            throw Failure(.noInput, "\(folder): \(String(cString: strerror(errno)))")
        }
        return names
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

import ArgumentParser
import Glibc
import LoupeImaging
import LoupePipeline
import LoupeSystem

/// The command: arguments in, files and exit codes out.
@main
struct LoupeRender: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loupe-render",
        abstract: "Draws a page and magnified loupes over it, with or without a GPU.",
        discussion: """
            Without a subcommand's name it is render.

            Exit codes: 0 done; 1 a check failed; 64 wrong usage; 65 an input is invalid or damaged; 66 an input is \
            missing or unreadable; 69 no usable OpenGL ES device, no ffmpeg for a video, no librsvg, Pango or poppler for what they draw, or no modules for live pages; \
            70 a defect of the program, or too little memory to start; 73 an output can't be written.
            """,
        version: Pipeline.version,
        subcommands: [
            Render.self, Inspect.self, Check.self, Batch.self, Replay.self, Diff.self, Verify.self, Report.self,
            Crops.self, BenchCommand.self, CostCommand.self, Live.self, Edit.self, Devices.self, TraceCommand.self,
        ])

    /// Runs the command that the arguments name and ends the process with its code.
    static func main() {
        LastResort.prepare()
        guard Stack.prepare() else {
            LastResort.end("loupe-render: error: there is too little stack to start: 1 MiB is needed; see ulimit -s\n")
        }
        if CostCommand.isServer {
            DriverEnvironment.prepare()
            return CostCommand.serve()
        }
        let arguments = Arguments.ofProcess
        StandardStreams.prepare()
        guard Heap.prepare() else {
            let needed = "\(Memory.spare >> 20) MiB are needed; see ulimit -v and -d"
            Failure(.defect, "there is too little memory to start: \(needed)").exit()
        }
        Signals.prepare()
        if namesSVG(arguments) { SVGDrawing.warmUp() }
        if arguments.isEmpty {
            Failure(.usage, "there is nothing to draw; name a picture or a scene, or see loupe-render --help").exit()
        }
        let isAboutRender = hasOptionsOfRender(arguments)
        if arguments == ["help", "render", "--all"] || isAboutRender && arguments.contains("--help-all") {
            answer(helpMessage(for: Render.self))
        }
        Suggestion.misspeltCommand(arguments, commands: commands)?.exit()
        Suggestion.repetition(arguments)?.exit()
        do {
            var command = try parsed(arguments)
            (command as? any LoupeCommand)?.process.apply()
            if command is any DeviceUsing { DriverEnvironment.prepare() }
            try command.run()
        } catch {
            exit(for: error, of: arguments)
        }
        Completion.endProcess()
    }

    /// Each states its name: the parser would make it from the type, which takes longer.
    private static let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

    /// Whether the command that the arguments name has the options of `render`.
    private static func hasOptionsOfRender(_ arguments: [String]) -> Bool {
        ["render", "live", "edit"].contains(arguments[0]) || !commands.contains(arguments[0])
    }

    /// The command that the arguments ask for; `render` where they name none and have no flag of this command.
    ///
    /// It is parsed by itself, as the parser would go through the names of all others first. Help, completion and errors come
    /// from this command, as their texts have the whole name. `render` is not its default: the parser would then look through all
    /// flags of it, whatever is asked for.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let isNamed = commands.contains(arguments[0]) || isOwnFlag(arguments[0])
        let words = isNamed ? arguments : [Render.configuration.commandName ?? "render"] + arguments
        let asked = configuration.subcommands.first { $0.configuration.commandName == words[0] }
        if let asked, asked.configuration.subcommands.isEmpty,
            let command = try? asked.parseAsRoot(Array(words.dropFirst())), type(of: command) == asked
        {
            return command
        }
        return try parseAsRoot(words)
    }

    /// Whether a word is a flag of this command, as those for help and the version.
    private static func isOwnFlag(_ argument: String) -> Bool {
        guard argument.hasPrefix("-") else { return false }
        do {
            return try type(of: parseAsRoot([argument])) != Self.self
        } catch {
            return exitCode(for: error) == .success
        }
    }

    /// Whether an SVG is probably drawn: its helper process starts while the arguments are parsed.
    private static func namesSVG(_ arguments: [String]) -> Bool {
        arguments.indices.contains { index in
            let path = InputPath(argument: arguments[index]).path
            return path.hasEnding(".svg") && !arguments[index].hasPrefix("-")
                && (index == 0 || !arguments[index - 1].hasPrefix("-")) && path.exists
        }
    }

    /// Prints help and version. What else parsing throws is wrong usage, reported in one sentence; a command throws an exit
    /// code that it has explained, or any error of the modules that it calls.
    private static func exit(for error: Error, of arguments: [String]) -> Never {
        let taken = hasOptionsOfRender(arguments) ? Suggestion.takenFile(arguments) : nil
        switch exitCode(for: error) {
        case .validationFailure:
            if let taken { taken.exit() }
            // A list of names has a line for each.
            var words = Arguments.readable(message(for: error)).split { $0.isWhitespace }.joined(separator: " ")
            let color = ["'--color'", "'--colour'"].first { words.hasPrefix("Unknown option \($0)") }
            if let color, hasOptionsOfRender(arguments) {
                words = "Unknown option \(color). Did you mean '--accent', the colour of rings and connectors?"
            }
            if hasOptionsOfRender(arguments) { Suggestion.newName(arguments)?.exit() }
            Failure(.usage, words + Suggestion.outputFlag(arguments)).exit()
        case .success:
            let help = fullMessage(for: error)
            let short: [(any ParsableCommand.Type, any ParsableCommand.Type)] = [
                (Render.self, UsualOptions.self), (Edit.self, EditHelp.self),
            ]
            // Before its first line may be broken.
            let own = short.first { help.hasPrefix("OVERVIEW: \($0.0.configuration.abstract.prefix(40))") }
            answer(Arguments.readable(own?.1.helpMessage() ?? help))
        case let code where error is ExitCode: exit(withError: code)
        default: (taken ?? Failure(error)).exit()
        }
    }

    /// Writes a text to standard output and ends the process.
    private static func answer(_ text: String) -> Never {
        do {
            try Output.standard.write(text + "\n")
        } catch {
            Failure(error).exit()
        }
        Glibc.exit(0)
    }
}

import Glibc
import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// No output replaces an input or another output, whatever command and option name them.
///
/// Commands, options and which of them name files come from the command's own declarations (`--experimental-dump-help`).
/// The tables below say what each is for, and a new option that names a file fails the test until it is in one.
@Suite struct OutputGuardTests {
    private let place: Workplace

    private static let outputs: Set = [
        "output", "map", "stats", "show-plan", "json", "junit", "report", "states", "plot", "curve",
        "figure", "hashes", "<path>",
    ]
    private static let inputs: Set = [
        "<input>", "versus", "shaders", "<jobs>", "<session>", "<reference>", "<actual>", "mask", "scene", "<dir>",
        "accept", "limits", "<json>", "compare", "<folder>", "<figure>", "<shader.frag>", "<method>", "reference",
        "regions-of", "against",
    ]
    /// An option or argument that takes a value.
    private struct Declared {
        let command: [String]
        let name: String
        let isPositional: Bool
        let namesFile: Bool

        var isOutput: Bool { OutputGuardTests.outputs.contains(name) }
        /// bench compares against a build.
        var isInput: Bool { OutputGuardTests.inputs.contains(name) && (name != "against" || command == ["replay"]) }
    }

    init() throws {
        place = try Workplace()
        let page = try #require(place.bytes("page.png"))
        for name in [
            "other.png", "mask.png", "scene.png", "suite/case.png", "suite/shown.png", "left/a.png", "right/a.png",
        ] {
            _ = place.folder.put(page, name)
        }
        let scene = #"{"layers": [{"image": "scene.png"}]}"#
        place.put(scene, "scene.json")
        place.put(#"{"layers": [{"image": "shown.png"}]}"#, "suite/case.json")
        place.put(
            #"{"model": "keyframes", "scene": "scene.json", "duration": 0.05, "keyframes": [{"t": 1, "layer": 0, "opacity": 0}]}"#,
            "session.json")
        place.put(#"{"format": "loupe-accept/1", "cases": []}"#, "accept.json")
        place.put(#"{"format": "loupe-limits/1", "pictures": {}}"#, "limits.json")
        place.put(#"{"input": "page.png", "output": "job.png"}"#, "jobs.jsonl")
        place.put("void main() {}", "shaders/no-edge.frag")
        place.put("void main() {}", "own.frag")
        place.put("t,layers[0].opacity\n0,1\n", "phone.csv")
        place.put("t,id,x,y,phase\n0,1,5,5,began\n0.1,1,6,6,ended\n", "touches.csv")
    }

    // MARK: - The declarations

    private static func declared(_ command: JSONValue, _ path: [String]) -> [Declared] {
        let own = command["arguments"].elements.filter { $0["kind"] != .string("flag") }.map { argument in
            let names = argument["names"].elements.compactMap { $0["name"].text }
            let long = names.max { $0.count < $1.count }
            return Declared(
                command: path, name: long ?? "<\(argument["valueName"].text ?? "")>", isPositional: long == nil,
                namesFile: !argument["completionKind"]["file"].keys.isEmpty)
        }
        return own
            + command["subcommands"].elements.flatMap { declared($0, path + [$0["commandName"].text ?? ""]) }
    }

    private func declarations() throws -> [Declared] {
        let dump = try JSONValue(parsing: place.command.run("--experimental-dump-help").output)
        return Self.declared(dump["command"], []).filter { $0.command.first != "help" }
    }

    @Test func everyOptionThatNamesAFileIsKnown() throws {
        let declared = try declarations()
        #expect(declared.count > 60 && declared.count(where: \.namesFile) > 30)
        for option in declared {
            #expect(
                option.namesFile ? option.isInput != option.isOutput : !option.isInput && !option.isOutput,
                "\(option.command) \(option.name): say in this test's tables whether it is read or written")
        }
    }

    // MARK: - Every output against every input and every other output

    /// Arguments of a command that would work, the files that it reads, by the option that names them or the document.
    private static let runs: [(command: [String], arguments: [String], reads: [String: [String]])] = [
        (
            ["render"], ["page.png", "--at", "9,9", "--versus", "other.png", "--shaders", "shaders", "-o", "OUT"],
            ["<input>": ["page.png"], "versus": ["other.png"], "shaders": ["shaders/no-edge.frag"]]
        ),
        (["render"], ["scene.json", "-o", "OUT"], ["<input>": ["scene.json", "scene.png"]]),
        (["inspect"], ["scene.json", "--at", "1,1"], ["<input>": ["scene.json", "scene.png"]]),
        (["inspect"], ["page.png", "--at", "1,1"], ["<input>": ["page.png"]]),
        (["check"], ["page.png"], ["<figure>": ["page.png"]]),
        (
            ["replay"], ["session.json", "--against", "phone.csv", "-o", "OUT.apng"],
            ["<session>": ["session.json", "scene.json", "scene.png"], "against": ["phone.csv"]]
        ),
        (
            ["diff"], ["page.png", "other.png", "--mask", "mask.png", "--scene", "scene.json", "--metric", "oklab"],
            [
                "<reference>": ["page.png"], "<actual>": ["other.png"], "mask": ["mask.png"],
                "scene": ["scene.json", "scene.png"],
            ]
        ),
        (
            ["diff"],
            ["left", "right", "--limits", "limits.json", "--accept", "accept.json", "--metric", "oklab"],
            [
                "<reference>": ["left/a.png"], "<actual>": ["right/a.png"], "limits": ["limits.json"],
                "accept": ["accept.json"],
            ]
        ),
        (
            ["crops"],
            ["page.png", "--reference", "other.png", "--metric", "psnr", "--regions-of", "scene.json", "-o", "OUT"],
            ["<method>": ["page.png"], "reference": ["other.png"], "regions-of": ["scene.json"]]
        ),
        (
            ["verify"], ["suite", "--accept", "accept.json", "--mask", "mask.png"],
            [
                "<dir>": ["suite/case.json", "suite/case.png", "suite/shown.png"], "accept": ["accept.json"],
                "mask": ["mask.png"],
            ]
        ),
        (["report", "merge"], ["accept.json"], ["<json>": ["accept.json"]]),
        (["trace", "explain"], ["touches.csv"], ["<input>": ["touches.csv"]]),
        (["trace", "convert"], ["touches.csv", "-o", "OUT"], ["<input>": ["touches.csv"]]),
        (
            ["bench"], ["own.frag", "--uniform", "image=other.png"],
            ["<shader.frag>": ["own.frag"], "uniform": ["other.png"]]
        ),
    ]

    private func arguments(
        _ run: (command: [String], arguments: [String], reads: [String: [String]]), _ outputs: [(Declared, String)]
    ) -> [String] {
        var arguments = run.command + run.arguments
        for (output, path) in outputs {
            if output.name == "output", let index = arguments.firstIndex(of: "-o") {
                arguments.removeSubrange(index...index + 1)
            }
            arguments += output.isPositional ? [path] : ["--\(output.name)", path]
        }
        if run.command == ["replay"], outputs.contains(where: { $0.0.name == "output" }) {
            arguments += ["--format", "apng"]
        }
        return arguments
    }

    private func expectRefusal(_ arguments: [String], naming names: [String], files: [String: [UInt8]]) {
        let outcome = place.command.run(arguments)
        #expect(outcome.code == 64 || outcome.code == 65, "\(arguments): \(outcome.code) \(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        for name in names { #expect(outcome.errors.contains(name), "\(arguments): \(name) in \(outcome.errors)") }
        for (name, bytes) in files { #expect(place.bytes(name) == bytes, "\(arguments): \(name) is replaced") }
        #expect(place.bytes("new.css") == nil)
    }

    @Test func noOutputReplacesAnInput() throws {
        let declared = try declarations()
        var files: [String: [UInt8]] = [:]
        for name in Set(Self.runs.flatMap { $0.reads.values.joined() }) { files[name] = place.bytes(name) }
        var count = 0
        for run in Self.runs {
            let own = declared.filter { $0.command == run.command }
            let unread = own.filter { option in
                option.isInput && !Self.runs.contains { $0.command == run.command && $0.reads[option.name] != nil }
            }
            #expect(unread.isEmpty, "\(run.command): no file for \(unread.map(\.name))")
            for output in own.filter(\.isOutput) {
                for name in run.reads.values.joined().sorted() {
                    count += 1
                    let flag = output.isPositional ? "--json" : "-\(output.name == "output" ? "o" : "-" + output.name)"
                    expectRefusal(arguments(run, [(output, "./\(name)")]), naming: ["./\(name)", flag], files: files)
                }
            }
        }
        #expect(count > 40)
    }

    @Test func noOutputReplacesAnotherOutput() throws {
        let declared = try declarations()
        for run in Self.runs {
            let outputs = declared.filter { $0.command == run.command && $0.isOutput }
            for (index, first) in outputs.enumerated() {
                for second in outputs[..<index] {
                    expectRefusal(
                        arguments(run, [(first, "new.css"), (second, "./suite/../new.css")]),
                        naming: ["new.css", "./suite/../new.css"],
                        files: [:])
                }
            }
        }
    }

    /// Inputs in words, in options with several, and those of a page that is written.
    private static let further: [(arguments: [String], reads: [String])] = [
        (["page.png", "--compare-with", "other.png,mask.png"], ["page.png", "other.png", "mask.png"]),
        (["figure.pdf#1"], ["figure.pdf"]),
        (["live", "page.png", "--at", "9,9", "--versus", "other.png"], ["page.png", "other.png"]),
        (["live", "scene.json", "--record"], ["scene.json", "scene.png"]),
        (["live", "session.json", "second.json"], ["session.json", "second.json", "scene.json", "scene.png"]),
        (["live", "figure.pdf#1"], ["figure.pdf"]),
        (["edit", "page.png", "--no-browser"], ["page.png"]),
    ]

    @Test func noPictureAndNoPageReplacesWhatItShows() throws {
        place.run("page.png", "-o", "figure.pdf")
        _ = place.folder.put(try #require(place.bytes("session.json")), "second.json")
        for (arguments, reads) in Self.further {
            for name in reads {
                let bytes = try #require(place.bytes(name))
                expectRefusal(arguments + ["-o", "./\(name)"], naming: ["./\(name)", "-o"], files: [name: bytes])
            }
        }
    }

    @Test func framesReplaceNoPictureThatTheSessionShows() throws {
        let picture = try #require(place.bytes("scene.png"))
        _ = place.folder.put(picture, "1.png")
        place.put(#"{"layers": [{"image": "1.png"}]}"#, "scene.json")
        for pattern in ["%d.png", "./%01d.png", "suite/..//%d.png"] {
            expectRefusal(
                ["replay", "session.json", "-o", pattern], naming: ["1.png", "-o"],
                files: ["1.png": picture])
            #expect(place.bytes("0.png") == nil)
        }
    }

    @Test func aReferenceThatItsSceneShowsIsNotWritten() throws {
        let picture = try #require(place.bytes("suite/case.png"))
        place.put(#"{"layers": [{"image": "case.png"}]}"#, "suite/case.json")
        for update in ["all", "failed"] {
            expectRefusal(
                ["verify", "suite", "--update", update], naming: ["suite/case.png", "suite/case.json"],
                files: ["suite/case.png": picture])
        }
        place.put(#"{"layers": [{"image": "../other.png"}]}"#, "suite/case.json")
        place.put(#"{"layers": [{"image": "case.png"}]}"#, "suite/second.json")
        expectRefusal(
            ["verify", "suite", "--update", "all", "--allow-outside"], naming: ["suite/case.png", "suite/second.json"],
            files: ["suite/case.png": picture])
    }

    @Test func whatIsNoFileMayBeWrittenByManyAndRead() {
        for path in ["/dev/stdout", "/dev/null", "-"] {
            let outcome = place.command.run("diff", "page.png", "other.png", "--json", path, "--junit", "/dev/null")
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
    }
}

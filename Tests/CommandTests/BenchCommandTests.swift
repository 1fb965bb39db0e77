import Glibc
import LoupeBase
import TestSupport
import Testing

import func Glibc.sin

/// `bench` with shaders of the user's, and beside another build.
@Suite struct BenchCommandTests {
    private let place: Workplace
    /// A small loupe, and one case of it.
    private static let small = [
        "bench", "--quick", "--radius", "40", "--zoom", "2", "--canvas", "400x400", "--device", "cpu", "--quiet",
    ]

    init() throws { place = try Workplace() }

    @Test(arguments: ["pieces/no-edge*", "own-pieces/no-edge*", "encode*"])
    func aReplacedShaderThatDoesNotCompileEndsTheRunWhateverIsSelected(only: String) {
        place.put("#version 300 es\nvoid main() { color = ; }\n", "shaders/corner.frag")
        let outcome = place.command.run(Self.small + ["--only", only, "--shaders", "shaders"])
        #expect(outcome.code == 65, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first?.contains("corner.frag") == true && lines.first?.contains("does not compile") == true)
        #expect(lines.count > 1 && lines[1].contains("error"), "the driver's log: \(outcome.errors)")
    }

    @Test func aReplacedShaderThatDrawsSomethingElseEndsWithCode65AfterTheTable() {
        place.put(
            """
            #version 300 es
            precision highp float;
            out vec4 fragColor;
            void main() { fragColor = vec4(1.0, 0.0, 0.0, 1.0); }
            """, "shaders/no-edge.frag")
        let flags = Self.small.filter { $0 != "--quiet" }
        let outcome = place.command.run(flags + ["--only", "own-pieces/no-edge*", "--shaders", "shaders"])
        #expect(outcome.code == 65)
        #expect(outcome.text.contains("own-pieces/no-edge"))
        #expect(outcome.errors.contains("draw other pictures") && outcome.errors.contains("\n  own-pieces/no-edge/"))
    }

    @Test func whatCannotBeSetOrComparedIsRefused() {
        place.put(Self.shader, "a.frag")
        let shader = ["bench", "a.frag", "--size", "8x8", "--device", "cpu"]
        for (flags, code, words) in [
            (["--only", "zzz"], 64, "--only zzz: no case has such a name"),
            (["--uniform", "strength=nan"], 65, "the uniform strength is a float, which can't be nan"),
            (["--uniform", "strength=1", "--uniform", "strength=2"], 64, "--uniform strength: it is given twice"),
        ] as [([String], Int32, String)] {
            let outcome = place.command.run(shader + flags)
            #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    private static let shader = """
        #version 300 es
        precision highp float;
        uniform float strength;
        in vec2 uv;
        out vec4 color;
        void main() { color = vec4(uv * strength, 0.0, 1.0); }
        """

    @Test(.enabled(if: Sample.isWhole, "takes seconds; tools/test --long tries it"))
    func anyFragmentShaderIsTimedAndItsVariantsSideBySide() throws {
        place.put(Self.shader, "a.frag")
        place.put(Self.shader.replacing("uv * strength", with: "sin(sin(sin(uv * strength)))"), "b.frag")
        let outcome = place.command.run(
            "bench", "a.frag", "b.frag", "--size", "320x200", "--uniform", "strength=0.5", "--device", "cpu", "--json",
            "run.json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("a.frag/320x200") && outcome.text.contains("pixels differ"))
        let run = try place.json("run.json")
        let names = run["benchmarks"].list.compactMap(\.["name"].string)
        #expect(names == ["a.frag/320x200", "b.frag/320x200"])
        #expect(run["benchmarks"].list[1]["fragments"] == .number(64000))
    }

    @Test func whatIsWrongWithAFragmentShaderIsSaid() {
        place.put(Self.shader, "a.frag")
        place.put("#version 300 es\nvoid main() { oops }\n", "bad.frag")
        let run = { (arguments: [String]) in
            place.command.run(["bench", "--quiet", "--device", "cpu"] + arguments)
        }
        let bad = run(["bad.frag"])
        #expect(
            bad.code == 65 && bad.errors.contains("bad.frag does not compile") && bad.errors.contains("syntax error"))
        let unknown = run(["a.frag", "--uniform", "width=1"])
        #expect(unknown.code == 64 && unknown.errors.contains("--uniform width") && unknown.errors.contains("strength"))
        let many = run(["a.frag", "--uniform", "strength=1,2"])
        #expect(many.code == 65 && many.errors.contains("takes 1 numbers, not 2"))
        #expect(run(["none.frag"]).code == 66)
        #expect(run(["a.frag", "--shaders", "."]).code == 64 && run(["--size", "9x9"]).code == 64)
        #expect(run(["--threshold", "3"]).code == 64)
        #expect(run(["--shaders", ".", "--against", "/bin/true"]).code == 64)
    }

    @Test func aCommandThatIsNoBuildIsRefused() {
        place.put(Self.shader, "a.frag")
        let none = place.command.run("bench", "a.frag", "--device", "cpu", "--against", "/bin/true")
        #expect(none.code == 65 && none.errors.contains("/bin/true: it ended with code 0"))
    }

    @Test func anOutputThatCanNotBeWrittenIsNamedBeforeTheTiming() {
        place.put(Self.shader, "a.frag")
        // A batch of an hour.
        let flags = ["bench", "a.frag", "--device", "cpu", "--blocks", "1000000"]
        place.expectFailure(flags + ["--json", "missing/run"], 73, naming: "missing/run")
    }

    @Test(.enabled(if: Sample.isWhole, "takes seconds; tools/test --long tries it"))
    func aShaderThatGotDearerIsFoundBesideTheOtherBuild() throws {
        // Both builds are this one, but the other's shader is looked up where it starts, in another folder.
        place.put(Self.shader, "there/a.frag")
        let dear = Self.shader.replacing(
            "void main() {",
            with: "void main() { float s = 0.0; for (int i = 0; i < 60; i++) s += sin(uv.x + float(i));"
        ).replacing("0.0, 1.0)", with: "s * 1e-9, 1.0)")
        place.put(dear, "a.frag")
        place.put("#!/bin/sh\ncd there && exec '\(Command.path)' \"$@\"\n", "other")
        chmod(place.folder.file("other"), 0o755)
        let flags = [
            "bench", "a.frag", "--size", "256x256", "--uniform", "strength=0.5", "--device", "cpu", "--against",
        ]
        let same = place.command.run(flags + [Command.path, "--threshold", "60"])
        #expect(same.code == 0, "\(same.errors)")
        #expect(same.text.contains("none of 1 cases is slower than in the other build by more than 60 %"))
        let worse = place.command.run(flags + ["./other", "--threshold", "60", "--json", "pairs.json"])
        #expect(worse.code == 1 && worse.errors.contains("a.frag/256x256: takes "), "\(worse.errors)")
        let pairs = try place.json("pairs.json")
        #expect(pairs["pairs"].list.map(\.["verdict"].string) == ["slower"])
    }
}

extension JSONValue {
    /// The elements of an array; none of anything else.
    fileprivate var list: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}

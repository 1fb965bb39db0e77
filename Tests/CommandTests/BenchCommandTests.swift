import Glibc
import LoupeBase
import TestSupport
import Testing

/// `bench` with shaders of the user's, and beside another build.
@Suite struct BenchCommandTests {
    private let place: Workplace
    /// A small loupe, and one case of it.
    private static let small = [
        "bench", "--quick", "--radius", "40", "--zoom", "2", "--canvas", "400x400", "--device", "cpu", "--quiet",
    ]

    init() throws { place = try Workplace() }

    private static let shader = """
        #version 300 es
        precision highp float;
        uniform float strength;
        in vec2 uv;
        out vec4 color;
        void main() { color = vec4(uv * strength, 0.0, 1.0); }
        """

    @Test func whatIsWrongWithAShaderOrAFlagIsSaid() {
        place.put(Self.shader, "a.frag")
        place.put("#version 300 es\nvoid main() { oops }\n", "bad.frag")
        for (flags, code, words) in [
            (["bad.frag"], 65, "bad.frag does not compile"), (["none.frag"], 66, "none.frag"),
            (["a.frag", "--only", "zzz"], 64, "--only zzz: no case has such a name"),
            (["a.frag", "--uniform", "strength=nan"], 65, "the uniform strength is a float, which can't be nan"),
            (["a.frag", "--uniform", "strength=1,2"], 65, "takes 1 numbers, not 2"),
            (["a.frag", "--uniform", "strength=1", "--uniform", "strength=2"], 64, "strength: it is given twice"),
            (["a.frag", "--uniform", "width=1"], 64, "--uniform width"),
            (["--size", "9x9"], 64, "--size"), (["--threshold", "3"], 64, "--threshold"),
            (["--shaders", ".", "--against", "/bin/true"], 64, "--shaders"),
            (["a.frag", "--against", "/bin/true"], 65, "/bin/true: it ended with code 0"),
        ] as [([String], Int32, String)] {
            let outcome = place.command.run(["bench", "--quick", "--quiet", "--device", "cpu"] + flags)
            #expect(outcome.code == code && outcome.errors.contains(words), "\(flags): \(outcome.errors)")
        }
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
        #expect(pairs["pairs"].elements.map(\.["verdict"].text) == ["slower"])
    }
}

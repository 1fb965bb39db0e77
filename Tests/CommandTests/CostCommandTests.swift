import Glibc
import LoupeBase
import TestSupport
import Testing

import func Glibc.sin

/// `cost` with the real compilers, where mesa-drm-shim is installed.
@Suite struct CostCommandTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private static let hasShim: Bool = {
        let cache =
            getenv("XDG_CACHE_HOME").map { String(cString: $0) } ?? (getenv("HOME").map { String(cString: $0) } ?? "")
            + "/.cache"
        return [cache + "/loupe/mesa-drm-shim", "/usr/lib/x86_64-linux-gnu"].contains {
            access($0 + "/libamdgpu_noop_drm_shim.so", R_OK) == 0
        }
    }()
    private static let comment: Comment = "mesa-drm-shim is not installed; tools/measure/setup-cost fetches it"

    private static let shader = """
        #version 300 es
        precision highp float;
        uniform sampler2D image;
        uniform float strength;
        out vec4 color;
        void main() {
            color = texelFetch(image, ivec2(gl_FragCoord.xy), 0) * strength;
        }
        """

    /// Instructions of each shader on each architecture.
    private func instructions(_ outcome: Command.Outcome) throws -> [[String: Double]] {
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONValue(parsing: outcome.output)["shaders"].elements.map { shader in
            let costs = shader["costs"]
            return Dictionary(uniqueKeysWithValues: costs.keys.map { ($0, costs[$0]["instructions"].number) })
        }
    }

    @Test(.enabled(if: hasShim, comment)) func aDearerLineMovesTheCountsOnEveryArchitectureAndTwoRunsAreIdentical()
        throws
    {
        place.put(Self.shader, "plain.frag")
        place.put(Self.shader.replacing("* strength;", with: "* sin(strength * gl_FragCoord.x);"), "dear.frag")
        let outcome = place.command.run("cost", "plain.frag", "dear.frag", "--json")
        let costs = try instructions(outcome)
        try #require(costs.count == 2 && costs.allSatisfy { $0.count == 7 })
        for (name, plain) in costs[0] { #expect(costs[1][name] ?? 0 > plain && plain > 0, "\(name)") }
        #expect(place.command.run("cost", "plain.frag", "dear.frag", "--json").output == outcome.output)
        _ = place.folder.put(outcome.output, "base.json")
        let same = place.command.run("cost", "plain.frag", "dear.frag", "--quiet", "--compare", "base.json")
        #expect(same.code == 0 && same.errors.isEmpty, "\(same.errors)")
        place.put(Self.shader, "other.frag")
        let renamed = place.command.run("cost", "other.frag", "--quiet", "--compare", "base.json")
        #expect(renamed.code == 65 && renamed.errors.contains("it has none of these shaders"), "\(renamed.errors)")
        let less = place.command.run("cost", "./plain.frag", "other.frag", "--quiet", "--compare", "base.json")
        #expect(less.code == 0, "\(less.errors)")
        place.put(Self.shader.replacing("* strength;", with: "* sin(strength * gl_FragCoord.x);"), "plain.frag")
        let grown = place.command.run("cost", "plain.frag", "--quiet", "--compare", "base.json")
        #expect(grown.code == 1 && grown.errors.contains("7 costs grew"), "\(grown.errors)")
        #expect(grown.errors.contains("\n  plain.frag, NVIDIA Turing: "))
        let other = String(decoding: outcome.output, as: UTF8.self).replacing("Mesa ", with: "Mesa 9")
        place.put(other, "base.json")
        #expect(place.command.run("cost", "plain.frag", "--quiet", "--compare", "base.json").code == 65)
    }

    /// Instructions × share: those of the table above it, half of the disc for an edge and a quarter for a corner.
    @Test(.enabled(if: hasShim, comment)) func positionsAreInstructionsTimesShares() throws {
        let outcome = place.command.run("cost", "--positions")
        #expect(outcome.code == 0, "\(outcome.errors)")
        func cells(_ name: String, below title: String) -> [Double] {
            let lines = outcome.text.split(separator: "\n").drop { !$0.hasPrefix(title) }
            let line = lines.first { $0.hasPrefix(name + "  ") } ?? ""
            return line.dropFirst(name.count).split(separator: " ").compactMap { Double($0) }
        }
        for content in ["copy", "linear"] {
            let middle = cells("no-edge/\(content)", below: "instructions / registers")
            for (name, shader, share) in [("edge", "single-edge", 0.5), ("corner", "corner", 0.25)] {
                let cost = cells("\(shader)/\(content)", below: "instructions / registers")
                let found = cells("article, \(name)", below: "\(content): instructions × share")
                try #require(cost.count == 14)
                try #require(found.count == 14)
                try #require(middle.count == 14)
                // The table has instructions and registers in turn; the positions the product and its multiple.
                for index in stride(from: 0, to: 14, by: 2) {
                    #expect(abs(found[index] - share * cost[index]) < 0.051)
                    #expect(abs(found[index + 1] - share * cost[index] / middle[index]) < 0.0051)
                }
                let pieces = cells("pieces, \(name)", below: "\(content): instructions × share")
                #expect(pieces.count == 14)
                #expect(zip(pieces, found).allSatisfy { $0 < $1 }, "\(pieces), \(found)")
            }
        }
        #expect(place.command.run("cost", "--positions", "--json").code == 64)
    }

    @Test(.enabled(if: hasShim, comment)) func aShaderThatDoesNotCompileEndsWithCode65AndTheDriversLog() {
        place.put("#version 300 es\nvoid main() { oops }\n", "bad.frag")
        let outcome = place.command.run("cost", "bad.frag")
        #expect(outcome.code == 65 && outcome.errors.contains("bad.frag does not compile for AMD"), "\(outcome.errors)")
        #expect(outcome.errors.contains("syntax error"))
    }

    @Test(.enabled(if: hasShim && Sample.isWhole, "needs mesa-drm-shim, and a minute; tools/test --long tries it"))
    func everyProgramCompilesForEveryGPU() throws {
        let costs = try instructions(place.command.run(["cost", "--all", "--json"], seconds: 600))
        #expect(costs.count > 100 && costs.allSatisfy { $0.count == 7 && $0.values.allSatisfy { $0 > 0 } })
    }

    @Test func aBaseThatIsNoRunIsRefusedBeforeAnythingIsCompiled() {
        place.put("[1, 2]", "base.json")
        place.expectFailure(
            ["cost", "--compare", "base.json"], 65, naming: "base.json", "no JSON of loupe-render cost",
            environment: ["LOUPE_DRM_SHIM": place.folder.path])
    }

    @Test func withoutTheShimItSaysWhatToInstall() {
        place.expectFailure(
            ["cost"], 69, naming: "mesa-drm-shim", "tools/measure/setup-cost",
            environment: ["LOUPE_DRM_SHIM": place.folder.path])
    }
}

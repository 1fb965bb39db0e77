import LoupeBase
import TestSupport
import Testing

@testable import LoupeBench

/// Builds that are shell scripts, whose times are known.
@Suite struct PairTests {
    private let folder = TemporaryFolder()

    /// A build that answers as `BenchServer` does: two cases, of which the second costs `cost`, times a wander of the
    /// machine that both builds share (the parity of the script's answers).
    private func build(_ name: String, cost: Int) throws -> [String] {
        let script = """
            echo '{"protocol": 2, "device": "D", "software": true, "groups": ["one"]}'
            count=0
            while read -r word thing repetitions; do
                case $word in
                    group) echo '{"things": [["even"], ["case", "twin"]]}' ;;
                    calibrate) echo 3 ;;
                    time)
                        count=$((count + 1))
                        cost=1000
                        [ "$thing" = 1 ] && cost=\(cost)
                        echo "[$((cost * 7 + count * count % 700)), $((cost + count * 37 % 11))]" ;;
                esac
            done
            """
        return ["/bin/sh", folder.put(Array(script.utf8), name)]
    }

    private func run(_ cost: Int, threshold: Double = PairedBench.usualThreshold) throws -> PairedRun {
        let bench = PairedBench(
            here: try build("here", cost: cost), other: try build("other", cost: 1000), blocks: 15, threshold: threshold
        )
        return try bench.run()
    }

    @Test("The same build twice passes") func sameBuild() throws {
        let run = try run(1000)
        #expect(run.rows.map(\.name) == ["even", "case", "twin"])
        #expect(run.regressions.isEmpty && run.again == 0)
    }

    @Test("A slowdown of 8 percent is found, timed again, and nothing else is") func slowdown() throws {
        let run = try run(1080)
        #expect(run.regressions.map(\.name) == ["case", "twin"])
        #expect(run.regressions.allSatisfy { abs($0.ratio.estimate - 1.08) < 0.01 })
        #expect(run.again == 2)
        #expect(run.text.contains("SLOWER") && run.sentence.hasPrefix("2 of 3 cases are slower"))
    }

    @Test(
        "What is faster, or slower by less than the threshold, passes",
        arguments: [(900, 0.05), (1040, 0.05), (1080, 0.1)])
    func smallChanges(cost: Int, threshold: Double) throws {
        #expect(try run(cost, threshold: threshold).regressions.isEmpty)
    }

    /// So that noise in the first pass hides no slowdown above the threshold.
    @Test("What looks slower by half of the threshold is timed again") func secondTiming() throws {
        #expect(try run(1040).again == 2)
        #expect(try run(1020).again == 0)
    }

    @Test(
        "A command that is no such build is refused with the reason",
        arguments: [
            (["/bin/true"], "ended with code 0"), (["/nowhere/loupe-render"], "can't be started"),
            (["no-such-program-anywhere"], "no such program"), (["/bin/echo", "{}"], "another version"),
            (["/bin/echo", "usage: none"], "something else"),
        ])
    func badCommands(words: [String], reason: String) throws {
        let bench = PairedBench(here: try build("here", cost: 1), other: words, blocks: 15, threshold: 0.05)
        let error = thrown(BenchError.self) { try bench.run() }
        #expect(error?.description.contains(reason) ?? false, "\(error?.description ?? "")")
    }
}

import Glibc
import LoupeSystem
import TestSupport
import Testing

/// What the kernel lets a locked process do. `sandbox-probe` locks itself and tries.
@Suite struct LockTests {
    @Test func lockedProcessCanReadAndComputeAndNothingElse() throws {
        let folder = TemporaryFolder()
        let inside = folder.put([1], "fonts/inside")
        let outside = folder.put([2], "outside")
        let outcome = Command(folder: folder).run(
            program: Command.runnerFolder + "/sandbox-probe", [folder.file("fonts"), inside, outside])
        #expect(outcome.code == 0, "\(outcome.errors)")
        var results: [String: String] = [:]
        for line in outcome.text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            results[words[0]] = words[1]
        }
        let locks = try #require(results["locks"])
        results["locks"] = nil
        let allowed: Set = ["read-inside", "thread", "memory"]
        #if arch(x86_64) || arch(arm64)
            #expect(locks.hasSuffix("1"), "seccomp")
        #endif
        for (name, result) in results {
            // Older kernels have no Landlock, and let any file be read.
            if name == "read-outside", locks.hasPrefix("0") { continue }
            #expect(result == (allowed.contains(name) ? "done" : "refused"), "\(name)")
        }
        #expect(results.count == 20)
        #expect(folder.names == ["fonts", "outside"] && folder.names(in: "fonts") == ["inside"])
    }
}

/// Messages of a helper process, which may hold anything.
@Suite struct MessageTests {
    @Test func numbersAreReadAsTheyAreWritten() {
        var writer = MessageWriter()
        writer.write(UInt8(200))
        writer.write(Int64(-5))
        writer.write(-0.1)
        writer.write(UInt32.max)
        writer.write(rest: [1, 2])
        var reader = MessageReader(writer.bytes)
        #expect(reader.number(UInt8.self) == 200)
        #expect(reader.number(Int64.self) == -5)
        #expect(reader.double() == -0.1)
        #expect(reader.number(UInt32.self) == .max && !reader.isWhole)
        #expect(reader.takeRest() == [1, 2] && reader.isWhole)
        #expect(reader.number(UInt8.self) == 0 && reader.double() == 0 && !reader.isWhole)
    }

    @Test func listsEndWithTheirMessage() {
        var writer = MessageWriter()
        writer.write(UInt32.max)
        writer.write(block: [7])
        var reader = MessageReader(writer.bytes)
        #expect(reader.list { $0.text() }.count == 2 && !reader.isWhole)
    }
}

/// Helper processes that do not do what they should.
@Suite struct HelperProcessTests {
    @Test func invalidRequestIsRefusedAndTheProcessGoesOn() throws {
        let process = try HelperProcess()
        for _ in 0..<3 {
            #expect(throws: HelperFailure.refused(HelperRefusal(.invalidRequest))) {
                _ = try process.ask([99], limits: HelperLimits(seconds: 20, memory: 1 << 30))
            }
        }
        #expect(process.isRunning)
    }

    @Test func requestThatMayTakeNoTimeEnds() throws {
        let process = try HelperProcess()
        #expect(throws: HelperFailure.timedOut(seconds: 0)) {
            _ = try process.ask([9], limits: HelperLimits(seconds: 0, memory: 1 << 30))
        }
        #expect(!process.isRunning)
    }
}

import LoupeSystem
import Testing

/// Programs that answer lines with lines.
@Suite struct LineProcessTests {
    @Test func answersUntilItEnds() throws {
        let process = try LineProcess(["sh", "-c", "read line; echo \"<$line>\"; exit 3"])
        #expect(process.write("one"))
        #expect(process.read() == "<one>" && process.read() == nil)
        #expect(process.ending == "it ended with code 3")
    }

    @Test func isEndedAfterASilence() throws {
        let process = try LineProcess(["sleep", "60"])
        #expect(process.read(seconds: 1) == nil)
        #expect(process.ending == "it said nothing for 1 seconds")
    }

    @Test func aProgramThatIsMissingIsNamed() {
        #expect(throws: ChildProcess.Failure.self) { try LineProcess(["no-such-program"]) }
    }
}

import TestSupport
import Testing

/// What the command writes to a terminal, and that nothing of it is written elsewhere.
@Suite(.enabled(if: Command.hasTerminals, "this machine has no /dev/ptmx or no /dev/pts")) struct TerminalTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        place.put(#"{"canvas": {"width": 20, "height": 10}}"#, "suite/good.json")
        place.put(#"{"canvas": {"width": 20, "height": 10}}"#, "suite/missing.json")
        _ = place.command.run("suite/good.json", "-o", "suite/good.png", "--no-metadata")
    }

    private static let escape = "\u{1b}["

    @Test func verifyHasColoursAndMarksOnATerminalOnly() throws {
        let shown = place.command.runOnTerminal("verify", "suite")
        #expect(shown.code == 1)
        let lines = shown.text.split(separator: "\r\n").filter { $0.contains("suite/") || $0.contains("cases:") }
        try #require(lines.count == 2, "\(shown.text)")
        #expect(
            lines[0].contains("\u{1b}[33m? missing\u{1b}[0m  suite/missing  there is no reference"), "\(shown.text)")
        #expect(lines[1].contains("\u{1b}[31m✗ 2 cases: 1 passed, 1 missing in "), "\(shown.text)")
        let plain = place.command.run("verify", "suite")
        #expect(plain.text.hasPrefix("missing  suite/missing  there is no reference"))
        #expect(!plain.text.contains(Self.escape) && !plain.text.contains("✗") && plain.errors.isEmpty)
    }

    @Test func aDumbTerminalGetsNoControlSequences() {
        let shown = place.command.runOnTerminal("verify", "suite", environment: ["TERM": "dumb"])
        #expect(shown.text.contains("missing") && !shown.text.contains("\u{1b}") && !shown.text.contains("█"))
        #expect(place.command.runOnTerminal("verify", "suite").text.contains("\u{1b}[K"), "elsewhere there is progress")
    }

    @Test func coloursAreLeftOutOrAddedAsAsked() {
        let without = place.command.runOnTerminal("verify", "suite", environment: ["NO_COLOR": "1"]).text
        #expect(without.contains("? missing  suite/missing") && !without.contains("\u{1b}[3"), "\(without)")
        let empty = place.command.runOnTerminal("verify", "suite", environment: ["NO_COLOR": ""]).text
        #expect(empty.contains("\u{1b}[33m? missing"), "an empty NO_COLOR says nothing: \(empty)")
        let never = place.command.runOnTerminal("verify", "suite", "--color", "never").text
        #expect(never.contains("missing  suite/missing") && !never.contains("\u{1b}[3") && !never.contains("✗"))
        let always = place.command.run("verify", "suite", "--color", "always").text
        #expect(always.contains("\u{1b}[33m? missing\u{1b}[0m"))
        place.expectFailure(["verify", "suite", "--color", "sometimes"], 64, naming: "--color", "auto", "never")
    }

    @Test func diffSaysSameOrDiffersWithAMark() throws {
        let same = place.command.runOnTerminal("diff", "page.png", "page.png")
        #expect(same.text == "\u{1b}[32m✓ same:\u{1b}[0m none of 1200 pixels differs\r\n  compared in 8 bits, sRGB\r\n")
        let plain = place.command.run("diff", "page.png", "suite/good.png", "--color", "always")
        #expect(plain.code == 1 && plain.text.hasPrefix("\u{1b}[31m✗ differs:\u{1b}[0m "))
    }
}

import LoupePlan
import Testing

@testable import LoupeBench

/// Tables of text for people.
@Suite struct TableTests {
    @Test func longNamesAreShortenedInTheirMiddle() {
        var table = Table(
            title: "shaders", headings: ["shader", "ms", "compared"], isNumeric: [false, true, false])
        let names = (1...2).map { "\(String(repeating: "a-long-folder/", count: 9))shader-\($0).frag" }
        table.rows = names.map { [$0, "42.345", "0.88 [0.86, 0.90] faster"] }
        let lines = table.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= Table.columns }, "\(lines)")
        #expect(lines[2].hasPrefix("a-long-folder/") && lines[2].contains("…") && lines[2].contains("shader-1.frag  "))
        #expect(Set(lines.dropFirst(2).map { String($0).firstRange(of: "42.345")?.lowerBound }).count == 1)
    }

    @Test("The table says faster or slower in words, and in each row how the case is called") func wordsOfTheTable() {
        let text = SampleRun.run().text
        #expect(text.contains("radius:300/zoom:4/linear\n") && text.contains("\npieces/corner "))
        #expect(text.contains("0.75 [0.75, 0.75] faster") && text.contains("4.00 [4.00, 4.00] slower"))
        #expect(text.contains("1.500"))
    }

    @Test("Tables keep within 100 columns") func tableWidth() {
        let setting = Setting(radius: 8192, zoom: 1.25, filter: .lanczos)
        var run = SampleRun.run()
        run.entries += SampleRun.entries(
            setting,
            ClipState.allCases.flatMap { state in
                ShaderPolicy.allCases.map { ($0, state, 123_456_789) }
            })
        let lines = run.text.split(separator: "\n")
        #expect(lines.map(\.count).max() ?? 0 <= 100, "\(lines.filter { $0.count > 100 })")
    }

    @Test("Pictures that differ get no verdict") func differingPictures() {
        #expect(SampleRun.run(over: 1204).text.contains("1,204 pixels differ\n"))
    }

    @Test(
        "Milliseconds have three digits",
        arguments: [(0.0, "0.000"), (1_234_567, "1.235"), (999, "0.001"), (1e9, "1000.000"), (-5e5, "-0.500")])
    func digits(nanoseconds: Double, text: String) {
        #expect(nanoseconds.millisecondText == text)
    }
}

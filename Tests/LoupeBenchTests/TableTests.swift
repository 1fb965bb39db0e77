import Testing

@testable import LoupeBench

/// Tables of text for people.
@Suite struct TableTests {
    @Test func longNamesAreShortenedInTheirMiddleOnTerminalsOnly() {
        var table = Table(
            title: "shaders", headings: ["shader", "ms", "compared"], isNumeric: [false, true, false])
        let names = (1...2).map { "\(String(repeating: "a-long-folder/", count: 9))shader-\($0).frag" }
        table.rows = names.map { [$0, "42.345", "0.88 [0.86, 0.90] faster"] }
        table.tones = [0: .better]
        let lines = table.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= Table.columns - 2 }, "\(lines)")
        #expect(lines[2].hasPrefix("a-long-folder/") && lines[2].contains("…") && lines[2].contains("shader-1.frag  "))
        #expect(Set(lines.dropFirst(2).map { String($0).firstRange(of: "42.345")?.lowerBound }).count == 1)
        #expect(names.allSatisfy(table.markdown.contains))
    }
}

import LoupeCompare
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeCompare

@Suite struct VerifyReportTests {
    private let sandbox = SceneSandbox()

    /// Results of scenes, of which some have references and are drawn a little off.
    private func results() throws -> [CaseResult] {
        for name in ["a", "b", "c"] { try sandbox.write(sandbox.scene(), to: "s/\(name).json") }
        _ = try sandbox.run(update: .all)
        try sandbox.write(sandbox.scene(), to: "s/d.json")
        return try sandbox.run(draw: oneOff(by: 9)).values.sorted { $0.scene < $1.scene }
    }

    @Test("What is written as JSON is read back as the same JSON")
    func roundTrip() throws {
        let text = VerifyReport(cases: try results(), obsolete: ["s/old.png"], milliseconds: 20).json().text()
        let back = try VerifyReport(parsing: Array(text.utf8))
        #expect(back.json().text() == text)
        #expect(back.count(.failed) == 3 && back.count(.missing) == 1 && !back.isSame)
    }

    @Test("Joined results are those of one run, and a result that comes twice is refused")
    func joining() throws {
        let parts = try results().map { VerifyReport(cases: [$0], obsolete: ["x.png"], milliseconds: 10) }
        let joined = try VerifyReport(joining: parts.reversed())
        #expect(joined.cases.map(\.name) == ["a", "b", "c", "d"] && joined.obsolete == ["x.png"])
        #expect(throws: MergeError.self) { try VerifyReport(joining: [parts[0], parts[0]]) }
    }

    @Test("What was not compared is in every form of the results, and in joined ones")
    func notCompared() throws {
        var report = VerifyReport(cases: try results(), milliseconds: 1)
        report.notCompared = ["a.txt", "<b>"]
        let back = try VerifyReport(joining: [VerifyReport(parsing: Array(report.json().text().utf8))])
        #expect(back.notCompared == ["<b>", "a.txt"])
        #expect(back.summary.contains("; 2 files not compared"))
        #expect(back.junit.contains("<system-out>not compared: &lt;b&gt;&#10;not compared: a.txt</system-out>"))
        #expect(back.allNotes == ["not compared: <b>", "not compared: a.txt"])
        let error = thrown(DocumentError.self) { try VerifyReport(parsing: Array(#"{"wouldPass": null}"#.utf8)) }
        #expect(error?.description.contains("the numbers of two pictures") == true)
    }

    @Test("JUnit's XML escapes what XML can't hold, and counts")
    func junit() throws {
        let results = ["failed", "passed"].map { state in
            """
            {"suite": "s<1>", "name": "\\"n\\"", "scene": "\(state).json", "state": "\(state)",
             "message": "1 < 2\\n\\u0001", "milliseconds": \(state == "passed" ? 0.001 : 1500)}
            """
        }
        let cases = results.joined(separator: ", ")
        let text = #"{"format": "loupe-verify/1", "milliseconds": 1, "obsolete": [], "cases": [\#(cases)]}"#
        let xml = try VerifyReport(parsing: Array(text.utf8)).junit
        #expect(xml.contains(#"<testsuites name="loupe-render verify" tests="2" failures="1" time="1.500001">"#))
        #expect(xml.contains(#"<testsuite name="s&lt;1&gt;" tests="2" failures="1" time="1.500001">"#))
        #expect(xml.contains("<failure message=\"failed: 1 &lt; 2&#10;\u{fffd}\"/>"))
        #expect(xml.contains(#"name="&quot;n&quot;" time="1.500000""#))
    }
}

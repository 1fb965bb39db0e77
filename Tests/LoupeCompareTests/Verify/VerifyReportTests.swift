import LoupeCompare
import LoupeScene
import LoupeSystem
import Testing

@testable import LoupeBase
@testable import LoupeCompare

@Suite struct VerifyReportTests {
    private let sandbox = SceneSandbox()

    /// Results of every state, as those of a share.
    private func report(_ shard: String, _ names: [String]) throws -> VerifyReport {
        for name in names { try sandbox.write(sandbox.scene(), to: "s/\(name).json") }
        let results = try sandbox.run(draw: oneOff(by: 9)).values.filter { names.contains($0.name) }
        return VerifyReport(
            cases: results.sorted { $0.scene < $1.scene }, obsolete: ["s/old.png"],
            shards: [try #require(Shard(shard))], milliseconds: 20)
    }

    @Test("What is written as JSON is read back as the same JSON")
    func roundTrip() throws {
        try sandbox.write(sandbox.scene(), to: "s/a.json")
        _ = try sandbox.run(update: .all)
        let text = try report("1/1", ["a", "b"]).json.text()
        let back = try VerifyReport(parsing: Array(text.utf8))
        #expect(back.json.text() == text)
        #expect(back.count(.failed) == 1 && back.count(.missing) == 1 && !back.isSame)
    }

    @Test("Joined shares are the whole run; a missing share fails it, and a share given twice is refused")
    func joining() throws {
        for name in ["a", "b", "c"] { try sandbox.write(sandbox.scene(), to: "s/\(name).json") }
        _ = try sandbox.run(update: .all)
        var verifier = Verifier(draw: oneOff(by: 0))
        let cases = try CaseList([Path(sandbox.path)]).cases
        let shares = try (1...2).map { index in
            let shard = try #require(Shard("\(index)/2"))
            return VerifyReport(
                cases: try shard.share(of: cases).map { try verifier.verify($0) }, obsolete: ["x.png"], shards: [shard],
                milliseconds: 10)
        }
        #expect(shares.allSatisfy { $0.isSame }, "a share that passed is enough for the machine that ran it")
        let joined = try VerifyReport(joining: shares.reversed())
        #expect(joined.isSame && joined.cases.map(\.name) == ["a", "b", "c"] && joined.obsolete == ["x.png"])
        let half = try VerifyReport(joining: [shares[0]])
        #expect(!half.isSame && half.missingShards == ["2/2"])
        #expect(throws: MergeError.self) { try VerifyReport(joining: [shares[0], shares[0]]) }
    }

    @Test("JUnit's XML escapes what XML can't hold, and counts")
    func junit() {
        let xml = JUnit(
            name: "a&b",
            cases: [
                .init(suite: "s<1>", name: "\"n\"", seconds: 1.5, failure: "1 < 2\n\u{1}"),
                .init(suite: "s<1>", name: "ok", seconds: 0.000001),
            ]
        ).xml
        #expect(xml.contains(#"<testsuites name="a&amp;b" tests="2" failures="1" time="1.500001">"#))
        #expect(xml.contains(#"<testsuite name="s&lt;1&gt;" tests="2" failures="1" time="1.500001">"#))
        #expect(xml.contains("<failure message=\"1 &lt; 2&#10;\u{fffd}\"/>"))
        #expect(xml.contains(#"name="&quot;n&quot;" time="1.500000""#))
    }
}

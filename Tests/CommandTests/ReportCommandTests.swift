import TestSupport
import Testing

/// The pages and lists of `verify` and `report merge`, and the flags that go with them.
@Suite struct ReportCommandTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        place.put(#"{"canvas": {"width": 20, "height": 10}}"#, "scene.json")
    }

    @Test func thePageGoesToAFileOrToStandardOutputAlone() throws {
        let outcome = place.command.run("verify", "scene.json", "--report", "-", "--device", "cpu")
        #expect(outcome.code == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix("<!DOCTYPE html>") && outcome.text.hasSuffix("</html>\n"))
        #expect(outcome.text.contains("\"state\": \"missing\""))
        place.expectFailure(["verify", "scene.json", "--report", "/dev/full", "--quiet"], 73, naming: "/dev/full")
    }

    @Test func aListThatIsMissingOrBadIsToldBeforeAnythingIsDrawn() {
        place.expectFailure(["verify", "scene.json", "--accept", "list.json"], 66, naming: "list.json")
        let list = #"{"format": "loupe-accept/1", "cases": [{"scene": "other.json", "picture": "sha256:HASH"}]}"#
        let parts = list.split(separator: "HASH")
        let text = parts.joined(separator: String(repeating: "0", count: 64))
        place.put(text, "list.json")
        place.expectFailure(
            ["verify", "scene.json", "--accept", "list.json"], 65, naming: "list.json", "cases[0].scene", "other.json")
    }

    @Test func acceptingWritesAReferenceAndEndsInOneUntilItIsRunAgain() throws {
        let first = ["verify", "scene.json", "--device", "cpu", "--quiet"]
        let missing = place.command.run(first + ["--json", "results.json", "--json-pictures"])
        #expect(missing.code == 1, "\(missing.errors)")
        let results = try place.text("results.json")
        let hash = try #require(results.firstMatch(of: #/"hash": "(sha256:[0-9a-f]{64})"/#)?.1)
        let list = #"{"format": "loupe-accept/1", "cases": [{"scene": "./scene.json", "picture": "\#(hash)"}]}"#
        place.put(list, "list.json")
        #expect(place.command.run(first + ["--accept", "list.json"]).code == 1)
        #expect(try place.image("scene.png").width == 20)
        #expect(place.command.run(first).code == 0)
    }
}

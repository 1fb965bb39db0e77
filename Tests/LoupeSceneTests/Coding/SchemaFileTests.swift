import Foundation
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeScene

/// docs/schemas/scene.schema.json is what `SceneFields` says, with the examples that the file has.
@Suite struct SchemaFileTests {
    private static let top = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    @Test func theFileIsWhatTheTableSays() throws {
        let file = Self.top.appendingPathComponent("docs/schemas/scene.schema.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard case .object(let old) = try JSONValue(parsing: Array(text.utf8)), case .object(let new) = SceneSchema.json
        else { return fail("the schema is no object") }
        let members = new.members.map { ($0.key, $0.value as JSONValue?) } + [("examples", old["examples"])]
        let expected = JSONValue.object(JSONObject(members)).text() + "\n"
        guard text != expected else { return }
        let folder = Self.top.appendingPathComponent("test-failures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try expected.write(to: folder.appendingPathComponent("scene.schema.json"), atomically: true, encoding: .utf8)
        Issue.record("copy test-failures/scene.schema.json to docs/schemas, and run tools/make/format-docs")
    }
}

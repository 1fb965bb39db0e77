import LoupeCompare
import Testing

@testable import LoupeBase
@testable import LoupeReport

@Suite struct PagePicturesTests {
    private static func pictures(_ json: JSONValue) throws -> CasePictures {
        try CasePictures(JSONReader(json, path: .document))
    }

    @Test("Each picture is stored once, as the results have it") func storedPictures() throws {
        let stored = PagePictures([
            try Self.pictures(["reference": "AAAA", "actual": "BBBB", "difference": "CCCC"]), nil,
            try Self.pictures(["reference": "BBBB", "actual": "AAAA", "errorMap": "DDDD"]),
        ])
        #expect(stored.pictures == ["AAAA", "BBBB", "CCCC", "DDDD"])
        let numbers = stored.numbers.map { $0.map { "\($0.kind) \($0.number)" } }
        #expect(
            numbers == [["reference 0", "actual 1", "difference 2"], [], ["reference 1", "actual 0", "errors 3"]])
    }
}

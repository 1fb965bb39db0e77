import LoupeJSON
import LoupeScene

extension VerifyReport {
    /// Of the format below; a change that older readers do not understand gets a new number.
    private static let format = "loupe-verify/1"

    package var json: JSONValue { json(includesPictures: false) }

    /// - Parameter includesPictures: those of the cases that did not pass, so that a report can be made elsewhere.
    package func json(includesPictures: Bool) -> JSONValue {
        var counts = JSONObject()
        for state in CaseResult.State.allCases {
            _ = counts.append(.number(Double(count(state))), forKey: state.rawValue)
        }
        return [
            "format": .string(Self.format),
            "same": .bool(isSame),
            "counts": .object(counts),
            "milliseconds": .number(milliseconds),
            "shards": .array(shards.map { .string($0.description) }),
            "obsolete": .array(obsolete.map(JSONValue.string)),
            "cases": .array(cases.map { $0.json(includesPictures: includesPictures) }),
        ]
    }

    /// What `json` wrote.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var report = try JSONReader(parsing: bytes)
        let format = try report.required("format")
        guard try format.string() == Self.format else {
            throw format.error(
                "\(format.value.line) is not a format that this version reads; allowed is \(Self.format)")
        }
        // These follow from the cases.
        for key in ["same", "counts"] { _ = try report.optional(key) }
        self.init(
            cases: try report.required("cases").array().map(CaseResult.init),
            obsolete: try report.required("obsolete").array().map { (path) throws(DocumentError) in try path.string() },
            shards: try report.required("shards").array().map(Self.shard),
            milliseconds: try report.required("milliseconds").number(in: 0...1e15))
        try report.finish()
    }

    private static func shard(_ value: JSONReader) throws(DocumentError) -> Shard {
        guard let shard = Shard(try value.string()) else {
            throw value.error("\(value.value.line) is no share; i/n is needed")
        }
        return shard
    }
}

import LoupeBase
import LoupeScene
import LoupeSystem

extension VerifyReport {
    /// The lines for a person after those of the cases: obsolete references, missing shares, and the summary last.
    public var closingLines: [String] {
        obsolete.map { "obsolete \($0): there is no scene beside it, and no scene shows it" }
            + missingShards.map { "missing share \($0): no report contains its results" } + [summary]
    }

    /// The number of cases in each state, and the time.
    public var summary: String {
        let counts = CaseResult.State.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        let seconds = (milliseconds / 10).rounded() / 100
        let advice = count(.written) > 0 ? "; written: run again" : ""
        let share = shards.count == 1 && shards[0] != .all ? " (share \(shards[0]))" : ""
        return
            "\(cases.count) case\(cases.count == 1 ? "" : "s")\(share): \(counts.joined(separator: ", ")) in \(seconds) s\(advice)"
    }
}

extension VerifyReport {
    /// The name of the JSON format. A change that older versions can't read gets a new number.
    private static let format = "loupe-verify/1"

    /// The results for machines, without pictures.
    package var json: JSONValue { json(includesPictures: false) }

    /// The results for machines.
    ///
    /// - Parameter includesPictures: Whether the pictures of cases that did not pass are included, so that a report can be
    ///   written from the JSON alone.
    package func json(includesPictures: Bool) -> JSONValue {
        // Only folders of pictures have such a state.
        let states = CaseResult.State.allCases.filter { $0 != .gone || subject == .pictures }
        let counts = states.map { ($0.rawValue, JSONValue.number(Double(count($0)))) }
        return [
            "format": .string(Self.format),
            "subject": subject == .scenes ? nil : .string(subject.rawValue),
            "same": .bool(isSame),
            "counts": .object(JSONObject(counts)),
            "milliseconds": .number(milliseconds),
            "shards": .array(shards.map { .string($0.description) }),
            "obsolete": .array(obsolete.map { .string($0.description) }),
            "cases": .array(cases.map { $0.json(includesPictures: includesPictures) }),
        ]
    }

    /// Reads results that `json` wrote.
    ///
    /// - Throws: `DocumentError` with the position of what is wrong.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var report = try JSONReader(parsing: bytes)
        try report.requireFormat(Self.format)
        // These are computed from the cases.
        for key in ["same", "counts"] { _ = try report.optional(key) }
        let subject = try report.optional("subject")?.choice(of: Subject.self)
        self.init(
            cases: try report.required("cases").array().map(CaseResult.init), subject: subject ?? .scenes,
            obsolete: try report.required("obsolete").array().map { (path) throws(DocumentError) in
                Path(try path.string())
            },
            shards: try report.required("shards").array().map(Self.shard),
            milliseconds: try report.required("milliseconds").number(in: 0...1e15))
        try report.finish()
    }

    private static func shard(_ value: JSONReader) throws(DocumentError) -> Shard {
        guard let shard = Shard(try value.string()) else {
            throw value.error("\(value.value.line) is not a share; allowed is i/n")
        }
        return shard
    }
}

import LoupeBase
import LoupeSystem

extension VerifyReport {
    /// The lines for a person about obsolete references.
    package var notes: [String] {
        obsolete.map { "obsolete \($0): there is no scene beside it, and no scene shows it" }
    }

    /// The same, and a line for each file that was not compared.
    package var allNotes: [String] { notes + notCompared.map { "not compared: \($0)" } }

    /// The number of cases in each state, and the time.
    public var summary: String {
        let counts = CaseResult.State.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        let seconds = (milliseconds / 10).rounded() / 100
        let advice = count(.written) > 0 ? "; written: run again" : ""
        let files = notCompared.count == 1 ? "; 1 file not compared" : "; \(notCompared.count) files not compared"
        let noun = cases.count == 1 ? unit : unit + "s"
        let left = cases.count { $0.leavesOut }
        let masked = left == 0 ? "" : "; pixels of \(left) left out"
        return
            "\(cases.count) \(noun): \(counts.joined(separator: ", ")) in \(seconds) s\(chosenPages)\(compared)\(masked)\(notCompared.isEmpty ? "" : files)\(advice)"
    }

    /// In which depth and colours the cases were compared; nothing where none was.
    private var compared: String {
        let kinds = Dictionary(grouping: cases.compactMap(\.compared)) { $0 }.mapValues(\.count)
        let named = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { kind, count in
            kinds.count == 1 ? kind : "\(kind) (\(count))"
        }
        return named.isEmpty ? "" : "; compared in " + named.joined(separator: "; ")
    }
}

extension VerifyReport {
    /// The name of the JSON format. A change that older versions can't read gets a new number.
    private static let format = "loupe-verify/1"

    /// The results for machines.
    ///
    /// - Parameter includesPictures: Whether the pictures of cases that did not pass are included, so that a report can be
    ///   written from the JSON alone.
    package func json(includesPictures: Bool = false) -> JSONValue {
        // Only folders of pictures have such a state.
        let states = CaseResult.State.allCases.filter { $0 != .gone || subject != .scenes }
        let counts = states.map { ($0.rawValue, JSONValue.number(Double(count($0)))) }
        return [
            "format": .string(Self.format),
            "subject": subject == .scenes ? nil : .string(subject.rawValue),
            "same": .bool(isSame),
            "counts": .object(JSONObject(counts)),
            "milliseconds": .number(milliseconds),
            "obsolete": .array(obsolete.map { .string($0.readable) }),
            "notCompared": notCompared.isEmpty ? nil : .array(notCompared.map { .string($0.readable) }),
            "cases": .array(cases.map { $0.json(includesPictures: includesPictures) }),
        ]
    }

    /// Reads results that `json` wrote.
    ///
    /// - Throws: `DocumentError` with the position of what is wrong.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var report = try JSONReader(parsing: bytes)
        guard try report.optional("wouldPass") == nil else {
            throw report.error(
                "these are the numbers of two pictures; join results of verify, and of diff of folders or PDFs")
        }
        try report.requireFormat(Self.format)
        // These are computed from the cases.
        for key in ["same", "counts"] { _ = try report.optional(key) }
        let subject = try report.optional("subject")?.choice(of: Subject.self)
        func paths(_ value: JSONReader) throws(DocumentError) -> [Path] {
            try value.array().map { (path) throws(DocumentError) in Path(try path.string()) }
        }
        self.init(
            cases: try report.required("cases").array().map(CaseResult.init), subject: subject ?? .scenes,
            obsolete: try paths(try report.required("obsolete")),
            milliseconds: try report.required("milliseconds").number(in: 0...1e15))
        notCompared = try report.optional("notCompared").map(paths) ?? []
        try report.finish()
    }
}

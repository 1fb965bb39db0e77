import LoupeJSON
import LoupePage
import LoupeScene
import LoupeVerify

extension VerifyReport {
    /// One HTML file that needs nothing else: the cases in a list, and of those that did not pass the pictures, to be
    /// compared and accepted.
    ///
    /// The pictures come after everything else, in `template` elements, which a browser neither decodes nor shows: the
    /// list is there at once, however many follow.
    /// - Throws: `DocumentError` where the results of a case are not what `verify` writes.
    package func page() throws(DocumentError) -> Page {
        var parts = [Page.Part("report", try values())]
        for (index, result) in cases.enumerated() {
            guard let pictures = result.pictures else { continue }
            parts.append(Page.Part("pictures", ["index": .number(Double(index)), "pictures": pictures.values]))
        }
        return Page(templates: ReportFiles.templates, parts: parts + [Page.Part("end", [:])])
    }

    private func values() throws(DocumentError) -> JSONValue {
        var rows: [JSONValue] = []
        for (index, result) in cases.enumerated() { rows.append(try result.values(index: index)) }
        return [
            "title": "loupe-render verify",
            "summary": .string(summary),
            "notes": .array(closingLines.dropLast().map(JSONValue.string)),
            "hasNotes": .bool(closingLines.count > 1),
            "policy": .string(ReportFiles.policy),
            "style": .string(ReportFiles.style),
            "script": .string(ReportFiles.script),
            "format": .string(AcceptList.format),
            "suites": .array(suites.map(JSONValue.string)),
            "states": .array(states),
            "cases": .array(rows),
        ]
    }

    /// Each once, in the order of the cases.
    private var suites: [String] {
        var seen = Set<String>()
        return cases.map(\.suite).filter { seen.insert($0).inserted }
    }

    private var states: [JSONValue] {
        CaseResult.State.allCases.filter { count($0) > 0 }.map { state in
            ["name": .string(state.rawValue), "count": .number(Double(count(state)))]
        }
    }
}

extension CasePictures {
    /// Those that there are, in the order in which they stand side by side.
    fileprivate var values: JSONValue {
        let kinds = [("reference", reference), ("actual", actual), ("difference", difference)]
        return .array(
            kinds.compactMap { kind, data in data.map { ["kind": .string(kind), "data": .string($0)] } })
    }
}

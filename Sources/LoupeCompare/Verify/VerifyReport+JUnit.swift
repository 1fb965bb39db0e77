import LoupeBase

extension VerifyReport {
    /// The results in JUnit's XML format, which continuous-integration services read. It has one `testsuite` for each suite,
    /// in the order of the suites' first cases. The first one has what is to be said of the whole run.
    package var junit: String {
        var suites: [String] = []
        for suite in cases.map(\.suite) where !suites.contains(suite) { suites.append(suite) }
        let groups = Dictionary(grouping: cases, by: \.suite)
        let notes = allNotes.joined(separator: "\n").xmlEscaped
        let said = notes.isEmpty ? "" : "    <system-out>\(notes)</system-out>\n"
        let body = suites.map { suite in
            let cases = groups[suite] ?? []
            return "  <testsuite name=\"\(suite.xmlEscaped)\" \(Self.counts(cases))>\n"
                + cases.map(Self.element).joined() + (suite == suites.first ? said : "") + "  </testsuite>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="loupe-render \(subject.command)" \(Self.counts(cases))>
            \(body.joined())</testsuites>

            """
    }

    private static func counts(_ cases: [CaseResult]) -> String {
        let failures = cases.count { $0.state != .passed }
        let time = seconds(cases.reduce(0) { $0 + $1.milliseconds })
        return "tests=\"\(cases.count)\" failures=\"\(failures)\" time=\"\(time)\""
    }

    private static func element(_ result: CaseResult) -> String {
        let message = result.message.xmlEscaped
        let outcome =
            result.state == .passed
            ? "<system-out>\(message)</system-out>" : "<failure message=\"\(result.state.rawValue): \(message)\"/>"
        return
            "    <testcase classname=\"\(result.suite.xmlEscaped)\" name=\"\(result.name.xmlEscaped)\""
            + " time=\"\(seconds(result.milliseconds))\">\n      \(outcome)\n    </testcase>\n"
    }

    /// With six decimals and no exponent, which XML's decimal numbers do not allow.
    private static func seconds(_ milliseconds: Double) -> String {
        let microseconds = Int(min((milliseconds * 1e3).rounded(), 1e18))
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

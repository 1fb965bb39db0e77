import LoupeBase
import LoupeScene

/// Test results in JUnit's XML format, which continuous-integration services read.
package struct JUnit: Sendable {
    /// The result of one test case.
    package struct Case: Sendable {
        /// The name of the suite that the case belongs to.
        package var suite: String
        /// The case's name within its suite.
        package var name: String
        /// How long the case took.
        package var seconds: Double
        /// Why the case failed; nil if it passed.
        package var failure: String?
        /// Further text for a person; nil for none.
        package var output: String?

        /// The result of one test case.
        package init(suite: String, name: String, seconds: Double, failure: String? = nil, output: String? = nil) {
            self.suite = suite
            self.name = name
            self.seconds = seconds
            self.failure = failure
            self.output = output
        }
    }

    /// The name of the whole run.
    package var name: String
    /// The results, in the order in which they are written.
    package var cases: [Case]

    /// The results of a run.
    package init(name: String, cases: [Case]) {
        self.name = name
        self.cases = cases
    }

    /// The XML document. It has one `testsuite` for each suite, in the order of the suites' first cases.
    package var xml: String {
        var suites: [String] = []
        for suite in cases.map(\.suite) where !suites.contains(suite) { suites.append(suite) }
        let groups = Dictionary(grouping: cases, by: \.suite)
        let body = suites.map { Self.element(suite: $0, groups[$0] ?? []) }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="\(name.xmlEscaped)" \(Self.counts(cases))>
            \(body)</testsuites>

            """
    }

    private static func counts(_ cases: [Case]) -> String {
        let seconds = cases.reduce(0) { $0 + $1.seconds }
        return "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.failure != nil })\" time=\"\(rounded(seconds))\""
    }

    private static func element(suite: String, _ cases: [Case]) -> String {
        "  <testsuite name=\"\(suite.xmlEscaped)\" \(counts(cases))>\n" + cases.map(element).joined()
            + "  </testsuite>\n"
    }

    private static func element(_ testCase: Case) -> String {
        let start =
            "    <testcase classname=\"\(testCase.suite.xmlEscaped)\" name=\"\(testCase.name.xmlEscaped)\""
            + " time=\"\(rounded(testCase.seconds))\""
        let children = [
            testCase.failure.map { "      <failure message=\"\($0.xmlEscaped)\"/>\n" },
            testCase.output.map { "      <system-out>\($0.xmlEscaped)</system-out>\n" },
        ].compactMap(\.self).joined()
        return children.isEmpty ? start + "/>\n" : start + ">\n" + children + "    </testcase>\n"
    }

    /// With six decimals and no exponent, which XML's decimal numbers do not allow.
    private static func rounded(_ seconds: Double) -> String {
        let microseconds = Int((seconds * 1e6).rounded())
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

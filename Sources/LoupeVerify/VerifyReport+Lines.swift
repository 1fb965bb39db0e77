extension CaseResult {
    /// For a person, on one line.
    public var line: String { "\(state.rawValue) \(title): \(message)" }
}

extension VerifyReport {
    /// What a person should know beside the failures: slack, obsolete references, and the summary last.
    public var closingLines: [String] {
        slackLines + obsolete.map { "obsolete \($0): no scene beside it, and none shows it" }
            + missingShards.map { "missing share \($0): its results are not among these" } + [summary]
    }

    /// Counts and time.
    public var summary: String {
        let counts = CaseResult.State.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.rawValue)" }
        let seconds = (milliseconds / 10).rounded() / 100
        let advice = count(.written) > 0 ? "; written: run again" : ""
        let share = shards.count == 1 && shards[0] != .all ? " (share \(shards[0]))" : ""
        return
            "\(cases.count) case\(cases.count == 1 ? "" : "s")\(share): \(counts.joined(separator: ", ")) in \(seconds) s\(advice)"
    }

    /// Where less tolerance would do: for each case that states its own, and for all others of a tolerance together.
    private var slackLines: [String] {
        let passed = cases.filter { $0.state == .passed }
        let stated = passed.compactMap { result -> String? in
            guard let slack = result.slack, slack.isStated, slack.needed < slack.allowed else { return nil }
            return "slack \(result.title): allowed \(slack.allowed), needed \(slack.needed)"
        }
        let others = Dictionary(grouping: passed.compactMap(\.slack).filter { !$0.isStated }, by: \.allowed)
        let grouped = others.keys.sorted().compactMap { allowed -> String? in
            guard let slacks = others[allowed], let needed = slacks.map(\.needed).max(), needed < allowed else {
                return nil
            }
            return "slack of \(slacks.count) case\(slacks.count == 1 ? "" : "s"): allowed \(allowed), needed \(needed)"
        }
        return stated + grouped
    }
}

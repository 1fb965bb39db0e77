import LoupeDiff
import LoupeScene

/// The results of a run, or of several that were joined.
public struct VerifyReport: Sendable {
    public var cases: [CaseResult]
    /// References without a scene.
    public var obsolete: [String]
    /// Which shares of all cases the results are of.
    public var shards: [Shard]
    /// The time of the run, or of all together.
    public var milliseconds: Double
    /// Whether these are meant to be the results of all shares; a run of one share is right to know only its own.
    private var isJoined = false

    public init(cases: [CaseResult], obsolete: [String], shards: [Shard], milliseconds: Double) {
        self.cases = cases
        self.obsolete = obsolete
        self.shards = shards
        self.milliseconds = milliseconds
    }

    /// Whether every case passed, and no share is missing among those that were joined.
    public var isSame: Bool { cases.allSatisfy { $0.state == .passed } && missingShards.isEmpty }

    public func count(_ state: CaseResult.State) -> Int { cases.count { $0.state == state } }

    /// The shares that are not among the joined results.
    public var missingShards: [String] {
        guard isJoined, let count = shards.first?.count else { return [] }
        let present = Set(shards.map(\.index))
        return (1...count).filter { !present.contains($0) }.map { "\($0)/\(count)" }
    }

    /// A test suite for each suite.
    public var junit: JUnit {
        JUnit(
            name: "loupe-render verify",
            cases: cases.map { result in
                JUnit.Case(
                    suite: result.suite, name: result.name, seconds: result.milliseconds / 1000,
                    failure: result.state == .passed ? nil : "\(result.state.rawValue): \(result.message)",
                    output: result.state == .passed ? result.message : nil)
            })
    }
}

// MARK: - Joining

/// Why results can't be joined.
public enum MergeError: Error, Hashable, Sendable, CustomStringConvertible {
    case twice(scene: String)
    case unlikeShards(String, String)

    public var description: String {
        switch self {
        case .twice(let scene): "the results of \(scene) are there twice; join each share once"
        case .unlikeShards(let a, let b): "\(a) and \(b) are not shares of the same division; join those of one run"
        }
    }
}

extension VerifyReport {
    /// The results of several shares as those of one run; each case once, in the order of paths.
    public init(joining reports: [VerifyReport]) throws(MergeError) {
        let shards = reports.flatMap(\.shards).sorted { $0.index < $1.index }
        if let first = shards.first, let other = shards.first(where: { $0.count != first.count }) {
            throw .unlikeShards("\(first)", "\(other)")
        }
        var seen = Set<String>()
        let cases = reports.flatMap(\.cases)
        for result in cases where !seen.insert(result.scene).inserted { throw .twice(scene: result.scene) }
        self.init(
            cases: cases.sorted { $0.scene.utf8.lexicographicallyPrecedes($1.scene.utf8) },
            obsolete: Set(reports.flatMap(\.obsolete)).sorted(), shards: shards,
            milliseconds: reports.reduce(0) { $0 + $1.milliseconds })
        isJoined = true
    }
}

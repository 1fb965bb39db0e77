import LoupeScene
import LoupeSystem

/// The results of a run of `verify`, or of several runs that were joined.
public struct VerifyReport: Sendable {
    /// The subject of a run: what it compares with references.
    public enum Subject: String, Sendable, CaseIterable {
        /// Scenes, which it draws: `loupe-render verify`.
        case scenes
        /// Pictures of other programs: `loupe-render diff` of two folders.
        case pictures

        /// The command that makes such a run.
        package var command: String { self == .scenes ? "verify" : "diff" }
    }

    /// The result of each case.
    public var cases: [CaseResult]
    /// What was compared.
    public var subject = Subject.scenes
    /// The paths of references without a scene.
    public var obsolete: [Path]
    /// The shares of all cases that the results cover.
    public var shards: [Shard]
    /// The duration of the run, or of all joined runs together.
    public var milliseconds: Double
    /// Whether the results of several runs were joined. Only then are missing shares an error.
    private var isJoined = false

    /// The results of one run.
    public init(
        cases: [CaseResult], subject: Subject = .scenes, obsolete: [Path] = [], shards: [Shard] = [.all],
        milliseconds: Double
    ) {
        self.cases = cases
        self.subject = subject
        self.obsolete = obsolete
        self.shards = shards
        self.milliseconds = milliseconds
    }

    /// Whether every case passed and, in joined results, no share is missing.
    public var isSame: Bool { cases.allSatisfy { $0.state == .passed } && missingShards.isEmpty }

    /// How many cases ended in a state.
    public func count(_ state: CaseResult.State) -> Int { cases.count { $0.state == state } }

    /// The shares that are missing from joined results, each as i/n.
    public var missingShards: [String] {
        guard isJoined, let count = shards.first?.count else { return [] }
        let present = Set(shards.map(\.index))
        return (1...count).filter { !present.contains($0) }.map { "\($0)/\(count)" }
    }

    /// The results for JUnit, with one test suite for each suite.
    package var junit: JUnit {
        JUnit(
            name: "loupe-render \(subject.command)",
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
    /// Two reports have a result of the same scene.
    case twice(scene: Path)
    /// Two shares are from runs with different numbers of shares.
    case unlikeShards(String, String)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .twice(let scene): "there are two results of \(scene); join each share once"
        case .unlikeShards(let a, let b): "\(a) and \(b) are not shares of the same run; join the shares of one run"
        }
    }
}

extension VerifyReport {
    /// Joins the results of several shares into those of one run, sorted by path.
    ///
    /// - Throws: `MergeError` if a case occurs twice or the shares are not from the same run.
    public init(joining reports: [VerifyReport]) throws(MergeError) {
        let shards = reports.flatMap(\.shards).sorted { $0.index < $1.index }
        if let first = shards.first, let other = shards.first(where: { $0.count != first.count }) {
            throw .unlikeShards("\(first)", "\(other)")
        }
        var seen = Set<Path>()
        let cases = reports.flatMap(\.cases)
        for result in cases where !seen.insert(result.scene).inserted { throw .twice(scene: result.scene) }
        self.init(
            cases: cases.sorted { $0.scene < $1.scene }, subject: reports.first?.subject ?? .scenes,
            obsolete: Set(reports.flatMap(\.obsolete)).sorted(), shards: shards,
            milliseconds: reports.reduce(0) { $0 + $1.milliseconds })
        isJoined = true
    }
}

/// One of several equal shares of the cases, for runs that are split among machines.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// 1…count.
    public let index: Int
    /// How many shares there are.
    public let count: Int

    /// The only share of a run that is not split.
    public static let all = Shard(index: 1, count: 1)

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// The most shares of a run; results that are joined name each missing one.
    private static let mostShares = 10_000

    /// Reads `i/n` with 1 ≤ i ≤ n ≤ 10000; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], 1...Self.mostShares ~= count,
            1...count ~= index
        else {
            return nil
        }
        self.init(index: index, count: count)
    }

    /// `i/n`.
    public var description: String { "\(index)/\(count)" }

    /// Every n-th element from the i-th on. Neighbouring cases take about the same time, so the shares do too.
    public func share<Element>(of elements: [Element]) -> [Element] {
        stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
    }
}

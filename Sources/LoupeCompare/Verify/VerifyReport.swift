import LoupeSystem

/// The results of a run of `verify`, or of several runs that were joined.
public struct VerifyReport: Sendable {
    /// The subject of a run: what it compares with references.
    public enum Subject: String, Sendable, CaseIterable {
        /// Scenes, which it draws: `loupe-render verify`.
        case scenes
        /// Pictures of other programs: `loupe-render diff` of two folders.
        case pictures
        /// Several runs of both kinds: `loupe-render report merge`.
        case both

        /// The command that makes such results.
        package var command: String { self == .scenes ? "verify" : self == .pictures ? "diff" : "report" }
    }

    /// The result of each case.
    public var cases: [CaseResult]
    /// What was compared.
    public var subject = Subject.scenes
    /// The paths of references without a scene.
    public var obsolete: [Path]
    /// Files of the folders that were not compared: what is no picture of a known format, hidden pictures, and links to folders.
    public var notCompared: [Path] = []
    /// The duration of the run, or of all joined runs together.
    public var milliseconds: Double

    /// The results of one run.
    public init(cases: [CaseResult], subject: Subject = .scenes, obsolete: [Path] = [], milliseconds: Double) {
        (self.cases, self.subject, self.obsolete, self.milliseconds) = (cases, subject, obsolete, milliseconds)
    }

    /// What a case is called in the summary.
    package var unit = "case"
    /// Which pages of how many were chosen, for the summary; empty where all are.
    package var chosenPages = ""

    /// Whether there are cases and every one passed.
    public var isSame: Bool { !cases.isEmpty && cases.allSatisfy { $0.state == .passed } }

    /// How many cases ended in a state.
    public func count(_ state: CaseResult.State) -> Int { cases.count { $0.state == state } }
}

// MARK: - Joining

/// An error of joining results: two have a result of the same scene.
public struct MergeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the scene.
    public let scene: Path

    /// One sentence without a full stop, as the command prints it.
    public var description: String { "there are two results of \(scene); join each run once" }
}

extension VerifyReport {
    /// Joins the results of several runs, sorted by path.
    ///
    /// - Throws: `MergeError` if a case occurs twice.
    public init(joining reports: [VerifyReport]) throws(MergeError) {
        var seen = Set<Path>()
        let cases = reports.flatMap(\.cases)
        for result in cases where !seen.insert(result.scene).inserted { throw MergeError(scene: result.scene) }
        let subjects = Set(reports.map(\.subject))
        self.init(
            cases: cases.sorted { $0.scene < $1.scene },
            subject: subjects.count > 1 ? .both : subjects.first ?? .scenes,
            obsolete: Set(reports.flatMap(\.obsolete)).sorted(),
            milliseconds: reports.reduce(0) { $0 + $1.milliseconds })
        notCompared = Set(reports.flatMap(\.notCompared)).sorted()
    }
}

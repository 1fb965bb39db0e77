import LoupePlan
import LoupeScene

/// Cases that are timed side by side: one loupe in several places, drawn in several ways.
public struct Group: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// One place for each state.
        case grid
        case sweep(Sweep)
    }

    public let kind: Kind
    public let stage: Stage
    public let cases: [BenchCase]

    public init(_ kind: Kind, on stage: Stage, variants: [Variant], steps: Int) {
        self.kind = kind
        self.stage = stage
        let places: [Place] =
            switch kind {
            case .grid: ClipState.allCases.map(Place.state)
            // The page's middle is what every step is held against.
            case .sweep(let sweep):
                [.middle(of: sweep)] + (0..<steps).map { .sweep(sweep, step: $0, of: steps) }
            }
        cases = places.flatMap { place in variants.map { BenchCase($0, place, stage.setting) } }
    }

    private init(_ kind: Kind, _ stage: Stage, _ cases: [BenchCase]) {
        self.kind = kind
        self.stage = stage
        self.cases = cases
    }

    /// For progress and tables.
    var title: String {
        switch kind {
        case .grid: "grid/\(stage.setting.name)"
        case .sweep(let sweep): "sweep-\(sweep.rawValue)/\(stage.setting.name)"
        }
    }

    /// Only the cases whose names are wanted, and what they are compared with; nil where none is.
    func limited(to wants: (String) -> Bool) -> Group? {
        let wanted = Set(cases.filter { wants($0.name) })
        guard !wanted.isEmpty else { return nil }
        let bases = Set(wanted.flatMap(\.bases))
        return Group(kind, stage, cases.filter { wanted.contains($0) || bases.contains($0) })
    }
}

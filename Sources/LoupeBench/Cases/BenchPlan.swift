import Glibc
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// What a benchmark measures.
public struct BenchPlan: Sendable {
    /// Loupe radii of the grid, in canvas pixels.
    public var radii: [Double] = [100, 300, 600]
    /// Magnifications of the grid.
    public var zooms: [Double] = [1.5, 4, 16]
    /// Loupe filters of the grid.
    public var filters: [Filter] = [.linear]
    /// The number of steps of each sweep; 0 leaves the sweeps out.
    public var sweepSteps = 41
    /// The loupe of the sweeps, of the single steps and of the check of the clocks.
    public var sweepSetting = Setting(radius: 300, zoom: 4, filter: .linear)
    /// The ways to draw each loupe.
    public var variants: [Variant] = ShaderPolicy.allCases.map { Variant($0) }
    /// The canvas in pixels; nil makes it as large as a page of ``BenchPage``'s size and the loupe beside it need.
    public var canvas: ImageSize?
    /// Restricts the run to cases whose names match, and the cases these are compared with: a part of a name, or a
    /// pattern with `*` and `?`.
    public var only: String?
    /// How often each case is timed, each time in another order; ``leastBlocks`` or more. More blocks make narrower
    /// intervals.
    public var blocks = leastBlocks
    /// The picture that is magnified; nil takes ``BenchPage``'s.
    public var page: Image?
    /// Fragment shaders to time in place of loupes.
    public var fragments: FragmentPlan?

    /// The full benchmark: about five minutes.
    public init() {}

    /// With fewer blocks than this, intervals are too wide to be useful.
    public static let leastBlocks = 15

    /// One loupe and few steps: about a minute.
    public static var quick: BenchPlan {
        var plan = BenchPlan()
        plan.radii = [300]
        plan.zooms = [4]
        plan.sweepSteps = 5
        return plan
    }

    /// The groups of cases, in the order in which they run.
    func groups() throws(BenchError) -> [CaseGroup] {
        if fragments != nil { return [] }
        var groups: [CaseGroup] = []
        for filter in filters {
            for radius in radii {
                for zoom in zooms {
                    let stage = try stage(Setting(radius: radius, zoom: zoom, filter: filter))
                    groups.append(CaseGroup(.grid, on: stage, variants: variants, steps: 0))
                }
            }
        }
        if sweepSteps > 0 {
            let stage = try stage(sweepSetting)
            groups += Sweep.allCases.map { CaseGroup(.sweep($0), on: stage, variants: variants, steps: sweepSteps) }
        }
        return groups.compactMap { $0.limited(to: wants) }
    }

    /// Whether no case of a loupe is left, only steps.
    public var hasNoCase: Bool { get throws { try groups().isEmpty } }

    /// Whether ``only`` allows a name.
    func wants(_ name: String) -> Bool {
        guard let only else { return true }
        let pattern = only.contains { "*?[".contains($0) } ? only : "*\(only)*"
        return fnmatch(pattern, name, 0) == 0
    }

    /// The scene around a loupe.
    func stage(_ setting: Setting) throws(BenchError) -> Stage {
        guard let stage = Stage(setting, canvas: canvas, page: page?.size) else {
            throw .noRoom(setting, canvas: canvas)
        }
        return stage
    }
}

/// Cases that are timed side by side: one loupe at several places, drawn in several ways.
public struct CaseGroup: Hashable, Sendable {
    /// Which places a group has.
    public enum Kind: Hashable, Sendable {
        /// One place for each state.
        case grid
        /// The steps of a sweep, and the middle of the page.
        case sweep(Sweep)
    }

    /// Which places it has.
    public let kind: Kind
    /// The scene around the loupe.
    public let stage: Stage
    /// Its cases, by place and then by variant.
    public let cases: [BenchCase]

    /// A group of all places of its kind, in each variant.
    public init(_ kind: Kind, on stage: Stage, variants: [Variant], steps: Int) {
        let places: [Place] =
            switch kind {
            case .grid: ClipState.allCases.map(Place.state)
            // Every step is compared with the middle of the page.
            case .sweep(let sweep):
                [.middle(of: sweep)] + (0..<steps).map { .sweep(sweep, step: $0, of: steps) }
            }
        self.init(kind, stage, places.flatMap { place in variants.map { BenchCase($0, place, stage.setting) } })
    }

    private init(_ kind: Kind, _ stage: Stage, _ cases: [BenchCase]) {
        self.kind = kind
        self.stage = stage
        self.cases = cases
    }

    /// The group's name in progress lines.
    var title: String {
        switch kind {
        case .grid: "grid/\(stage.setting.name)"
        case .sweep(let sweep): "sweep-\(sweep.rawValue)/\(stage.setting.name)"
        }
    }

    /// Only the cases whose names are wanted, and the cases these are compared with; nil if no name is wanted.
    func limited(to wants: (String) -> Bool) -> CaseGroup? {
        let wanted = Set(cases.filter { wants($0.name) })
        guard !wanted.isEmpty else { return nil }
        let bases = Set(wanted.flatMap(\.bases))
        return CaseGroup(kind, stage, cases.filter { wanted.contains($0) || bases.contains($0) })
    }
}

/// Fragment shaders that are timed side by side, each drawn over a whole target.
public struct FragmentPlan: Sendable {
    /// The shaders' names in reports, which differ, and their texts.
    public var shaders: [(name: String, text: String)]
    /// The target's size in pixels.
    public var size: ImageSize
    /// By the uniforms' names. Each is set in every shader that has it.
    public var uniforms: [String: UniformValue]

    /// The shaders are compared with the first one.
    public init(shaders: [(name: String, text: String)], size: ImageSize, uniforms: [String: UniformValue] = [:]) {
        (self.shaders, self.size, self.uniforms) = (shaders, size, uniforms)
    }

    /// The group's name in progress lines.
    static let title = "fragment shaders"
}

extension ImageSize {
    /// The part of a case's name that says a size.
    var caseName: String { "\(width)x\(height)" }
}

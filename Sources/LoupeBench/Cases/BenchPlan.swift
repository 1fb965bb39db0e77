import Glibc
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// What a benchmark run measures.
public struct BenchPlan: Sendable {
    /// Settings of the grid.
    public var radii: [Double] = [100, 300, 600]
    public var zooms: [Double] = [1.5, 4, 16]
    public var filters: [Filter] = [.linear]
    /// Of each sweep; 0 leaves the sweeps out.
    public var sweepSteps = 41
    /// The loupe of the sweeps.
    public var sweepSetting = Setting(radius: 300, zoom: 4, filter: .linear)
    public var variants: [Variant] = ShaderPolicy.allCases.map { Variant($0) }
    /// The canvas in pixels; nil takes what a page of ``BenchPage``'s size and the loupe beside it need.
    public var canvas: ImageSize?
    /// Only cases of such names, and what they are compared with: a part of a name, or a pattern with `*` and `?`.
    public var only: String?
    /// How often each case is timed, each time in another order: more blocks make narrower intervals. ``leastBlocks`` or more.
    public var blocks = leastBlocks
    /// Shown instead of the page that is made of arithmetic.
    public var page: Image?

    public init() {}

    /// Fewer blocks than this make no interval worth reporting.
    public static var leastBlocks: Int { Sampler.leastBlocks }

    /// One loupe, few steps: about a minute.
    public static var quick: BenchPlan {
        var plan = BenchPlan()
        plan.radii = [300]
        plan.zooms = [4]
        plan.sweepSteps = 5
        return plan
    }

    /// The groups of cases, one after another.
    func groups() throws(BenchError) -> [Group] {
        var groups: [Group] = []
        for filter in filters {
            for radius in radii {
                for zoom in zooms {
                    let stage = try stage(Setting(radius: radius, zoom: zoom, filter: filter))
                    groups.append(Group(.grid, on: stage, variants: variants, steps: 0))
                }
            }
        }
        if sweepSteps > 0 {
            let stage = try stage(sweepSetting)
            groups += Sweep.allCases.map { Group(.sweep($0), on: stage, variants: variants, steps: sweepSteps) }
        }
        return groups.compactMap { $0.limited(to: wants) }
    }

    /// The loupe that clocks are checked with: one that fits the canvas.
    var checkSetting: Setting { sweepSetting }

    /// Whether a name is one of those that were asked for.
    func wants(_ name: String) -> Bool {
        guard let only else { return true }
        let pattern = only.contains { "*?[".contains($0) } ? only : "*\(only)*"
        return fnmatch(pattern, name, 0) == 0
    }

    func stage(_ setting: Setting) throws(BenchError) -> Stage {
        let own = page.map { ImageSize(width: $0.width, height: $0.height) }
        guard let stage = Stage(setting, canvas: canvas, page: own) else {
            throw .noRoom(setting, canvas: canvas)
        }
        return stage
    }
}

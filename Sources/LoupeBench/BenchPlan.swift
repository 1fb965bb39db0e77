import Glibc
import LoupeBase
import LoupePlan
import LoupeRenderer
import LoupeScene

/// A plan of what a benchmark measures.
package struct BenchPlan: Sendable {
    /// Loupe radii, in canvas pixels. Whole frames and transfers take the first.
    package var radii: [Double] = [300, 100, 600]
    /// Magnifications. Whole frames take the first.
    package var zooms: [Double] = [4, 1.5, 16]
    /// The ways to draw each loupe.
    var variants = ShaderPolicy.allCases
    /// The canvas in pixels; nil makes it as large as a page of ``BenchPage``'s size and the loupe beside it need.
    package var canvas: ImageSize?
    /// Restricts the run to cases whose names match, and the cases these are compared with: a part of a name, or a
    /// pattern with `*` and `?`.
    package var only: String?
    /// How often each case is timed, each time in another order; ``leastBlocks`` or more. More blocks make narrower
    /// intervals.
    package var blocks = leastBlocks
    /// Fragment shaders to time in place of loupes.
    package var fragments: FragmentPlan?

    /// The full benchmark: some minutes.
    package init() {}

    /// With fewer blocks than this, intervals are too wide to be useful.
    package static let leastBlocks = 15

    /// One loupe: less than a minute.
    package static var quick: BenchPlan {
        var plan = BenchPlan()
        (plan.radii, plan.zooms) = ([300], [4])
        return plan
    }

    /// What is timed side by side, in the order of the run.
    /// - Throws: `BenchError.noRoom` where a loupe does not fit on the canvas.
    func groups() throws(BenchError) -> [BenchGroup] {
        if fragments != nil { return [.fragments] }
        var groups = [BenchGroup.frames]
        for radius in radii {
            for zoom in zooms {
                let setting = Setting(radius: radius, zoom: zoom, filter: .linear)
                _ = try stage(setting)
                groups.append(.states(setting))
            }
        }
        return groups.filter { if case .states(let setting) = $0 { !cases(setting).isEmpty } else { true } }
    }

    /// The loupe of whole frames and transfers, with a filter.
    func frameSetting(_ filter: Filter = .linear) -> Setting {
        Setting(radius: radii.first ?? 300, zoom: zooms.first ?? 4, filter: filter)
    }

    /// The cases of a loupe whose names are wanted, and those they are compared with; by state and then by variant.
    func cases(_ setting: Setting) -> [BenchCase] {
        let all = ClipState.allCases.flatMap { state in variants.map { BenchCase($0, state, setting) } }
        let wanted = Set(all.filter { wants($0.name) })
        let bases = Set(wanted.compactMap(\.base))
        return all.filter { wanted.contains($0) || bases.contains($0) }
    }

    /// Whether ``only`` allows a name.
    func wants(_ name: String) -> Bool {
        guard let only else { return true }
        let pattern = only.contains { "*?[".contains($0) } ? only : "*\(only)*"
        return fnmatch(pattern, name, 0) == 0
    }

    /// The scene around a loupe.
    func stage(_ setting: Setting) throws(BenchError) -> Stage {
        guard let stage = Stage(setting, canvas: canvas) else {
            throw .noRoom(setting, canvas: canvas)
        }
        return stage
    }
}

/// Fragment shaders that are timed side by side, each drawn over a whole target.
package struct FragmentPlan: Sendable {
    /// The shaders' names in reports, which differ, and their texts.
    package var shaders: [(name: String, text: String)]
    /// The target's size in pixels.
    package var size: ImageSize
    /// By the uniforms' names. Each is set in every shader that has it.
    package var uniforms: [String: UniformValue]

    /// The shaders are compared with the first one.
    package init(shaders: [(name: String, text: String)], size: ImageSize, uniforms: [String: UniformValue] = [:]) {
        (self.shaders, self.size, self.uniforms) = (shaders, size, uniforms)
    }
}

/// Things that are timed side by side.
enum BenchGroup: Hashable {
    /// Whole frames, transfers and encoding.
    case frames
    /// One loupe, in each state and drawn in each way.
    case states(Setting)
    /// The user's fragment shaders.
    case fragments

    /// The name in progress lines and of the group's table.
    var title: String {
        switch self {
        case .frames: "frames and transfers"
        case .states(let setting): setting.name
        case .fragments: "fragment shaders, each over a whole target"
        }
    }
}

// MARK: - Cases

/// A loupe in one state, drawn in one way.
struct BenchCase: Hashable, Sendable {
    /// How the plan chooses among the shaders; loupes are drawn with `pieces` outside of benchmarks.
    let variant: ShaderPolicy
    /// Where the loupe is: in the middle of the page, on an edge, on a corner, or outside the page.
    let state: ClipState
    /// The loupe itself.
    let setting: Setting

    /// A case of these three.
    init(_ variant: ShaderPolicy, _ state: ClipState, _ setting: Setting) {
        (self.variant, self.state, self.setting) = (variant, state, setting)
    }

    /// Such as `pieces/corner/radius:300/zoom:4/linear`.
    var name: String { "\(variant.rawValue)/\(state.rawValue)/\(setting.name)" }

    /// The case it is compared with; nil for none. `pieces` is compared with `pieces` in the middle of the page, every other
    /// variant with `pieces` in the same state.
    var base: BenchCase? {
        if variant != .pieces { return BenchCase(.pieces, state, setting) }
        return state == .noEdge ? nil : BenchCase(.pieces, .noEdge, setting)
    }
}

/// The loupe that a group of cases shares.
package struct Setting: Hashable, Sendable {
    /// In canvas pixels.
    package let radius: Double
    /// The magnification.
    package let zoom: Double
    /// How the magnified page is filtered.
    package let filter: Filter

    /// A loupe of these values.
    package init(radius: Double, zoom: Double, filter: Filter) {
        (self.radius, self.zoom, self.filter) = (radius, zoom, filter)
    }

    /// Such as `radius:300/zoom:4/linear`.
    package var name: String { "radius:\(radius.jsonText)/zoom:\(zoom.jsonText)/\(filter.rawValue)" }
}

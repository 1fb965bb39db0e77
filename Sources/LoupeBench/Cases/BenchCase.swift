import LoupeJSON
import LoupePlan
import LoupeScene

/// One thing that is timed: a loupe at a place, drawn in one way.
public struct BenchCase: Hashable, Sendable {
    /// How the loupe is drawn.
    public let variant: Variant
    /// Where the loupe is.
    public let place: Place
    /// The loupe itself.
    public let setting: Setting

    /// A case of these three.
    public init(_ variant: Variant, _ place: Place, _ setting: Setting) {
        self.variant = variant
        self.place = place
        self.setting = setting
    }

    /// Such as `pieces/corner/radius:300/zoom:4/linear`.
    public var name: String { "\(variant.name)/\(place.name)/\(setting.name)" }

    /// The cases it is compared with. The user's shaders are compared with the embedded ones, every other variant with
    /// `pieces` at the same place, and `pieces` with `pieces` in the middle of the page.
    var bases: [BenchCase] {
        if variant.isOwn { return [BenchCase(Variant(variant.policy), place, setting)] }
        if variant != .pieces { return [BenchCase(.pieces, place, setting)] }
        switch place {
        case .state(.noEdge), .middle: return []
        case .state: return [BenchCase(.pieces, .state(.noEdge), setting)]
        case .sweep(let sweep, _, _): return [BenchCase(.pieces, .middle(of: sweep), setting)]
        }
    }
}

/// One way to draw a loupe: a policy of the plan, with the embedded shaders or the user's.
public struct Variant: Hashable, Sendable {
    /// How the plan chooses among the shaders.
    public let policy: ShaderPolicy
    /// Whether the user's shaders replace the embedded ones.
    public let isOwn: Bool

    /// A variant with the embedded shaders, or with the user's.
    public init(_ policy: ShaderPolicy, isOwn: Bool = false) {
        self.policy = policy
        self.isOwn = isOwn
    }

    /// Such as `pieces`, or `own-pieces`.
    public var name: String { (isOwn ? "own-" : "") + policy.rawValue }

    /// How loupes are drawn outside of benchmarks.
    public static let pieces = Variant(.pieces)
}

/// Where the loupe is relative to the page.
public enum Place: Hashable, Sendable {
    /// Where the page's outline is in this state: in the middle of the page, on an edge, on a corner, or outside the page.
    case state(ClipState)
    /// The middle of the page, timed beside the steps of a sweep as their base.
    case middle(of: Sweep)
    /// A step of a sweep, from 0, and the number of steps.
    case sweep(Sweep, step: Int, of: Int)

    /// Such as `corner`, or `sweep-edge/step:07`.
    public var name: String {
        switch self {
        case .state(let state): state.rawValue
        case .middle(let sweep): "sweep-\(sweep.rawValue)/no-edge"
        case .sweep(let sweep, let step, _): "sweep-\(sweep.rawValue)/step:\(step < 10 ? "0" : "")\(step)"
        }
    }

    /// Whether it is one of the places of the grid.
    package var isState: Bool { if case .state = self { true } else { false } }
}

/// A path of the loupe's centre from well inside the page to well outside it.
public enum Sweep: String, Hashable, Sendable, CaseIterable {
    /// Across the middle of the left edge.
    case edge
    /// Along the diagonal, across the upper left corner.
    case corner
}

/// The loupe that a group of cases shares.
public struct Setting: Hashable, Sendable {
    /// In canvas pixels.
    public let radius: Double
    /// The magnification.
    public let zoom: Double
    /// How the magnified page is filtered.
    public let filter: Filter

    /// A loupe of these values.
    public init(radius: Double, zoom: Double, filter: Filter) {
        self.radius = radius
        self.zoom = zoom
        self.filter = filter
    }

    /// Such as `radius:300/zoom:4/linear`.
    public var name: String { "radius:\(radius.jsonText)/zoom:\(zoom.jsonText)/\(filter.rawValue)" }
}

import LoupeScene

/// One thing that is timed: a loupe somewhere, drawn in one way.
public struct BenchCase: Hashable, Sendable {
    public let variant: Variant
    public let place: Place
    public let setting: Setting

    public init(_ variant: Variant, _ place: Place, _ setting: Setting) {
        self.variant = variant
        self.place = place
        self.setting = setting
    }

    /// Such as `pieces/corner/radius:300/zoom:4/linear`.
    public var name: String { "\(variant.name)/\(place.name)/\(setting.name)" }

    /// What it is compared with: somebody's own shaders with the embedded ones, any other way to draw with `pieces`
    /// in the same place, and `pieces` anywhere with `pieces` over the page's middle.
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

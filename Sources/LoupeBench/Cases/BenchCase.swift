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
}

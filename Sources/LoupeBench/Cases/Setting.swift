import LoupeScene

/// The loupe that a group of cases has in common.
public struct Setting: Hashable, Sendable {
    /// In canvas pixels.
    public let radius: Double
    public let zoom: Double
    public let filter: Filter

    public init(radius: Double, zoom: Double, filter: Filter) {
        self.radius = radius
        self.zoom = zoom
        self.filter = filter
    }

    /// Such as `radius:300/zoom:4/linear`.
    public var name: String { "radius:\(radius.plain)/zoom:\(zoom.plain)/\(filter.rawValue)" }
}

extension Double {
    /// Without a needless `.0`.
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}

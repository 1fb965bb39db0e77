/// Where the items of a panorama lie, and where it may come to rest.
///
/// Source: the published code of UIPanoramaView.
public struct PanoramaLayout: Hashable, Sendable {
    /// How much narrower than the viewport an item without a width is, so that the next one peeks in, in points.
    static let peek = 30.0
    /// In front of the first item, and beside each in the content's width, in points.
    static let gap = 5.0

    /// W, in points.
    public let viewportWidth: Double
    /// With the default filled in.
    public let itemWidths: [Double]
    /// Of each item's left edge in the content: x₀ = 5, x_{i+1} = x_i + w_i.
    public let itemPlaces: [Double]
    /// ceil(Σ(5 + w_i)/W)·W.
    public let contentWidth: Double
    /// The ways from each stop to the next: an item wider than the viewport is cut into several.
    public let chunks: [Double]
    /// The offsets at which the panorama may rest: the sums of the chunks before each.
    public let stops: [Double]

    /// - Parameter itemWidths: In points; 0 stands for the viewport's width less 30.
    public init(viewportWidth: Double, itemWidths: [Double]) {
        let widths = itemWidths.map { $0 > 0 ? $0 : max(1, viewportWidth - Self.peek) }
        self.viewportWidth = viewportWidth
        self.itemWidths = widths
        itemPlaces = Self.sums(widths, from: Self.gap)
        let total = widths.reduce(0) { $0 + $1 + Self.gap }
        contentWidth = max(1, (total / viewportWidth).rounded(.up)) * viewportWidth
        chunks = widths.flatMap { Self.chunks(of: $0, viewportWidth: viewportWidth) }
        stops = Self.sums(chunks, from: 0)
    }

    /// The sum of the elements before each.
    private static func sums(_ lengths: [Double], from start: Double) -> [Double] {
        var sum = start
        return lengths.map { length in
            defer { sum += length }
            return sum
        }
    }

    private static func chunks(of width: Double, viewportWidth: Double) -> [Double] {
        var rest = width
        var chunks: [Double] = []
        let step = viewportWidth - peek
        while rest > viewportWidth, step > 0 {
            chunks.append(step)
            rest -= step
        }
        return chunks + [rest]
    }

    /// How far the content may be scrolled, in points.
    public var offsetRange: ClosedRange<Double> { 0...(contentWidth - viewportWidth) }

    /// Where a release at an offset comes to rest: the first stop x with offset < x + chunk/2, else the chunks' total.
    public func snapTarget(from offset: Double) -> Double {
        for (stop, chunk) in zip(stops, chunks) where offset < stop + chunk / 2 { return stop }
        return chunks.reduce(0, +)
    }

    /// The same, kept to stops that the content's width lets come about.
    func reachableTarget(from offset: Double) -> Double {
        let target = snapTarget(from: offset)
        if offsetRange.contains(target) { return target }
        return stops.last { offsetRange.contains($0) } ?? 0
    }
}

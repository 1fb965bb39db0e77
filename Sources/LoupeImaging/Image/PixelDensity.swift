/// The number of pixels on a metre of paper: the resolution that programs for printing and LaTeX go by.
public struct PixelDensity: Hashable, Sendable {
    /// Pixels per metre in each direction, 1 to 2³¹ − 1.
    public let x, y: UInt32

    static let metresPerInch = 0.0254

    /// Rounded to whole pixels per metre, which is what a PNG can say. Nil for what rounds to less than 1 or is over the
    /// range.
    public init?(x: Double, y: Double) {
        guard let x = Self.whole(x), let y = Self.whole(y) else { return nil }
        (self.x, self.y) = (x, y)
    }

    /// The density of so many pixels per inch, in both directions.
    public init?(perInch: Double) { self.init(x: perInch / Self.metresPerInch, y: perInch / Self.metresPerInch) }

    private static func whole(_ value: Double) -> UInt32? {
        let rounded = value.rounded()
        return 1...Double(Int32.max) ~= rounded ? UInt32(rounded) : nil
    }

    /// The density of a picture in which the same paper has more pixels, or fewer.
    public func scaled(x: Double, y: Double) -> PixelDensity? {
        PixelDensity(x: Double(self.x) * x, y: Double(self.y) * y)
    }
}

extension Int {
    /// The whole part of a coordinate, which may be computed from any numbers. One beyond ±2⁵⁰ lies outside of every picture
    /// as that does; so does NaN.
    package init(bounded value: Double) { self.init(Swift.max(-0x1p50, Swift.min(value, 0x1p50))) }
}

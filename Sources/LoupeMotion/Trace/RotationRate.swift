/// A gyroscope's sample, in radians per second about the device's axes: x to its right, y to its top, z out of the
/// screen.
public struct RotationRate: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Of each axis; far beyond what gyroscopes measure, about 35.
    public static let range: ClosedRange<Double> = -1000...1000
}

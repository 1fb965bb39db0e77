/// How far content follows a finger that drags it past its end, as in UIScrollView: c·d·D/(c·|d| + D).
public struct RubberBand: Hashable, Sendable {
    /// c: the part of the finger's way that the content follows at first.
    public var stiffness: Double
    /// D, the viewport's length in points: the content never comes this far.
    public var length: Double

    public static let scrollViewStiffness = 0.55

    /// - Precondition: both are over 0.
    public init(length: Double, stiffness: Double = RubberBand.scrollViewStiffness) {
        precondition(length > 0 && stiffness > 0, "a rubber band's length and stiffness must be over 0")
        self.stiffness = stiffness
        self.length = length
    }

    /// How far the content moves when the finger has gone past the end by `distance`, in points, of either sign.
    public func stretch(_ distance: Double) -> Double {
        stiffness * distance * length / (stiffness * abs(distance) + length)
    }

    /// How far the finger must go for the content to move by `stretch`; the inverse of `stretch(_:)`.
    /// - Parameter stretch: Under `length` in magnitude; what is over counts as all but `length`.
    public func distance(forStretch stretch: Double) -> Double {
        let limit = length * (1 - 1e-9)
        let stretch = min(max(stretch, -limit), limit)
        return stretch * length / (stiffness * (length - abs(stretch)))
    }

    /// Where content shows whose offset would be `offset`: rubber-like outside of the range.
    public func offset(_ offset: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(offset, range.lowerBound), range.upperBound)
        return end + stretch(offset - end)
    }

    /// The offset that shows as `shown`; the inverse of `offset(_:in:)`.
    public func offset(shownAs shown: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(shown, range.lowerBound), range.upperBound)
        return end + distance(forStretch: shown - end)
    }
}

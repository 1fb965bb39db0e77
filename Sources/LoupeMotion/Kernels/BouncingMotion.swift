/// A coasting motion that runs past an end and is brought back by a spring, which takes over with the velocity of
/// that moment. A motion that starts outside the bounds springs back at once.
public struct BouncingMotion<Coasting: CoastingMotion>: Motion {
    public let coasting: Coasting
    public let bounds: ClosedRange<Double>
    /// When the spring takes over, in seconds; nil where the motion comes to rest inside.
    public let springTime: Double?
    private let springMotion: SpringMotion?

    /// - Parameters:
    ///   - fastestTransfer: The velocity that the spring takes over at most, either way.
    public init(
        _ coasting: Coasting, in bounds: ClosedRange<Double>, spring: Spring = .popBounce,
        fastestTransfer: Double = .infinity, tolerance: Tolerance = .fine
    ) {
        self.coasting = coasting
        self.bounds = bounds
        let start = coasting.value(at: 0)
        let isOutside = !bounds.contains(start)
        let end = isOutside ? start : coasting.restValue
        let bound = min(max(end, bounds.lowerBound), bounds.upperBound)
        let crossing = isOutside ? 0 : bound == end ? nil : coasting.time(reaching: bound)
        springTime = crossing
        springMotion = crossing.map { time in
            let velocity = min(max(coasting.velocity(at: time), -fastestTransfer), fastestTransfer)
            return SpringMotion(
                spring, from: isOutside ? start : bound, to: bound, velocity: velocity, tolerance: tolerance)
        }
    }

    public func value(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.value(at: time) }
        return motion.isSettled(at: own) ? motion.to : motion.value(at: own)
    }

    public func velocity(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.velocity(at: time) }
        return motion.isSettled(at: own) ? 0 : motion.velocity(at: own)
    }

    public func isSettled(at time: Double) -> Bool {
        if let (motion, own) = spring(at: time) { return motion.isSettled(at: own) }
        return springTime == nil && coasting.isSettled(at: time)
    }

    /// The spring, once it has taken over, and the time on its own clock.
    private func spring(at time: Double) -> (SpringMotion, Double)? {
        guard let springTime, let springMotion, time >= springTime else { return nil }
        return (springMotion, time - springTime)
    }
}

extension BouncingMotion: Equatable where Coasting: Equatable {}
extension BouncingMotion: Hashable where Coasting: Hashable {}

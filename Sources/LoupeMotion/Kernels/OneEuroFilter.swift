import LoupeBase

/// The 1€ filter: a low-pass filter whose cutoff rises with speed, so that it removes jitter at rest without lagging
/// in movement.
///
/// Source: Casiez, Roussel, Vogel, "1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive
/// Systems", CHI 2012. The derivative is taken from the last filtered value, as in the authors' current code.
public struct OneEuroFilter: Hashable, Sendable {
    /// The smallest cutoff f_c,min, in Hz, over 0: a lower one removes more jitter from slow movements.
    public var minimumCutoff: Double
    /// The speed coefficient β: a higher one removes more lag from fast movements.
    public var speedCoefficient: Double
    /// The cutoff of the derivative, in Hz, over 0.
    public var derivativeCutoff: Double

    private var filtered: Double?
    private var derivative = 0.0
    private var lastTime = 0.0
    /// The last interval between samples, in seconds; used again if two samples have the same time.
    private var interval: Double

    /// A filter without samples.
    /// - Parameter frequency: The sample rate in Hz that is assumed until two samples have different times.
    /// - Precondition: all but `speedCoefficient` are over 0.
    public init(
        minimumCutoff: Double = 1, speedCoefficient: Double = 0, derivativeCutoff: Double = 1, frequency: Double = 60
    ) {
        precondition(minimumCutoff > 0 && derivativeCutoff > 0 && frequency > 0, "frequencies must be over 0")
        self.minimumCutoff = minimumCutoff
        self.speedCoefficient = speedCoefficient
        self.derivativeCutoff = derivativeCutoff
        interval = 1 / frequency
    }

    /// Adds a sample and returns the filtered value.
    /// - Parameter time: In seconds, not before the last sample's.
    public mutating func filter(_ sample: Double, at time: Double) -> Double {
        guard let last = filtered else {
            filtered = sample
            lastTime = time
            return sample
        }
        if time > lastTime { interval = time - lastTime }
        lastTime = time
        derivative += weight(derivativeCutoff) * ((sample - last) / interval - derivative)
        let cutoff = minimumCutoff + speedCoefficient * abs(derivative)
        let next = last + weight(cutoff) * (sample - last)
        filtered = next
        return next
    }

    /// α = 1/(1 + τ/Tₑ) with τ = 1/(2πf_c).
    private func weight(_ cutoff: Double) -> Double {
        1 / (1 + 1 / (2 * .pi * cutoff * interval))
    }
}

/// The 1€ filter for each coordinate of a point: the position of a finger without the jitter of slow movements.
struct PointFilter: Hashable {
    /// Weak smoothing: from 500 points per second on, the path lags by less than 5 ms.
    private var x = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)
    private var y = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)

    /// Adds a sample and returns the filtered position.
    /// - Parameter time: In seconds, not before the last sample's.
    mutating func filter(_ position: Point, at time: Double) -> Point {
        Point(x: x.filter(position.x, at: time), y: y.filter(position.y, at: time))
    }
}

import LoupeGeometry

/// The 1€ filter: a low-pass filter whose cutoff rises with speed, so that it holds still without lagging behind.
///
/// Source: Casiez, Roussel, Vogel, "1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive
/// Systems", CHI 2012, with the derivative taken from the last filtered value, as the authors' code does since.
public struct OneEuroFilter: Hashable, Sendable {
    /// f_c,min in Hz, over 0: lower removes more jitter from what moves slowly.
    public var minimumCutoff: Double
    /// β: higher removes more lag from what moves fast.
    public var speedCoefficient: Double
    /// The derivative's own cutoff, in Hz, over 0.
    public var derivativeCutoff: Double

    private var filtered: Double?
    private var derivative = 0.0
    private var lastTime = 0.0
    /// In seconds; used where two samples have the same time.
    private var interval: Double

    /// - Parameter frequency: The rate of samples in Hz, until two times tell it.
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

    /// The filtered value at the last sample; nil before the first.
    public var value: Double? { filtered }

    /// The filtered derivative at the last sample, in units per second.
    public var velocity: Double { derivative }

    /// Takes a sample and returns the filtered value.
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

/// The 1€ filter for positions: where a finger is, with the jitter of slow movements removed.
struct PointFilter: Hashable {
    /// Little smoothing: from 500 points a second on the path lags by less than 5 ms.
    private var x = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)
    private var y = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)

    /// - Parameter time: In seconds, not before the last one's.
    mutating func filter(_ position: Point, at time: Double) -> Point {
        Point(x: x.filter(position.x, at: time), y: y.filter(position.y, at: time))
    }
}

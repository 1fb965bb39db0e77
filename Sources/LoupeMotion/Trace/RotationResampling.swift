import LoupeBase

/// Samples of the rotation rate of a log, at the rate for which the tilting panner's law was made, and without a constant
/// bias.
///
/// The law moves the photo for each sample, whatever its time, so a log of twice the rate would move it twice as far.
enum RotationResampling {
    private typealias Sample = (time: Double, rate: RotationRate)

    /// Core Motion's updates in the article, in Hz.
    static let rate = 60.0
    /// The greatest bias of a gyroscope, in radians per second, and the greatest spread of one that rests.
    private static let greatestBias = 0.02
    /// The time for which a device must rest for its bias to be known, in seconds.
    private static let restTime = 1.0
    /// The longest time between two samples, in seconds; a longer one is a gap in the log.
    private static let longestInterval = 0.1

    /// The samples every 1/60 s from the first one on, each the mean rate since the one before. The sum of the turns stays
    /// the same.
    static func resampled(_ trace: Trace) -> Trace {
        let samples = trace.events.compactMap { event -> Sample? in
            if case .rotation(let rate) = event.content { (event.time, rate) } else { nil }
        }
        guard let first = samples.first, let last = samples.last else { return trace }
        let bias = bias(of: samples)
        let count = Int(((last.time - first.time) * rate + 1e-6).rounded(.down))
        var turns: [[Double]] = [[0, 0, 0]]
        for (sample, next) in zip(samples, samples.dropFirst()) {
            let duration = min(next.time - sample.time, longestInterval)
            turns.append(
                zip(turns[turns.count - 1], zip(sample.rate.axes, next.rate.axes)).enumerated().map { axis, turn in
                    turn.0 + duration * ((turn.1.0 + turn.1.1) / 2 - bias[axis])
                })
        }
        var index = 0
        func turn(at time: Double) -> [Double] {
            while index + 2 < samples.count, samples[index + 1].time <= time { index += 1 }
            guard index + 1 < samples.count else { return turns[index] }
            let duration = samples[index + 1].time - samples[index].time
            let part = duration > 0 ? ((time - samples[index].time) / duration).clamped(to: 0...1) : 1
            return zip(turns[index], turns[index + 1]).map { $0 + part * ($1 - $0) }
        }
        var before = turns[0]
        let start = RotationRate(zip(first.rate.axes, bias).map { $0 - $1 })
        var events = [Trace.Event(time: first.time, .rotation(start))]
        for step in 0..<max(0, count) {
            let time = first.time + Double(step + 1) / rate
            let now = turn(at: time)
            let mean = RotationRate(zip(now, before).map { ($0 - $1) * rate })
            events.append(Trace.Event(time: time, .rotation(mean)))
            before = now
        }
        return Trace(events)
    }

    /// The mean rate of the stillest second, if the device rested in it.
    private static func bias(of samples: [Sample]) -> [Double] {
        var (best, spread) = ([0.0, 0, 0], greatestBias)
        var start = 0
        for end in samples.indices {
            while samples[end].time - samples[start].time > restTime { start += 1 }
            guard samples[end].time - samples[0].time >= restTime, end - start >= 10 else { continue }
            let window = samples[start...end]
            let means = (0..<3).map { axis in window.reduce(0) { $0 + $1.rate.axes[axis] } / Double(window.count) }
            let squares = window.reduce(0.0) { sum, sample in
                zip(sample.rate.axes, means).reduce(sum) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            }
            let deviation = (squares / Double(3 * window.count)).squareRoot()
            if deviation < spread, means.allSatisfy({ abs($0) <= greatestBias }) { (best, spread) = (means, deviation) }
        }
        return best
    }
}

extension RotationRate {
    fileprivate var axes: [Double] { [x, y, z] }

    fileprivate init(_ axes: [Double]) { self.init(x: axes[0], y: axes[1], z: axes[2]) }
}

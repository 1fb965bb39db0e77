import LoupeBase

/// Samples of the rotation rate of a log at one rate, without a constant bias.
///
/// The tilting panner's law moves the photo for each sample, whatever its time, so a log of twice the rate would move it twice
/// as far. Neither the article nor its code says a rate.
enum RotationResampling {
    private typealias Sample = (time: Double, rate: RotationRate)

    /// The rate unless a session names another one, in Hz: that of the screen of the time.
    static let standardRate = 60.0
    /// How far intervals may be from those of the rate for a log that has it already, as a part of them.
    private static let unevenness = 0.05
    /// The greatest bias of a gyroscope, in radians per second, and the greatest spread of one that rests.
    private static let greatestBias = 0.02
    /// The time for which a device must rest for its bias to be known, in seconds.
    private static let restTime = 1.0
    /// The longest time between two samples, in seconds; a longer one is a gap in the log.
    private static let longestInterval = 0.1

    /// The samples at a rate in Hz from the first one on, each the mean rate since the one before. The sum of the turns stays
    /// the same. A log that has the rate already keeps its samples, and touches stay as they are.
    static func resampled(_ trace: Trace, to rate: Double = standardRate) -> Trace {
        let samples = trace.events.compactMap { event -> Sample? in
            if case .rotation(let rate) = event.content { (event.time, rate) } else { nil }
        }
        guard let first = samples.first, let last = samples.last else { return trace }
        let bias = bias(of: samples)
        let touches = trace.events.filter { if case .touch = $0.content { true } else { false } }
        func merged(_ events: [Trace.Event]) -> Trace {
            // Swift's sort is stable, but its documentation does not guarantee it.
            let all = (touches + events).enumerated().sorted {
                ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
            }
            return Trace(all.map { $0.element })
        }
        let intervals = zip(samples, samples.dropFirst()).map { $1.time - $0.time }
        if intervals.allSatisfy({ abs($0 * rate - 1) < unevenness }) {
            return merged(samples.map { Trace.Event(time: $0.time, .rotation(RotationRate($0.rate.axes - bias))) })
        }
        let count = Int(((last.time - first.time) * rate + 1e-6).rounded(.down))
        var turns: [SIMD3<Double>] = [.zero]
        for (sample, next) in zip(samples, samples.dropFirst()) {
            let duration = min(next.time - sample.time, longestInterval)
            turns.append(turns[turns.count - 1] + duration * ((sample.rate.axes + next.rate.axes) / 2 - bias))
        }
        var index = 0
        func turn(at time: Double) -> SIMD3<Double> {
            while index + 2 < samples.count, samples[index + 1].time <= time { index += 1 }
            guard index + 1 < samples.count else { return turns[index] }
            let duration = samples[index + 1].time - samples[index].time
            let part = duration > 0 ? ((time - samples[index].time) / duration).clamped(to: 0...1) : 1
            return turns[index] + part * (turns[index + 1] - turns[index])
        }
        var before = turns[0]
        let start = RotationRate(first.rate.axes - bias)
        var events = [Trace.Event(time: first.time, .rotation(start))]
        for step in 0..<max(0, count) {
            let time = first.time + Double(step + 1) / rate
            let now = turn(at: time)
            let mean = RotationRate((now - before) * rate)
            events.append(Trace.Event(time: time, .rotation(mean)))
            before = now
        }
        return merged(events)
    }

    /// The mean rate of the stillest second, if the device rested in it.
    private static func bias(of samples: [Sample]) -> SIMD3<Double> {
        var (best, spread) = (SIMD3<Double>.zero, greatestBias)
        var start = 0
        for end in samples.indices {
            while samples[end].time - samples[start].time > restTime { start += 1 }
            guard samples[end].time - samples[0].time >= restTime, end - start >= 10 else { continue }
            let window = samples[start...end]
            let mean = window.reduce(.zero) { $0 + $1.rate.axes } / Double(window.count)
            let squares = window.reduce(0.0) { sum, sample in
                let off = sample.rate.axes - mean
                return sum + off.x * off.x + off.y * off.y + off.z * off.z
            }
            let deviation = (squares / Double(3 * window.count)).squareRoot()
            if deviation < spread, max(abs(mean.x), abs(mean.y), abs(mean.z)) <= greatestBias {
                (best, spread) = (mean, deviation)
            }
        }
        return best
    }
}

extension RotationRate {
    fileprivate var axes: SIMD3<Double> { SIMD3(x, y, z) }

    fileprivate init(_ axes: SIMD3<Double>) { self.init(x: axes.x, y: axes.y, z: axes.z) }
}

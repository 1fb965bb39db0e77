import LoupeGeometry

/// The numbers of a model as continuous curves of time.
///
/// While a model moves by itself they are its closed forms. While fingers move it, its frames change from event to
/// event; the curve goes straight from one event to the next, for the last 40 ms before it if they are further apart.
public struct MotionCurves: Sendable {
    private let model: Measures
    /// What the curves show, in their order.
    public let quantities: [Quantity]
    /// The times of the events, in seconds.
    private let times: [Double]
    private let values: [[Double]]
    /// The velocities under fingers; empty where no finger moves the model.
    private let heldVelocities: [[Double]]

    /// The curves of a model, whatever its frame rate.
    public init(_ model: Session.Model) {
        let model = model.measures
        self.model = model
        quantities = model.quantities
        let times = model.changes
        let values = times.map { model.values($0) }
        self.times = times
        self.values = values
        var tracker = VelocityTrackers()
        heldVelocities = times.indices.map { index in
            guard model.isHeld(times[index]) else {
                tracker = VelocityTrackers()
                return []
            }
            return tracker.velocities(values[index], at: times[index])
        }
    }

    /// The index of the last event up to a time; nil before the first one.
    private func event(upTo time: Double) -> Int? {
        var (low, high) = (-1, times.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        return low < 0 ? nil : low
    }

    /// The values at a time in seconds, in the order of `quantities`.
    public func values(at time: Double) -> [Double] {
        guard let event = event(upTo: time), !heldVelocities[event].isEmpty, event + 1 < times.count,
            model.isShown(times[event + 1])
        else { return model.values(time) }
        let next = times[event + 1]
        let begin = max(times[event], next - VelocityTracker.rest)
        guard time > begin else { return values[event] }
        let part = (time - begin) / (next - begin)
        return quantities.indices.map { index in
            let (from, to) = (values[event][index], values[event + 1][index])
            return quantities[index].isGoal ? from : from + (to - from) * part
        }
    }

    /// The velocities at a time, in units per second: the slopes of the closed forms, and under fingers what a release
    /// at that time would pass on, the slope of the last 0.1 s.
    public func velocities(at time: Double) -> [Double] {
        let event = event(upTo: time)
        if let event, !heldVelocities[event].isEmpty {
            let velocities = heldVelocities[event]
            let isResting = time - times[event] > VelocityTracker.rest
            guard !isResting else { return velocities.map { _ in 0 } }
            guard event + 1 < times.count, !heldVelocities[event + 1].isEmpty else { return velocities }
            let part = (time - times[event]) / max(times[event + 1] - times[event], .leastNormalMagnitude)
            return zip(velocities, heldVelocities[event + 1]).map { $0 + ($1 - $0) * part }
        }
        // On the closed form that is valid at the time.
        let begin = max(event.map { times[$0] } ?? -.infinity, time - Self.step)
        let next = (event ?? -1) + 1
        let end = min(next < times.count ? times[next].nextDown : .infinity, time + Self.step)
        let middle = model.values(time)
        let (before, after) = (model.values(begin), model.values(end))
        return middle.indices.map { index in
            let left = time > begin ? (middle[index] - before[index]) / (time - begin) : nil
            let right = end > time ? (after[index] - middle[index]) / (end - time) : nil
            return Self.slope(left, right)
        }
    }

    /// The time over which slopes are taken, in seconds.
    private static let step = 1e-5

    /// The slope between both sides' slopes, of which one may be missing. At a jump or a kink, as a spring has when its
    /// animation ends, it is the lesser of both.
    private static func slope(_ left: Double?, _ right: Double?) -> Double {
        guard let left, let right else { return left ?? right ?? 0 }
        let isSmooth = abs(right - left) <= 1 + 0.05 * max(abs(left), abs(right))
        if isSmooth { return (left + right) / 2 }
        return abs(left) < abs(right) ? left : right
    }

    /// The times of the events within a range, in seconds.
    func events(in range: ClosedRange<Double>) -> [Double] { times.filter { range.contains($0) } }

    /// Samples at multiples of a step and at each event, where a value may jump: two samples of the same time.
    /// - Parameter step: In seconds, over 0.
    func samples(in range: ClosedRange<Double>, step: Double) -> [CurveSample] {
        let count = max(1, Int(((range.upperBound - range.lowerBound) / step).rounded(.up)))
        var samples: [CurveSample] = []
        var events = events(in: range)[...]
        for index in 0...count {
            let time = index == count ? range.upperBound : range.lowerBound + Double(index) * step
            while let event = events.first, event <= time {
                events.removeFirst()
                let (before, after) = (values(at: event.nextDown), values(at: event))
                if event > range.lowerBound, samples.last?.time != event {
                    samples.append(CurveSample(time: event, values: before))
                }
                let isJump = zip(before, after).contains { CurveSample.isJump(from: $0, to: $1) }
                if isJump || event == range.lowerBound { samples.append(CurveSample(time: event, values: after)) }
            }
            if samples.last?.time != time { samples.append(CurveSample(time: time, values: values(at: time))) }
        }
        return samples
    }
}

/// The values of curves at a time.
struct CurveSample: Hashable, Sendable {
    /// In seconds.
    var time: Double
    var values: [Double]

    /// Whether two values at one time differ by more than rounding.
    static func isJump(from before: Double, to after: Double) -> Bool {
        abs(after - before) > 1e-9 * max(1, abs(before))
    }
}

/// The velocities of several numbers under a finger.
private struct VelocityTrackers {
    private var trackers: [VelocityTracker] = []
    /// The time of the first value, in seconds.
    private var start: Double?

    /// The time for which a finger must have moved before its velocity is more than noise, in seconds.
    private static let leastTime = 0.03

    /// Adds values at a time in seconds and returns the velocity of each.
    mutating func velocities(_ values: [Double], at time: Double) -> [Double] {
        start = start ?? time
        while trackers.count < (values.count + 1) / 2 { trackers.append(VelocityTracker()) }
        var velocities: [Double] = []
        for index in trackers.indices {
            let second = 2 * index + 1 < values.count ? values[2 * index + 1] : 0
            trackers[index].add(Point(x: values[2 * index], y: second), at: time)
            let isNew = time - (start ?? time) < Self.leastTime
            let velocity = isNew ? .zero : trackers[index].velocity(at: time)
            velocities += [velocity.dx, velocity.dy]
        }
        return Array(velocities.prefix(values.count))
    }
}

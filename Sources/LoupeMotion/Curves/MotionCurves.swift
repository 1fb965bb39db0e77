import LoupeBase

/// The numbers of a model as continuous curves of time.
///
/// While a model moves by itself they are its closed forms. While fingers move it, its frames change from event to
/// event; the curve goes straight from one event to the next, for the last 40 ms before it if they are further apart.
struct MotionCurves: Sendable {
    private let model: Session.Model
    /// What the curves show, in their order.
    let quantities: [Quantity]
    /// The times of the events, in seconds.
    private let times: [Double]
    private let values: [[Double]]
    /// The velocities under fingers; empty where no finger moves the model.
    private let heldVelocities: [[Double]]

    /// The curves of a model, whatever its frame rate.
    init(_ model: Session.Model) {
        let measures = model.measures
        self.model = model
        (quantities, times) = (measures.quantities, measures.changes.map { $0.time })
        let values = measures.changes.map { Self.values(of: measures.quantities, in: model.states(at: $0.time)) }
        self.values = values
        var trackers: [VelocityTracker] = []
        heldVelocities = measures.changes.indices.map { index in
            let (time, isHeld) = measures.changes[index]
            guard isHeld else {
                trackers = []
                return []
            }
            if trackers.isEmpty { trackers = values[index].map { _ in VelocityTracker() } }
            return trackers.indices.map { number in
                trackers[number].add(Point(x: values[index][number], y: 0), at: time)
                return trackers[number].heldVelocity(at: time).dx
            }
        }
    }

    private static func values(of quantities: [Quantity], in states: JSONValue) -> [Double] {
        let columns = CSV.columns(of: states)
        return quantities.map { quantity in
            let column = columns.first { $0.name == quantity.key }
            return if case .number(let number)? = column?.value { number } else { 0 }
        }
    }

    private func frameValues(at time: Double) -> [Double] {
        Self.values(of: quantities, in: model.states(at: time))
    }

    /// The values at a time in seconds, in the order of `quantities`.
    func values(at time: Double) -> [Double] {
        // A loupe that closes does so at once.
        guard let event = times.lastIndex(upTo: time), !heldVelocities[event].isEmpty, event + 1 < times.count,
            case let next = times[event + 1], model.states(at: next)["phase"] != .string("closed")
        else { return frameValues(at: time) }
        let begin = max(times[event], next - VelocityTracker.rest)
        guard time > begin else { return values[event] }
        let part = (time - begin) / (next - begin)
        return zip(values[event], values[event + 1]).map { $0 + ($1 - $0) * part }
    }

    /// The velocities at a time, in units per second: the slopes of the closed forms, and under fingers what a release
    /// at the last event would pass on.
    func velocities(at time: Double) -> [Double] {
        let event = times.lastIndex(upTo: time)
        if let event, !heldVelocities[event].isEmpty {
            let isResting = time - times[event] > VelocityTracker.rest
            return isResting ? quantities.map { _ in 0 } : heldVelocities[event]
        }
        // On the closed form that is valid at the time. A model that comes to rest jumps the last fraction of a point, so the
        // slope is that of the side without a jump.
        let begin = max(event.map { times[$0] } ?? -.infinity, time - Self.step)
        let next = (event ?? -1) + 1
        let end = min(next < times.count ? times[next].nextDown : .infinity, time + Self.step)
        let now = frameValues(at: time)
        let sides = [(frameValues(at: begin), now, time - begin), (now, frameValues(at: end), end - time)]
        return now.indices.map { index in
            let slopes = sides.filter { $0.2 > 0 }.map { ($0.1[index] - $0.0[index]) / $0.2 }
            return slopes.min { abs($0) < abs($1) } ?? 0
        }
    }

    /// The time over which slopes are taken, in seconds.
    private static let step = 1e-5

    /// Samples at multiples of a step and at each event, where a value may jump: two samples of the same time.
    /// - Parameter step: In seconds, over 0.
    func samples(in range: ClosedRange<Double>, step: Double) -> [CurveSample] {
        let count = max(1, Int(((range.upperBound - range.lowerBound) / step).rounded(.up)))
        var samples: [CurveSample] = []
        var events = times.filter { range.contains($0) }[...]
        for index in 0...count {
            let time = index == count ? range.upperBound : range.lowerBound + Double(index) * step
            while let event = events.first, event <= time {
                events.removeFirst()
                let (before, after) = (values(at: event.nextDown), values(at: event))
                let isJump = zip(before, after).contains { abs($1 - $0) > 1e-9 * max(1, abs($0)) }
                if event > range.lowerBound { samples.append(CurveSample(event, before)) }
                if isJump || event == range.lowerBound { samples.append(CurveSample(event, after)) }
            }
            if samples.last?.time != time { samples.append(CurveSample(time, values(at: time))) }
        }
        return samples
    }
}

/// The values of curves at a time.
struct CurveSample: Hashable, Sendable {
    /// In seconds.
    let time: Double
    let values: [Double]

    init(_ time: Double, _ values: [Double]) { (self.time, self.values) = (time, values) }
}

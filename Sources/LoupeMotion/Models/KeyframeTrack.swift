/// A property's values at some times, and the curves between them.
struct KeyframeTrack: Hashable, Sendable {
    struct Stop: Hashable {
        /// In seconds.
        let time: Double
        let values: [Double]
        /// On the way from the stop before.
        let curve: TimingCurve
    }

    let property: SceneProperty
    /// In the order of time, at least one.
    private(set) var stops: [Stop]

    /// - Parameter initial: The values at time 0, until a stop at 0 replaces them.
    init(_ property: SceneProperty, initial: [Double]) {
        self.property = property
        stops = [Stop(time: 0, values: initial, curve: .linear)]
    }

    /// Adds a stop that is not before the last one.
    mutating func append(_ stop: Stop) {
        if stops.last?.time == stop.time { stops.removeLast() }
        stops.append(stop)
    }

    func values(at time: Double) -> [Double] {
        guard let next = stops.firstIndex(where: { $0.time > time }) else { return stops[stops.count - 1].values }
        guard next > 0 else { return stops[0].values }
        let (from, to) = (stops[next - 1], stops[next])
        let progress = to.curve.progress(at: (time - from.time) / (to.time - from.time))
        return zip(from.values, to.values).map { $0 + ($1 - $0) * progress }
    }
}

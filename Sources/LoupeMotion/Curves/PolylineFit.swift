/// Curves as polylines with few corners that differ from their samples by no more than a tolerance.
///
/// From each corner the next one is the furthest sample to which a straight line passes every sample between them
/// within the tolerances (Imai and Iri's method, with the corners on samples).
enum PolylineFit {
    /// The indices of the samples that are corners, with the first and the last one.
    /// - Parameters:
    ///   - samples: In the order of time. Two samples of the same time are a jump, which is kept.
    ///   - tolerances: For each value, in its unit.
    static func corners(of samples: [CurveSample], tolerances: [Double]) -> [Int] {
        guard samples.count > 1 else { return Array(samples.indices) }
        var corners = [0]
        while let corner = corners.last, corner < samples.count - 1 {
            corners.append(furthest(from: corner, samples, tolerances))
        }
        return corners
    }

    private static func furthest(from corner: Int, _ samples: [CurveSample], _ tolerances: [Double]) -> Int {
        let start = samples[corner]
        var low = tolerances.map { _ in -Double.infinity }
        var high = tolerances.map { _ in Double.infinity }
        var furthest = corner + 1
        for index in (corner + 1)..<samples.count {
            let duration = samples[index].time - start.time
            guard duration > 0 else { return index }
            if index > corner + 1, samples[index].time == samples[index - 1].time { return furthest }
            var isReached = true
            for (value, tolerance) in tolerances.enumerated() {
                let rise = samples[index].values[value] - start.values[value]
                let slope = rise / duration
                if slope < low[value] || slope > high[value] { isReached = false }
                low[value] = max(low[value], (rise - tolerance) / duration)
                high[value] = min(high[value], (rise + tolerance) / duration)
                if low[value] > high[value] { return furthest }
            }
            if isReached { furthest = index }
        }
        return furthest
    }

    /// The value of a polyline at a time; after a jump at exactly that time.
    static func value(of corners: [(time: Double, value: Double)], at time: Double) -> Double {
        guard let next = corners.firstIndex(where: { $0.time > time }) else { return corners.last?.value ?? 0 }
        guard next > 0 else { return corners[0].value }
        let (from, to) = (corners[next - 1], corners[next])
        return from.value + (to.value - from.value) * (time - from.time) / (to.time - from.time)
    }
}

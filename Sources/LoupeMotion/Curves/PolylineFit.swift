/// A curve as a polyline with few corners that differs from its samples by no more than a tolerance.
///
/// From each corner the next one is the furthest sample to which a straight line passes every sample between them
/// within the tolerance (Imai and Iri's method, with the corners on samples).
enum PolylineFit {
    /// The samples that are corners, with the first and the last one.
    /// - Parameters:
    ///   - samples: In the order of time. Two samples of the same time are a jump, which is kept.
    ///   - tolerance: In the unit of the values.
    static func corners(
        of samples: [(time: Double, value: Double)], tolerance: Double
    ) -> [(time: Double, value: Double)] {
        guard samples.count > 1 else { return samples }
        var corners = [samples[0]]
        var corner = 0
        while corner < samples.count - 1 {
            corner = furthest(from: corner, samples, tolerance)
            corners.append(samples[corner])
        }
        return corners
    }

    private static func furthest(
        from corner: Int, _ samples: [(time: Double, value: Double)], _ tolerance: Double
    ) -> Int {
        let start = samples[corner]
        var (low, high) = (-Double.infinity, Double.infinity)
        var furthest = corner + 1
        for index in (corner + 1)..<samples.count {
            let duration = samples[index].time - start.time
            guard duration > 0 else { return index }
            if index > corner + 1, samples[index].time == samples[index - 1].time { return furthest }
            let rise = samples[index].value - start.value
            if (low...high).contains(rise / duration) { furthest = index }
            low = max(low, (rise - tolerance) / duration)
            high = min(high, (rise + tolerance) / duration)
            if low > high { return furthest }
        }
        return furthest
    }
}

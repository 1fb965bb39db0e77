import Glibc

/// How the speed of a machine changes while things are timed on it: clock frequencies fall, other processes take cores.
///
/// This is J. S. Papadakis's nearest neighbour adjustment of field trials (1937), where a plot is judged by how its
/// neighbours did compared with others of their kind, as soil differs from plot to plot. Here the neighbours are the
/// timings just before and after, and a kind is one of the things timed.
struct Drift {
    /// For each timing, in order, how many times as long as usual everything took at that moment.
    let factors: [Double]

    /// How many timings before and after count, and by how many positions their weight falls to 1/e.
    private static let reach = 4
    private static let fall = 2.0
    /// How often the usual times are computed; after the first round, with the factors of the round before.
    private static let rounds = 2

    /// - Parameters:
    ///   - times: positive, in the order of measurement.
    ///   - things: for each time, the thing that was timed.
    init(_ times: [Double], of things: [Int]) {
        precondition(times.count == things.count)
        let indices = Dictionary(grouping: times.indices, by: { things[$0] })
        let logs = times.map(log)
        var drifts = [Double](repeating: 0, count: times.count)
        for _ in 0..<Self.rounds {
            let usual = indices.mapValues { indices in indices.map { logs[$0] - drifts[$0] }.median }
            let deviations = zip(logs, things).map { log, thing in log - (usual[thing] ?? log) }
            drifts = deviations.indices.map { Self.meanOfNeighbours(of: $0, in: deviations) }
        }
        factors = drifts.map(exp)
    }

    /// The weighted mean of the neighbours' deviations. A timing's own deviation does not count: one slow timing is no
    /// drift.
    private static func meanOfNeighbours(of index: Int, in deviations: [Double]) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for neighbour in max(0, index - reach)...min(deviations.count - 1, index + reach) where neighbour != index {
            let weight = exp(-Double(abs(neighbour - index)) / fall)
            sum += weight * deviations[neighbour]
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}

import Glibc

/// How the pace of a machine wanders while things are timed on it: clocks fall, others take the cores.
///
/// Field trials know the same trouble, for soil differs from plot to plot: there a plot is judged by how its neighbours
/// did against others of their kind (J. S. Papadakis's nearest neighbour adjustment, 1937). Here the neighbours are
/// what was timed just before and after, and a kind is one of the things timed.
struct Drift {
    /// For each timing, in order, how many times as long as usual anything took just then.
    let factors: [Double]

    /// How many timings before and after are heard, and how fast their weight falls.
    private static let reach = 4
    private static let fall = 2.0
    /// What is usual for a thing is found again once the first factors are known.
    private static let rounds = 2

    /// - Parameters:
    ///   - times: in the order in which they were taken; positive.
    ///   - things: which thing each of them is of.
    init(_ times: [Double], of things: [Int]) {
        precondition(times.count == things.count)
        let places = Dictionary(grouping: times.indices, by: { things[$0] })
        let logs = times.map(log)
        var drifts = [Double](repeating: 0, count: times.count)
        for _ in 0..<Self.rounds {
            let usual = places.mapValues { places in places.map { logs[$0] - drifts[$0] }.median }
            let deviations = zip(logs, things).map { log, thing in log - (usual[thing] ?? log) }
            drifts = deviations.indices.map { Self.meanOfNeighbours(of: $0, in: deviations) }
        }
        factors = drifts.map(exp)
    }

    /// Its own deviation is left out: what is rare in one timing alone is no drift.
    private static func meanOfNeighbours(of place: Int, in deviations: [Double]) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for neighbour in max(0, place - reach)...min(deviations.count - 1, place + reach) where neighbour != place {
            let weight = exp(-Double(abs(neighbour - place)) / fall)
            sum += weight * deviations[neighbour]
            weights += weight
        }
        return weights > 0 ? sum / weights : 0
    }
}

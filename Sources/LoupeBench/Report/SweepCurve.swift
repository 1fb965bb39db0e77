import LoupeScene

/// The times of one way to draw along one journey.
package struct SweepCurve: Sendable {
    package let sweep: Sweep
    package let variant: Variant
    package let setting: Setting
    /// Of every step that was timed, in order.
    package let points: [BenchEntry]

    /// The step with the largest ratio to the page's middle, or with the longest time.
    var dearest: BenchEntry? {
        points.max { ($0.ratioToNoEdge, $0.summary.median) < ($1.ratioToNoEdge, $1.summary.median) }
    }

    var name: String { "\(variant.name)/sweep-\(sweep.rawValue)/\(setting.name)" }
}

extension BenchRun {
    /// Every journey of every variant, in the order of the run.
    package var curves: [SweepCurve] {
        struct Key: Hashable {
            let sweep: Sweep
            let variant: Variant
            let setting: Setting
        }
        var order: [Key] = []
        var points: [Key: [BenchEntry]] = [:]
        for entry in entries {
            guard let benchCase = entry.benchCase, case .sweep(let sweep, _, _) = benchCase.place else { continue }
            let key = Key(sweep: sweep, variant: benchCase.variant, setting: benchCase.setting)
            if points[key] == nil { order.append(key) }
            points[key, default: []].append(entry)
        }
        return order.map {
            SweepCurve(sweep: $0.sweep, variant: $0.variant, setting: $0.setting, points: points[$0] ?? [])
        }
    }
}

extension BenchEntry {
    /// Which step of a journey it is; 0 for anything else.
    package var step: Int {
        if case .sweep(_, let step, _)? = benchCase?.place { step } else { 0 }
    }

    /// 0 where it was not compared.
    var ratioToNoEdge: Double { comparisonToNoEdge?.ratio.estimate ?? 0 }
}

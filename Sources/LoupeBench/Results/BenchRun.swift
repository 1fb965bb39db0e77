// The results of a run: its context, the entries of its cases and steps, and the curves that the entries of a sweep form.

import LoupePlan
import LoupeRenderer
import LoupeScene

/// The results of a whole run.
public struct BenchRun: Hashable, Sendable {
    /// How it was made.
    public var context: BenchContext
    /// The steps, then the cases of each group.
    public var entries: [BenchEntry]
    /// Where the user's shaders draw another picture than Loupe's in a scene of each state, a sentence each.
    public var differingPictures: [String] = []
    /// What the reader should know about the selection, a sentence each.
    public var notes: [String] = []
}

/// The result of one case or step: a line of the table, a member of the saved run.
public struct BenchEntry: Hashable, Sendable {
    /// A comparison with something that was timed beside it.
    public struct Comparison: Hashable, Sendable {
        /// The other's name.
        public let base: String
        /// The time as a multiple of the other's.
        public let ratio: Ratio
        /// Nil if the two pictures differ, so that their times can't be compared.
        public let verdict: SpeedVerdict?
    }

    /// The case's or step's name.
    public let name: String
    /// How often it was drawn, in total.
    public let iterations: Int
    /// Nanoseconds a repetition, one for each block.
    public let times: [Double]
    /// The median processor time of all threads of this process, in nanoseconds a repetition.
    public let processorTime: Double
    /// The fragments shaded in one repetition, by program; empty for steps.
    public let fragments: [String: Int]
    /// How many pixels differ from the picture of `pieces` at the same place; 0 if none is over the tolerance.
    public let pixelsOverTolerance: Int
    /// The comparisons with its bases.
    public let comparisons: [Comparison]
    /// The case; nil for a step.
    public let benchCase: BenchCase?
    /// The state of the page's outline in the loupe; nil for a step.
    public let state: ClipState?

    /// The summary of ``times``, in nanoseconds.
    public var summary: Summary { Summary(times) }
    /// The fragments of all programs.
    public var totalFragments: Int { fragments.values.reduce(0, +) }
    /// The median time a fragment; nil for steps.
    public var nanosecondsPerFragment: Double? {
        totalFragments > 0 ? summary.median / Double(totalFragments) : nil
    }
}

extension BenchEntry {
    init(_ name: String, _ samples: Samples) {
        self.init(
            name: name, iterations: samples.iterations, times: samples.times,
            processorTime: samples.processorTimes.median, fragments: [:], pixelsOverTolerance: 0, comparisons: [],
            benchCase: nil, state: nil)
    }

    /// The comparison with `pieces` in the middle of the page; nil if there is none.
    var comparisonToNoEdge: Comparison? {
        benchCase?.variant == .pieces ? comparisons.first : nil
    }

    /// Which step of a sweep it is; 0 for anything else.
    package var step: Int {
        if case .sweep(_, let step, _)? = benchCase?.place { step } else { 0 }
    }
}

/// The machine, the device and the settings of a run.
public struct BenchContext: Hashable, Sendable {
    /// When the run ended, ISO 8601, UTC.
    public var date: String
    /// The processor's name.
    public var processor: String
    /// The number of its threads.
    public var processorCount: Int
    /// `GL_VENDOR`.
    public var vendor: String
    /// `GL_RENDERER`.
    public var renderer: String
    /// `GL_VERSION`.
    public var version: String
    /// `EGL_VENDOR`.
    public var eglVendor: String
    /// Whether the device draws on the CPU.
    public var isSoftware: Bool
    /// The clock that was used.
    public var clock: String
    /// What the check of all clocks found.
    public var clockFindings: [String]
    /// How fragments were counted.
    public var counting: String
    /// The git revision of the program's source; nil if it is unknown.
    public var revision: String?
    /// How often each case was timed.
    public var blocks: Int
    /// The least length of a batch, milliseconds.
    public var batchMilliseconds: Double
    /// How many results were discarded because the device's clock was disjoint.
    public var disjointResults: Int
    /// The load average of a minute, before and after the run.
    public var loadAverage: [Double]

    /// The device and its driver.
    public var deviceName: String { "\(renderer) (\(vendor), \(version))" }
}

extension BenchContext {
    init(
        _ device: DeviceInfo, clock: ClockCheck, counting: FragmentCounter.Method, effort: Sampler.Effort,
        disjointResults: Int, loadAverage: [Double]
    ) {
        self.init(
            date: HostDescription.date, processor: HostDescription.processor,
            processorCount: HostDescription.processorCount,
            vendor: device.vendor, renderer: device.renderer, version: device.version, eglVendor: device.eglVendor,
            isSoftware: device.isSoftware, clock: clock.kind.rawValue, clockFindings: clock.findings,
            counting: counting.rawValue, revision: HostDescription.revision, blocks: effort.blocks,
            batchMilliseconds: effort.batch / 1e6, disjointResults: disjointResults, loadAverage: loadAverage)
    }
}

// MARK: - Curves

/// The times of one variant along one sweep.
package struct SweepCurve: Sendable {
    /// The sweep.
    package let sweep: Sweep
    /// The variant.
    package let variant: Variant
    /// The loupe.
    package let setting: Setting
    /// The entries of its steps, in order.
    package fileprivate(set) var points: [BenchEntry]

    /// The step with the largest ratio to the middle of the page, or, without ratios, with the longest time.
    var mostExpensive: BenchEntry? {
        func cost(_ entry: BenchEntry) -> (Double, Double) {
            (entry.comparisonToNoEdge?.ratio.estimate ?? 0, entry.summary.median)
        }
        return points.max { cost($0) < cost($1) }
    }

    /// Such as `pieces/sweep-edge/radius:300/zoom:4/linear`.
    var name: String { "\(variant.name)/sweep-\(sweep.rawValue)/\(setting.name)" }
}

extension BenchRun {
    /// The curve of each sweep and variant, in the order of the run.
    package var curves: [SweepCurve] {
        entries.reduce(into: []) { curves, entry in
            guard let benchCase = entry.benchCase, case .sweep(let sweep, _, _) = benchCase.place else { return }
            let (variant, setting) = (benchCase.variant, benchCase.setting)
            let index = curves.firstIndex { ($0.sweep, $0.variant, $0.setting) == (sweep, variant, setting) }
            if let index {
                curves[index].points.append(entry)
            } else {
                curves.append(SweepCurve(sweep: sweep, variant: variant, setting: setting, points: [entry]))
            }
        }
    }
}

import LoupeRenderer

/// The results of a whole run.
package struct BenchRun: Hashable, Sendable {
    /// How it was made.
    var context: BenchContext
    /// The cases, group by group.
    package var entries: [BenchEntry]
}

/// The result of one case: a line of the table, a member of the saved run.
package struct BenchEntry: Hashable, Sendable {
    /// A comparison with something that was timed beside it.
    package struct Comparison: Hashable, Sendable {
        /// The other's name.
        package let base: String
        /// The time as a multiple of the other's.
        package let ratio: Ratio
        /// Nil if the two pictures differ, so that their times can't be compared.
        package let verdict: SpeedVerdict?
    }

    /// The case's name.
    package let name: String
    /// The title of what was timed beside it.
    package let group: String
    /// How often it was drawn, in total.
    let iterations: Int
    /// Nanoseconds a repetition, one for each block.
    package let times: [Double]
    /// The median processor time of all threads of this process, in nanoseconds a repetition.
    let processorTime: Double
    /// The fragments shaded in one repetition, by program; empty where they are not counted.
    package let fragments: [String: Int]
    /// How many pixels differ from the picture that it is compared with; 0 if none is over the tolerance.
    let pixelsOverTolerance: Int
    /// The comparison with its base; nil without one.
    package let comparison: Comparison?

    /// The summary of ``times``, in nanoseconds.
    package var summary: Summary { Summary(times) }
    /// The fragments of all programs.
    var totalFragments: Int { fragments.values.reduce(0, +) }
    /// The median time a fragment; nil where they are not counted.
    var nanosecondsPerFragment: Double? {
        totalFragments > 0 ? summary.median / Double(totalFragments) : nil
    }
}

extension BenchEntry {
    /// The results of things that were timed side by side.
    static func entries(of things: [TimedThing], _ samples: [Samples], in group: String) -> [BenchEntry] {
        zip(things, samples).flatMap { thing, sample in
            thing.cases.map { timed in
                let base = things.firstIndex { $0.cases.contains { $0.name == timed.base } }
                return BenchEntry(timed, sample, base: base.map { samples[$0] }, group: group)
            }
        }
    }

    private init(_ timed: TimedThing.Case, _ samples: Samples, base: Samples?, group: String) {
        let comparison = base.map { base in
            let ratio = Ratio(paired: samples.times, to: base.times)
            return Comparison(
                base: timed.base ?? "", ratio: ratio,
                verdict: timed.pixelsOverTolerance == 0 ? SpeedVerdict(ratio) : nil)
        }
        self.init(
            name: timed.name, group: group, iterations: samples.iterations, times: samples.times,
            processorTime: samples.processorTimes.median, fragments: timed.fragments,
            pixelsOverTolerance: timed.pixelsOverTolerance, comparison: comparison)
    }
}

/// The machine, the device and the settings of a run.
struct BenchContext: Hashable, Sendable {
    /// When the run ended, ISO 8601, UTC.
    var date: String
    /// The processor's name.
    var processor: String
    /// The number of its threads.
    var processorCount: Int
    /// `GL_VENDOR`.
    var vendor: String
    /// `GL_RENDERER`.
    var renderer: String
    /// `GL_VERSION`.
    var version: String
    /// `EGL_VENDOR`.
    var eglVendor: String
    /// Whether the device draws on the CPU.
    var isSoftware: Bool
    /// How often each case was timed.
    var blocks: Int
    /// The least length of a batch, milliseconds.
    var batchMilliseconds: Double
}

extension BenchContext {
    /// - Parameter batch: nanoseconds.
    init(_ device: DeviceInfo, blocks: Int, batch: Double) {
        self.init(
            date: Host.date, processor: Host.processor, processorCount: Host.processorCount,
            vendor: device.vendor, renderer: device.renderer, version: device.version, eglVendor: device.eglVendor,
            isSoftware: device.isSoftware, blocks: blocks, batchMilliseconds: batch / 1e6)
    }
}

import LoupeRenderer

/// The results of a whole run.
public struct BenchRun: Hashable, Sendable {
    /// How it was made.
    public var context: BenchContext
    /// The cases, group by group.
    public var entries: [BenchEntry]
    /// Where the user's shaders draw another picture than Loupe's in a scene of each state, a sentence each.
    public var differingPictures: [String] = []
    /// What the reader should know about the selection, a sentence each.
    public var notes: [String] = []
}

/// The result of one case: a line of the table, a member of the saved run.
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

    /// The case's name.
    public let name: String
    /// The title of what was timed beside it.
    public let group: String
    /// How often it was drawn, in total.
    public let iterations: Int
    /// Nanoseconds a repetition, one for each block.
    public let times: [Double]
    /// The median processor time of all threads of this process, in nanoseconds a repetition.
    public let processorTime: Double
    /// The fragments shaded in one repetition, by program; empty where they are not counted.
    public let fragments: [String: Int]
    /// How many pixels differ from the picture that it is compared with; 0 if none is over the tolerance.
    public let pixelsOverTolerance: Int
    /// The comparison with its base; nil without one.
    public let comparison: Comparison?

    /// The summary of ``times``, in nanoseconds.
    public var summary: Summary { Summary(times) }
    /// The fragments of all programs.
    public var totalFragments: Int { fragments.values.reduce(0, +) }
    /// The median time a fragment; nil where they are not counted.
    public var nanosecondsPerFragment: Double? {
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
    /// How often each case was timed.
    public var blocks: Int
    /// The least length of a batch, milliseconds.
    public var batchMilliseconds: Double
    /// The load average of a minute, before and after the run.
    public var loadAverage: [Double]
}

extension BenchContext {
    /// - Parameter batch: nanoseconds.
    init(_ device: DeviceInfo, blocks: Int, batch: Double, loadAverage: [Double]) {
        self.init(
            date: Host.date, processor: Host.processor, processorCount: Host.processorCount,
            vendor: device.vendor, renderer: device.renderer, version: device.version, eglVendor: device.eglVendor,
            isSoftware: device.isSoftware, blocks: blocks, batchMilliseconds: batch / 1e6, loadAverage: loadAverage)
    }
}

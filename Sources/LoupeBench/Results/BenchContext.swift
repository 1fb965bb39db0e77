import LoupeRenderer

/// On what, and how, a run was made.
public struct BenchContext: Hashable, Sendable {
    /// ISO 8601, UTC.
    public var date: String
    public var processor: String
    public var processorCount: Int
    public var vendor: String
    public var renderer: String
    public var version: String
    public var eglVendor: String
    public var isSoftware: Bool
    /// The clock that was used, and what the check of all of them found.
    public var clock: String
    public var clockFindings: [String]
    /// How fragments were counted.
    public var counting: String
    /// Of the program's source; nil where it can't be told.
    public var revision: String?
    public var blocks: Int
    /// The least length of a batch, milliseconds.
    public var batchMilliseconds: Double
    public var disjointResults: Int
    /// How much the machine was used by others: load average of a minute before and after.
    public var loadAverage: [Double]

    /// The device and driver in words: runs of the same one can be compared.
    public var deviceName: String { "\(renderer) (\(vendor), \(version))" }
}

extension BenchContext {
    init(
        _ device: DeviceInfo, clock: ClockCheck, counting: FragmentCounter.Method, effort: Sampler.Effort,
        disjointResults: Int, loadAverage: [Double]
    ) {
        self.init(
            date: Machine.date, processor: Machine.processor, processorCount: Machine.processorCount,
            vendor: device.vendor, renderer: device.renderer, version: device.version, eglVendor: device.eglVendor,
            isSoftware: device.isSoftware, clock: clock.kind.rawValue, clockFindings: clock.findings,
            counting: counting.rawValue, revision: Machine.revision, blocks: effort.blocks,
            batchMilliseconds: effort.batch / 1e6, disjointResults: disjointResults, loadAverage: loadAverage)
    }
}

/// A whole run.
public struct BenchRun: Hashable, Sendable {
    public var context: BenchContext
    public var entries: [BenchEntry]
}

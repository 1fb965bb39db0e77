// A run as JSON in the form of Google Benchmark, so its tools can read it too: writing it, and reading it for a comparison.
// Times are in milliseconds.

import LoupeJSON
import LoupeScene

extension BenchRun {
    /// The text of a saved run.
    public var jsonText: String { json.text() + "\n" }

    var json: JSONValue {
        ["context": context.json, "benchmarks": .array(entries.map(\.json))]
    }
}

extension BenchContext {
    fileprivate var json: JSONValue {
        [
            "date": .string(date), "executable": "loupe-render bench", "num_cpus": .number(Double(processorCount)),
            "cpu": .string(processor), "library_build_type": "release", "gl_vendor": .string(vendor),
            "gl_renderer": .string(renderer), "gl_version": .string(version), "egl_vendor": .string(eglVendor),
            "software": .bool(isSoftware), "clock": .string(clock),
            "clock_findings": .array(clockFindings.map(JSONValue.string)), "judged_by": .string(judgedBy),
            "calibration": .number(Calibration.version), "fragments_counted_by": .string(counting),
            "git_revision": revision.map(JSONValue.string), "blocks": .number(Double(blocks)),
            "batch_milliseconds": .number(batchMilliseconds), "disjoint_results": .number(Double(disjointResults)),
            "load_avg": .array(loadAverage.map(JSONValue.number)),
        ]
    }
}

extension BenchEntry {
    fileprivate var json: JSONValue {
        let summary = summary
        return [
            "name": .string(name), "run_name": .string(name), "run_type": "iteration", "repetitions": .number(1),
            "repetition_index": .number(0), "threads": .number(1), "iterations": .number(Double(iterations)),
            "real_time": .number(summary.median.milliseconds), "cpu_time": .number(processorTime.milliseconds),
            "time_unit": "ms", "mad": .number(summary.medianAbsoluteDeviation.milliseconds),
            "times": .array(times.map { .number($0.milliseconds) }),
            "calibrated": calibrated.isEmpty ? nil : .array(calibrated.map { .number($0.rounded(toPlaces: 6)) }),
            "fragments": fragments.isEmpty ? nil : .number(Double(totalFragments)),
            "fragments_by_program": fragments.isEmpty ? nil : fragmentsJSON,
            "nanoseconds_per_fragment": nanosecondsPerFragment.map { .number($0.rounded(toPlaces: 3)) },
            "pixels_over_tolerance": benchCase.map { _ in .number(Double(pixelsOverTolerance)) },
            "comparisons": comparisons.isEmpty ? nil : .array(comparisons.map(\.json)),
        ]
    }

    private var fragmentsJSON: JSONValue {
        .object(JSONObject(fragments.sorted { $0.key < $1.key }.map { ($0, .number(Double($1))) }))
    }
}

extension BenchEntry.Comparison {
    fileprivate var json: JSONValue {
        [
            "to": .string(base), "ratio": .number(ratio.estimate.rounded(toPlaces: 4)),
            "low": .number(ratio.low.rounded(toPlaces: 4)), "high": .number(ratio.high.rounded(toPlaces: 4)),
            "verdict": .string(verdict?.rawValue ?? "none: the pictures differ"),
        ]
    }
}

extension Double {
    /// Milliseconds from nanoseconds, to a nanosecond.
    var milliseconds: Double { (self / 1e6).rounded(toPlaces: 6) }
}

// MARK: - Reading

/// A saved run, as far as a new run is compared with it.
public struct SavedRun: Hashable, Sendable {
    /// The device and its driver, as in `BenchContext.deviceName`.
    public let deviceName: String
    /// By what it was judged, as in `BenchContext.judgedBy`.
    let judgedBy: String
    /// By the entries' names, multiples of the calibration's time, one for each block. Without the calibrations.
    let calibrated: [String: [Double]]

    /// Reads what `BenchRun.jsonText` wrote.
    /// - Throws: `BenchError.unreadableBase`, with the reason.
    public init(json bytes: [UInt8]) throws(BenchError) {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw .unreadableBase(error.description)
        }
        guard let context = root["context"], let benchmarks = root["benchmarks"]?.elements else {
            throw .unreadableBase("it has no context or no benchmarks")
        }
        let strings = ["gl_renderer", "gl_vendor", "gl_version"].compactMap { context[$0]?.text }
        guard strings.count == 3 else { throw .unreadableBase("its context does not name a device") }
        deviceName = "\(strings[0]) (\(strings[1]), \(strings[2]))"
        guard let judgedBy = context["judged_by"]?.text, context["calibration"] == .number(Calibration.version) else {
            throw .unreadableBase("it has another calibration, or none; save it again with this version")
        }
        self.judgedBy = judgedBy
        var calibrated: [String: [Double]] = [:]
        for benchmark in benchmarks {
            guard let name = benchmark["name"]?.text else { throw .unreadableBase("a benchmark of it lacks its name") }
            if Calibration.isName(name) { continue }
            guard let values = benchmark["calibrated"]?.elements?.compactMap(\.double), !values.isEmpty,
                values.allSatisfy({ $0 > 0 })
            else { throw .unreadableBase("its benchmark \(name) lacks its calibrated times") }
            calibrated[name] = values
        }
        self.calibrated = calibrated
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object.members.first { $0.key == key }?.value
    }

    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var double: Double? { if case .number(let number) = self { number } else { nil } }
}

// A run as JSON in the form of Google Benchmark, so its tools can read it too. Times are in milliseconds.

import LoupeBase

extension BenchRun {
    /// The text of a saved run.
    package var jsonText: String {
        (["context": context.json, "benchmarks": .array(entries.map(\.json))] as JSONValue).text() + "\n"
    }
}

extension BenchContext {
    fileprivate var json: JSONValue {
        [
            "date": .string(date), "executable": "loupe-render bench", "num_cpus": .number(Double(processorCount)),
            "cpu": .string(processor), "library_build_type": "release", "gl_vendor": .string(vendor),
            "gl_renderer": .string(renderer), "gl_version": .string(version), "egl_vendor": .string(eglVendor),
            "software": .bool(isSoftware), "blocks": .number(Double(blocks)),
            "batch_milliseconds": .number(batchMilliseconds),
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
            "fragments": fragments.isEmpty ? nil : .number(Double(totalFragments)),
            "fragments_by_program": fragments.isEmpty ? nil : fragmentsJSON,
            "nanoseconds_per_fragment": nanosecondsPerFragment.map { .number($0.rounded(toPlaces: 3)) },
            "pixels_over_tolerance": fragments.isEmpty ? nil : .number(Double(pixelsOverTolerance)),
            "comparison": comparison?.json,
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

extension JSONValue {
    /// A member of an object; nil for anything else.
    subscript(key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }
    /// A string; nil for anything else.
    var plain: String? { if case .string(let text) = self { text } else { nil } }
    /// The elements of an array; none of anything else.
    var list: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    /// A number; nil for anything else.
    var double: Double? { if case .number(let number) = self { number } else { nil } }
}

import Glibc
import LoupeBase
import LoupeScene

import func Glibc.pow

extension Difference {
    /// The result for a person on one line: how many pixels differ, by how much, where, and which limits would pass.
    public var summary: String { (isSame ? "same: " : "differs: ") + findings.joined(separator: "; ") }

    /// The parts of the summary.
    package var findings: [String] {
        var findings = [size, count, leftOut, cut, unshared, rounding].compactMap { $0 }
        if let statistics { findings.append("mean " + statistics.text) }
        if let maxAt { findings.append("largest difference \(metric.text(of: maxDelta)) at \(maxAt.x),\(maxAt.y)") }
        let parts = regions.filter { $0.differingPixels > 0 }.map {
            "\($0.region.rawValue) \($0.differingPixels) (up to \(metric.text(of: $0.maxDelta)))"
        }
        if !parts.isEmpty { findings.append("in " + parts.joined(separator: ", ")) }
        if !boxes.isEmpty {
            let more = boxCount > boxes.count ? ["and \(boxCount - boxes.count) more"] : []
            let named = boxes.map { "\($0) (\($0.differingPixels))" } + more
            findings.append((boxCount == 1 ? "box " : "boxes ") + named.joined(separator: " "))
        }
        if differingPixels > 0 || maxDelta > 0 || !isWithinLimits, let wouldPass {
            let ratio = wouldPass.maxRatio.map { " --max-ratio \(Metric.roundedUp($0))" } ?? ""
            let pixels = wouldPass.maxPixels.flatMap { metric.judgesPixels ? "--max-pixels \($0)\(ratio)" : nil }
            // Where all pixels that both have are equal, no limit on them is of use.
            let flags = [maxDelta > 0 ? wouldPass.metric?.flag : nil, pixels].compactMap { $0 }
            if !flags.isEmpty { findings.append("would pass at " + flags.joined(separator: " or ")) }
        }
        if !metadata.isEmpty {
            let finding = "beside the pixels: " + metadata.joined(separator: ", ")
            findings.insert(finding, at: countsMetadata ? 0 : findings.count)
        }
        return findings + warnings + ["compared in \(compared)"]
    }

    /// What has to be said of pictures that pass, too: that their sizes differ, or pixels that no limit saw.
    var remarks: [String] {
        [size, unshared, cut, unroundedPixels == differingPixels ? nil : rounding].compactMap { $0 }
    }

    private var size: String? {
        if referenceSize == actualSize { return nil }
        let scale = PicturePair.scale(from: referenceSize, to: actualSize)
        let times = scale.map { ", \($0.hundredths) times as large" } ?? ""
        return
            "\(referenceSize) → \(actualSize) pixels\(times), compared where they overlap with the second at \(offset.x),\(offset.y)"
    }

    private var leftOut: String? {
        let all = referenceSize.width * referenceSize.height
        return ignoredPixels == 0
            ? nil : "\(ignoredPixels) of \(all) pixels \(ignoredPixels == 1 ? "is" : "are") left out"
    }

    private var cut: String? {
        let verb = cutPixels == 1 ? "pixel is equal" : "pixels are equal"
        return cutPixels == 0 ? nil : "\(cutPixels) \(verb) only as colours beyond sRGB are cut to it"
    }

    private var unshared: String? {
        unsharedPixels == 0 ? nil : "\(unsharedPixels) that only one picture has count as differing"
    }

    private var rounding: String? {
        unroundedPixels.map { count in
            let many = count == 0 ? "" : ", before which \(count) \(count == 1 ? "pixel differs" : "pixels differ")"
            return "16-bit samples were rounded to 8 bits\(many)"
        }
    }

    /// The depth and the colours in which the pictures were compared, such as `16 bits, sRGB`.
    package var compared: String { "\(unroundedPixels == nil ? depth : 8) bits, \(colors)" }

    /// How many pixels differ; or the mean, where that alone is judged, or alone is too large.
    private var count: String {
        if referenceSize == actualSize, differingPixels == 0, let errorMap, case .error(_, let limits) = metric,
            let limit = limits.mean, errorMap.meanError > limit || isSame && limits.threshold == nil
        {
            return "the mean error is \(Metric.rounded(errorMap.meanError, beside: limit)); allowed is \(limit)"
        }
        if differingPixels == 0 {
            return "none of \(totalPixels) pixels differs"
        }
        let verb = "differ\(differingPixels == 1 ? "s" : "")\(metric.countedWords)"
        return "\(differingPixels) of \(totalPixels) pixels \(verb) (\(Self.percent(ratio)))"
    }

    /// With three significant digits, so that one pixel of millions is not shown as 0 %.
    private static func percent(_ ratio: Double) -> String {
        let percent = ratio * 100
        let digits = percent <= 0 ? 0 : max(0, min(8, 2 - Int(log10(percent).rounded(.down))))
        let scale = pow(10, Double(digits))
        return "\((percent * scale).rounded() / scale) %"
    }
}

extension Metric {
    /// A difference in this metric's unit.
    fileprivate func text(of difference: Double) -> String {
        switch self {
        case .channel: Self.rounded(difference).jsonText
        case .yiq: "\(Self.roundedUp(difference))"
        case .error: "\(Self.rounded(difference))"
        }
    }

    /// By how much pixels have to differ to be counted; nothing where any difference counts, or where that is an error's
    /// threshold.
    fileprivate var countedWords: String {
        guard case .channel(let tolerance) = self, tolerance != Tolerance(0) else { return "" }
        return tolerance.regions.isEmpty ? " by more than \(tolerance.base.jsonText)" : " by more than the tolerance"
    }

    /// The limit as a command-line option.
    fileprivate var flag: String {
        switch self {
        case .channel(let tolerance):
            "--tolerance \(Tolerance(Self.up(tolerance.base), regions: tolerance.regions.mapValues(Self.up)))"
        case .yiq(let threshold, _): "--threshold \(Self.roundedUp(threshold))"
        case .error(_, let limits):
            [limits.threshold.map { "--threshold \(Self.up($0))" }, limits.mean.map { "--max-mean \(Self.up($0))" }]
                .compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Whether a pixel may differ by itself, and not only the mean of all.
    fileprivate var judgesPixels: Bool {
        if case .error(_, let limits) = self { limits.threshold != nil } else { true }
    }

    /// To four decimals, or to as many as tell it from 0, from 1 and from a limit.
    fileprivate static func rounded(_ error: Double, beside limit: Double = 0) -> Double {
        for scale in [1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12] {
            let rounded = (error * scale).rounded() / scale
            if rounded == error || ![0, 1, limit].contains(rounded) { return rounded }
        }
        return error
    }

    /// Rounded up to four decimals, so that the printed limit passes.
    private static func up(_ error: Double) -> Double { (error * 1e4).rounded(.up) / 1e4 }

    /// Rounded up to four decimals, so that the printed threshold or part passes.
    fileprivate static func roundedUp(_ threshold: Double) -> Double { min((threshold * 1e4).rounded(.up) / 1e4, 1) }
}

extension Difference {
    /// The result for machines. Values that do not apply are null. An error's statistics have the metric's name as their
    /// key.
    package var json: JSONValue {
        guard case .object(var object) = findingsJSON, let errorMap else { return findingsJSON }
        _ = object.append(errorMap.statistics.json, forKey: errorMap.metric.plainName.rawValue)
        return .object(object)
    }

    private var findingsJSON: JSONValue {
        [
            "same": .bool(isSame),
            "metric": .string(metric.name),
            "differingPixels": .number(Double(differingPixels)),
            "totalPixels": .number(Double(totalPixels)),
            "ratio": .number(ratio),
            "maxDelta": .number(maxDelta),
            "maxAt": maxAt.map { [.number(Double($0.x)), .number(Double($0.y))] } ?? .null,
            "boxes": .array(boxes.map { $0.json }),
            "areas": change.map { .array($0.areas.map { $0.json }) } ?? .null,
            "areaCount": change.flatMap { $0.count > $0.areas.count ? .number(Double($0.count)) : nil },
            "wouldPass": wouldPass?.json ?? .null,
            "regions": .object(JSONObject(regions.map { ($0.region.rawValue, $0.json) })),
            "compared": .string(compared),
            "metadata": metadata.isEmpty ? nil : .array(metadata.map(JSONValue.string)),
            "warnings": warnings.isEmpty ? nil : .array(warnings.map(JSONValue.string)),
            "unshared": unsharedPixels == 0 ? nil : .number(Double(unsharedPixels)),
            "ignoredPixels": ignoredPixels == 0 ? nil : .number(Double(ignoredPixels)),
            "cutPixels": cutPixels == 0 ? nil : .number(Double(cutPixels)),
            "sizes": ["reference": referenceSize.json, "actual": actualSize.json],
            "offset": referenceSize == actualSize
                ? nil : .array([.number(Double(offset.x)), .number(Double(offset.y))]),
        ]
    }
}

extension ErrorStatistics {
    /// The mean, for a person.
    fileprivate var text: String { "\(Metric.rounded(mean))\(backdrop.map { " over \($0.rawValue)" } ?? "")" }

    fileprivate var json: JSONValue {
        [
            "mean": .number(mean), "min": .number(min), "max": .number(max),
            "backdrop": backdrop.map { .string($0.rawValue) } ?? .null,
        ]
    }
}

extension Difference.Part {
    fileprivate var json: JSONValue {
        ["differingPixels": .number(Double(differingPixels)), "maxDelta": .number(maxDelta)]
    }
}

extension Box {
    fileprivate var json: JSONValue {
        [
            "x": .number(Double(bounds.minX)), "y": .number(Double(bounds.minY)),
            "width": .number(Double(bounds.width)), "height": .number(Double(bounds.height)),
            "pixels": .number(Double(differingPixels)),
        ]
    }
}

extension ImageSize {
    fileprivate var json: JSONValue { ["width": .number(Double(width)), "height": .number(Double(height))] }
}

extension Difference.WouldPass {
    fileprivate var json: JSONValue {
        let limits: [(String, JSONValue?)] =
            switch metric {
            case nil: []
            case .channel(let tolerance): [("tolerance", .number(tolerance.base))]
            case .yiq(let threshold, _): [("threshold", .number(threshold))]
            case .error(_, let limits):
                [
                    ("threshold", limits.threshold.map(JSONValue.number) ?? .null),
                    ("maxMean", limits.mean.map(JSONValue.number) ?? .null),
                ]
            }
        let pixels = maxPixels.map { JSONValue.number(Double($0)) } ?? .null
        return .object(JSONObject(limits + [("maxPixels", pixels), ("maxRatio", maxRatio.map(JSONValue.number))]))
    }
}

import Glibc
import LoupeBase
import LoupeScene

import func Glibc.pow

extension Difference {
    /// The result for a person on one line: how many pixels differ, by how much, where, and which limits would pass.
    public var summary: String {
        (isSame ? "same: " : "differs: ") + findings
    }

    /// The summary with what changed, if the cause is found.
    package func summary(_ changes: [PictureChange]) -> String {
        (isSame ? "same: " : "differs: ") + (changes.map(\.description) + [findings]).joined(separator: "; ")
    }

    /// The summary without the leading `same` or `differs`.
    public var findings: String {
        let words = ["largest": "largest difference", "regions": "in", "would pass": "would pass at"]
        return facts.enumerated().map { index, fact in
            guard index > 0 else { return [sizes, count(hasVerb: true)].compactMap(\.self).joined(separator: "; ") }
            let values = fact.values.joined(separator: fact.label == "regions" ? ", " : " ")
            return "\(words[fact.label] ?? fact.label) \(values.replacing("  ", with: " "))"
        }.joined(separator: "; ")
    }

    /// The same for a terminal: labels and values, the values in lines that are not too long.
    package var facts: [(label: String, values: [String])] {
        var facts = [(label: isSame ? "same" : "differs", values: [sizes, count(hasVerb: false)].compactMap(\.self))]
        func add(_ label: String, _ values: [String]?) {
            if let values, !values.isEmpty { facts.append((label, values)) }
        }
        add("mean", (statistics?.text).map { [$0] })
        add("largest", maxAt.map { ["\(metric.text(of: maxDelta)) at \($0.x),\($0.y)"] })
        add("shift", shiftText.map { [$0] })
        add(
            "regions",
            regions.filter { $0.differingPixels > 0 }.map {
                "\($0.region.rawValue) \($0.differingPixels) (up to \(metric.text(of: $0.maxDelta)))"
            })
        let named = boxes.map { "\($0) (\($0.differingPixels))" }
        let lines = stride(from: 0, to: named.count, by: 3).map { start in
            named[start..<min(start + 3, named.count)].joined(separator: "  ")
        }
        add(
            boxCount == 1 ? "box" : "boxes",
            boxCount > boxes.count ? lines + ["and \(boxCount - boxes.count) more"] : lines)
        add("would pass", advice.map { [$0] })
        return facts
    }

    private var sizes: String? {
        referenceSize == actualSize
            ? nil
            : "\(referenceSize) → \(actualSize) pixels, compared where they overlap with the second at \(offset.x),\(offset.y)"
    }

    private var shiftText: String? {
        guard reportsShift, maxDelta > 0 else { return nil }
        guard let shift else { return "none that explains the difference" }
        let percent = Int((100 * shift.explained).rounded(.down))
        return "by \(shift) px, which explains \(percent) % of the difference"
    }

    /// Which mean is too large; nil where it is not, or where pixels differ that may not.
    private var brokenMean: String? {
        guard referenceSize == actualSize, differingPixels == 0, !isSame, let errorMap,
            case .error(_, let limits) = metric, let limit = limits.mean
        else { return nil }
        return "the mean error is \(Metric.rounded(errorMap.meanError)); allowed is \(limit)"
    }

    /// - Parameter hasVerb: Whether nothing before says that pixels differ.
    private func count(hasVerb: Bool) -> String {
        if let mean = brokenMean { return mean }
        if differingPixels == 0 { return "none of \(totalPixels) pixels differs" }
        let verb = hasVerb ? " differ\(differingPixels == 1 ? "s" : "")\(metric.countedWords)" : ""
        return "\(differingPixels) of \(totalPixels) pixels\(verb) (\(Self.percent(ratio)))"
    }

    private var advice: String? {
        guard differingPixels > 0 || maxDelta > 0, let wouldPass else { return nil }
        let pixels = errorMap == nil || differingPixels > 0 ? " or --max-pixels \(wouldPass.maxPixels)" : ""
        return wouldPass.metric.flag + pixels
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
        case .channel: "\(Int(difference))"
        case .yiq: "\(Self.roundedUp(difference))"
        case .error: "\(Self.rounded(difference))"
        }
    }

    /// By how much pixels have to differ to be counted; nothing where any difference counts, or where that is an error's
    /// threshold.
    fileprivate var countedWords: String {
        guard case .channel(let tolerance) = self, tolerance != Tolerance(0) else { return "" }
        return tolerance.regions.isEmpty ? " by more than \(tolerance.base)" : " by more than the tolerance"
    }

    /// The limit as a command-line option.
    fileprivate var flag: String {
        switch self {
        case .channel(let tolerance): "--tolerance \(tolerance)"
        case .yiq(let threshold, _): "--threshold \(Self.roundedUp(threshold))"
        case .error(_, let limits):
            [limits.threshold.map { "--threshold \(Self.up($0))" }, limits.mean.map { "--max-mean \(Self.up($0))" }]
                .compactMap(\.self).joined(separator: " ")
        }
    }

    /// To four decimals.
    fileprivate static func rounded(_ error: Double) -> Double { (error * 1e4).rounded() / 1e4 }

    /// Rounded up to four decimals, so that the printed limit passes.
    private static func up(_ error: Double) -> Double { (error * 1e4).rounded(.up) / 1e4 }

    /// Rounded up to four decimals, so that the printed threshold passes.
    private static func roundedUp(_ threshold: Double) -> Double { min((threshold * 1e4).rounded(.up) / 1e4, 1) }
}

extension Difference {
    /// The result for machines. All keys are always present; values that do not apply are null. An error's statistics have
    /// the metric's name as their key.
    package var json: JSONValue {
        guard case .object(var object) = findingsJSON, let errorMap else { return findingsJSON }
        _ = object.append(errorMap.statistics.json, forKey: errorMap.metric.key)
        return .object(object)
    }

    /// The same with what changed, if the cause is found.
    package func json(_ changes: [PictureChange]) -> JSONValue {
        guard case .object(var object) = json else { return json }
        _ = object.append(.array(changes.map(\.json)), forKey: "changes")
        return .object(object)
    }

    private var shiftJSON: JSONValue? {
        guard reportsShift else { return nil }
        return shift.map { ["x": .number($0.x), "y": .number($0.y), "explained": .number($0.explained)] }
            ?? JSONValue.null
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
            "boxes": .array(boxes.map(\.json)),
            "wouldPass": wouldPass?.json ?? .null,
            "regions": .object(JSONObject(regions.map { ($0.region.rawValue, $0.json) })),
            "sizes": ["reference": referenceSize.json, "actual": actualSize.json],
            "offset": referenceSize == actualSize
                ? nil : .array([.number(Double(offset.x)), .number(Double(offset.y))]),
            "shift": shiftJSON,
        ]
    }
}

extension ErrorStatistics {
    /// The mean with the quartiles, for a person.
    fileprivate var text: String {
        let (first, median, third) = (quartiles[0], quartiles[1], quartiles[2])
        let over = backdrop.map { " over \($0.rawValue)" } ?? ""
        let numbers = [first, median, third].map { "\(Metric.rounded($0))" }.joined(separator: ", ")
        return "\(Metric.rounded(mean)) (quartiles \(numbers))\(over)"
    }

    fileprivate var json: JSONValue {
        [
            "mean": .number(mean), "min": .number(min), "max": .number(max),
            "firstQuartile": .number(quartiles[0]), "median": .number(quartiles[1]),
            "thirdQuartile": .number(quartiles[2]), "backdrop": backdrop.map { .string($0.rawValue) } ?? .null,
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
        switch metric {
        case .channel(let tolerance):
            ["tolerance": .number(Double(tolerance.base)), "maxPixels": .number(Double(maxPixels))]
        case .yiq(let threshold, _):
            ["threshold": .number(threshold), "maxPixels": .number(Double(maxPixels))]
        case .error(_, let limits):
            [
                "threshold": limits.threshold.map(JSONValue.number) ?? .null,
                "maxMean": limits.mean.map(JSONValue.number) ?? .null, "maxPixels": .number(Double(maxPixels)),
            ]
        }
    }
}

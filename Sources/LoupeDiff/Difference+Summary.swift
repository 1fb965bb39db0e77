import Glibc

extension Difference {
    /// The result for a person, on one line: what differs, by how much, where, and what would pass.
    public var summary: String {
        (isSame ? "same: " : "differs: ") + findings
    }

    /// The summary without its verdict.
    public var findings: String {
        [sizes, count, largest, regionCounts, boxList, densest, advice].compactMap(\.self).joined(separator: "; ")
    }

    private var sizes: String? {
        referenceSize == actualSize ? nil : "sizes \(referenceSize) and \(actualSize)"
    }

    private var count: String {
        differingPixels == 0
            ? "none of \(totalPixels) pixels differs"
            : "\(differingPixels) of \(totalPixels) pixels differ\(differingPixels == 1 ? "s" : "") (\(Self.percent(ratio)))"
    }

    private var largest: String? {
        maxAt.map { "largest difference \(metric.text(of: maxDelta)) at \($0.x),\($0.y)" }
    }

    private var regionCounts: String? {
        let touched = regions.filter { $0.differingPixels > 0 }
        guard !touched.isEmpty else { return nil }
        return "in "
            + touched.map { "\($0.region.rawValue) \($0.differingPixels) (up to \(metric.text(of: $0.maxDelta)))" }
            .joined(separator: ", ")
    }

    private var boxList: String? {
        guard !boxes.isEmpty else { return nil }
        let named = boxes.map { "\($0) (\($0.differingPixels))" }.joined(separator: " ")
        let more = boxCount - boxes.count
        return "\(boxCount == 1 ? "box" : "boxes") \(named)" + (more > 0 ? " and \(more) more" : "")
    }

    private var densest: String? {
        densestWindow.map { window in
            let size = "\(window.bounds.width)×\(window.bounds.height)"
            return "densest \(size) at \(window.bounds.minX),\(window.bounds.minY): \(window.differingPixels)"
        }
    }

    private var advice: String? {
        guard differingPixels > 0 || maxDelta > 0, let wouldPass else { return nil }
        return "would pass at \(wouldPass.metric.flag) or --max-pixels \(wouldPass.maxPixels)"
    }

    /// Three digits that count, so that one pixel of millions is not told as none.
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
        }
    }

    /// As the command line takes it.
    fileprivate var flag: String {
        switch self {
        case .channel(let tolerance): "--tolerance \(tolerance)"
        case .yiq(let threshold, _): "--threshold \(Self.roundedUp(threshold))"
        }
    }

    /// To four decimals, so that what is told still passes.
    private static func roundedUp(_ threshold: Double) -> Double { min((threshold * 1e4).rounded(.up) / 1e4, 1) }
}

import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeFigure
import LoupeImaging
import LoupeSystem

/// Options for comparing pictures: the flags of `diff` and `verify` that make a `Comparison`.
struct DiffOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How pixels are compared. channel: the largest difference of a premultiplied channel, in 8 or 16 bits as the deeper picture has them; yiq: as pixelmatch 7.2.0 does; flip: what a person sees who alternates between the pictures; ssim, ssim-rgb, ms-ssim: 1 − structural similarity; oklab: 100 × the distance of the colours. Default: channel.",
            valueName: "metric"))
    var metric: Metric.Name?

    @Option(
        help: ArgumentHelp(
            "channel only: the largest difference of a channel that passes, 0 to 255, also a part of 1 for 16 bits; with --scene also for regions: 2,rim=3,page-edge=3. Default: 0.",
            valueName: "N[,REGION=N…]"))
    var tolerance: Tolerance?

    @Option(
        help: ArgumentHelp(
            "Not for channel: the largest error of a pixel that passes. Default: 0.1, oklab 2; none with --max-mean.",
            valueName: "T"), transform: FlagValue.decimal)
    var threshold: Double?

    @Option(
        help: ArgumentHelp(
            "Not for channel and yiq: the largest mean of the errors that passes.", valueName: "N"),
        transform: FlagValue.decimal)
    var maxMean: Double?

    @Option(
        help: ArgumentHelp(
            "flip only: pixels per degree of the field of view. Default: 67.02, from 0.7 m before a screen 0.7 m wide with 3840 columns.",
            valueName: "N"), transform: FlagValue.decimal)
    var pixelsPerDegree: Double?

    @Flag(name: .customLong("include-aa"), help: "yiq only: count pixels that look anti-aliased too.")
    var includeAntialiased = false

    @Flag(
        help:
            "Pictures may have other sizes: they are compared where they overlap, and each pixel that only one has counts as differing. Only with --max-pixels or --max-ratio."
    )
    var allowSize = false

    @Option(help: ArgumentHelp("How many pixels may differ. Default: 0.", valueName: "N"))
    var maxPixels: Int?

    @Option(
        help: ArgumentHelp("Which part of the pixels may differ, 0 to 1.", valueName: "P"), transform: FlagValue.decimal
    )
    var maxRatio: Double?

    @Option(
        help: ArgumentHelp(
            "A region to leave out, in pixels of the pictures, such as 8,8,96x64 or 8,8..104,72; repeat for more.",
            valueName: "X,Y,WxH"), transform: PixelRect.init(flag:))
    var ignore: [PixelRect] = []

    @Option(
        help: ArgumentHelp("A picture of the same size; pixels that are white in it are left out.", valueName: "IMAGE"))
    var mask: InputPath?

    func validate() throws {
        let metric = chosenMetric
        let rules: [(flag: String, isGiven: Bool, isAllowed: Bool, reason: String)] = [
            ("--threshold", threshold != nil, metric != .channel, "which has --tolerance"),
            ("--tolerance", tolerance != nil, metric == .channel, "which has --threshold"),
            ("--include-aa", includeAntialiased, metric == .yiq, "which leaves out no pixel"),
            ("--max-mean", maxMean != nil, !metric.isCounted, "whose pixels are counted"),
            ("--pixels-per-degree", pixelsPerDegree != nil, metric == .flip, "which knows no distance"),
        ]
        if let rule = rules.first(where: { $0.isGiven && !$0.isAllowed }) {
            throw ValidationError("\(rule.flag): not for --metric \(metric.rawValue), \(rule.reason)")
        }
        if maxMean != nil, threshold == nil, maxPixels != nil || maxRatio != nil {
            let flag = maxPixels != nil ? "--max-pixels" : "--max-ratio"
            throw ValidationError(
                "\(flag): no pixel is judged by itself with --max-mean alone; add --threshold, or leave it out")
        }
        if allowSize, maxPixels == nil, maxRatio == nil {
            throw ValidationError("--allow-size: say with --max-pixels or --max-ratio how many pixels may differ")
        }
        try FlagValue.check("--max-pixels", maxPixels.map(Double.init), in: 0...)
    }

    var chosenMetric: Metric.Name { metric ?? .channel }

    /// - Throws: `ValidationError` where a value is out of range; `ImageError` where the mask can't be read.
    func comparison() throws -> Comparison {
        var metric = Metric(chosenMetric)
        switch metric {
        case .channel(let standard): metric = .channel(tolerance ?? standard)
        case .yiq(let standard, _):
            let threshold = try FlagValue.checked("--threshold", threshold ?? standard, in: Metric.thresholdRange)
            metric = .yiq(threshold: threshold, includesAntialiased: includeAntialiased)
        case .error(var measure, _):
            if let pixelsPerDegree {
                measure = .flip(
                    pixelsPerDegree: try FlagValue.checked(
                        "--pixels-per-degree", pixelsPerDegree, in: ErrorMetric.pixelsPerDegreeRange))
            }
            try FlagValue.check("--threshold", threshold, in: measure.limitRange)
            try FlagValue.check("--max-mean", maxMean, in: measure.limitRange)
            metric = .error(measure, measure.limits(threshold: threshold, mean: maxMean))
        }
        let ratio = try maxRatio.map { try FlagValue.checked("--max-ratio", $0, in: Allowance.ratioRange) }
        var comparison = Comparison(
            metric: metric, allowance: Allowance(maxPixels: maxPixels, maxRatio: ratio),
            exclusion: Exclusion(rects: ignore, mask: try mask.map { try shown($0) }))
        comparison.allowsSize = allowSize
        return comparison
    }

    /// The numbers of a mask. One of several frames or pages is refused.
    private func shown(_ mask: InputPath) throws(ImageError) -> Image {
        let image = try ComparedImage.read(mask.path)
        if let warning = image.warning { StandardError.warn(warning) }
        return image.stored.flattened
    }

    /// The limits of a scene that states none.
    /// - Parameters:
    ///   - comparison: What ``comparison()`` returned.
    ///   - specified: What the specification gives the scene; it holds as far as no flag says otherwise.
    func limits(_ comparison: Comparison, over specified: CaseLimits) -> CaseLimits {
        var limits = CaseLimits(comparison)
        let isSpecified = chosenMetric == .channel && tolerance == nil
        if isSpecified { limits.comparison.metric = specified.comparison.metric }
        if isSpecified, maxPixels == nil, maxRatio == nil { limits.share = specified.share }
        return limits
    }
}

extension Tolerance: ExpressibleByArgument {
    /// `3`, `rim=3,page-edge=3` or both: a number for all, and numbers for regions, each at most once.
    public init?(argument: String) {
        var base: Double?
        var regions: [PictureRegion: Double] = [:]
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let value = sides.last.flatMap({ Double(decimal: String($0)) }), Tolerance.range.contains(value)
            else { return nil }
            switch sides.count {
            case 1:
                guard base == nil else { return nil }
                base = value
            case 2:
                guard let region = PictureRegion(rawValue: String(sides[0])), regions[region] == nil else { return nil }
                regions[region] = value
            default: return nil
            }
        }
        self.init(base ?? 0, regions: regions)
    }
}

extension MetadataRule: ExpressibleByArgument {}

extension PictureLayout: ExpressibleByArgument {}

extension PageRange: ExpressibleByArgument {
    /// `3`, `2-5` or `2-`.
    package init?(argument: String) { self.init(argument) }
}

extension Metric.Name: ExpressibleByArgument {
    /// Whether a pixel either passes or not.
    var isCounted: Bool { self == .channel || self == .yiq }
}

import LoupeBase
import LoupeScene

/// Limits on how far a picture may differ from its reference: for a scene the tolerance of the specification, section
/// 9, or the limits in the scene's own `verify` key.
public struct CaseLimits: Equatable, Sendable {
    /// A limit for small differences: at most a fraction of the pixels may differ by more than a level. Only for the metric
    /// `channel`.
    public struct Share: Hashable, Sendable {
        /// The difference of a premultiplied 8-bit channel, 0…255.
        public var level: Int
        /// The fraction of the compared pixels, 0…1.
        public var ratio: Double
    }

    /// How both pictures are compared, but for the share. It has no scene.
    public var comparison: Comparison
    /// The limit for small differences; nil for none.
    public var share: Share?
    /// Why the case has its own limits; nil if it has none.
    public var why: String?

    /// Limits by any metric.
    public init(_ comparison: Comparison, share: Share? = nil, why: String? = nil) {
        (self.comparison, self.share, self.why) = (comparison, share, why)
    }

    /// Limits by the metric `channel`.
    public init(tolerance: Tolerance, maxPixels: Int = 0, share: Share? = nil, why: String? = nil) {
        self.init(
            Comparison(metric: .channel(tolerance), allowance: Allowance(maxPixels: maxPixels)), share: share, why: why)
    }

    /// The tolerance of the specification, section 9, for a scene.
    public init(for scene: Scene) {
        if scene.layers.contains(where: \.hasExtremeCorner) {
            self.init(tolerance: Tolerance(8))
        } else if scene.blending == .linear {
            self.init(tolerance: Tolerance(3), share: Share(level: 1, ratio: 0.01))
        } else {
            self.init(tolerance: Tolerance(2), share: Share(level: 1, ratio: 0.001))
        }
    }

    /// By how much a premultiplied 8-bit channel may differ; nil for another metric than `channel`.
    public var tolerance: Tolerance? {
        guard case .channel(let tolerance) = comparison.metric else { return nil }
        return tolerance
    }
}

extension Layer {
    /// Whether a corner is outside the range in which the shaders meet the usual tolerance. Corners are smallest in the base
    /// view, which does not magnify.
    fileprivate var hasExtremeCorner: Bool {
        corner.radii.smallest > 0 && (corner.radii.smallest < 4 || corner.exponent > 8)
    }
}

// MARK: - Documents

extension CaseLimits {
    /// Reads limits: a scene's `verify` key, or those of a picture in a ``LimitsList``. The keys are the flags of
    /// `loupe-render diff` by their names.
    ///
    /// Missing values are those of `specified`, but its share applies only if neither a metric nor `tolerance`, `maxPixels` or
    /// `maxRatio` is given.
    ///
    /// - Parameter isOfScene: Whether the limits are those of a scene, which state why, and may have some for its regions.
    package init(_ value: JSONReader, over specified: CaseLimits, isOfScene: Bool = true) throws(DocumentError) {
        var limits = value
        let reason =
            isOfScene ? try limits.required("why") : try limits.optional("why")
        let why = try reason?.string(needed: "why these limits are needed")
        let name = try limits.optional("metric")?.choice(of: Metric.Name.self)
        self = specified
        let isOwnMetric = try readMetric(name, &limits, isOfScene)
        let maxPixels = try limits.optional("maxPixels")?.integer(in: 0...Self.mostPixels)
        let maxRatio = try limits.optional("maxRatio")?.number(in: Allowance.ratioRange)
        if maxPixels != nil || maxRatio != nil || isOfScene {
            comparison.allowance = Allowance(
                maxPixels: maxRatio == nil ? maxPixels ?? 0 : maxPixels, maxRatio: maxRatio)
        }
        if let search = try limits.optional("search")?.integer(in: Comparison.searchRange) {
            comparison.search = search
        }
        for block in try limits.optional("ignore")?.array() ?? [] {
            comparison.exclusion.rects.append(try block.pixelBlock())
        }
        try limits.finish()
        if let why, why.isEmpty { throw limits.error(at: "why", "it is empty; say why these limits are needed") }
        if case .error(let metric, _) = comparison.metric, comparison.search > 0, !metric.isOfSinglePixels {
            throw limits.error(at: "search", "\(DiffError.noSearch(metric: metric.name))")
        }
        if isOwnMetric || maxPixels != nil || maxRatio != nil { share = nil }
        self.why = why
    }

    /// - Returns: Whether a metric or a limit of it is given.
    private mutating func readMetric(
        _ name: Metric.Name?, _ limits: inout JSONReader, _ isOfScene: Bool
    ) throws(DocumentError) -> Bool {
        switch name ?? comparison.metric.plainName {
        case .channel:
            let tolerance = try limits.optional("tolerance")?.integer(in: Tolerance.range)
            var tolerances: [PictureRegion: Int] = [:]
            if isOfScene {
                var regions = try limits.optionalObject("regions")
                for region in PictureRegion.allCases {
                    tolerances[region] = try regions.optional(region.rawValue)?.integer(in: Tolerance.range)
                }
                try regions.finish()
            }
            let specified = self.tolerance
            comparison.metric = .channel(
                Tolerance(
                    tolerance ?? specified?.base ?? 0,
                    regions: tolerances.isEmpty ? specified?.regions ?? [:] : tolerances))
            return tolerance != nil || name != nil && specified == nil
        case .yiq:
            let threshold = try limits.optional("threshold")?.number(in: Metric.thresholdRange)
            let includes = try limits.optional("includeAA")?.bool()
            var given = (threshold: 0.1, includes: false)
            if case .yiq(let threshold, let includes) = comparison.metric { given = (threshold, includes) }
            comparison.metric = .yiq(
                threshold: threshold ?? given.threshold, includesAntialiased: includes ?? given.includes)
        case let name:
            try readErrors(name, &limits)
        }
        return true
    }

    private mutating func readErrors(_ name: Metric.Name, _ limits: inout JSONReader) throws(DocumentError) {
        var density: Double?
        if name == .flip {
            density = try limits.optional("pixelsPerDegree")?.number(in: ErrorMetric.pixelsPerDegreeRange)
        }
        var given: (metric: ErrorMetric, limits: ErrorLimits)?
        if case .error(let metric, let limits) = comparison.metric, comparison.metric.plainName == name {
            given = (metric, limits)
        }
        guard
            let metric = density == nil && given != nil
                ? given?.metric : name.errorMetric(pixelsPerDegree: density ?? ErrorMetric.standardPixelsPerDegree)
        else { return }
        let threshold = try limits.optional("threshold")?.number(in: metric.limitRange)
        let mean = try limits.optional("maxMean")?.number(in: metric.limitRange)
        if threshold == nil, mean == nil, let limits = given?.limits {
            comparison.metric = .error(metric, limits)
        } else {
            let standard = mean == nil ? metric.standardThreshold : nil
            comparison.metric = .error(metric, ErrorLimits(threshold: threshold ?? standard, mean: mean))
        }
    }

    private static let mostPixels = 1 << 30

    /// The limits as in the results of `verify`.
    package var json: JSONValue {
        let allowance = comparison.allowance
        var members: [(String, JSONValue?)] = [("metric", .string(comparison.metric.name))]
        switch comparison.metric {
        case .channel(let tolerance):
            let regions = PictureRegion.allCases.map { region in
                (region.rawValue, tolerance.regions[region].map { JSONValue.number(Double($0)) })
            }
            members += [
                ("tolerance", .number(Double(tolerance.base))), ("regions", .object(JSONObject(regions))),
            ]
        case .yiq(let threshold, let includes):
            members += [("threshold", .number(threshold)), ("includeAA", .bool(includes))]
        case .error(_, let limits):
            members += [
                ("threshold", limits.threshold.map(JSONValue.number)), ("maxMean", limits.mean.map(JSONValue.number)),
            ]
        }
        members += [
            ("maxPixels", .number(Double(allowance.maxPixels ?? 0))),
            ("maxRatio", allowance.maxRatio.map(JSONValue.number)),
            ("search", comparison.search == 0 ? nil : .number(Double(comparison.search))),
            ("share", share.map { ["level": .number(Double($0.level)), "ratio": .number($0.ratio)] }),
            ("why", why.map(JSONValue.string)),
        ]
        return .object(JSONObject(members))
    }
}

extension Metric {
    /// The metric without its limits.
    fileprivate var plainName: Name {
        switch self {
        case .channel: .channel
        case .yiq: .yiq
        case .error(.flip, _): .flip
        case .error(.ssim(.luma), _): .ssim
        case .error(.ssim(.rgb), _): .ssimRGB
        case .error(.multiScaleSSIM, _): .msSSIM
        case .error(.oklab, _): .oklab
        }
    }
}

extension JSONReader {
    /// `[x, y, width, height]` in whole pixels.
    fileprivate func pixelBlock() throws(DocumentError) -> PixelRect {
        let numbers = try tuple("x", "y", "width", "height")
        let limit = 1_000_000
        let (x, y) = (try numbers[0].integer(in: -limit...limit), try numbers[1].integer(in: -limit...limit))
        let (width, height) = (try numbers[2].integer(in: 1...limit), try numbers[3].integer(in: 1...limit))
        return PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }
}

import LoupeBase
import LoupeScene

/// Limits on how far a picture may differ from its reference: for a scene the tolerance of the specification, section
/// 9, or the limits in the scene's own `verify` key.
public struct CaseLimits: Equatable, Sendable {
    /// A limit for small differences: at most a fraction of the pixels may differ by more than a level. Only for the metric
    /// `channel`.
    public struct Share: Hashable, Sendable {
        /// The difference of a premultiplied channel, in parts of 1/255.
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
        if scene.layers.contains(where: { $0.hasExtremeCorner }) {
            self.init(tolerance: Tolerance(8))
        } else if scene.blending == .linear {
            self.init(tolerance: Tolerance(3), share: Share(level: 1, ratio: 0.01))
        } else {
            self.init(tolerance: Tolerance(2), share: Share(level: 1, ratio: 0.001))
        }
    }

    /// By how much a premultiplied channel may differ; nil for another metric than `channel`.
    public var tolerance: Tolerance? {
        guard case .channel(let tolerance) = comparison.metric else { return nil }
        return tolerance
    }
}

/// The treatment of differences beside the pixels.
package enum MetadataRule: String, Sendable, CaseIterable {
    /// They are named.
    case named
    /// They are failures.
    case strict
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
        self = specified
        let isOwnMetric = try readMetric(&limits, isOfScene)
        let maxPixels = try limits.optional("maxPixels")?.integer(in: 0...Self.mostPixels)
        let maxRatio = try limits.optional("maxRatio")?.number(in: Allowance.ratioRange)
        if maxPixels != nil || maxRatio != nil || isOfScene {
            comparison.allowance = Allowance(
                maxPixels: maxRatio == nil ? maxPixels ?? 0 : maxPixels, maxRatio: maxRatio)
        }
        for block in try limits.optional("ignore")?.array() ?? [] {
            comparison.exclusion.rects.append(try block.pixelBlock())
        }
        if let allows = try limits.optional("allowSize")?.bool() { comparison.allowsSize = allows }
        // What a scene draws has nothing beside its pixels.
        if !isOfScene, let rule = try limits.optional("metadata")?.choice(of: MetadataRule.self) {
            comparison.countsMetadata = rule == .strict
        }
        try limits.finish()
        if let why, why.isEmpty { throw limits.error(at: "why", "it is empty; say why these limits are needed") }
        if isOwnMetric || maxPixels != nil || maxRatio != nil { share = nil }
        self.why = why
    }

    /// - Returns: Whether another metric or a tolerance is given.
    private mutating func readMetric(_ limits: inout JSONReader, _ isOfScene: Bool) throws(DocumentError) -> Bool {
        let name = try limits.optional("metric")?.choice(of: Metric.Name.self) ?? comparison.metric.plainName
        let isOther = name != comparison.metric.plainName
        switch isOther ? Metric(name) : comparison.metric {
        case .channel(var tolerance):
            let base = try limits.optional("tolerance")?.number(in: Tolerance.range)
            tolerance.base = base ?? tolerance.base
            if isOfScene {
                var (regions, stated) = ([PictureRegion: Double](), try limits.optionalObject("regions"))
                for region in PictureRegion.allCases {
                    regions[region] = try stated.optional(region.rawValue)?.number(in: Tolerance.range)
                }
                try stated.finish()
                if !regions.isEmpty { tolerance.regions = regions }
            }
            comparison.metric = .channel(tolerance)
            return isOther || base != nil
        case .yiq(var threshold, var includesAntialiased):
            threshold = try limits.optional("threshold")?.number(in: Metric.thresholdRange) ?? threshold
            includesAntialiased = try limits.optional("includeAA")?.bool() ?? includesAntialiased
            comparison.metric = .yiq(threshold: threshold, includesAntialiased: includesAntialiased)
        case .error(var metric, let given):
            if name == .flip,
                let density = try limits.optional("pixelsPerDegree")?.number(in: ErrorMetric.pixelsPerDegreeRange)
            {
                metric = .flip(pixelsPerDegree: density)
            }
            let threshold = try limits.optional("threshold")?.number(in: metric.limitRange)
            let mean = try limits.optional("maxMean")?.number(in: metric.limitRange)
            let isGiven = threshold == nil && mean == nil
            comparison.metric = .error(metric, isGiven ? given : metric.limits(threshold: threshold, mean: mean))
        }
        return isOther
    }

    private static let mostPixels = 1 << 30

    /// The limits as in the results of `verify`.
    package var json: JSONValue {
        let allowance = comparison.allowance
        var members: [(String, JSONValue?)] = [("metric", .string(comparison.metric.name))]
        switch comparison.metric {
        case .channel(let tolerance):
            let regions = PictureRegion.allCases.map { region in
                (region.rawValue, tolerance.regions[region].map(JSONValue.number))
            }
            members += [
                ("tolerance", .number(tolerance.base)), ("regions", .object(JSONObject(regions))),
            ]
        case .yiq(let threshold, let includes):
            members += [("threshold", .number(threshold)), ("includeAA", .bool(includes))]
        case .error(_, let limits):
            members += [
                ("threshold", limits.threshold.map(JSONValue.number)), ("maxMean", limits.mean.map(JSONValue.number)),
            ]
        }
        members += [
            ("maxPixels", (allowance.maxPixels ?? (allowance.maxRatio == nil ? 0 : nil)).map { .number(Double($0)) }),
            ("maxRatio", allowance.maxRatio.map(JSONValue.number)),
            ("share", share.map { ["level": .number(Double($0.level)), "ratio": .number($0.ratio)] }),
            ("allowSize", comparison.allowsSize ? .bool(true) : nil),
            ("metadata", comparison.countsMetadata ? .string(MetadataRule.strict.rawValue) : nil),
            ("why", why.map(JSONValue.string)),
        ]
        return .object(JSONObject(members))
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

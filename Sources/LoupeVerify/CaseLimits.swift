import LoupeDiff
import LoupeJSON
import LoupeScene

/// How closely a scene's picture has to match its reference: the tolerance of the specification, section 9, or the limits
/// in the scene's own `verify` key.
public struct CaseLimits: Hashable, Sendable {
    /// A limit for small differences: at most a fraction of the pixels may differ by more than a level.
    public struct Share: Hashable, Sendable {
        /// The difference of a premultiplied 8-bit channel, 0…255.
        public var level: Int
        /// The fraction of the compared pixels, 0…1.
        public var ratio: Double
    }

    /// By how much a premultiplied 8-bit channel may differ.
    public var tolerance: Tolerance
    /// How many pixels may differ by more than the tolerance.
    public var maxPixels: Int
    /// The limit for small differences; nil for none.
    public var share: Share?
    /// Why the scene has its own limits; nil if it has none.
    public var why: String?

    /// Limits for one scene.
    public init(tolerance: Tolerance, maxPixels: Int = 0, share: Share? = nil, why: String? = nil) {
        self.tolerance = tolerance
        self.maxPixels = maxPixels
        self.share = share
        self.why = why
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
}

extension Layer {
    /// Whether a corner is outside the range in which the shaders meet the usual tolerance. Corners are smallest in the base
    /// view, which does not magnify.
    fileprivate var hasExtremeCorner: Bool {
        corner.radii.smallest > 0 && (corner.radii.smallest < 4 || corner.exponent > 8)
    }
}

extension CaseLimits {
    /// Reads a scene's `verify` key: `tolerance`, `maxPixels`, `regions` and `why`, which is required.
    ///
    /// Missing values are those of `specified`, but its share applies only if neither `tolerance` nor `maxPixels` is given.
    package init(_ value: JSONReader, over specified: CaseLimits) throws(DocumentError) {
        var limits = value
        let why = try limits.required("why").string(needed: "why these limits are needed")
        let tolerance = try limits.optional("tolerance")?.integer(in: Tolerance.range)
        let maxPixels = try limits.optional("maxPixels")?.integer(in: 0...Self.mostPixels)
        var regions = try limits.optionalObject("regions")
        try limits.finish()
        guard !why.isEmpty else { throw limits.error(at: "why", "it is empty; say why these limits are needed") }
        var tolerances: [PictureRegion: Int] = [:]
        for region in PictureRegion.allCases {
            tolerances[region] = try regions.optional(region.rawValue)?.integer(in: Tolerance.range)
        }
        try regions.finish()
        self.init(
            tolerance: Tolerance(tolerance ?? specified.tolerance.base, regions: tolerances),
            maxPixels: maxPixels ?? 0, share: tolerance == nil && maxPixels == nil ? specified.share : nil, why: why)
    }

    private static let mostPixels = 1 << 30

    /// The limits as in the results of `verify`.
    package var json: JSONValue {
        let regions = PictureRegion.allCases.map { region in
            (region.rawValue, tolerance.regions[region].map { JSONValue.number(Double($0)) })
        }
        return [
            "tolerance": .number(Double(tolerance.base)), "maxPixels": .number(Double(maxPixels)),
            "regions": .object(JSONObject(regions)),
            "share": share.map { ["level": .number(Double($0.level)), "ratio": .number($0.ratio)] },
            "why": why.map(JSONValue.string),
        ]
    }
}

import LoupeDiff
import LoupeJSON
import LoupeScene

/// How near a scene's picture has to come to its reference: the specification's tolerance (SPEC 9), or what the scene
/// states for itself.
public struct CaseLimits: Hashable, Sendable {
    /// At most a share of the pixels may differ by more than a level.
    public struct Share: Hashable, Sendable {
        public var level: Int
        /// 0…1.
        public var ratio: Double
    }

    /// How far a premultiplied 8-bit channel may be off.
    public var tolerance: Tolerance
    /// How many pixels may be off by more than that.
    public var maxPixels: Int
    public var share: Share?
    /// Why the scene has limits of its own; nil where it has none.
    public var why: String?

    public init(tolerance: Tolerance, maxPixels: Int = 0, share: Share? = nil, why: String? = nil) {
        self.tolerance = tolerance
        self.maxPixels = maxPixels
        self.share = share
        self.why = why
    }

    /// The tolerance of SPEC 9 for a scene.
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
    /// Whether its corner is beyond the range in which shaders are that exact. The base view magnifies by 1, so a
    /// radius is nowhere smaller than there.
    fileprivate var hasExtremeCorner: Bool {
        corner.radii.smallest > 0 && (corner.radii.smallest < 4 || corner.exponent > 8)
    }
}

extension CaseLimits {
    /// What a scene's `verify` key states, over the specification's tolerance: `tolerance`, `maxPixels`, `regions` and
    /// `why`, which is required. A stated tolerance or number of pixels puts the share aside.
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

    package var json: JSONValue {
        var regions = JSONObject()
        for region in PictureRegion.allCases {
            if let value = tolerance.regions[region] {
                _ = regions.append(.number(Double(value)), forKey: region.rawValue)
            }
        }
        return [
            "tolerance": .number(Double(tolerance.base)), "maxPixels": .number(Double(maxPixels)),
            "regions": .object(regions),
            "share": share.map { ["level": .number(Double($0.level)), "ratio": .number($0.ratio)] },
            "why": why.map(JSONValue.string),
        ]
    }
}

import LoupeBase
import LoupeImaging
import LoupeScene

/// The result of checking a picture against a case's limits.
public struct Verdict: Sendable {
    /// Whether the picture is within all limits.
    public var isMet: Bool { difference.isSame && broken == nil }
    /// The result of the comparison. It has counts for each region if the limits are not met or regions have their own.
    public private(set) var difference: Difference
    /// What changed; nil if the cause is not found, if nobody asks, or if the limits are met.
    public internal(set) var change: PictureChange?
    /// What changed, if the cause is found; the limit on small differences, if it is exceeded; then the parts of what
    /// `loupe-render diff` prints.
    package var findings: [String] { [change?.description, broken].compactMap { $0 } + difference.findings }
    /// The limit on small differences in words, where it is exceeded.
    private let broken: String?

    /// The result on one line.
    public var message: String { (isMet ? "same: " : "differs: ") + findings.joined(separator: "; ") }

    /// Compares a picture with its reference.
    ///
    /// - Parameters:
    ///   - scene: The scene that the reference shows; nil if there is none.
    ///   - findsChange: Whether it is looked for what changed, which takes longer than to compare.
    /// - Throws: `DiffError`.
    public init(
        _ limits: CaseLimits, scene: Scene? = nil, reference: Image, actual: Image, findsChange: Bool = true
    ) throws(DiffError) {
        // The regions of a reference that has another size than the scene are not known.
        let scene = scene.flatMap { reference.hasSize(of: $0.canvas) ? $0 : nil }
        let hasRegions = limits.tolerance.map { !$0.regions.isEmpty } ?? false
        var comparison = limits.comparison
        if hasRegions { comparison.scene = comparison.scene ?? scene }
        var difference = try comparison.compare(reference: reference, actual: actual)
        let broken = limits.share?.broken(by: difference)
        let isMet = difference.isSame && broken == nil
        if !isMet, comparison.scene == nil, scene != nil {
            comparison.scene = scene
            difference = try comparison.compare(reference: reference, actual: actual)
        }
        change =
            isMet || !findsChange
            ? nil : PictureChange.find(difference, reference: reference, actual: actual)
        (self.difference, self.broken) = (difference, broken)
    }

    /// Has the limits that would pass be those with which another result of the same comparison passes, too.
    mutating func join(_ other: Verdict) {
        difference.wouldPass = difference.wouldPass.flatMap { one in
            other.difference.wouldPass.map { one.joined(with: $0) }
        }
    }

    /// Adds what is known about the files that were compared.
    mutating func describe(colors: String, metadata: [String], warnings: [String]) {
        (difference.colors, difference.metadata, difference.warnings) = (colors, metadata, warnings)
        if difference.countsMetadata, !metadata.isEmpty { difference.wouldPass = nil }
    }

    /// Adds how many pixels are equal only as colours are cut to sRGB.
    mutating func add(cutPixels: Int) {
        difference.cutPixels = cutPixels
        if difference.hasTooManyCut { difference.wouldPass = nil }
    }
}

extension Verdict {
    /// The result for machines: that of the comparison, and what changed.
    package var json: JSONValue {
        guard case .object(var object) = difference.json else { return difference.json }
        _ = object.append(.array(change.map { [$0.json] } ?? []), forKey: "changes")
        return .object(object)
    }
}

extension CaseLimits.Share {
    /// The violated limit in words; nil if it is met.
    fileprivate func broken(by difference: Difference) -> String? {
        let pixels = difference.pixels(over: level) + difference.unsharedPixels
        // Pictures whose sizes must not differ fail anyway.
        guard difference.referenceSize == difference.actualSize || difference.unsharedPixels > 0,
            Double(pixels) > ratio * Double(difference.totalPixels)
        else { return nil }
        return
            "\(pixels) of \(difference.totalPixels) pixels differ by more than \(level); allowed are \(ratio * 100) %"
    }
}

extension Image {
    fileprivate func hasSize(of canvas: Scene.Canvas) -> Bool { width == canvas.width && height == canvas.height }
}

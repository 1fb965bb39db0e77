import LoupeDiff
import LoupeImaging
import LoupeScene

/// Whether a picture is within a case's limits.
public struct Verdict: Sendable {
    /// Whether the picture is within all limits.
    public let isMet: Bool
    /// The result of the comparison. It has counts for each region if the limits are not met or regions have their own.
    public let difference: Difference
    /// The result on one line, as `loupe-render diff` prints it. It starts with the share of small differences if that is
    /// too large.
    public let message: String
    /// The smallest tolerance with which the picture would pass, 0…255.
    public let needed: Int

    /// Compares a scene's picture with its reference.
    ///
    /// - Throws: `DiffError.outOfMemory`.
    public init(
        _ limits: CaseLimits, scene: Scene, reference: Image, actual: Image
    ) throws(DiffError) {
        var comparison = Comparison(
            metric: .channel(limits.tolerance), allowance: Allowance(maxPixels: limits.maxPixels))
        // The regions of a reference that has another size than the scene are not known.
        let regions = reference.hasSize(of: scene.canvas) ? scene : nil
        if !limits.tolerance.regions.isEmpty { comparison.scene = regions }
        var difference = try comparison.compare(reference: reference, actual: actual)
        let broken = limits.share?.broken(by: difference)
        isMet = difference.isSame && broken == nil
        if !isMet, comparison.scene == nil, let regions {
            comparison.scene = regions
            difference = try comparison.compare(reference: reference, actual: actual)
        }
        self.difference = difference
        message = broken.map { "differs: \($0); \(difference.findings)" } ?? difference.summary
        needed = difference.neededTolerance
    }
}

extension CaseLimits.Share {
    /// The violated limit in words; nil if it is met.
    fileprivate func broken(by difference: Difference) -> String? {
        let pixels = difference.pixels(over: level)
        // Pictures of different sizes fail anyway, and pixels that only one of them has have no level.
        guard difference.referenceSize == difference.actualSize,
            Double(pixels) > ratio * Double(difference.totalPixels)
        else { return nil }
        return
            "\(pixels) of \(difference.totalPixels) pixels differ by more than \(level); allowed are \(ratio * 100) %"
    }
}

extension Image {
    fileprivate func hasSize(of canvas: Scene.Canvas) -> Bool { width == canvas.width && height == canvas.height }
}

extension Difference {
    /// The smallest base tolerance that would pass; 255 if none would.
    fileprivate var neededTolerance: Int {
        guard case .channel(let tolerance)? = wouldPass?.metric else { return Tolerance.range.upperBound }
        return tolerance.base
    }
}

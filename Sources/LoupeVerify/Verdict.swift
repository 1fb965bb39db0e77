import LoupeDiff
import LoupeImaging
import LoupeScene

/// Whether a picture is within its limits, and by how much.
public struct Verdict: Sendable {
    public let isMet: Bool
    /// The result of `diff`, with counts for each region where it is not met or regions have their own limits.
    public let difference: Difference
    /// The line of `diff`, which starts with the share where that is exceeded.
    public let message: String
    /// The smallest tolerance that would do.
    public let needed: Int

    public init(
        _ limits: CaseLimits, scene: Scene, reference: Image, actual: Image
    ) throws(DiffError) {
        var comparison = Comparison(
            metric: .channel(limits.tolerance), allowance: Allowance(maxPixels: limits.maxPixels))
        // A reference of another size than the scene's differs in size; its regions are not known.
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
    /// In words, where more pixels differ than allowed.
    fileprivate func broken(by difference: Difference) -> String? {
        let pixels = difference.pixels(over: level)
        // Pixels that only one picture has are no matter of levels.
        guard difference.referenceSize == difference.actualSize,
            Double(pixels) > ratio * Double(difference.totalPixels)
        else { return nil }
        return
            "\(pixels) of \(difference.totalPixels) pixels differ by more than \(level), allowed are \(ratio * 100) %"
    }
}

extension Image {
    fileprivate func hasSize(of canvas: Scene.Canvas) -> Bool { width == canvas.width && height == canvas.height }
}

extension Difference {
    /// The base tolerance that would pass; the largest there is where none would.
    fileprivate var neededTolerance: Int {
        guard case .channel(let tolerance)? = wouldPass?.metric else { return Tolerance.range.upperBound }
        return tolerance.base
    }
}

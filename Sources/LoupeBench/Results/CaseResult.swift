import LoupeRenderer
import LoupeScene

/// What one case took.
public struct CaseResult: Sendable {
    public let benchCase: BenchCase
    let samples: Samples
    /// In one repetition, by program.
    public let fragments: [ProgramName: Int]
    /// How many pixels of the loupe each clip shader is asked for by the plan.
    public let planned: [ClipState: Int]
    /// Against `pieces` in the same place; 0 where the pictures agree.
    public let pixelsOverTolerance: Int

    /// Nanoseconds, one for each block.
    public var times: [Double] { samples.times }
    public var summary: Summary { Summary(samples.times) }
    public var totalFragments: Int { fragments.values.reduce(0, +) }
    /// Of one clip shader on the page.
    public func fragments(_ state: ClipState) -> Int {
        fragments.reduce(0) { $0 + ($1.key.clip == state ? $1.value : 0) }
    }
}

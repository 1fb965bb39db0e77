import LoupeCompare
import LoupeScene
import LoupeTesting
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// What holds for every picture, whatever it shows.
@Suite struct RenderingTests {
    /// Nothing may pop: which shader draws a pixel makes no difference but rounding.
    @Test(arguments: ReferenceCase.sample(every: 32))
    func policyDoesNotShow(_ reference: ReferenceCase) throws {
        let scene = try reference.scene()
        let picture = try GPU.draw(scene)
        for policy in ShaderPolicy.allCases.dropFirst() {
            expectMatches(
                try GPU.draw(scene, policy: policy), picture, as: "\(reference.testDescription)-\(policy.rawValue)",
                comparison: Comparison(metric: .channel(Tolerance(1)), scene: scene))
        }
    }
}

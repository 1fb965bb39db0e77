import LoupeCompare
import LoupeImaging
import LoupeScene
import LoupeTesting
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// What holds for every picture, whatever it shows.
@Suite struct RenderingTests {
    @Test(arguments: ReferenceCase.sample(every: 16))
    func samePlanGivesTheSameBytes(_ reference: ReferenceCase) throws {
        let scene = try reference.scene()
        #expect(try GPU.draw(scene) == GPU.draw(scene))
    }

    @Test func anotherRendererGivesTheSameBytes() throws {
        let references = ReferenceCase.sample(every: 16)
        let pictures = try references.map { try GPU.draw($0.scene()) }
        let other = try GPU.renderer()
        for (reference, picture) in zip(references, pictures) {
            let plan = DrawPlan(try reference.scene(), images: Pages.traits)
            #expect(try other.render(plan) == picture, "\(reference.testDescription)")
        }
    }

    @Test func renderersTakeTurnsOnOneThread() throws {
        let plan = DrawPlan(try ReferenceCase(suite: "several", name: "six-loupes").scene(), images: Pages.traits)
        let first = try GPU.renderer()
        let second = try GPU.renderer()
        #expect(try first.render(plan) == second.render(plan))
        #expect(try first.render(plan) == second.render(plan))
    }

    /// Nothing may pop: which shader draws a pixel makes no difference but rounding.
    @Test(arguments: ReferenceCase.sample(every: 32))
    func policyDoesNotShow(_ reference: ReferenceCase) throws {
        let scene = try reference.scene()
        let picture = try GPU.draw(scene)
        for policy in [ShaderPolicy.general, .wholeDisc] {
            expectMatches(
                try GPU.draw(scene, policy: policy), picture, as: "\(reference.testDescription)-\(policy.rawValue)",
                comparison: Comparison(metric: .channel(Tolerance(1)), scene: scene))
        }
    }
}

import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import TestSupport
import Testing

/// What `render --show-plan` shows: the pieces of a plan, tinted by what draws them.
@Suite struct PlanPictureTests {
    private static let names = ["corners", "states", "lens", "strokes"]
    private static let cases = ReferenceCase.all.filter { names.contains($0.suite) }

    private func plan(_ reference: ReferenceCase) throws -> DrawPlan {
        DrawPlan(try reference.scene(), images: Pages.traits)
    }

    @Test("The pieces of a layer in a view share no pixel, and hold all that it covers", arguments: cases)
    func piecesShareNothing(
        _ reference: ReferenceCase
    ) throws {
        let plan = try plan(reference)
        let pieces = plan.plannedPieces
        for (index, view) in plan.views.enumerated() {
            for layer in view.layers where layer.isVisible {
                let own = pieces.filter { $0.view == index && $0.layer == layer.index }
                let pixels = own.flatMap { piece in
                    (piece.block.minY..<piece.block.maxY).flatMap { y in
                        view.region.columns(inRow: y, of: piece.block).map { SIMD2($0, y) }
                    }
                }
                #expect(Set(pixels).count == pixels.count)
                let shaded = ClipState.allCases.filter { $0 != .outside }.map(layer.pixelCount).reduce(0, +)
                #expect(pixels.count == shaded)
            }
        }
    }

    @Test("The picture has the canvas in its scale, tinted where pieces are") func tints() throws {
        let reference = try #require(Self.cases.first { $0.testDescription == "lens/over-ink" })
        let (plan, image) = (try plan(reference), try reference.picture())
        let picture = PlanPicture(of: plan, over: image, scale: 2)
        let shown = picture.image
        #expect(shown.width == 2 * image.width && shown.height == 2 * image.height && shown.isOpaque)
        #expect(shown == PlanPicture(of: plan, over: image, scale: 2).image)
        #expect(plan.plannedPieces.contains { $0.kind == .ink })
    }
}

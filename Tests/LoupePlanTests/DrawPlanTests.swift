import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// What a whole plan promises: each pixel shaded once, and its background where nothing hides it.
@Suite struct DrawPlanTests {
    static let images: [ImagePath: ImageTraits] = [
        "page.png": ImageTraits(size: ImageSize(width: 60, height: 40), isOpaque: true),
        "glass.png": ImageTraits(size: ImageSize(width: 33, height: 50), isOpaque: false),
    ]

    /// Up to three layers and three loupes, near each other on a canvas of 90×70.
    private static func scene(using random: inout SplitMix64) -> Scene {
        func number(_ range: ClosedRange<Double>) -> Double {
            let value = Double.random(in: range, using: &random)
            return Bool.random(using: &random) ? value.rounded() : value
        }
        let contents: [Layer.Content] = [
            .image(path: "page.png"), .image(path: "glass.png"), .fill(.defaultBackground),
            .fill(Color(red: 1, green: 2, blue: 3, alpha: 128)),
        ]
        let layers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let rect = Rect(
                x: number(-30...50), y: number(-30...50), width: max(0.5, number(0...120)),
                height: max(0.5, number(0...100)))
            return Layer(
                content: contents.randomElement(using: &random) ?? contents[0], rect: rect,
                corner: Corner(
                    radius: .random(in: 0...rect.shorterSide / 2, using: &random),
                    exponent: .random(in: 1...8, using: &random)),
                filter: Filter.allCases.randomElement(using: &random) ?? .linear,
                opacity: Bool.random(using: &random) ? 1 : 0.5)
        }
        let loupes = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Loupe(
                center: Point(x: number(-10...100), y: number(-10...80)), radius: max(1, number(1...60)),
                zoom: max(1, number(1...12)))
        }
        return Scene(canvas: .init(width: 90, height: 70), layers: layers, loupes: loupes)
    }

    /// Random scenes, each planned with every policy.
    private static let plans: [(plan: DrawPlan, policy: ShaderPolicy)] = {
        var random = SplitMix64(seed: 5)
        return (0..<Sample.count(200, whole: 1000)).flatMap { _ in
            let scene = scene(using: &random)
            return ShaderPolicy.allCases.map { (DrawPlan(scene, images: images, policy: $0), $0) }
        }
    }()

    private static func forEachPlan(_ body: (DrawPlan, ShaderPolicy) -> Void) {
        for (plan, policy) in plans { body(plan, policy) }
    }

    @Test func pixelCountsOfEveryLayerSumToTheRegion() {
        Self.forEachPlan { plan, policy in
            for view in plan.views {
                let pixels = view.region.pixelCount
                for layer in view.layers {
                    let sum = ClipState.allCases.reduce(0) { $0 + layer.pixelCount($1) }
                    #expect(sum == pixels, "\(policy), \(view.view.kind) of \(plan.scene)")
                }
            }
        }
    }

    @Test func regionIsThePixelsOfTheCanvasWithinTheDisc() {
        Self.forEachPlan { plan, _ in
            for view in plan.views {
                guard case .loupe(let index) = view.view.kind else {
                    #expect(view.region.pixelCount == 90 * 70)
                    continue
                }
                let loupe = plan.scene.loupes[index]
                let inside = (0..<90 * 70).count { pixel in
                    let center = Point(x: Double(pixel % 90) + 0.5, y: Double(pixel / 90) + 0.5)
                    return center.distance(to: loupe.center) < loupe.radius + 0.5
                }
                #expect(view.region.pixelCount == inside, "\(loupe)")
            }
        }
    }

    /// The background is drawn wherever no opaque layer's no-edge piece will hide it, and no piece of the bottom layer
    /// brings it along.
    @Test func backgroundAndOpaquePiecesCoverTheRegion() {
        Self.forEachPlan { plan, policy in
            for view in plan.views {
                let hiding = view.layers.filter(\.isOpaque).flatMap { layer in
                    layer.pieces.filter { $0.state == .noEdge || layer.isBottom && $0.state != .outside }.map(\.rect)
                }
                let covered = mask(view.background + hiding)
                let bounds = view.region.bounds
                for y in bounds.minY..<max(bounds.minY, bounds.maxY) {
                    let columns = view.region.columns(inRow: y, of: bounds)
                    #expect(
                        columns.allSatisfy { covered[y * 90 + $0] },
                        "\(policy), \(view.view.kind), row \(y) of \(plan.scene)")
                }
            }
        }
    }

    private func mask(_ rects: [PixelRect]) -> [Bool] {
        var mask = [Bool](repeating: false, count: 90 * 70)
        for rect in rects {
            for y in rect.minY..<max(rect.minY, rect.maxY) {
                for x in rect.minX..<max(rect.minX, rect.maxX) { mask[y * 90 + x] = true }
            }
        }
        return mask
    }

    /// The state is the dearest that any pixel needs, so no piece is dearer.
    @Test func noPieceIsDearerThanTheState() {
        Self.forEachPlan { plan, policy in
            guard policy == .pieces else { return }
            for layer in plan.views.flatMap(\.layers) {
                let noDearer = ClipState.allCases.prefix { $0 != layer.state } + [layer.state]
                for piece in layer.pieces { #expect(noDearer.contains(piece.state), "\(plan.scene)") }
            }
        }
    }
}

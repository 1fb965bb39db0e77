import LoupeBase
import LoupeScene
import LoupeTesting
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// Scale bars and text on the device.
@Suite struct LabelPictureTests {
    private func scene() throws -> Scene { try ReferenceCase(suite: "linear", name: "labels-and-scale-bars").scene() }

    @Test func framesEqualPicturesDrawnAlone() throws {
        let sequence = FrameSequence(try GPU.renderer())
        var scene = try scene()
        for step in 0..<8 {
            scene.loupes[0].center.x += 3.25
            if step == 4 { scene.labels.removeLast() }
            // Labels and bars of a loupe that is not there are not drawn.
            if step == 7 { scene.loupes = [] }
            let plan = DrawPlan(scene, images: Pages.traits)
            #expect(try sequence.next(plan).image == GPU.draw(plan), "frame \(step)")
        }
    }

    /// Random places, sizes and colours, in both blending spaces and with 8 and 16 bits.
    @Test(arguments: Sample.of(0..<24, every: 4)) func gpuAndOracleDrawTheSamePicture(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        var scene = try ReferenceCase(suite: "labels", name: "bars-of-loupes").scene()
        if seed % 2 == 1 { scene.blending = .linear }
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        for index in scene.scaleBars.indices {
            scene.scaleBars[index].inset = number(0...20)
            scene.scaleBars[index].length.value *= number(0.3...2)
            scene.scaleBars[index].corner = CornerPosition.allCases.randomElement(using: &generator)!
        }
        for text in ["a", "4×", "zwei\nZeilen"] {
            let style = TextStyle(
                family: "DejaVu Sans", size: number(4...40),
                color: Color(
                    red: .random(in: 0...255, using: &generator), green: 80, blue: 160,
                    alpha: .random(in: 90...255, using: &generator)),
                halo: Casing(width: number(0.5...5), color: .defaultRim))
            scene.labels += [
                Label(
                    text,
                    at: .point(
                        Point(x: number(-10...234), y: number(-10...178)),
                        align: Vector(dx: number(0...1), dy: number(0...1))), style: style),
                Label(
                    text, at: .loupe(index: 0, angle: number(-180...180), side: .inside, distance: number(-5...9)),
                    style: style),
                Label(
                    text, at: .loupe(index: 1, angle: number(-180...180), side: .outside, distance: number(-5...9)),
                    style: style),
                Label(text, at: .ring(index: 1, angle: number(-180...180), distance: number(-5...9)), style: style),
            ]
        }
        expectRendersLikeOracle(scene, as: "labels-\(seed)", images: Pages.images)
    }
}

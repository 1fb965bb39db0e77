import LoupeBase
import LoupeScene
import Testing

@testable import LoupeMotion

@Suite struct KeyframeModelTests {
    private static let scene = Scene(
        canvas: Scene.Canvas(width: 100, height: 100),
        layers: [Layer(content: SampleModels.fill, rect: Rect(x: 0, y: 0, width: 50, height: 50))],
        loupes: [
            Loupe(center: Point(x: 10, y: 20), radius: 30, zoom: 2),
            Loupe(
                center: Point(x: 10, y: 20), radius: 30, zoom: 2, focus: Point(x: 1, y: 2),
                rim: Loupe.Rim(width: 5, color: .defaultRim)),
        ])

    private func model(_ keyframes: KeyframeModel.Keyframe...) -> KeyframeModel {
        KeyframeModel(scene: Self.scene, keyframes: keyframes)
    }

    @Test func runsFromTheScenesNumbersThroughTheKeyframes() {
        let model = model(
            .init(time: 1, values: [.loupe(0, "zoom"): [4], .layer(0, "opacity"): [0]]),
            .init(time: 3, curve: .easeIn, values: [.loupe(0, "zoom"): [8]]))
        #expect(model.frame(at: 0).scene == Self.scene)
        #expect(model.frame(at: 0.5).scene.loupes[0].zoom == 3 && model.frame(at: 0.5).scene.layers[0].opacity == 0.5)
        #expect(model.frame(at: 1).scene.loupes[0].zoom == 4 && model.frame(at: 2).scene.layers[0].opacity == 0)
        #expect(near(model.frame(at: 2).scene.loupes[0].zoom, 4 + 4 * 0.31535682, 1e-3))
        #expect(model.frame(at: 99).scene.loupes[0].zoom == 8 && model.duration == 3)
        #expect(model.frame(at: 1).states.line == #"{"layers[0].opacity": 0, "loupes[0].zoom": 4}"#)
    }

    // MARK: - Pop's animations

    /// A spring begins at its keyframe with the velocity that is there, and moves as its equation of motion says.
    @Test func springBeginsAtItsKeyframeWithTheVelocityHandedOver() {
        let spring = Spring(bounciness: 12, speed: 6)
        let model = model(
            .init(time: 1, values: [.loupe(0, "radius"): [80]]),
            .init(time: 1, animation: .spring(spring), values: [.loupe(0, "radius"): [60]]))
        #expect(model.frame(at: 0.5).scene.loupes[0].radius == 55)
        for time in [0.05, 0.3, 0.8] {
            // From 30 to 80 in a second: 50 points a second.
            let expected = integrate(from: (80, 50), to: time) { x, v in
                -spring.frequency * (spring.frequency * (x - 60) + 2 * spring.dampingRatio * v)
            }
            #expect(near(model.frame(at: 1 + time).scene.loupes[0].radius, expected.x, 1e-3))
        }
        #expect(model.duration > 1.5)
        #expect(model.frame(at: model.duration).scene.loupes[0].radius == 60)
    }

    /// Pop's check values: 1000 points a second at the threshold of a custom property, and the way 496.5 of bounds.
    @Test func decayTakesItsValuesAsVelocities() {
        let scene = Scene(canvas: Scene.Canvas(width: 2000, height: 100), loupes: Self.scene.loupes)
        let model = KeyframeModel(
            scene: scene,
            keyframes: [.init(time: 2, animation: .decay(rate: 0.998), values: [.loupe(0, "center"): [1000, 0]])])
        #expect(model.frame(at: 2).scene.loupes[0].center == Point(x: 10, y: 20))
        // After a second 0.998^1000 of the velocity is left.
        let left = 0.13506
        #expect(near(model.frame(at: 3).scene.loupes[0].center.x, 10 + 499 * (1 - left), 0.01))
        #expect(model.frame(at: 3).scene.loupes[0].center.y == 20)
        // log(0.05 / 1000) / (1000 log 0.998)
        #expect(near(model.duration, 2 + 4.9468, 1e-3))
    }

    @Test func basicBeginsAtItsKeyframeAndEasesLeadOnFromIt() {
        let model = model(
            .init(time: 1, animation: .basic(.easeIn, duration: 0.5), values: [.loupe(0, "zoom"): [4]]),
            .init(time: 3, values: [.loupe(0, "zoom"): [8]]))
        #expect(model.frame(at: 1).scene.loupes[0].zoom == 2)
        // The ease to 8 leads away from the animation; half way, ease-in is at 0.31535682.
        #expect(near(model.frame(at: 1.25).scene.loupes[0].zoom, 2.63071364 + 0.125 * (8 - 2.63071364), 1e-3))
        #expect(model.frame(at: 2).scene.loupes[0].zoom == 6)
        #expect(model.frame(at: 3).scene.loupes[0].zoom == 8)
    }

    @Test func focusFollowsTheCentreUnlessItIsApart() {
        let model = model(.init(time: 1, values: [.loupe(0, "center"): [50, 60], .loupe(1, "center"): [50, 60]]))
        #expect(model.frame(at: 1).scene.loupes.map(\.focus) == [Point(x: 50, y: 60), Point(x: 1, y: 2)])
        let apart = self.model(
            .init(time: 1, values: [.loupe(0, "center"): [50, 60], .loupe(0, "focus"): [10, 20]]))
        #expect(apart.frame(at: 1).scene.loupes[0].focus == Point(x: 10, y: 20))
    }

    @Test func overshootingCurvesStayWithinWhatScenesAllow() {
        let overshoot = TimingCurve(x1: 0.5, y1: -3, x2: 0.5, y2: 4)
        let model = model(
            .init(
                time: 1, curve: overshoot,
                values: [
                    .loupe(1, "zoom"): [1.5], .loupe(1, "rim.width"): [29], .loupe(1, "radius"): [20],
                    .layer(0, "opacity"): [0.9], .layer(0, "corner.radius"): [24], .layer(0, "rect"): [0, 0, 10, 10],
                ]))
        for step in 0...100 {
            let text = Array(SceneEncoder().encode(model.frame(at: Double(step) / 100).scene).utf8)
            #expect(throws: Never.self) { try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(text) }
        }
    }
}

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

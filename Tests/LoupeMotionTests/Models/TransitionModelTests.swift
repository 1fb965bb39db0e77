import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// On 320×480 with a picture of 4:3, 320×240 at full screen, from a square thumbnail of 80: s = 80/240.
@Suite struct TransitionModelTests {
    private func model(
        _ change: (inout TransitionOptions) -> Void = { _ in }, _ write: (inout TouchScript) -> Void
    ) -> TransitionModel {
        var script = TouchScript()
        script.tap(50, 340, at: 0.95)
        write(&script)
        return SampleModels.transition(script.trace, change)
    }

    private func rect(_ numbers: [Double]) -> Rect {
        Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    @Test(arguments: 0..<200) func maskCoversTheCropForAnyThumbnail(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let thumbnail = Rect(
            x: number(-50...300), y: number(-50...400), width: number(5...300), height: number(5...300))
        let corner = Corner(radius: number(0...(thumbnail.shorterSide / 2)), exponent: 2)
        let model = TransitionModel(
            base: Scene(canvas: SampleModels.canvas),
            thumbnails: [
                .init(
                    photo: "p.png", width: number(10...4000), height: number(10...4000), rect: thumbnail, corner: corner
                )
            ], trace: Trace())
        let frame = model.frame(at: 0)
        let (mask, picture) = (rect(frame.numbers("mask")), rect(frame.numbers("picture")))
        #expect(near(mask.minX, thumbnail.minX) && near(mask.minY, thumbnail.minY))
        #expect(near(mask.maxX, thumbnail.maxX) && near(mask.maxY, thumbnail.maxY))
        #expect(near(frame.number("cornerRadius"), corner.radius) && frame.number("background") == 0)
        // Aspect-fill: the picture covers the mask, and one of its sides is the mask's.
        #expect(picture.minX <= mask.minX + 1e-9 && picture.maxX >= mask.maxX - 1e-9)
        #expect(picture.minY <= mask.minY + 1e-9 && picture.maxY >= mask.maxY - 1e-9)
        #expect(near(picture.width, mask.width, 1e-9) || near(picture.height, mask.height, 1e-9))
    }

    @Test func theLayerIsThePictureCutByTheMask() throws {
        for time in [0, 0.98, 1.05, 1.2, 2] {
            let frame = model { _ in }.frame(at: time)
            let layer = try #require(frame.scene.layers.last)
            #expect(layer.rect == rect(frame.numbers("picture")))
            #expect(layer.crop == rect(frame.numbers("mask")))
            #expect(layer.corner.radius == frame.number("cornerRadius"))
            // The picture keeps its proportions.
            #expect(near(layer.rect.width / layer.rect.height, 4 / 3.0, 1e-12))
        }
    }

    @Test func presentsOnTheSpringAndOpensTheMask() {
        let model = model { _ in }
        let peak = model.frame(at: 1.22354)
        #expect(near(peak.number("scale"), 1 + 2.0 / 3 * 0.045988, 1e-6) && peak.number("background") == 1)
        let early = model.frame(at: 1.075)
        let progress = TransitionOptions.presentSpring.motion.value(at: 0.075)
        #expect(near(early.number("background"), progress))
        let scale = 1.0 / 3 + 2.0 / 3 * progress
        #expect(near(early.number("scale"), scale))
        #expect(near(early.numbers("mask")[2], (240 + 320) / 2 * scale, 1e-9))
        #expect(near(early.number("cornerRadius"), 15 * scale, 1e-9))
        let end = model.frame(at: 1.5)
        #expect(end.string("phase") == "full" && end.numbers("picture") == [0, 120, 320, 240])
        #expect(end.numbers("mask") == [0, 120, 320, 240] && end.number("cornerRadius") == 0)
    }

    @Test func forwardAndBackIsExactlyTheThumbnail() {
        let model = model { $0.tap(160, 240, at: 3) }
        #expect(model.frame(at: 3.39).string("phase") == "full")
        #expect(model.frame(at: 3.41).string("phase") == "dismissing")
        var (first, last) = (model.frame(at: 0), model.frame(at: 3.4 + 0.3))
        #expect(first == last)
        (first, last) = (model.frame(at: 0.5), model.frame(at: 60))
        #expect(first == last)
    }

    @Test func singleTapWaitsForASecondAndTwoZoomAboutThePoint() {
        let model = model {
            $0.tap(100, 200, at: 3)
            $0.tap(102, 203, at: 3.3)
        }
        #expect(model.frame(at: 3.34).number("scale") == 1)
        let frame = model.frame(at: 4)
        #expect(frame.number("scale") == 3 && frame.string("phase") == "full")
        // The point of the picture under the second tap has not moved.
        #expect(near((102 - frame.numbers("picture")[0]) / 3, 102))
        #expect(near((203 - frame.numbers("picture")[1]) / 3, 203 - 120))
    }

    @Test func tapOnAZoomedPictureResetsOrDismisses() {
        func write(_ script: inout TouchScript) {
            script.tap(100, 200, at: 3)
            script.tap(100, 200, at: 3.2)
            script.tap(100, 200, at: 5)
        }
        let resets = model({ _ in }, write).frame(at: 6)
        #expect(resets.numbers("picture") == [0, 120, 320, 240] && resets.string("phase") == "full")
        #expect(model({ $0.zoomedTap = .dismisses }, write).frame(at: 6).string("phase") == "thumbnail")
    }

    @Test func panFollowsAndIsThrownBackToCoverTheScreen() {
        let model = model {
            $0.tap(160, 240, at: 3)
            $0.tap(160, 240, at: 3.2)
            $0.drag(from: (100, 200), to: (150, 200), at: 5, for: 0.1)
        }
        let before = model.frame(at: 4.9).numbers("center")
        #expect(model.frame(at: 5.09).string("gesture") == "pan")
        // The first ten points make it a pan.
        #expect(near(model.frame(at: 5.1).numbers("center")[0], before[0] + 40))
        #expect(near(model.frame(at: 9).numbers("center")[0], before[0] + 40 + 0.15 * 500, 1e-6))
        let far = self.model {
            $0.tap(160, 240, at: 3)
            $0.tap(160, 240, at: 3.2)
            for step in 0..<5 { $0.drag(from: (20, 200), to: (300, 200), at: 5 + Double(step), for: 0.1) }
        }
        #expect(near(far.frame(at: 12).numbers("picture")[0], 0))
    }

    @Test func pinchScalesAboutTheCentroidAndComesBackIntoRange() {
        func pinch(from start: Double, to end: Double) -> TransitionModel {
            model {
                $0.drag(from: (160 - start, 240), to: (160 - end, 240), at: 3, for: 0.5, rest: 0.2)
                $0.drag(from: (160 + start, 240), to: (160 + end, 240), at: 3, for: 0.5, rest: 0.2)
            }
        }
        let apart = pinch(from: 40, to: 80)
        #expect(near(apart.frame(at: 3.6).number("scale"), 2) && apart.frame(at: 3.6).string("gesture") == "pinch")
        #expect(near(apart.frame(at: 9).number("scale"), 2))
        let together = pinch(from: 80, to: 20)
        #expect(near(together.frame(at: 3.6).number("scale"), 0.5))
        #expect(together.frame(at: 3.95).number("scale") == 1)
        let beyond = pinch(from: 20, to: 100)
        #expect(near(beyond.frame(at: 3.6).number("scale"), 5) && beyond.frame(at: 3.95).number("scale") == 3)
    }

    /// Pinched to 2×, then one finger is lifted and the other one drags by 60 points.
    @Test func lastFingerOfAPinchGoesOnPanning() {
        func lifted(first: Double, from start: Double, to end: Double) -> TransitionModel {
            model {
                $0.drag(from: (160 - start, 240), to: (160 - end, 240), at: 3, for: 0.5, rest: first)
                var positions = (0...60).map { step in
                    let part = Double(step) / 60
                    return (3 + part / 2, 160 + start + part * (end - start), 240.0)
                }
                for step in 1...60 {
                    let moved = Double(step)
                    positions.append((3.7 + moved / 120, 160 + end + moved, 240.0))
                }
                positions.append((4.4, 160 + end + 60, 240))
                $0.finger(positions)
            }
        }
        let within = lifted(first: 0.1, from: 40, to: 80)
        let before = within.frame(at: 3.65)
        #expect(before.string("gesture") == "pan" && near(before.number("scale"), 2))
        let after = within.frame(at: 4.3)
        #expect(near(after.numbers("center")[0], before.numbers("center")[0] + 60, 1e-6))
        #expect(near(within.frame(at: 9).numbers("center")[0], before.numbers("center")[0] + 60, 1e-6))
        // Beyond the greatest scale, the scale returns while the finger already pans.
        let beyond = lifted(first: 0.1, from: 20, to: 100)
        #expect(beyond.frame(at: 3.75).number("scale") > 3 && beyond.frame(at: 3.86).number("scale") == 3)
        let moved = beyond.frame(at: 4.2).numbers("center")[0] - beyond.frame(at: 3.95).numbers("center")[0]
        #expect(near(moved, 30, 1e-6))
    }

    /// Pinched to 2×, then double-tapped.
    @Test func doubleTapZoomsToTheMaximumFromAnyScaleBelowIt() {
        func write(_ script: inout TouchScript) {
            script.drag(from: (120, 240), to: (80, 240), at: 3, for: 0.5, rest: 0.2)
            script.drag(from: (200, 240), to: (240, 240), at: 3, for: 0.5, rest: 0.2)
            for time in [5, 5.2, 7, 7.2] { script.tap(160, 240, at: time) }
        }
        let model = model({ _ in }, write)
        #expect(near(model.frame(at: 4.9).number("scale"), 2, 1e-9))
        #expect(model.frame(at: 6).number("scale") == 3 && model.frame(at: 8).number("scale") == 1)
    }

    @Test(arguments: 0..<60) func pictureAlwaysComesToRestCoveringTheScreen(seed: UInt64) {
        let frame = SampleModels.transition(TouchScript.random(seed: seed)).frame(at: 60)
        guard frame.string("phase") == "full" else { return }
        let picture = rect(frame.numbers("picture"))
        #expect((1...3).contains(frame.number("scale")))
        #expect(picture.minX <= 1e-9 && picture.maxX >= 320 - 1e-9)
        #expect(near(picture.midY, 240, 1e-9) || (picture.minY <= 1e-9 && picture.maxY >= 480 - 1e-9))
    }

    // MARK: - Several thumbnails

    /// Two photos of 4:3 and 1:2, whose thumbnails are squares of 80.
    private func several(_ trace: Trace) -> TransitionModel {
        TransitionModel(
            base: Scene(canvas: SampleModels.canvas),
            thumbnails: [
                .init(
                    photo: "wide.png", width: 1600, height: 1200, rect: SampleModels.thumbnail,
                    corner: Corner(radius: 10, exponent: 4)),
                .init(
                    photo: "tall.png", width: 500, height: 1000, rect: Rect(x: 200, y: 300, width: 80, height: 80),
                    corner: Corner(radius: 20, exponent: 2)),
            ], trace: trace)
    }

    @Test func tapSaysWhichThumbnailGrows() {
        var script = TouchScript()
        script.tap(240, 340, at: 1)
        let model = several(script.trace)
        let (start, end) = (model.frame(at: 0), model.frame(at: 3))
        #expect(Set(start.scene.imagePaths) == ["wide.png", "tall.png"])
        #expect(start.scene.layers.map(\.bounds.width) == [80, 80])
        #expect(Set(start.scene.layers.map(\.corner.radius)) == [10, 20])
        // The tall one is on top, at full height; the wide one stays where it is under the background.
        #expect(end.number("thumbnail") == 1)
        #expect(end.scene.layers.last?.content == .image(path: "tall.png"))
        #expect(end.scene.layers.last?.rect == Rect(x: 40, y: 0, width: 240, height: 480))
        #expect(end.scene.layers.first?.bounds == SampleModels.thumbnail)
    }

    @Test func pictureReturnsToItsOwnThumbnailAndAnotherOneGrows() {
        var script = TouchScript()
        script.tap(240, 340, at: 1)
        script.tap(160, 100, at: 3)
        script.tap(60, 340, at: 6)
        let model = several(script.trace)
        #expect(model.frame(at: 5).string("phase") == "thumbnail")
        #expect(model.frame(at: 5).scene.layers.last?.bounds == Rect(x: 200, y: 300, width: 80, height: 80))
        #expect(model.frame(at: 9).scene.layers.last?.content == .image(path: "wide.png"))
        #expect(model.frame(at: 9).string("phase") == "full")
        #expect(model.decisions.first?.text.hasPrefix("tap on the thumbnail 1: presented") == true)
    }
}

extension Rect {
    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }
}

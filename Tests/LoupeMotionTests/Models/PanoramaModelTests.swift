import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

@Suite struct PanoramaModelTests {
    /// The worked example: W = 320, items 0/600/0.
    @Test func workedLayout() {
        let layout = PanoramaLayout(viewportWidth: 320, itemWidths: [0, 600, 0])
        #expect(layout.itemWidths == [290, 600, 290] && layout.itemPositions == [5, 295, 895])
        #expect(layout.chunks == [290, 290, 310, 290] && layout.stops == [0, 290, 580, 890])
        #expect(layout.contentWidth == 1280)
        for (offset, target) in [(145.0, 0.0, 290.0), (435, 290, 580), (735, 580, 890), (1035, 890, 890)].map({
            ($0.0, ($0.1, $0.2))
        }) {
            #expect(layout.snapTarget(from: offset - 0.01) == target.0)
            #expect(layout.snapTarget(from: offset) == target.1)
        }
    }

    @Test(arguments: 0..<200) func snapsToItemEdgesOrChunksWithinTheContent(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let widths = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            Bool.random(using: &generator) ? 0 : Double.random(in: 20...1500, using: &generator).rounded()
        }
        let model = SampleModels.panorama(TouchScript.random(seed: seed), widths: widths)
        let end = model.frame(at: 99).number("presentationOffset")
        #expect(model.layout.stops.contains(end) && model.layout.offsetRange.contains(end))
        for step in 0..<200 {
            // The rubber band never lets go of the window.
            #expect(
                abs(
                    model.frame(at: Double(step) / 30).number("presentationOffset") - model.layout.offsetRange
                        .upperBound / 2)
                    < 320 + model.layout.offsetRange.upperBound / 2)
        }
    }

    @Test func dragSnapsFromWhereItIsReleased() {
        var script = TouchScript()
        script.drag(from: (300, 240), to: (140, 240), at: 1, for: 0.2, rest: 0.1)
        let model = SampleModels.panorama(script.trace)
        #expect(model.frame(at: 1.2).number("presentationOffset") == 160)
        #expect(model.frame(at: 1.4).string("phase") == "snapping")
        #expect(model.frame(at: 3).number("presentationOffset") == 290)
        #expect(model.frame(at: 3).scene.layers[2].rect.x == 5 - 290)
    }

    /// tw = 500: the title has left when the offset is the last stop, 890.
    @Test func titleLeavesAsTheLastItemComesIntoFullView() {
        var script = TouchScript()
        for step in 0..<4 { script.drag(from: (310, 240), to: (10, 240), at: Double(step) * 2, for: 0.5, rest: 0.1) }
        let model = SampleModels.panorama(script.trace)
        let frame = model.frame(at: 20)
        #expect(frame.number("presentationOffset") == 890)
        #expect(near(frame.number("titleX"), 5 - 500) && near(frame.scene.layers[1].rect.maxX, 0))
        #expect(near(frame.number("backgroundX"), -890 * 500 / 1280))
        #expect(frame.scene.layers[0].rect.maxX >= 320)
        let last = frame.scene.layers[4].rect
        #expect(last.minX >= 0 && last.maxX <= 320)
    }

    /// 100 points at 1000 points per second, and at 5000 in one motion over the whole panorama.
    @Test(arguments: [(1000.0, 580.0), (5000, 890)]) func flickSnapsAtUIKitsTarget(speed: Double, stop: Double) {
        var script = TouchScript()
        script.drag(from: (300, 240), to: (200, 240), at: 1, for: 100 / speed)
        let model = SampleModels.panorama(script.trace)
        #expect(model.frame(at: 9).number("presentationOffset") == stop)
        // Back, against the direction of the items, and after a rest where the finger was.
        script.drag(from: (20, 240), to: (120, 240), at: 5, for: 100 / speed)
        #expect(SampleModels.panorama(script.trace).frame(at: 9).number("presentationOffset") == 0)
        var resting = TouchScript()
        resting.drag(from: (300, 240), to: (200, 240), at: 1, for: 100 / speed, rest: 0.1)
        #expect(SampleModels.panorama(resting.trace).frame(at: 9).number("presentationOffset") == 0)
    }

    /// The last item is in full view at the last stop, and the title has left.
    @Test(arguments: [[200.0, 200, 200], [0, 0, 50], [200, 330], [0, 600], [10, 10, 300, 20]])
    func lastItemRestsInFullViewWithoutTheTitle(widths: [Double]) {
        var script = TouchScript()
        for step in 0..<6 { script.drag(from: (310, 240), to: (10, 240), at: Double(step) * 2, for: 0.1) }
        let model = SampleModels.panorama(script.trace, widths: widths)
        let frame = model.frame(at: 20)
        let last = frame.scene.layers[frame.scene.layers.count - 1].rect
        #expect(last.maxX > 0 && last.maxX <= 320 && (last.minX >= 0 || last.maxX >= 315))
        #expect(near(frame.scene.layers[1].rect.maxX, 0))
        #expect(model.layout.offsetRange.contains(frame.number("presentationOffset")))
        for (stop, next) in zip(model.layout.stops, model.layout.stops.dropFirst()) { #expect(stop < next) }
    }

    @Test func unreachableLastStopPutsTheLastEdgeAtTheViewports() {
        #expect(PanoramaLayout(viewportWidth: 320, itemWidths: [200, 200, 200]).stops == [0, 200, 285])
        #expect(PanoramaLayout(viewportWidth: 320, itemWidths: [0, 0, 50]).stops == [0, 290, 315])
        #expect(PanoramaLayout(viewportWidth: 320, itemWidths: [0, 600]).stops == [0, 290, 580])
        #expect(PanoramaLayout(viewportWidth: 320, itemWidths: [200, 330]).stops == [0, 200, 215])
    }

    /// Its own title is above its page; the layers of a scene are cut where the item ends.
    @Test func itemIsAViewWithATitleOfItsOwn() {
        let fill = SampleModels.fill
        let page = Scene(
            canvas: Scene.Canvas(width: 200, height: 300),
            layers: [Layer(content: fill, rect: Rect(x: 150, y: 20, width: 100, height: 40))])
        let title = PanoramaModel.Picture(content: fill, width: 80, height: 24)
        let model = PanoramaModel(
            canvas: SampleModels.canvas, title: PanoramaModel.Picture(content: fill, width: 300, height: 100),
            background: nil, items: [.init(.scene(page), width: 200, title: title), .init(.content(fill))],
            trace: Trace())
        #expect(
            model.frame(at: 0).scene.layers.map(\.bounds) == [
                Rect(x: 5, y: 0, width: 300, height: 100), Rect(x: 5, y: 100, width: 80, height: 24),
                Rect(x: 5, y: 124, width: 200, height: 356), Rect(x: 155, y: 144, width: 50, height: 40),
                Rect(x: 205, y: 100, width: 290, height: 380),
            ])
    }

    @Test func publishedRatesAndZeroStop() {
        let code = SampleModels.panorama(Trace(), titleWidth: 295) { $0.titleRate = .code }
        #expect(near(code.titleRate, 300.0 / (1280 - 600)))
        #expect(SampleModels.panorama(Trace(), titleWidth: 700) { $0.titleRate = .code }.titleRate == 0)
        #expect(SampleModels.panorama(Trace(), widths: [0]).titleRate == 0)
        var script = TouchScript()
        script.drag(from: (300, 240), to: (200, 240), at: 1, for: 0.2, rest: 0.1)
        #expect(SampleModels.panorama(script.trace).frame(at: 9).number("offset") == 0)
        #expect(SampleModels.panorama(script.trace) { $0.zeroStop = 1 }.frame(at: 9).number("offset") == 1)
    }
}

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
        // No wider than the shortest way, so that it is no faster than the content.
        let model = SampleModels.panorama(script.trace, widths: widths, titleWidth: 20)
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

    // MARK: - Titles

    private func decode(_ members: String) throws -> PanoramaModel {
        let text =
            #"{"model": "panorama", "canvas": {"width": 320, "height": 480}, "trace": [{"t": 0, "touch": 1, "phase": "began", "#
            + #""at": [1, 1]}, {"t": 0.1, "touch": 1, "phase": "ended", "at": [1, 1]}], \#(members)}"#
        let decoder = SessionDecoder { _ in
            ImageSize(width: 100, height: 50)
        } file: { _ in
            []
        } textWidth: {
            10 * Double($0.text.count)
        }
        guard case .panorama(let model) = try decoder.decode(Array(text.utf8)).model else {
            fatalError("another model")
        }
        return model
    }

    private static let threeItems = #""items": [{"fill": "red"}, {"fill": "red"}, {"fill": "red", "title": "news"}]"#

    /// The title and those of the items are texts, which move as pictures do.
    @Test func titlesAreTexts() throws {
        let title = #"{"text": "my minions", "font": "DejaVu Sans", "size": 40, "color": "blue"}"#
        let model = try decode(#""title": \#(title), \#(Self.threeItems)"#)
        let labels = model.frame(at: 0).scene.labels
        #expect(labels.map(\.text) == ["my minions", "news"])
        #expect(labels[0].style.family == "DejaVu Sans")
        #expect(labels[0].style.size == 40)
        #expect(labels[0].style.color == Color(red: 0, green: 0, blue: 255))
        // In the middle of one and a half lines of 40 points, and of 36 below.
        #expect(labels[0].anchor == .point(Point(x: 5, y: 30), align: Vector(dx: 0, dy: 0.5)))
        #expect(labels[1].anchor == .point(Point(x: 585, y: 87), align: Vector(dx: 0, dy: 0.5)))
        // The text is 100 points wide, and 105 with its gap.
        #expect(near(model.titleRate, 105.0 / 580))
        #expect(model.frame(at: 0).scene.layers[2].rect == Rect(x: 585, y: 114, width: 290, height: 366))
    }

    @Test func animateFalseKeepsTheBackgroundStill() throws {
        let background = #""background": {"fill": "green", "size": [900, 480], "animate": false}"#
        #expect(try decode(#""title": "a", \#(background), \#(Self.threeItems)"#).backgroundRate == 0)
        let moving = #""background": {"fill": "green", "size": [900, 480]}"#
        #expect(near(try decode(#""title": "a", \#(moving), \#(Self.threeItems)"#).backgroundRate, 15.0 / 960))
    }

    /// Neither moves faster than the content, and the background never bares the canvas.
    @Test func tooLongATitleAndTooNarrowABackgroundAreWarnedOf() throws {
        let narrow = #""background": {"fill": "green", "size": [400, 480]}"#
        let long = #""title": {"text": "a", "width": 1155}"#
        let model = try decode(#"\#(long), \#(narrow), \#(Self.threeItems)"#)
        #expect(model.titleRate == 1)
        #expect(near(400 - model.backgroundRate * model.layout.offsetRange.upperBound, 320))
        let warnings = model.warnings
        try #require(warnings.count == 2)
        #expect(warnings[0].hasPrefix("the title is 1160 points wide with its gap: it would move 2 times as fast"))
        #expect(warnings[0].hasSuffix("a title of at most 575 points fits"))
        #expect(warnings[1].hasPrefix("the background is 400 points wide and moves 0.13 times as fast"))
        #expect(warnings[1].hasSuffix("in place of 1.21; 960 points are needed"))
        let fitting = #""background": {"fill": "green", "size": [960, 480]}"#
        #expect(try decode(#""title": "a", \#(fitting), \#(Self.threeItems)"#).warnings == [])
    }

    /// Labels and scale bars of an item's scene move with it; bars keep their length where pixels are of other sizes.
    @Test func labelsAndBarsOfAnItemsSceneAreDrawn() {
        func page(_ pixel: Double) -> Scene {
            Scene(
                canvas: Scene.Canvas(width: 200, height: 300),
                layers: [Layer(content: SampleModels.fill, rect: Rect(x: 20, y: 20, width: 100, height: 40))],
                pixelSize: PhysicalLength(pixel, .um), scaleBars: [ScaleBar(of: PhysicalLength(10, .um))],
                labels: [
                    Label("here", at: .point(Point(x: 30, y: 40), align: .zero)),
                    Label("outside", at: .point(Point(x: 230, y: 40), align: .zero)),
                ])
        }
        var script = TouchScript()
        script.drag(from: (300, 240), to: (200, 240), at: 1, for: 0.2, rest: 0.5)
        let model = PanoramaModel(
            canvas: SampleModels.canvas,
            title: PanoramaModel.Picture(content: SampleModels.fill, width: 300, height: 100),
            background: nil, items: [page(0.5), page(0.25)].map { .init(.scene($0), width: 200) }, trace: script.trace)
        let (start, dragged) = (model.frame(at: 0).scene, model.frame(at: 1.5).scene)
        #expect(start.labels.map(\.text) == ["10 µm", "here", "10 µm", "here"])
        #expect(start.labels[3].anchor == .point(Point(x: 5 + 200 + 30, y: 140), align: .zero))
        // Title, then background, layer and bar of each item; the bars are 20 and 40 pixels long, in the layers' corners.
        #expect([3, 6].map { start.layers[$0].rect.width.rounded() } == [20, 40])
        #expect([3, 6].allSatisfy { start.layers[$0 - 1].rect.maxX - start.layers[$0].rect.maxX < 30 })
        #expect([3, 6].allSatisfy { start.layers[$0].rect.maxX < start.layers[$0 - 1].rect.maxX })
        let way = start.layers[2].rect.x - dragged.layers[2].rect.x
        #expect(way > 50)
        #expect(near(start.layers[6].rect.x - dragged.layers[6].rect.x, way))
        #expect(dragged.labels[1].anchor == .point(Point(x: 35 - way, y: 140), align: .zero))
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

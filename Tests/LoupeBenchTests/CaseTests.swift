import LoupeGeometry
import LoupeScene
import Testing

@testable import LoupeBench
@testable import LoupePlan

@Suite struct CaseTests {
    private static let settings: [Setting] = [100, 300, 600].flatMap { radius in
        [1.5, 4, 16].map { Setting(radius: radius, zoom: $0, filter: .linear) }
    }

    private func plan(_ stage: Stage, _ place: Place, _ policy: ShaderPolicy = .pieces) -> DrawPlan {
        let traits = ImageTraits(size: stage.pageSize, isOpaque: true)
        return DrawPlan(stage.scene(place), images: [BenchPage.path: traits], policy: policy)
    }

    private func layer(_ plan: DrawPlan) throws -> LayerPlan { try #require(plan.views.last?.layers.first) }

    @Test(arguments: settings)
    func `each place has the state that it is named for`(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        for state in ClipState.allCases {
            #expect(try layer(plan(stage, .state(state))).state == state, "\(setting.name) \(state)")
        }
    }

    @Test(arguments: settings)
    func `a loupe on an edge feathers pixels, and the whole disc by its state draws the page`(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        let place = Place.state(.singleEdge)
        #expect(try layer(plan(stage, place)).pixelCount(.singleEdge) > 0)
        #expect(try layer(plan(stage, place, .wholeDisc)).pieces.map(\.state) == [.singleEdge])
    }

    @Test(arguments: Sweep.allCases, settings)
    func `a sweep goes from inside the page to outside it, with the disc on the canvas`(
        sweep: Sweep, setting: Setting
    ) throws {
        let stage = try #require(Stage(setting))
        let states = try (0..<41).map { try layer(plan(stage, .sweep(sweep, step: $0, of: 41))).state }
        #expect(states.first == .noEdge && states.last == .outside)
        #expect(states.contains(sweep == .edge ? .singleEdge : .corner))
        for step in 0..<41 {
            let loupe = stage.scene(.sweep(sweep, step: step, of: 41)).loupes[0]
            #expect(loupe.center.x >= loupe.radius && loupe.center.y >= loupe.radius)
            #expect(loupe.center.x + loupe.radius <= Double(stage.canvas.width))
            #expect(loupe.center.y + loupe.radius <= Double(stage.canvas.height))
        }
    }

    @Test func `names are as documented, and unique`() throws {
        let setting = Setting(radius: 300, zoom: 1.5, filter: .linear)
        #expect(
            BenchCase(.pieces, .state(.corner), setting).name == "pieces/corner/radius:300/zoom:1.5/linear")
        #expect(
            BenchCase(Variant(.wholeDisc, isOwn: true), .sweep(.edge, step: 7, of: 41), setting).name
                == "own-whole-disc/sweep-edge/step:07/radius:300/zoom:1.5/linear")
        let names = try BenchPlan().groups().flatMap(\.cases).map(\.name)
        #expect(names.count == Set(names).count)
        #expect(names.count == 9 * 4 * 3 + 2 * 42 * 3)
    }

    @Test(arguments: [
        ("general/corner/radius:300/zoom:4", 2), ("pieces/sweep-corner/step:0[0-4]*", 6), ("*no-edge*zoom:16*", 9),
    ])
    func `only the requested cases and their bases are left`(pattern: String, count: Int) throws {
        var plan = BenchPlan()
        plan.only = pattern
        #expect(try plan.groups().flatMap(\.cases).count == count)
    }

    @Test func `a canvas without room for the loupe is refused`() {
        var plan = BenchPlan()
        plan.canvas = ImageSize(width: 640, height: 480)
        #expect(throws: BenchError.self) { try plan.groups() }
        plan.radii = [50]
        plan.sweepSetting = Setting(radius: 50, zoom: 4, filter: .linear)
        #expect(throws: Never.self) { try plan.groups() }
    }

    @Test func `the page is the same every time and compresses badly`() {
        let page = BenchPage.picture(width: 64, height: 48)
        #expect(page == BenchPage.picture(width: 64, height: 48))
        #expect(page.isOpaque && Set(page.pixels).count > 150)
    }
}

import LoupeBase
import LoupeScene
import Testing

@testable import LoupeBench
@testable import LoupePlan

@Suite struct CaseTests {
    private static let settings: [Setting] = [100, 300, 600].flatMap { radius in
        [1.5, 4, 16].map { Setting(radius: radius, zoom: $0, filter: .linear) }
    }

    private func plan(_ stage: Stage, _ state: ClipState, _ policy: ShaderPolicy = .pieces) -> DrawPlan {
        let traits = ImageTraits(size: stage.pageSize, isOpaque: true)
        return DrawPlan(stage.scene(state), images: [BenchPage.path: traits], policy: policy)
    }

    private func layer(_ plan: DrawPlan) throws -> LayerPlan { try #require(plan.views.last?.layers.first) }

    private func cases(_ plan: BenchPlan) throws -> [BenchCase] {
        try plan.groups().flatMap { group -> [BenchCase] in
            guard case .states(let setting) = group else { return [] }
            return plan.cases(setting)
        }
    }

    @Test("Each state has its place in the scene", arguments: settings)
    func places(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        for state in ClipState.allCases {
            #expect(try layer(plan(stage, state)).state == state, "\(setting.name) \(state)")
        }
    }

    @Test("A loupe on an edge feathers pixels, and the whole disc by its state draws the page", arguments: settings)
    func edges(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        #expect(try layer(plan(stage, .singleEdge)).pixelCount(.singleEdge) > 0)
        #expect(try layer(plan(stage, .singleEdge, .wholeDisc)).pieces.map(\.state) == [.singleEdge])
    }

    /// The article: up to 100 % of the disc without an edge, 50 % with one, and 25 % at a corner, each by one shader.
    @Test("In the article's scheme one shader draws the page's part of the disc", arguments: settings)
    func article(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        for state in ClipState.allCases {
            let layer = try layer(plan(stage, state, .article))
            let shaded = ClipState.allCases.filter { $0 != .outside && layer.pixelCount($0) > 0 }
            #expect(shaded == (state == .outside ? [] : [state]))
            #expect(try layer.pixelCount(.outside) <= self.layer(plan(stage, state)).pixelCount(.outside))
        }
    }

    @Test("A loupe beside the page is still on the canvas", arguments: settings)
    func besideThePage(setting: Setting) throws {
        let stage = try #require(Stage(setting))
        let loupe = stage.scene(.outside).loupes[0]
        #expect(loupe.center.x >= loupe.radius && loupe.center.y >= loupe.radius)
        #expect(loupe.center.x + loupe.radius <= Double(stage.canvas.width))
        #expect(loupe.center.y + loupe.radius <= Double(stage.canvas.height))
    }

    @Test("Names are as documented, and unique") func documentedNames() throws {
        let setting = Setting(radius: 300, zoom: 1.5, filter: .linear)
        #expect(
            BenchCase(.pieces, .corner, setting).name == "pieces/corner/radius:300/zoom:1.5/linear")
        #expect(
            BenchCase(.wholeDisc, .singleEdge, setting).name == "whole-disc/single-edge/radius:300/zoom:1.5/linear")
        let names = try cases(BenchPlan()).map(\.name)
        #expect(names.count == Set(names).count)
        #expect(names.count == 9 * 4 * 4)
    }

    @Test(
        "Only the requested cases and their bases are left",
        arguments: [
            ("general/corner/radius:300/zoom:4", 2), ("pieces/c*zoom:16*", 6), ("*no-edge*zoom:16*", 12), ("encode", 0),
        ])
    func filters(pattern: String, count: Int) throws {
        var plan = BenchPlan()
        plan.only = pattern
        #expect(try cases(plan).count == count)
    }

    @Test("A canvas without room for the loupe is refused") func smallCanvas() {
        var plan = BenchPlan()
        plan.canvas = ImageSize(width: 640, height: 480)
        #expect(throws: BenchError.self) { try plan.groups() }
        plan.radii = [50]
        #expect(throws: Never.self) { try plan.groups() }
    }

    @Test("The page is the same every time and compresses badly") func pageStaysTheSame() {
        let page = BenchPage.picture(width: 64, height: 48)
        #expect(page == BenchPage.picture(width: 64, height: 48))
        #expect(page.isOpaque && Set(page.pixels).count > 150)
    }
}

import Glibc
import LoupeGeometry
import LoupeImaging
import LoupeRenderer
import LoupeScene
import LoupeShaders
import TestSupport
import Testing

@testable import LoupeBench
@testable import LoupeJSON
@testable import LoupePlan

/// Counting, drawing and timing on a software device.
@Suite(.leavesNoGLObjects) struct DeviceTests {
    private static let setting = Setting(radius: 90, zoom: 4, filter: .linear)

    private func stage() throws -> Stage {
        try #require(Stage(Self.setting, canvas: ImageSize(width: 520, height: 480)))
    }

    private func recording(_ renderer: Renderer, _ place: Place, _ policy: ShaderPolicy) throws -> (
        Recording, LayerPlan
    ) {
        let stage = try stage()
        let page = BenchPage.picture(width: stage.pageSize.width, height: stage.pageSize.height)
        try renderer.load([BenchPage.path: page])
        let traits = ImageTraits(size: stage.pageSize, isOpaque: true)
        let plan = DrawPlan(stage.scene(place), images: [BenchPage.path: traits], policy: policy)
        try renderer.drawWithoutReading(plan)
        return (try renderer.record(plan), try #require(plan.views.last?.layers.first))
    }

    private static let places: [Place] =
        ClipState.allCases.map(Place.state)
        + Sample.of(stride(from: 0, to: 41, by: 4).map { .sweep(.corner, step: $0, of: 41) }, every: 3)

    @Test func `each clip shader shades the pixels of its pieces`() throws {
        let renderer = try heldRenderer()
        for place in Self.places {
            for policy in ShaderPolicy.allCases {
                let (recording, layer) = try recording(renderer, place, policy)
                let counts = try FragmentCounter(renderer).count(recording)
                for state in ClipState.allCases where state != .outside {
                    let counted = counts.reduce(0) { $0 + ($1.key.clip == state ? $1.value : 0) }
                    let planned = layer.pixelCount(state)
                    // The disc is drawn as a polygon around it: up to one more pixel along its edge is shaded and then
                    // masked.
                    let slack = planned == 0 ? 0 : Int(2 * Double.pi * Self.setting.radius)
                    #expect(
                        (planned...(planned + slack)).contains(counted),
                        "\(place), \(policy), \(state): \(counted), planned \(planned)")
                }
            }
        }
    }

    @Test func `both ways to count agree`() throws {
        let renderer = try heldRenderer()
        let atomic = FragmentCounter.Method.atomicCounters
        let counter = try FragmentCounter(renderer, method: atomic)
        guard counter.method == atomic else { return }
        for place in Self.places {
            let (recording, _) = try recording(renderer, place, .pieces)
            let blended = try FragmentCounter(renderer, method: .blending).count(recording)
            #expect(try counter.count(recording) == blended, "\(place)")
        }
    }

    @Test func `the corner shader shades corner zones only, the edge shader bands of 3 pixels`() throws {
        let renderer = try heldRenderer()
        let (recording, layer) = try recording(renderer, .state(.corner), .pieces)
        let counts = try FragmentCounter(renderer).count(recording)
        let corner = counts.reduce(0) { $0 + ($1.key.clip == .corner ? $1.value : 0) }
        let edge = counts.reduce(0) { $0 + ($1.key.clip == .singleEdge ? $1.value : 0) }
        let zone = Stage.corner.radius * Self.setting.zoom + 1
        #expect(corner > 0 && Double(corner) <= zone * zone)
        #expect(layer.pieces.allSatisfy { $0.state != .singleEdge || min($0.rect.width, $0.rect.height) <= 3 })
        #expect(Double(edge) <= 2 * 3 * (Self.setting.radius + 1))
    }

    @Test func `drawing a recording again gives the same picture`() throws {
        let renderer = try heldRenderer()
        let stage = try stage()
        let page = BenchPage.picture(width: stage.pageSize.width, height: stage.pageSize.height)
        try renderer.load([BenchPage.path: page])
        let images = [BenchPage.path: ImageTraits(size: stage.pageSize, isOpaque: true)]
        var scene = stage.scene(.state(.corner))
        let plan = DrawPlan(scene, images: images)
        let once = try renderer.render(plan)
        let recording = try renderer.record(plan)
        // The feathered rim blends with what is there: on a page without a loupe it must come out as before.
        scene.loupes = []
        try renderer.drawWithoutReading(DrawPlan(scene, images: images))
        recording.draw()
        #expect(try renderer.readCanvas() == once)
    }

    // MARK: - Own shaders

    private func run(_ replacements: [String: String]) throws -> BenchRun {
        var plan = BenchPlan()
        plan.radii = [Self.setting.radius]
        plan.zooms = [Self.setting.zoom]
        plan.sweepSetting = Self.setting
        plan.sweepSteps = 0
        plan.canvas = ImageSize(width: 520, height: 480)
        plan.only = "own-pieces/no-edge"
        return try Bench(plan, on: .cpu, replacements: try ShaderReplacements(replacements)).run()
    }

    private static func noEdge(_ main: String) -> String {
        """
        #version 300 es
        #include "common/precision.glsl"
        #include "common/frag-position.glsl"
        #include "common/content.glsl"
        layout(location = 0) out vec4 color;
        void main() {
        \(main)
        }
        """
    }

    /// The same picture in far more steps; the sine keeps the compiler from seeing that.
    private static let slow = noEdge(
        """
        float sum = 0.0;
        for (int i = 0; i < 40; i++) sum += sin(gl_FragCoord.x * 0.001 + float(i));
        color = content() + vec4(sum * 1e-9);
        """)

    /// Times for real, so it needs the machine to itself: `LOUPE_TIMING_TESTS=1 tools/test --filter DeviceTests`.
    @Test(.enabled(if: getenv("LOUPE_TIMING_TESTS") != nil))
    func `a shader made slower on purpose is found, also against a saved run`() throws {
        let run = try run(["no-edge.frag": Self.slow])
        let own = try #require(run.entries.first { $0.name.hasPrefix("own-") })
        #expect(own.pixelsOverTolerance == 0)
        #expect(own.comparisons.first?.verdict == .slower)
        let base = try SavedRun(json: Array(run.jsonText.utf8))
        #expect(try RunComparison(run, to: base).regressions.isEmpty)
        var slower = run
        let shipped = try #require(run.entries.first { $0.name.hasPrefix("pieces/") })
        slower.entries = [
            BenchEntry(
                name: shipped.name, iterations: own.iterations, times: own.times, processorTime: own.processorTime,
                fragments: own.fragments, pixelsOverTolerance: 0, comparisons: [], benchCase: shipped.benchCase,
                state: shipped.state)
        ]
        #expect(try RunComparison(slower, to: base).regressions.count == 1)
    }

    @Test func `a shader that draws something else gets no verdict`() throws {
        let run = try run(["no-edge.frag": Self.noEdge("color = vec4(1.0) - content() * 0.1;")])
        let own = try #require(run.entries.first { $0.name.hasPrefix("own-") })
        #expect(own.pixelsOverTolerance > 20000)
        #expect(own.comparisons.first?.verdict == nil)
        #expect(run.text.contains("its picture differs: "))
    }

    @Test(arguments: [
        (["middle.frag": ""], "middle.frag is no shader of Loupe"),
        (["rim.frag": "#include \"common/other.glsl\""], "rim.frag includes other.glsl"),
        (["light.glsl": "#include \"content.glsl\""], "light.glsl"), ([:], "holds no"),
    ])
    func `files that can't stand in for shaders are refused`(texts: [String: String], reason: String) {
        let error = #expect(throws: ShaderReplacementError.self) { try ShaderReplacements(texts) }
        #expect(error?.description.contains(reason) ?? false)
    }
}

/// A renderer whose context stays current on the test's own thread, as measuring needs it.
private func heldRenderer() throws -> Renderer {
    let renderer = try Renderer(device: .cpu)
    try renderer.holdContext()
    return renderer
}

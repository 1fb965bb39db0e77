import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeBench
@testable import LoupePlan
@testable import LoupeRenderer

/// Counting, drawing and timing on a software device.
@Suite struct DeviceTests {
    private static let setting = Setting(radius: 90, zoom: 4, filter: .linear)

    private func stage() throws -> Stage {
        try #require(Stage(Self.setting, canvas: ImageSize(width: 520, height: 480)))
    }

    /// The plan of a scene of the stage, whose page the renderer gets.
    private func plan(_ scene: Scene, _ renderer: Renderer, policy: ShaderPolicy = .pieces) throws -> DrawPlan {
        let size = try stage().pageSize
        try renderer.load([BenchPage.path: BenchPage.picture(width: size.width, height: size.height)])
        return DrawPlan(scene, images: [BenchPage.path: ImageTraits(size: size, isOpaque: true)], policy: policy)
    }

    @Test("Drawing a recording again gives the same picture") func repetition() throws {
        let renderer = try heldRenderer()
        var scene = try stage().scene(.corner)
        let plan = try plan(scene, renderer)
        let once = try renderer.render(plan)
        let recording = try renderer.record(plan)
        // The feathered rim blends with what is there: on a page without a loupe it must come out as before.
        scene.loupes = []
        try renderer.drawWithoutReading(self.plan(scene, renderer))
        recording.draw()
        #expect(try renderer.readCanvas() == once)
    }

    @Test("Timed draws lose no fragment to later ones that cover them") func coveredDraws() throws {
        let renderer = try heldRenderer()
        guard let counter = FragmentCounter(renderer) else { return }
        for place in ClipState.allCases {
            for policy in ShaderPolicy.allCases {
                let plan = try plan(stage().scene(place), renderer, policy: policy)
                try renderer.drawWithoutReading(plan)
                let recording = try renderer.record(plan)
                let calls = try recording.calls.map {
                    var call = $0
                    call.call.program = try counter.program(call.shader)
                    return call
                }
                let counted = try counter.count {
                    for _ in 0..<9 { for call in calls { call.issue() } }
                }
                #expect(counted == 9 * recording.fragments.values.reduce(0, +), "\(place), \(policy)")
            }
        }
    }

    /// Opaque draws of 256×256 pixels: llvmpipe drops whole tiles of 64×64 that a later one in the same batch covers.
    @Test("A fragment shader loses no draw to later ones, since two targets take turns") func twoTargets() throws {
        let renderer = try heldRenderer()
        guard let counter = FragmentCounter(renderer) else { return }
        let text = "#version 300 es\nout highp vec4 color;\nvoid main() { color = vec4(1.0); }\n"
        let shader = try shader(FragmentCounter.counting(text), renderer, side: 256)
        #expect(try counter.count { shader.draw(times: 10) } == 10 * 256 * 256)
    }

    // MARK: - Fragment shaders

    /// A shader whose image is one blue pixel.
    private func shader(
        _ text: String, _ renderer: Renderer, side: Int = 4, values: [String: UniformValue] = [:]
    ) throws -> FullScreenShader {
        try FullScreenShader(
            renderer, name: "a.frag", text: text, size: ImageSize(width: side, height: side), values: values,
            image: Image(width: 1, height: 1, pixels: [0, 0, 255, 255]))
    }

    private func run(
        _ shaders: [(name: String, text: String)], uniforms: [String: UniformValue] = [:]
    ) throws -> BenchRun {
        var plan = BenchPlan()
        plan.fragments = FragmentPlan(shaders: shaders, size: ImageSize(width: 200, height: 100), uniforms: uniforms)
        var bench = Bench(plan, on: .cpu)
        bench.batch = 1e6
        return try bench.run()
    }

    @Test("Fragment shaders of every version are timed side by side, and the first is the base") func versions() throws
    {
        let run = try run([
            (
                "plain.frag",
                "#version 300 es\nprecision highp float;\nin vec2 uv;\nout vec4 c;\nvoid main() { c = vec4(uv, 0.0, 1.0); }\n"
            ),
            (
                "old.frag",
                "precision mediump float;\nvarying vec2 uv;\nvoid main() { gl_FragColor = vec4(uv, 0.0, 1.0); }\n"
            ),
            (
                "slow.frag",
                """
                #version 310 es
                precision highp float;
                layout(location = 0) in vec2 uv;
                layout(location = 0) out vec4 c;
                void main() {
                    float sum = 0.0;
                    for (int i = 0; i < 200; i++) sum += sin(uv.x + float(i));
                    c = vec4(uv, 0.0, 1.0) + sum * 1e-9;
                }
                """
            ),
        ])
        let entries = run.entries.filter { !$0.fragments.isEmpty }
        #expect(entries.map(\.name) == ["plain.frag/200x100", "old.frag/200x100", "slow.frag/200x100"])
        #expect(entries.allSatisfy { $0.totalFragments == 20000 && $0.pixelsOverTolerance == 0 })
        #expect(entries[0].comparison == nil && entries[2].comparison?.base == "plain.frag/200x100")
        #expect(entries[2].comparison?.verdict == .slower)
        #expect(run.text.contains("slow.frag/200x100"))
    }

    @Test("Uniforms of every type reach the shader, and an unknown one is refused") func uniforms() throws {
        let text = """
            #version 300 es
            precision highp float;
            uniform float a; uniform vec3 b[2]; uniform ivec2 i; uniform bool on; uniform mat2 m; uniform sampler2D page;
            out vec4 c;
            void main() {
                bool right = a == 1.5 && b[1] == vec3(4.0, 5.0, 6.0) && i == ivec2(7, -8) && on && m[1] == vec2(3.0, 4.0);
                c = right ? texture(page, vec2(0.5)) : vec4(1.0, 0.0, 0.0, 1.0);
            }
            """
        let renderer = try heldRenderer()
        let green = Image(width: 1, height: 1, pixels: [0, 255, 0, 255])
        var values: [String: UniformValue] = [
            "a": .numbers([1.5]), "b": .numbers([1, 2, 3, 4, 5, 6]), "i": .numbers([7, -8]), "on": .numbers([1]),
            "m": .numbers([1, 2, 3, 4]), "page": .image(green),
        ]
        func picture() throws -> Image { try shader(text, renderer, values: values).picture() }
        #expect(try Array(picture().pixels.prefix(4)) == [0, 255, 0, 255])
        values["page"] = nil
        #expect(try Array(picture().pixels.prefix(4)) == [0, 0, 255, 255])
        values["a"] = nil
        #expect(try Array(picture().pixels.prefix(4)) == [255, 0, 0, 255])
        values["a"] = .numbers([1, 2])
        #expect(throws: ShaderFailure.self) { try picture() }
        let error = thrown(BenchError.self) {
            try run([("all.frag", text)], uniforms: ["nothing": .numbers([1])])
        }
        #expect(error?.description.contains("--uniform nothing") ?? false)
    }

    @Test(
        "Files that can't stand in for shaders are refused",
        arguments: [
            (["middle.frag": ""], "middle.frag is no shader of Loupe"),
            (["rim.frag": "#include \"common/other.glsl\""], "rim.frag includes other.glsl"),
            (["light.glsl": "#include \"content.glsl\""], "light.glsl"), ([:], "holds no"),
        ])
    func badFiles(texts: [String: String], reason: String) {
        let error = thrown(ShaderReplacementError.self) { try ShaderReplacements(texts) }
        #expect(error?.description.contains(reason) ?? false)
    }

    /// Declarations, and what a fragment is made of by them.
    private static let inputs: [(version: String, declarations: String, value: String)] = [
        ("300", "in vec2 position;", "vec4(position, 0.0, 1.0)"), ("300", "in vec4 place;", "place"),
        ("300", "#if 1\nin vec2 uv;\n#else\nin vec3 uv;\n#endif", "vec4(uv, 0.0, 1.0)"),
        ("300", "in vec2 s; // in all, in three", "vec4(s, s)"),
        ("310", "layout(location = 2) in vec2 a; in vec2 b;", "vec4(a, b)"),
        ("320", "sample in vec2 uv;", "vec4(uv, 0.0, 1.0)"),
        (
            "300", "uniform sampler2D a; uniform highp sampler3D b; uniform samplerCube c; uniform highp isampler2D d;",
            "texture(a, vec2(0.5)) + texture(b, vec3(0.5)) + texture(c, vec3(1.0)) + vec4(texture(d, vec2(0.5)))"
        ),
    ]

    @Test("Positions and samplers of every kind can be drawn", arguments: inputs.indices)
    func inputKinds(index: Int) throws {
        let (version, declarations, value) = Self.inputs[index]
        let text = """
            #version \(version) es
            precision highp float;
            \(declarations)
            out vec4 color;
            void main() { color = \(value); }
            """
        let renderer = try heldRenderer()
        _ = try shader(text, renderer).picture()
        try renderer.finish()
    }

    @Test(
        "An input that can't be given is named",
        arguments: [
            ("struct S { vec2 a; }; in S s;", "s.a"), ("in B { vec2 a; } s;", "s.a"), ("in vec2 s[3];", "s[2]"),
            ("flat in ivec2 s;", "s"),
        ])
    func unknownInputs(declaration: String, value: String) throws {
        let text =
            "#version 320 es\nprecision highp float;\n\(declaration)\nout vec4 c;\nvoid main() { c = vec4(\(value), 0, 1); }\n"
        let renderer = try heldRenderer()
        let error = thrown(ShaderFailure.self) { try shader(text, renderer) }
        #expect(error?.sentence.contains("can't be given") == true && error?.log.isEmpty == true)
    }
}

/// A renderer whose context stays current on the test's own thread, as measuring needs it.
private func heldRenderer() throws -> Renderer {
    let renderer = try Renderer(device: .cpu)
    try renderer.holdContext()
    return renderer
}

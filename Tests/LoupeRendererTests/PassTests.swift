import LoupeBase
import LoupePlan
import LoupeScene
import TestSupport
import Testing

@testable import LoupeRenderer

/// The passes of random scenes, carried out on a device that draws nothing and checks what it is given.
@Suite struct PassTests {
    private static let devices = [
        DeviceTraits(readsBelow: true, largestTexture: 8192), DeviceTraits(readsBelow: false, largestTexture: 4096),
    ]

    private static func plans(_ count: Int, depth: SampleDepth = .eight) -> [DrawPlan] {
        (0..<count).map { seed in
            var generator = SceneGenerator(seed: UInt64(seed))
            return DrawPlan(generator.scene(hasShapes: seed % 2 == 1), images: Pages.traits, depth: depth)
        }
    }

    @Test("Each pass sets all uniforms of its program, and reads what is there", arguments: devices)
    func uniformsOfPasses(
        traits: DeviceTraits
    ) throws {
        let gpu = try GPU.bareRenderer()
        var programs: [ShaderProgram: Set<String>] = [:]
        for plan in Self.plans(150) + Self.plans(30, depth: .sixteen) {
            let device = CheckingDevice()
            var passes = FramePasses(plan, on: traits)
            let finished = passes.addPicture()
            let executor = PassExecutor(device)
            let paths = Pages.traits.keys.map { ($0, CheckingDevice.Image()) }
            executor.run(passes.takeSteps(), FrameImages(whole: Dictionary(uniqueKeysWithValues: paths)))
            #expect(executor.target(finished) != nil && !device.programs.isEmpty)
            programs.merge(device.programs) { $0.intersection($1) }
        }
        try gpu.withContext {
            for (program, given) in programs where !program.options.contains(.readsBelow) || gpu.context.readsBelow {
                let needed = try gpu.executor.device.makeProgram(program).activeUniforms.map(\.name)
                #expect(given.isSuperset(of: needed), "\(program)")
            }
        }
    }

    /// With each content, and of its options none, each one and all.
    @Test("Every program compiles and links", arguments: Shader.fragments)
    func programsLink(shader: Shader) throws {
        let gpu = try GPU.bareRenderer()
        try gpu.withContext {
            for program in ShaderProgram.checked(shader)
            where !program.options.contains(.readsBelow) || gpu.context.readsBelow {
                #expect(throws: Never.self, "\(program)") { try gpu.executor.device.makeProgram(program) }
            }
        }
    }

    @Test("The loupes of a frame change no pixel outside of their bounds") func boundsOfLoupes() throws {
        for plan in Self.plans(150) {
            var passes = FramePasses(plan, on: Self.devices[0])
            let canvas = passes.beginCanvas()
            passes.addLoupes(onto: canvas)
            let bounds = passes.loupeBounds
            for case .draw(let pass) in passes.takeSteps() where pass.target.name == canvas.name {
                for block in pass.blocks { #expect(bounds.intersection(block.intersection(plan.canvas)) == block) }
            }
        }
    }
}

/// A device that checks its commands.
private final class CheckingDevice: DrawingDevice {
    final class Image {}

    struct Surface: DrawingTarget {
        let image = Image()
        let format: TargetFormat
        let width, height: Int
    }

    /// The uniforms that every draw by a program has set.
    private(set) var programs: [ShaderProgram: Set<String>] = [:]

    func makeTexture(_ numbers: FloatTexture) -> Image {
        let count =
            switch numbers.texels {
            case .floats(let floats): floats.count
            case .vectors(let vectors): vectors.count
            }
        #expect(count == numbers.width * numbers.height && count > 0)
        return Image()
    }

    func makeTarget(_ format: TargetFormat, width: Int, height: Int) -> Surface {
        #expect(width > 0 && height > 0)
        return Surface(format: format, width: width, height: height)
    }

    func texture(of target: Surface) -> Image { target.image }

    func makeProgram(_ program: ShaderProgram) -> ShaderProgram { program }

    func draw(_ call: DrawCall<CheckingDevice>) {
        let given = Set(call.pass.inputs.values.map(\.uniform.rawValue)).union([Uniform.targetSize.rawValue])
        programs[call.program] = programs[call.program]?.intersection(given) ?? given
        #expect(call.mesh.count % 3 == 0 && !call.mesh.isEmpty)
        // OpenGL ES leaves undefined what a program reads that it draws into.
        #expect(!call.textures.contains { $0 === call.target.image })
    }

    func copy(_ block: PixelRect, of source: Surface, dx: Int, dy: Int, to target: Surface) {
        #expect(source.format == target.format)
    }

    func copyTexels(_ blocks: [PixelRect], of texture: Image, dx: Int, dy: Int, to target: Surface) -> Bool { false }

    func upload(_ blocks: [PixelRect], of image: PixelsInMemory, dx: Int, dy: Int, to target: Surface) {}
}

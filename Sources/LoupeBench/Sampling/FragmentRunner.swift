import LoupeImaging
import LoupeRenderer

/// Times fragment shaders of the user's, each drawn over a whole target.
struct FragmentRunner {
    let device: BenchDevice
    let plan: FragmentPlan
    private let shaders: [FullScreenShader]

    /// Compiles the shaders.
    /// - Throws: `ShaderFailure`, `BenchError.unknownUniform`, or a renderer's error.
    init(device: BenchDevice, plan: FragmentPlan) throws {
        (self.device, self.plan) = (device, plan)
        let image = device.pageImage(plan.size)
        shaders = try plan.shaders.map { name, text in
            try FullScreenShader(
                device.renderer, name: name, text: text, size: plan.size, values: plan.uniforms, image: image)
        }
        let known = Set(shaders.flatMap { $0.uniforms.map(\.name) })
        if let unknown = plan.uniforms.keys.sorted().first(where: { !known.contains($0) }) {
            throw BenchError.unknownUniform(unknown, known: known.sorted())
        }
    }

    private func name(_ shader: FullScreenShader) -> String { "\(shader.name)/\(plan.size.caseName)" }

    /// The shaders that a plan wants, as things to be timed.
    func things(_ wants: (String) -> Bool) -> [NamedWork] {
        shaders.filter { wants(name($0)) || $0 === shaders.first }.map {
            NamedWork(names: [name($0)], work: .repeated($0.draw))
        }
    }

    /// Draws each shader once, compares its picture with the first one's, and times all side by side.
    func run(with sampler: inout Sampler, _ wants: (String) -> Bool, progress: (Double) -> Void) throws -> [BenchEntry]
    {
        guard shaders.contains(where: { wants(name($0)) }) else { return [] }
        let things = things(wants)
        let shaders = shaders.filter { shader in things.contains { $0.names == [name(shader)] } }
        let pictures = try shaders.map { try $0.picture() }
        let samples = try sampler.measure(things.map(\.work), progress: progress)
        return shaders.indices.map { index in
            let ratio = index == 0 ? nil : Ratio(paired: samples[index].steadyTimes, to: samples[0].steadyTimes)
            return BenchEntry(
                name: name(shaders[index]), iterations: samples[index].iterations, times: samples[index].times,
                processorTime: samples[index].processorTimes.median,
                fragments: ["main": plan.size.width * plan.size.height],
                pixelsOverTolerance: PictureTolerance.pixelsOver(pictures[0], pictures[index]),
                comparisons: ratio.map { [.init(base: name(shaders[0]), ratio: $0, verdict: SpeedVerdict($0))] } ?? [],
                benchCase: nil, state: nil)
        }
    }
}

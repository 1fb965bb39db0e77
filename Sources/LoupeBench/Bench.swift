import LoupeBase
import LoupeRenderer
import LoupeScene

/// Runs a benchmark: opens the device, and times every case of a plan.
package struct Bench {
    /// What is measured.
    package var plan: BenchPlan
    /// The device to draw on.
    package var choice: DeviceChoice
    /// Called with the name of the current step and the part of the whole run that is done, 0…1.
    package var progress: (_ what: String, _ part: Double) -> Void = { _, _ in }

    /// The length of a batch in nanoseconds; nil takes the usual one.
    var batch: Double?

    /// A benchmark of a plan.
    package init(_ plan: BenchPlan, on choice: DeviceChoice) { (self.plan, self.choice) = (plan, choice) }

    /// Whether this code was built without optimisation. The times of such a build are meaningless.
    package static var isDebugBuild: Bool {
        var isDebug = false
        assert({ isDebug = true }() == ())
        return isDebug
    }

    /// Times everything that the plan asks for.
    /// - Throws: `BenchError`, `ShaderFailure` for a shader of the user's, or a renderer's error.
    package func run() throws -> BenchRun {
        let groups = try plan.groups()
        let device = try opened()
        var sampler = device.sampler(batch: batch)
        var entries: [BenchEntry] = []
        for (index, group) in groups.enumerated() {
            progress(group.title, Double(index) / Double(groups.count))
            let things = try device.things(of: group, plan)
            let samples = try sampler.measure(things.map(\.draw), blocks: plan.blocks) { part in
                progress(group.title, (Double(index) + part) / Double(groups.count))
            }
            entries += BenchEntry.entries(of: things, samples, in: group.title)
        }
        guard !entries.isEmpty else { throw BenchError.nothingToRun(plan.only ?? "") }
        let context = BenchContext(device.renderer.device, blocks: plan.blocks, batch: sampler.batch)
        return BenchRun(context: context, entries: entries)
    }

    /// The device, with its context current on this thread.
    func opened() throws -> BenchDevice {
        let renderer = try Renderer(device: choice)
        try renderer.holdContext()
        return BenchDevice(renderer)
    }
}

/// The reason why a benchmark could not be run or compared.
package enum BenchError: Error, CustomStringConvertible {
    /// The program was built without optimisation.
    case debugBuild
    /// No case has a name that matches the pattern.
    case nothingToRun(String)
    /// No shader of the user's has a uniform of this name.
    case unknownUniform(String, known: [String])
    /// Another build can't be timed beside this one, with the reason.
    case otherBuild(command: String, reason: String)
    /// The canvas, or the page if the canvas is nil, is too small for the loupe.
    case noRoom(Setting, canvas: ImageSize?)
    /// No case is in both builds.
    case nothingInCommon

    /// What is wrong and what to do, in one sentence.
    package var description: String {
        switch self {
        case .debugBuild:
            "the times of a debug build are meaningless; build with `swift build -c release`"
        case .nothingToRun(let pattern):
            pattern.isEmpty ? "there is no case to time" : "--only \(pattern): no case has such a name"
        case .nothingInCommon: "no case is in both builds, so nothing can be compared"
        case .unknownUniform(let name, let known):
            "--uniform \(name): no shader has it after compiling; there "
                + (known.isEmpty ? "is none" : "are \(known.joined(separator: ", "))")
        case .otherBuild(let command, let reason): "\(command): \(reason)"
        case .noRoom(let setting, let canvas):
            "\(setting.name): \(canvas.map { "a canvas of \($0)" } ?? "the page") is too small for "
                + "this loupe in the middle of the page and beside the page"
        }
    }
}

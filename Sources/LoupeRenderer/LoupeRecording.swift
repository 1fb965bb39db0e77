import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeShaders

// What a benchmark needs of a renderer beyond pictures: repeating draws, waiting for them and counting fragments.

/// Shader files that replace the embedded ones of the same name.
package typealias ShaderReplacements = LoupeShaders.ShaderReplacements
/// The reason why files can't replace shaders.
typealias ShaderReplacementError = LoupeShaders.ShaderReplacementError

extension Renderer {
    /// Keeps the context current on this thread from now on, so that no later call has to make it current.
    ///
    /// Call it before anything else here. From then on this renderer belongs to this thread.
    package func holdContext() throws {
        context.isHeld = true
        try withContext {}
    }

    /// Draws the plan's loupes and records the draw calls, which can then be repeated over the same canvas.
    /// - Precondition: as `drawLoupes(of:)`.
    package func record(_ plan: DrawPlan) throws -> LoupeRecording {
        let device = executor.device
        device.recorded = []
        defer { device.recorded = nil }
        try drawLoupes(of: plan)
        return LoupeRecording(device.recorded ?? [])
    }

    /// Draws only the plan's loupes, over the canvas as it is.
    /// - Precondition: a plan of the same size has been drawn before, so that the canvas has its size.
    package func drawLoupes(of plan: DrawPlan) throws {
        var passes = FramePasses(plan, on: executor.device.traits)
        passes.addLoupes(onto: passes.beginCanvas())
        try executor.run(passes.takeSteps(), FrameImages(whole: textures))
    }

    /// Draws the plan and leaves it on the device.
    package func drawWithoutReading(_ plan: DrawPlan) throws {
        var frame = try frame(plan)
        _ = try frame.draw()
    }

    /// Reads back the canvas as it is, as premultiplied bytes; nil where none has been drawn.
    package func readCanvas() throws -> Image? {
        guard let canvas = executor.target(.canvas) else { return nil }
        return try read(canvas)
    }

    /// Waits until the device has done everything.
    package func finish() throws {
        try context.finish()
    }

    /// Reads one pixel of the canvas, which waits until everything else is done.
    package func readPixel() throws {
        try executor.target(.canvas)?.readPixel()
    }
}

/// The loupes of a plan as recorded draw calls, which can be repeated over what is on the canvas.
///
/// Meshes, tables and textures are on the device already, so a repetition costs only the drawing.
package final class LoupeRecording {
    let calls: [RecordedCall]

    init(_ calls: [RecordedCall]) { self.calls = calls }

    /// Draws everything once more.
    package func draw() {
        for call in calls { call.issue() }
    }

    /// How many fragments each program shades when everything is drawn once: as many as pixels are drawn.
    package var fragments: [ProgramName: Int] {
        calls.reduce(into: [:]) { $0[$1.shader, default: 0] += $1.fragments }
    }
}

/// A program of the renderer; its description is its name in reports.
package typealias ProgramName = LoupePlan.ShaderProgram

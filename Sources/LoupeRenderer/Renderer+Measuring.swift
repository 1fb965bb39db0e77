import LoupeGLES
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

// What a benchmark asks of a renderer beyond pictures.

public typealias ShaderReplacements = LoupeShaders.ShaderReplacements
public typealias ShaderReplacementError = LoupeShaders.ShaderReplacementError

extension Renderer {
    /// A renderer on another one's context that takes some of its shaders from elsewhere. Images are not shared.
    public convenience init(
        beside other: Renderer, replacements: ShaderReplacements = .embedded
    ) throws(RenderError) {
        try self.init(other.context, replacements: replacements)
    }

    /// Keeps the context current on this thread from now on, so that no later call pays for making it so.
    ///
    /// Everything else here needs that, and from now on this renderer, and each one beside it, belongs to this thread.
    public func holdContext() throws(RenderError) {
        context.isHeld = true
        try withContext {}
    }

    /// Draws the plan's loupes, and keeps what that took so that they can be drawn again over the same canvas.
    /// - Precondition: as `drawLoupes(of:)`.
    public func record(_ plan: DrawPlan) throws(RenderError) -> Recording {
        let recorder = DrawRecorder()
        painter.recorder = recorder
        defer { painter.recorder = nil }
        try drawLoupes(of: plan)
        return Recording(recorder.calls, painter: painter)
    }

    /// Draws only the plan's loupes, over the canvas as it is.
    /// - Precondition: the canvas has the plan's size, for another plan of the size has been drawn.
    public func drawLoupes(of plan: DrawPlan) throws(RenderError) {
        try wrapped { () throws(GLError) in
            let frame = FramePainter(plan: plan, textures: textures, parts: [:], painter: painter)
            try frame.paintLoupes(onto: frame.canvas())
        }
    }

    /// Draws the plan and leaves it on the device.
    public func drawWithoutReading(_ plan: DrawPlan) throws(RenderError) {
        _ = try draw(plan)
    }

    /// Reads back the canvas as it is, as premultiplied bytes; nil where none has been drawn.
    public func readCanvas() throws(RenderError) -> Image? {
        guard let canvas = painter.lastCanvas else { return nil }
        return try read(canvas)
    }

    /// Waits until the device has done everything.
    public func finish() throws(RenderError) {
        try wrapped { () throws(GLError) in try context.finish() }
    }

    /// Reads one pixel of the canvas, which no device can do before everything else is done.
    public func readPixel() throws(RenderError) {
        try wrapped { () throws(GLError) in try painter.lastCanvas?.readPixel() }
    }

    /// Marks what has been asked for so far, and waits until the device says that it has come to the mark.
    public func waitForFence() throws(RenderError) {
        try wrapped { () throws(GLError) in try Fence(context).wait() }
    }

    /// Nil where the device has no timer queries.
    public func makeTimer() -> DeviceTimer? { TimerQuery(context).map(DeviceTimer.init) }
}

/// The device's own clock. That it has one does not mean that it is right.
public struct DeviceTimer {
    private let query: TimerQuery

    init(_ query: TimerQuery) { self.query = query }

    public func begin() { query.begin() }
    public func end() { query.end() }

    /// How long the device worked on what was drawn in between; nil where its clock was disjoint.
    public func nanoseconds() throws(RenderError) -> Double? {
        try wrapped { () throws(GLError) in try query.result() }.map(Double.init)
    }
}

import LoupeBase
import LoupePlan

/// A plan that is drawn: its passes, and the images that they show.
struct PlannedFrame {
    var passes: FramePasses
    let images: FrameImages<GLDevice>
    let executor: PassExecutor<GLDevice>

    var plan: DrawPlan { passes.plan }

    /// Carries out the passes that have been added.
    mutating func run() throws(GLError) { try executor.run(passes.takeSteps(), images) }

    /// Draws the whole canvas.
    /// - Returns: the target that holds it, straight RGBA.
    mutating func draw() throws(GLError) -> Framebuffer {
        try finished(passes.addPicture())
    }

    /// Draws a block of the canvas onto a target of its size, byte for byte as in the whole.
    mutating func draw(_ block: PixelRect) throws(GLError) -> Framebuffer {
        let canvas = passes.beginCanvas(of: block)
        passes.addBase(onto: canvas, within: block)
        if !passes.loupeBounds.intersection(block).isEmpty { passes.addLoupes(onto: canvas) }
        return try finished(passes.addFinish(canvas, in: block))
    }

    /// Carries out the passes, and returns a target that they have drawn.
    mutating func finished(_ name: TargetName) throws(GLError) -> Framebuffer {
        try run()
        guard let target = executor.target(name) else { preconditionFailure("a target is begun before it is drawn") }
        return target
    }
}

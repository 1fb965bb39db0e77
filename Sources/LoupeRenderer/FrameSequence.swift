import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeSystem

/// Draws one plan after another. Each frame costs as much as what has changed since the one before.
///
/// As long as only the loupes change, the base view is drawn once and kept. A frame then copies the block of it that the
/// loupes of the last frame covered, or its own do, draws its own over that, and reads back only those pixels. The block is
/// a target of its own: rows of a whole canvas lie so far apart that they push each other out of a processor's caches.
/// Where strokes change too, the base view is drawn anew in the block of those that changed. The pictures are the same,
/// byte for byte, as `Renderer.render` makes. A renderer serves one sequence at a time and nothing else meanwhile.
package final class FrameSequence {
    /// One frame, and where it differs from the one before.
    package struct Frame {
        /// The whole picture.
        package let image: Image
        /// Every pixel that has changed lies in this block; the first frame's is the whole canvas.
        package let changed: PixelRect

        /// A frame that differs from the one before only inside of a block.
        package init(image: Image, changed: PixelRect) { (self.image, self.changed) = (image, changed) }
    }

    private let renderer: Renderer
    /// The plan whose base view is kept.
    private var base: DrawPlan?
    /// Where the base view is kept.
    private var context: Context
    /// What the last frame's loupes may have changed.
    private var touched = PixelRect(width: 0, height: 0)
    /// In turn; all of them stand for the same canvas.
    private var readBacks: [ReadBack]
    private var turn = 0

    /// - Parameters:
    ///   - renderer: what draws. It serves nothing else meanwhile.
    ///   - framesInUse: how many frames the caller may still hold when it asks for the next. Memory for so many is kept;
    ///     where more are held, each is copied.
    package init(_ renderer: Renderer, framesInUse: Int = 0) {
        self.renderer = renderer
        context = renderer.context
        readBacks = Array(repeating: ReadBack(), count: framesInUse + 1)
    }

    /// Draws the next frame.
    ///
    /// Every image that the plan shows must have been loaded, and none replaced since the last frame.
    /// - Throws: as `Renderer.render`.
    package func next(_ plan: DrawPlan) throws -> Frame {
        try renderer.withoutLoss {
            // A new context after a loss holds nothing yet.
            if renderer.context !== context { (base, context) = (nil, renderer.context) }
            context.drawsManyFrames = true
            return try renderer.withContext {
                let canvas = plan.canvas
                let isNew = base.map { $0.canvas != canvas }
                // Those of the painter hold the base view, too, and each of these a picture.
                let pictures = readBacks.count
                guard
                    isNew == false
                        || Memory.hasRoom(forPixels: canvas.width, canvas.height, bytesPerPixel: 4 * pictures + 8)
                else { throw RenderError.outOfMemory(width: canvas.width, height: canvas.height) }
                var frame = try renderer.frame(plan, isNew: isNew != false)
                return try draw(&frame)
            }
        }
    }

    private func draw(_ frame: inout PlannedFrame) throws(GLError) -> Frame {
        let (plan, canvas) = (frame.plan, frame.plan.canvas)
        let (baseView, fresh) = frame.passes.addBaseView(since: base)
        // Where drawing fails, nothing is known of what the target holds.
        base = nil
        // The last frame's canvas may have been larger.
        let changed = PixelRect.union(of: [touched.intersection(canvas), fresh, frame.passes.loupeBounds])
        touched = frame.passes.loupeBounds
        for index in readBacks.indices { readBacks[index].noteChange(changed, of: canvas) }
        turn = (turn + 1) % readBacks.count
        let block = readBacks[turn].stale.grownToDeviceBlocks.intersection(canvas)
        if block.isEmpty {
            try frame.run()
        } else {
            let target = frame.passes.begin(.frameBlock, of: block)
            frame.passes.addCopy(of: block, from: baseView, to: target)
            frame.passes.addLoupes(onto: target)
            let finished = frame.passes.addFinish(target, in: block, as: .finishedBlock)
            try readBacks[turn].update(block, of: canvas, from: frame.finished(finished))
        }
        base = plan
        let image = Image(width: canvas.width, height: canvas.height, pixels: readBacks[turn].pixels)
        return Frame(image: image, changed: changed)
    }

    /// A canvas in memory.
    private struct ReadBack {
        private(set) var pixels: [UInt8] = []
        /// The canvas's, in pixels.
        private var size = PixelRect(width: 0, height: 0)
        /// Where the canvas has changed since.
        private(set) var stale = PixelRect(width: 0, height: 0)

        mutating func noteChange(_ changed: PixelRect, of canvas: PixelRect) {
            stale = size == canvas ? .union(of: [stale, changed]) : canvas
        }

        /// Reads a block of the canvas that holds all that is stale.
        /// - Parameter drawn: holds the block from its first pixel on.
        mutating func update(_ block: PixelRect, of canvas: PixelRect, from drawn: Framebuffer) throws(GLError) {
            if size != canvas {
                pixels = [UInt8](repeating: 0, count: canvas.pixelCount * 4)
                size = canvas
            }
            let start = (block.minY * canvas.width + block.minX) * 4
            try pixels.withUnsafeMutableBytes { bytes in
                Result { () throws(GLError) in
                    try drawn.read(
                        ImageSize(width: block.width, height: block.height),
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), rowLength: canvas.width)
                }
            }.get()
            stale = PixelRect(width: 0, height: 0)
        }
    }
}

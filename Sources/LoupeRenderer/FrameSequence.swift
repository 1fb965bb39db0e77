import LoupeFiles
import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// Draws one plan after another. Each frame costs as much as what has changed since the one before.
///
/// As long as only the loupes change, the base view is drawn once and kept; a frame then restores what the
/// loupes of the last one covered, draws its own, and reads back only those pixels. Where strokes change too, the
/// base view is drawn anew in the block of those that changed. The pictures are the same,
/// byte for byte, as `Renderer.render` makes. A renderer serves one sequence at a time and nothing else meanwhile.
public final class FrameSequence {
    /// One frame, and where it differs from the one before.
    public struct Frame {
        /// The whole picture.
        public let image: Image
        /// Every pixel that has changed lies in this block; the first frame's is the whole canvas.
        public let changed: PixelRect

        /// A frame that differs from the one before only inside of a block.
        public init(image: Image, changed: PixelRect) { (self.image, self.changed) = (image, changed) }
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
    public init(_ renderer: Renderer, framesInUse: Int = 0) {
        self.renderer = renderer
        context = renderer.context
        readBacks = Array(repeating: ReadBack(), count: framesInUse + 1)
    }

    /// Draws the next frame.
    ///
    /// Every image that the plan shows must have been loaded, and none replaced since the last frame.
    /// - Throws: as `Renderer.render`.
    public func next(_ plan: DrawPlan) throws -> Frame {
        try renderer.withoutLoss {
            // A new context after a loss holds nothing yet.
            if renderer.context !== context { (base, context) = (nil, renderer.context) }
            return try renderer.withContext {
                let canvas = plan.scene.canvas
                let isNew = base.map {
                    $0.scene.canvas.width != canvas.width || $0.scene.canvas.height != canvas.height
                }
                // Those of the painter hold the base view, too, and each of these a picture.
                let pictures = readBacks.count
                guard
                    isNew == false
                        || Memory.hasRoom(forPixels: canvas.width, canvas.height, bytesPerPixel: 4 * pictures + 8)
                else { throw RenderError.outOfMemory(width: canvas.width, height: canvas.height) }
                let painter = try renderer.framePainter(plan, isNew: isNew != false)
                return try draw(plan, by: painter)
            }
        }
    }

    private func draw(_ plan: DrawPlan, by painter: FramePainter) throws(GLError) -> Frame {
        let canvas = try painter.canvas()
        let changed = PixelRect.union(
            of: [try restoreBase(plan, painter, canvas), painter.loupeBounds])
        try painter.paintLoupes(onto: canvas)
        touched = painter.loupeBounds
        let image = try readBack(try painter.finished(canvas, in: changed), changed: changed)
        return Frame(image: image, changed: changed)
    }

    private func readBack(_ canvas: Framebuffer, changed: PixelRect) throws(GLError) -> Image {
        for index in readBacks.indices {
            readBacks[index].stale = .union(of: [readBacks[index].stale, changed])
        }
        turn = (turn + 1) % readBacks.count
        try readBacks[turn].update(from: canvas)
        return Image(width: canvas.width, height: canvas.height, pixels: readBacks[turn].pixels)
    }

    /// A canvas in memory.
    private struct ReadBack {
        var pixels: [UInt8] = []
        /// The canvas's, in pixels.
        private var size = PixelRect(width: 0, height: 0)
        /// Where the canvas has changed since.
        var stale = PixelRect(width: 0, height: 0)

        mutating func update(from canvas: Framebuffer) throws(GLError) {
            let whole = PixelRect(width: canvas.width, height: canvas.height)
            if size != whole {
                pixels = [UInt8](repeating: 0, count: whole.pixelCount * 4)
                (size, stale) = (whole, whole)
            }
            try pixels.withUnsafeMutableBufferPointer { (buffer) throws(GLError) in
                try canvas.read(stale.intersection(whole), into: UnsafeMutableRawBufferPointer(buffer))
            }
            stale = PixelRect(width: 0, height: 0)
        }
    }

    /// Puts the base view back wherever the canvas does not show it; returns where that was.
    private func restoreBase(_ plan: DrawPlan, _ painter: FramePainter, _ canvas: Target) throws(GLError) -> PixelRect {
        let target = try painter.target(.base)
        let damage = base.flatMap { $0.precision == plan.precision ? plan.scene.damageRect(since: $0.scene) : nil }
        let fresh = damage ?? plan.scene.canvas.pixels
        if !fresh.isEmpty { try painter.paintBase(onto: target, within: fresh) }
        base = plan
        // The last frame's canvas may have been larger.
        let stale = PixelRect.union(of: [touched, fresh]).intersection(plan.scene.canvas.pixels)
        try canvas.framebuffer.copy(stale, from: target.framebuffer)
        return stale
    }
}

extension Framebuffer {
    func read(_ block: PixelRect, into pixels: UnsafeMutableRawBufferPointer) throws(GLError) {
        try read(x: block.minX, y: block.minY, width: block.width, height: block.height, into: pixels)
    }

    func copy(_ block: PixelRect, from source: Framebuffer) throws(GLError) {
        try copy(x: block.minX, y: block.minY, width: block.width, height: block.height, from: source)
    }
}

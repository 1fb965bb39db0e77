import LoupeBase
import LoupePlan

/// Draws one plan after another for a page: `Renderer` and `FrameSequence` of the command, for a context whose pictures the
/// browser has decoded.
///
/// As long as only the loupes change, the base view is drawn once and kept; a frame restores what the loupes of the last one
/// covered, and draws its own.
package final class LiveRenderer {
    /// The device that records what is drawn.
    private let device: WebDevice
    private let executor: PassExecutor<WebDevice>
    /// Has targets of its own, since those of `executor` are kept from frame to frame.
    private let stretcher: PassExecutor<WebDevice>
    private let pictures: LivePictures
    /// By the picture's number.
    private let textures: [WebTexture]
    private let images: [ImagePath: WebTexture]
    private var drawings = FrameCache<DrawnVector, WebTexture>()
    private var overlays = FrameCache<Overlay, PlacedTexture>()
    /// The plan whose base view is kept.
    private var base: DrawPlan?
    /// What the last frame's loupes may have changed.
    private var touched = PixelRect(width: 0, height: 0)

    /// A texture, and the pixels of the canvas on which its texels lie.
    private typealias PlacedTexture = (texture: WebTexture, block: PixelRect)

    /// A renderer for the pictures of a page.
    package init(_ device: WebDevice, pictures: LivePictures) throws(WebError) {
        (self.device, self.pictures) = (device, pictures)
        (executor, stretcher) = (PassExecutor(device), PassExecutor(device))
        var textures: [WebTexture] = []
        for (number, size) in pictures.sizes.enumerated() {
            textures.append(try device.makeTexture(ofPicture: number, size))
        }
        self.textures = textures
        var images: [ImagePath: WebTexture] = [:]
        for image in pictures.images { images[image.path] = textures[image.number] }
        self.images = images
    }

    /// Draws a plan and shows it. Every image that it names is among the pictures.
    /// - Parameter scale: how many times larger the plan's canvas is than the opening frame's.
    package func draw(_ plan: DrawPlan, scale: Double) throws(WebError) {
        var shown = FrameImages<WebDevice>(whole: images)
        let uses = plan.drawnUses
        let drawn = try drawings.values(of: uses.map { $0.picture }) { (picture) throws(WebError) in
            try draw(picture)
        }
        for (use, texture) in zip(uses, drawn) { shown.held[use.use] = texture }
        let placed = try placedOverlays(plan, scale: scale)
        shown.overlays = placed.map { $0.texture }
        var passes = FramePasses(plan, on: device.traits, overlays: placed.map { $0.block })
        let canvas = passes.beginCanvas()
        let (baseView, fresh) = passes.addBaseView(since: base)
        let stale = PixelRect.union(of: [touched, fresh]).intersection(plan.canvas)
        passes.addCopy(of: stale, from: baseView, to: canvas)
        passes.addLoupes(onto: canvas)
        let finished = passes.addFinish(canvas, of: plan.canvas, in: .union(of: [stale, passes.loupeBounds]))
        // Where drawing fails, nothing is known of what the target holds.
        base = nil
        try executor.run(passes.takeSteps(), shown)
        (base, touched) = (plan, passes.loupeBounds)
        if let target = executor.target(finished) { device.present(target) }
    }

    /// A block of a vector picture: librsvg's own, where the page holds it, and otherwise that of a larger drawing.
    private func draw(_ picture: DrawnVector) throws(WebError) -> WebTexture? {
        if let known = pictures.drawings.first(where: { $0.path == picture.path && $0.block == picture.block }) {
            return textures[known.number]
        }
        guard let image = pictures.images.first(where: { $0.path == picture.path }) else { return nil }
        let number = picture.strokeScale == 1 ? image.number : image.kept
        return try stretched(number, to: picture.block.rect, picture.block.pixels)
    }

    /// The scale bars and texts of a plan. Those that the last plan had too are reused.
    private func placedOverlays(_ plan: DrawPlan, scale: Double) throws(WebError) -> [PlacedTexture] {
        var left = pictures.texts
        var texts: [TextRun: LiveText] = [:]
        for run in plan.textRuns {
            if let index = left.firstIndex(where: { $0.shows(run) }) { texts[run] = left.remove(at: index) }
        }
        let (canvas, known) = (plan.canvas, texts)
        return try overlays.values(of: plan.overlays) { (overlay) throws(WebError) in
            guard case .text(let run) = overlay else {
                guard let (block, bytes) = overlay.pixels(on: canvas) else { return nil }
                return (try device.makeTexture(block, bytes), block)
            }
            return try known[run].flatMap { text throws(WebError) in
                try self.overlay(text, as: run, scale: scale, on: canvas)
            }
        }.compactMap { $0 }
    }

    /// A text: the picture of the opening frame where that has the same size, and otherwise the finer one, stretched.
    private func overlay(_ text: LiveText, as run: TextRun, scale: Double, on canvas: PixelRect) throws(WebError)
        -> PlacedTexture?
    {
        if scale == 1 {
            let texture = textures[text.number]
            let moved = run.anchor - text.run.anchor
            let (x, y) = (text.x + Int(moved.dx.rounded()), text.y + Int(moved.dy.rounded()))
            return (texture, PixelRect(minX: x, minY: y, maxX: x + texture.width, maxY: y + texture.height))
        }
        let factor = scale / LiveText.fineScale
        return try overlay(text.fineNumber, at: run.anchor + factor * text.fineOffset, factor, on: canvas)
    }

    /// A picture of a text, stretched by a factor.
    private func overlay(
        _ number: Int, at corner: Point, _ factor: Double, on canvas: PixelRect
    ) throws(WebError) -> PlacedTexture? {
        let size = pictures.sizes[number]
        let rect = Rect(
            x: corner.x, y: corner.y, width: factor * Double(size.width), height: factor * Double(size.height))
        let block = PixelRect(coveringMinX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            .intersection(canvas)
        guard !block.isEmpty else { return nil }
        return (try stretched(number, to: rect, block), block)
    }

    /// A picture stretched to a rect: a block of its pixels, in a texture of its own.
    private func stretched(_ number: Int, to rect: Rect, _ block: PixelRect) throws(WebError) -> WebTexture {
        let plan = DrawPlan.stretching(pictures.sizes[number], to: rect, showing: block)
        var passes = FramePasses(plan, on: device.traits)
        let name = passes.addPicture()
        try stretcher.run(passes.takeSteps(), FrameImages(whole: [plan.imagePaths[0]: textures[number]]))
        let copy = try device.makeTarget(.bytes, width: block.width, height: block.height)
        if let drawn = stretcher.target(name) {
            device.copy(PixelRect(width: block.width, height: block.height), of: drawn, dx: 0, dy: 0, to: copy)
        }
        return copy.texture
    }
}

import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene

/// Draws one plan after another for a page: `Renderer` and `FrameSequence` of the command, for a context whose pictures the
/// browser has decoded.
///
/// As long as only the loupes change, the base view is drawn once and kept; a frame restores what the loupes of the last one
/// covered, and draws its own.
public final class LiveRenderer {
    private let context: Context
    private let painter: Painter
    /// Has framebuffers of its own, since those of `painter` are kept from frame to frame.
    private let stretcher: Painter
    private let pictures: LivePictures
    /// By the picture's number.
    private let textures: [Texture]
    private let images: [ImagePath: Texture]
    private var drawings: [Drawing: Texture] = [:]
    private var drawnOverlays: [OverlayKey: Overlay?] = [:]
    /// The plan whose base view is kept.
    private var base: DrawPlan?
    /// What the last frame's loupes may have changed.
    private var touched = PixelRect(width: 0, height: 0)

    private struct Drawing: Hashable {
        let path: ImagePath
        let block: DrawnBlock
    }

    private enum OverlayKey: Hashable {
        case band(Rect, Color)
        case text(TextRun)
    }

    /// A renderer for the pictures of a page.
    public init(_ context: Context, pictures: LivePictures) throws(GLError) {
        (self.context, self.pictures) = (context, pictures)
        painter = try Painter(context)
        stretcher = try Painter(context)
        var textures: [Texture] = []
        for (number, size) in pictures.sizes.enumerated() {
            let texture = try Texture(context, format: .rgba8, width: size.width, height: size.height)
            texture.uploadPicture(number)
            textures.append(texture)
        }
        self.textures = textures
        var images: [ImagePath: Texture] = [:]
        for image in pictures.images { images[image.path] = textures[image.number] }
        self.images = images
    }

    /// Draws a plan and shows it. Every image that it names is among the pictures.
    /// - Parameter scale: how many times larger the plan's canvas is than the opening frame's.
    public func draw(_ plan: DrawPlan, scale: Double) throws(GLError) {
        let frame = FramePainter(
            plan: plan, textures: images, parts: try drawn(plan), overlays: try overlays(plan, scale: scale),
            painter: painter)
        let canvas = try frame.canvas()
        let restored = try restoreBase(plan, frame, canvas)
        let changed = PixelRect.union(of: [restored, frame.loupeBounds])
        try frame.paintLoupes(onto: canvas)
        touched = frame.loupeBounds
        try frame.finished(canvas, in: changed).present()
    }

    /// The blocks of vector pictures: librsvg's own, where the page holds them, and otherwise those of a larger drawing.
    private func drawn(_ plan: DrawPlan) throws(GLError) -> [LayerUse: StreamedPart] {
        var used: [Drawing: Texture] = [:]
        for (path, block) in plan.drawnBlocks {
            let drawing = Drawing(path: path, block: block)
            if let known = drawings[drawing] {
                used[drawing] = known
            } else if let known = pictures.drawings.first(where: { $0.path == path && $0.block == block }) {
                used[drawing] = textures[known.number]
            } else if let image = pictures.images.first(where: { $0.path == path }) {
                used[drawing] = try stretched(image.number, to: block.rect, block.pixels)
            }
        }
        drawings = used
        var parts: [LayerUse: StreamedPart] = [:]
        for view in plan.viewsAndHalves {
            for layer in view.layers where layer.isVisible {
                guard case .drawn(let block) = layer.sampling, let use = LayerUse(layer, in: view),
                    let texture = used[Drawing(path: use.image, block: block)]
                else { continue }
                parts[use] = .excerpt(HeldTexels(texture: texture, x: block.pixels.minX, y: block.pixels.minY))
            }
        }
        return parts
    }

    /// The scale bars and texts of a plan. Those that the last plan had too are reused.
    private func overlays(_ plan: DrawPlan, scale: Double) throws(GLError) -> [Overlay] {
        let canvas = plan.scene.canvas.pixels
        var overlays: [Overlay] = []
        var used: [OverlayKey: Overlay?] = [:]
        for band in plan.bars.flatMap({ $0.bands }) {
            let key = OverlayKey.band(band.rect, band.color)
            let overlay =
                if let known = drawnOverlays[key] { known } else {
                    try Overlay(band.rect, band.color, on: canvas, context)
                }
            used[key] = .some(overlay)
            if let overlay { overlays.append(overlay) }
        }
        var left = pictures.texts
        for run in plan.textRuns {
            let index = left.firstIndex { $0.shows(run) }
            let spare = index == nil ? pictures.alphabet.first { $0.shows(run) } : nil
            let text = index.map { left.remove(at: $0) }
            let overlay: Overlay?
            if let known = drawnOverlays[.text(run)] {
                overlay = known
            } else if let spare {
                overlay = try self.overlay(spare, as: run, scale: scale, on: canvas)
            } else if let text {
                overlay = try self.overlay(text, as: run, scale: scale, on: canvas)
            } else {
                overlay = nil
            }
            used[.text(run)] = .some(overlay)
            if let overlay { overlays.append(overlay) }
        }
        drawnOverlays = used
        return overlays
    }

    /// A text: the picture of the opening frame where that has the same size, and otherwise the finer one, stretched.
    private func overlay(_ text: LiveText, as run: TextRun, scale: Double, on canvas: PixelRect) throws(GLError)
        -> Overlay?
    {
        if scale == 1 {
            let texture = textures[text.number]
            let moved = run.anchor - text.run.anchor
            let (x, y) = (text.x + Int(moved.dx.rounded()), text.y + Int(moved.dy.rounded()))
            return Overlay(
                texture: texture, block: PixelRect(minX: x, minY: y, maxX: x + texture.width, maxY: y + texture.height))
        }
        let factor = scale / LiveText.fineScale
        return try overlay(text.fineNumber, at: run.anchor + factor * text.fineOffset, factor, on: canvas)
    }

    /// A spare text where a plan has it.
    private func overlay(_ text: SpareText, as run: TextRun, scale: Double, on canvas: PixelRect) throws(GLError)
        -> Overlay?
    {
        let factor = scale / text.scale
        let corner = run.anchor - Vector(dx: run.align.dx * scale * text.box.dx, dy: run.align.dy * scale * text.box.dy)
        return try overlay(text.number, at: corner + factor * text.offset, factor, on: canvas)
    }

    /// A picture of a text, stretched by a factor.
    private func overlay(
        _ number: Int, at corner: Point, _ factor: Double, on canvas: PixelRect
    ) throws(GLError) -> Overlay? {
        let size = pictures.sizes[number]
        let rect = Rect(
            x: corner.x, y: corner.y, width: factor * Double(size.width), height: factor * Double(size.height))
        let block = PixelRect(coveringMinX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            .intersection(canvas)
        guard !block.isEmpty else { return nil }
        return Overlay(texture: try stretched(number, to: rect, block), block: block)
    }

    /// A picture stretched to a rect: a block of its pixels, in a texture of its own.
    private func stretched(_ number: Int, to rect: Rect, _ block: PixelRect) throws(GLError) -> Texture {
        let path = ImagePath("picture")
        let place = Rect(
            x: rect.x - Double(block.minX), y: rect.y - Double(block.minY), width: rect.width, height: rect.height)
        let scene = Scene(
            canvas: Scene.Canvas(width: block.width, height: block.height, background: .color(.transparent)),
            layers: [Layer(content: .image(path: path), rect: place)], loupes: [])
        let traits = ImageTraits(size: pictures.sizes[number], isOpaque: false)
        let drawn = try FramePainter(
            plan: DrawPlan(scene, images: [path: traits]), textures: [path: textures[number]], parts: [:],
            painter: stretcher
        ).draw()
        let copy = try Framebuffer(context, format: .rgba8, width: block.width, height: block.height)
        try copy.copy(x: 0, y: 0, width: block.width, height: block.height, from: drawn)
        return copy.texture
    }

    /// Puts the base view back wherever the canvas does not show it; returns where that was.
    private func restoreBase(_ plan: DrawPlan, _ frame: FramePainter, _ canvas: Target) throws(GLError) -> PixelRect {
        let target = try frame.target(.base)
        let damage = base.flatMap { $0.precision == plan.precision ? plan.scene.damageRect(since: $0.scene) : nil }
        let fresh = damage ?? plan.scene.canvas.pixels
        if !fresh.isEmpty { try frame.paintBase(onto: target, within: fresh) }
        base = plan
        let stale = PixelRect.union(of: [touched, fresh]).intersection(plan.scene.canvas.pixels)
        try canvas.framebuffer.copy(
            x: stale.minX, y: stale.minY, width: stale.width, height: stale.height, from: target.framebuffer)
        return stale
    }
}

extension Context {
    /// A page has the browser's memory, which nobody can ask for its size.
    func requireMemory(_ format: Texture.Format, width: Int, height: Int) throws(GLError) {}
}

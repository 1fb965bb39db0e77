import LoupeBase
import LoupePlan
import LoupeScene

extension VectorDrawing {
    /// The drawing of a scene.
    /// - Parameters:
    ///   - images: every image that the scene shows, by path.
    ///   - resolution: how many pixels soft parts have for each canvas pixel. Curves are within 0.01 of such a pixel, or of
    ///     a canvas pixel where that is smaller.
    ///   - isExact: whether soft parts have that many; otherwise those with a large blur have fewer.
    package init(
        _ scene: Scene, images: [ImagePath: ImageTraits], resolution: Double, isExact: Bool = false
    ) throws(VectorRefusal) {
        if scene.blending == .linear { throw .linearLight }
        for (index, layer) in scene.layers.enumerated() where layer.imagePath != nil {
            if !layer.rect.inset(by: -1e-6).contains(layer.bounds) { throw .cropBeyondPicture(layer: index) }
        }
        var maker = SceneDrawing(scene, traits: images, resolution: resolution, isExact: isExact)
        maker.draw()
        self.init(
            size: ImageSize(width: scene.canvas.width, height: scene.canvas.height), operations: maker.operations,
            images: maker.images, bitmaps: maker.bitmaps)
    }
}

/// Makes the drawing of a scene, in the order of the specification, section 6.1.
struct SceneDrawing {
    private let scene: Scene
    private let traits: [ImagePath: ImageTraits]
    /// Pixels of bitmaps for each canvas pixel.
    private let resolution: Double
    private let isExact: Bool
    private(set) var operations: [DrawingOperation] = []
    private(set) var images: [ShownImage] = []
    private(set) var bitmaps: [SoftBitmap] = []
    /// The bitmaps of soft shadows.
    private var shadows: [Caster: Int] = [:]

    /// A loupe or layer of the scene, by its index.
    private enum Caster: Hashable {
        case loupe(Int)
        case layer(Int)
    }

    init(_ scene: Scene, traits: [ImagePath: ImageTraits], resolution: Double, isExact: Bool) {
        (self.scene, self.traits, self.resolution, self.isExact) = (scene, traits, resolution, isExact)
    }

    private var canvas: Rect { scene.canvas.rect }

    /// The largest distance of curves from the exact ones, in canvas pixels, in a view of some magnification.
    private func tolerance(_ magnification: Double = 1) -> Double { 0.01 / (max(resolution, 1) * magnification) }

    private func path(of border: Border, grownBy growth: Double = 0) -> VectorPath {
        border.path(grownBy: growth, tolerance: tolerance())
    }

    mutating func draw() {
        let borders = scene.loupes.map { Border(of: $0) }
        let covering = scene.loupes.indices.filter {
            scene.loupes[$0].outside != .transparent && scene.loupes[$0].opacity == 1
        }
        // A loupe replaces what is under it. Where it may be translucent, that is left out instead.
        let replaces = !scene.canvas.background.isOpaque
        operations.append(.save)
        if replaces { for index in covering { clip(outside: path(of: borders[index])) } }
        drawView(.base, of: scene, showing: canvas)
        drawShadowsBelowCallouts(after: -1)
        for loupe in scene.loupes {
            guard let callout = CalloutPlan(of: loupe, in: scene) else { continue }
            append(CalloutDrawing(callout, frame: canvas.inset(by: -4096), tolerance: tolerance()).operations)
        }
        operations.append(.restore)
        for index in scene.loupes.indices {
            operations.append(.save)
            if replaces { for later in covering where later > index { clip(outside: path(of: borders[later])) } }
            let border = borders[index]
            drawGroup(opacity: scene.loupes[index].opacity) { $0.drawLoupe(index, border, replaces: replaces) }
            operations.append(.restore)
        }
        drawText()
    }

    /// The scale bars, and all text.
    private mutating func drawText() {
        let bars = scene.scaleBars.compactMap { $0.plan(in: scene) }
        for band in bars.flatMap(\.bar.bands) { operations.append(.fill(VectorPath(band.rect), band.color)) }
        let runs = bars.map(\.run) + scene.labels.compactMap { TextRun($0, in: scene) }
        operations += runs.map { .text($0) }
    }

    private mutating func append(_ more: [DrawingOperation]) { operations += more }

    /// Draws something as one translucent whole.
    private mutating func drawGroup(opacity: Double, _ draw: (inout SceneDrawing) -> Void) {
        if opacity < 1 { operations.append(.beginGroup) }
        draw(&self)
        if opacity < 1 { operations.append(.endGroup(opacity: opacity, within: nil)) }
    }

    /// Leaves out the inside of a closed path.
    private mutating func clip(outside path: VectorPath) {
        operations.append(.clip(VectorPath(canvas.inset(by: -4096)) + path.reversed))
    }

    // MARK: - Loupes

    private mutating func drawLoupe(_ index: Int, _ border: Border, replaces: Bool) {
        let loupe = scene.loupes[index]
        let shape = path(of: border)
        let isTransparent = loupe.outside == .transparent
        operations.append(.save)
        if loupe.isSeenThrough || replaces { clip(outside: shape) }
        if loupe.callout == nil { drawShadow(ofLoupe: index) }
        if let casing = loupe.rim?.casing {
            // Its inner half lies under the disc.
            operations.append(.stroke(shape, width: 2 * casing.width, casing.color))
        }
        operations.append(.restore)
        drawContent(ofLoupe: index, within: border, shape)
        if let rim = loupe.rim, rim.width > 0 { draw(rim, of: border, shape) }
        if !isTransparent, scene.loupes.dropFirst(index + 1).contains(where: { $0.callout != nil && $0.shadow != nil })
        {
            operations += [.save, .clip(shape)]
            drawShadowsBelowCallouts(after: index)
            operations.append(.restore)
        }
    }

    /// What a loupe shows. An opaque rim hides the edge of what ends under its middle. Without one it is a group, so that nothing
    /// of what the page covers is seen at the anti-aliased edge; in an SVG, cairo writes all that a group shows once more.
    private mutating func drawContent(ofLoupe index: Int, within border: Border, _ shape: VectorPath) {
        let loupe = scene.loupes[index]
        let frame = border.outline.rect.inset(by: -2)
        let hidingWidths = 0.75..<min(frame.width, frame.height) / 2
        let rim = loupe.rim.flatMap { $0.color.isOpaque && hidingWidths.contains($0.width) ? $0 : nil }
        operations.append(.save)
        if let rim {
            operations.append(.clip(path(of: .outline(border.outline.inset(by: rim.width / 2)))))
        } else {
            operations += [.clip(VectorPath(frame)), .beginGroup]
        }
        drawView(.loupe(index, of: scene), of: scene, showing: frame)
        if let split = loupe.split { drawOtherHalf(split, of: index, frame) }
        if rim == nil { operations.append(.endGroup(opacity: 1, within: shape)) }
        operations.append(.restore)
    }

    /// The rim of a disc is a figure of its own, as edges of clips are less exact in some viewers; a rectangle's corners have no
    /// such curve on the inside.
    private mutating func draw(_ rim: Loupe.Rim, of border: Border, _ shape: VectorPath) {
        if case .disc(let disc) = border, rim.width < disc.radius {
            let inner = path(of: .outline(border.outline.inset(by: rim.width)))
            operations.append(.fill(shape + inner.reversed, rim.color))
        } else {
            operations += [.save, .clip(shape), .stroke(shape, width: 2 * rim.width, rim.color), .restore]
        }
    }

    private mutating func drawOtherHalf(_ split: Loupe.Split, of index: Int, _ frame: Rect) {
        let center = scene.loupes[index].center
        let (across, along) = (split.direction, split.direction.turned)
        let reach = frame.width + frame.height
        func band(from near: Double, to far: Double) -> VectorPath {
            VectorPath([
                center + near * across - reach * along, center + far * across - reach * along,
                center + far * across + reach * along, center + near * across + reach * along,
            ])
        }
        operations += [.save, .clip(band(from: 0, to: reach))]
        drawView(.loupe(index, of: scene), of: scene.showing(split.image), showing: frame)
        operations.append(.restore)
        if let divider = split.divider, divider.width > 0 {
            operations.append(.fill(band(from: -divider.width / 2, to: divider.width / 2), divider.color))
        }
    }

    // MARK: - Views

    /// - Parameter frame: holds all that is seen of the view, in the space of the picture.
    private mutating func drawView(_ view: View, of scene: Scene, showing frame: Rect) {
        let loupe: Loupe? = if case .loupe(let index) = view.kind { scene.loupes[index] } else { nil }
        let seen = Rect(
            x: view.canvas(of: Point(x: frame.minX, y: frame.minY)).x,
            y: view.canvas(of: Point(x: frame.minX, y: frame.minY)).y, width: frame.width / view.magnification,
            height: frame.height / view.magnification)
        operations.append(.save)
        if view.kind != .base {
            let origin = view.output(of: .zero)
            operations.append(
                .transform(scale: view.magnification, offset: Vector(dx: origin.x, dy: origin.y)))
        }
        // A pixel larger than the canvas, as viewers round a rectangle's edges to whole pixels and could leave a gap.
        if loupe?.outside != .transparent { drawBackground(over: loupe == nil ? seen.inset(by: -1) : seen) }
        for index in scene.layers.indices { drawLayer(index, of: scene, in: view, loupe, seen) }
        if let loupe, let mark = loupe.mark { draw(mark, of: loupe, in: view, scene.layers) }
        operations.append(.restore)
    }

    private mutating func drawBackground(over rect: Rect) {
        switch scene.canvas.background {
        case .color(let color):
            if color.alpha > 0 { operations.append(.fill(VectorPath(rect), color)) }
        case .gradient(let gradient):
            let (direction, length) = gradient.axis(width: canvas.width, height: canvas.height)
            let half = (length / 2) * direction
            // Viewers interpolate straight colours; more of them follow the premultiplied ones.
            let count = gradient.from.alpha == gradient.to.alpha ? 2 : 33
            let colors = (0..<count).map { gradient.color(at: Double($0) / Double(count - 1)) }
            operations.append(
                .gradient(VectorPath(rect), from: canvas.center - half, to: canvas.center + half, colors))
        }
    }

    private mutating func drawLayer(
        _ index: Int, of scene: Scene, in view: View, _ loupe: Loupe?, _ seen: Rect
    ) {
        let layer = scene.layers[index]
        guard layer.opacity > 0 else { return }
        let outline = layer.outline(in: .base)
        let shape = OutlinePath.path(of: outline, tolerance: tolerance(view.magnification))
        if layer.shadow != nil {
            operations.append(.save)
            operations.append(.clip(VectorPath(seen.union(layer.bounds).inset(by: -8)) + shape.reversed))
            drawShadow(ofLayer: index, outline)
            operations.append(.restore)
        }
        guard layer.bounds.intersection(seen) != nil else { return }
        operations += [.save, .clip(shape)]
        if layer.opacity < 1 { operations.append(.beginGroup) }
        switch layer.content {
        case .fill(let color):
            if color.alpha > 0 { operations.append(.fill(VectorPath(layer.bounds.inset(by: -1)), color)) }
        case .image(let path): drawImage(path, of: layer, in: view, loupe)
        }
        for stroke in layer.strokes where stroke.reach.intersection(seen) != nil {
            operations.append(
                .stroke(VectorPath(stroke.points, isClosed: false), width: stroke.width, stroke.color))
        }
        if let loupe, let grid = loupe.grid, let path = layer.imagePath, let size = traits[path]?.size {
            let lines = DrawnTexelLines(layer, size, in: view, width: grid.width)
            if let drawn = lines.grid(grid, over: seen) { operations.append(drawn) }
        }
        if layer.opacity < 1 { operations.append(.endGroup(opacity: layer.opacity, within: nil)) }
        operations.append(.restore)
    }

    private mutating func drawImage(_ path: ImagePath, of layer: Layer, in view: View, _ loupe: Loupe?) {
        guard let trait = traits[path] else { return }
        let texel = DrawnTexelLines.size(of: layer, trait.size, in: view)
        let filter = loupe.map { $0.filter.filter(atTexelSize: texel) } ?? layer.filter
        let isSmooth = trait.isVector || filter != .nearest && filter != .sharp
        let (part, rect) = shownPart(of: layer, trait)
        let strokeScale = trait.isVector ? loupe?.strokeScale ?? 1 : 1
        let position = images.firstIndex { $0.path == path && $0.part == part && $0.strokeScale == strokeScale }
        if let position {
            if !isSmooth { images[position].isSmooth = false }
            images[position].magnification = max(images[position].magnification, texel)
        } else {
            images.append(
                ShownImage(
                    path: path, part: part, strokeScale: strokeScale, isSmooth: isSmooth, magnification: texel))
        }
        operations.append(.image(position ?? images.count - 1, rect))
    }

    /// The pixels of an image that its layer's crop shows, with some more for filters, and where they lie; nil for all where
    /// these are not much more.
    private func shownPart(of layer: Layer, _ trait: ImageTraits) -> (PixelRect?, Rect) {
        let (rect, size, more) = (layer.rect, trait.size, 3.0)
        guard let crop = layer.crop, !trait.isVector else { return (nil, rect) }
        let (x, y) = (rect.width / Double(size.width), rect.height / Double(size.height))
        // A thousandth of a pixel is no reason for another one.
        let part = PixelRect(
            coveringMinX: (crop.minX - rect.minX) / x - more + 1e-3, minY: (crop.minY - rect.minY) / y - more + 1e-3,
            maxX: (crop.maxX - rect.minX) / x + more - 1e-3, maxY: (crop.maxY - rect.minY) / y + more - 1e-3
        ).intersection(PixelRect(width: size.width, height: size.height))
        guard !part.isEmpty, 2 * part.pixelCount < size.width * size.height else { return (nil, rect) }
        return (
            part,
            Rect(
                x: rect.x + Double(part.minX) * x, y: rect.y + Double(part.minY) * y, width: Double(part.width) * x,
                height: Double(part.height) * y)
        )
    }

    private mutating func draw(_ mark: TexelMark, of loupe: Loupe, in view: View, _ layers: [Layer]) {
        let marked = layers.last {
            $0.imagePath != nil && $0.rect.contains(loupe.focus) && $0.bounds.contains(loupe.focus)
        }
        guard let marked, let size = marked.imagePath.flatMap({ traits[$0]?.size }) else { return }
        let lines = DrawnTexelLines(marked, size, in: view, width: loupe.grid?.width ?? 0)
        operations.append(lines.frame(mark, around: loupe.focus, besideGrid: loupe.grid))
    }

    // MARK: - Shadows

    /// The shadows of the loupes with callouts that come after one.
    private mutating func drawShadowsBelowCallouts(after index: Int) {
        for later in scene.loupes.indices.dropFirst(index + 1) where scene.loupes[later].callout != nil {
            let isTransparent = scene.loupes[later].isSeenThrough
            if isTransparent {
                operations.append(.save)
                clip(outside: path(of: Border(of: scene.loupes[later])))
            }
            drawGroup(opacity: scene.loupes[later].opacity) { $0.drawShadow(ofLoupe: later) }
            if isTransparent { operations.append(.restore) }
        }
    }

    private mutating func drawShadow(ofLoupe index: Int) {
        let loupe = scene.loupes[index]
        let outline = Border(of: loupe).outline
        // The disc hides its own shadow.
        let hiding = loupe.outside == .transparent ? nil : outline
        draw(loupe.shadow, of: .loupe(index), outline, hiding: hiding, within: canvas)
    }

    /// - Parameter outline: of the layer, in canvas pixels.
    private mutating func drawShadow(ofLayer index: Int, _ outline: Outline) {
        let frame = scene.loupes.reduce(canvas) { $0.union(Border(ofSourceOf: $1, in: scene).outline.rect) }
        draw(
            scene.layers[index].shadow, of: .layer(index), outline, hiding: outline, within: frame.inset(by: -1),
            magnification: scene.loupes.map(\.zoom).max() ?? 1)
    }

    /// Draws the shadow of an outline: a figure, or a bitmap that all views share.
    private mutating func draw(
        _ shadow: Loupe.Shadow?, of caster: Caster, _ outline: Outline, hiding: Outline?, within frame: Rect,
        magnification: Double = 1
    ) {
        guard let shadow else { return }
        let cast = outline.offset(by: shadow.offset)
        if shadow.blur == 0 {
            operations.append(.fill(OutlinePath.path(of: cast, tolerance: tolerance()), shadow.color))
            return
        }
        if shadows[caster] == nil {
            let soft = SoftShadow(border: cast, blur: shadow.blur, color: shadow.color, hiding: hiding, frame: frame)
            let bitmap = soft.bitmap(resolution: resolution, magnification: magnification, isExact: isExact)
            guard let bitmap else { return }
            shadows[caster] = bitmaps.count
            bitmaps.append(bitmap)
        }
        if let bitmap = shadows[caster] { operations.append(.bitmap(bitmap)) }
    }
}

extension Stroke {
    /// Holds all of it, in canvas pixels.
    fileprivate var reach: Rect {
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Rect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
            .inset(by: -width / 2)
    }
}

extension Backdrop.Gradient {
    /// The straight colour at a part of the way, 0…1, where premultiplied colours are interpolated.
    fileprivate func color(at part: Double) -> Color {
        let alpha = (1 - part) * Double(from.alpha) + part * Double(to.alpha)
        func channel(_ start: UInt8, _ end: UInt8) -> UInt8 {
            guard alpha > 0 else { return start }
            let sum =
                (1 - part) * Double(start) * Double(from.alpha) + part * Double(end) * Double(to.alpha)
            return UInt8(min(255, (sum / alpha).rounded()))
        }
        return Color(
            red: channel(from.red, to.red), green: channel(from.green, to.green), blue: channel(from.blue, to.blue),
            alpha: UInt8(alpha.rounded()))
    }
}

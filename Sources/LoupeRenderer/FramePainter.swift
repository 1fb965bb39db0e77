import LoupeGLES
import LoupeGeometry
import LoupeJSON
import LoupePlan
import LoupeScene
import LoupeShaders

/// Draws one plan: the base view, then each loupe over it.
struct FramePainter {
    let plan: DrawPlan
    let textures: [String: Texture]
    /// What is there of images that were not held whole.
    let parts: [LayerUse: StreamedPart]
    let painter: Painter

    var blending: Blending { plan.scene.blending }
    var background: SIMD4<Float> { plan.scene.canvas.background.working(blending) }
    func format(_ precision: CanvasPrecision) -> Texture.Format {
        switch precision {
        case .bytes: .rgba8
        case .halves: painter.context.blendableFormat(floats: false)
        case .floats: painter.context.blendableFormat(floats: true)
        }
    }

    /// Draws the whole canvas and leaves it on the device, ready to be read: straight RGBA.
    func draw() throws(GLError) -> Framebuffer {
        let canvas = try canvas()
        try paintBase(onto: canvas)
        try paintLoupes(onto: canvas)
        return try finished(canvas, in: plan.scene.canvas.pixels)
    }

    /// What is drawn onto: the canvas itself, or a wide one that `finished` turns into it.
    func canvas() throws(GLError) -> Target {
        try target(plan.precision == .bytes ? .canvas : .wideCanvas)
    }

    /// A target of the canvas's size and working format.
    func target(_ role: FramebufferRole) throws(GLError) -> Target {
        let size = plan.scene.canvas
        let framebuffer = try painter.framebuffer(role, format(plan.precision), width: size.width, height: size.height)
        return Target(framebuffer: framebuffer, x: 0, y: 0)
    }

    /// The canvas at magnification 1, or a block of it, byte for byte as in the whole.
    func paintBase(onto target: Target, within block: PixelRect? = nil) throws(GLError) {
        let view = block.map(plan.views[0].cut) ?? plan.views[0]
        try paintContent(view, ink: ink(of: view), .block, over: background, onto: target)
    }

    /// The callouts, then the loupes in order, over what the canvas holds.
    func paintLoupes(onto canvas: Target) throws(GLError) {
        for callout in plan.callouts { try paint(callout, onto: canvas) }
        let block = discBounds
        guard loupePrecision != plan.precision, !block.isEmpty else { return try paintEachLoupe(onto: canvas) }
        let framebuffer = try painter.framebuffer(
            .loupeBlock, format(loupePrecision), width: block.width, height: block.height)
        let finer = Target(framebuffer: framebuffer, x: block.minX, y: block.minY)
        try copy(canvas, .block, within: block, to: finer)
        try paintEachLoupe(onto: finer)
        try finish(finer, within: block, onto: canvas)
    }

    /// How finely the loupes' block is held.
    var loupePrecision: CanvasPrecision { plan.loupePrecision(roundsOnce: painter.context.readsBelow) }

    private func paintEachLoupe(onto target: Target) throws(GLError) {
        for view in plan.views {
            if case .loupe(let index) = view.view.kind { try paint(plan.scene.loupes[index], view, onto: target) }
        }
    }

    /// Puts pixels of a block of the canvas into another target, which may hold them more finely.
    ///
    /// - Parameter key: of the program that makes of each what the other target holds.
    func copy(
        _ canvas: Target, _ region: MeshRegion, within block: PixelRect, to target: Target,
        by key: ProgramCache.Key = .copy
    ) throws(GLError) {
        let texture = canvas.framebuffer.texture
        try painter.draw(key, region, in: [block], onto: target, blend: .replace) { program in
            program.set(.canvas, texture, unit: 0)
            program.set(.canvasShift, integers: target.x - canvas.x, target.y - canvas.y)
        }
    }

    /// Writes a block of a finer target as straight 8-bit RGBA.
    private func finish(_ finer: Target, within block: PixelRect, onto target: Target) throws(GLError) {
        try copy(finer, .block, within: block, to: target, by: .finish(blending))
    }

    /// Every pixel that `paintLoupes` may change lies in this block.
    var loupeBounds: PixelRect {
        let callouts = plan.callouts.map { $0.bounds(in: plan.scene.canvas.pixels) }
        return .union(of: [discBounds] + callouts)
    }

    /// Every pixel that a disc or its shadow may change lies in this block.
    private var discBounds: PixelRect {
        let discs = plan.views.dropFirst().map(\.region.bounds)
        let shadows = plan.scene.loupes.compactMap { loupe in
            loupe.shadow.map { $0.bounds(of: loupe).intersection(plan.scene.canvas.pixels) }
        }
        return .union(of: discs + shadows)
    }

    private var outputFormat: Texture.Format { plan.depth == .sixteen ? .rgba32F : .rgba8 }

    /// The canvas as straight RGBA of 8 bits, or of floats for 16, brought up to date within a block.
    ///
    /// A canvas of 8 bits is opaque, so it is that already.
    func finished(_ canvas: Target, in block: PixelRect) throws(GLError) -> Framebuffer {
        guard plan.precision != .bytes else { return canvas.framebuffer }
        let (width, height) = (canvas.framebuffer.width, canvas.framebuffer.height)
        let target = Target(
            framebuffer: try painter.framebuffer(.canvas, outputFormat, width: width, height: height), x: 0, y: 0)
        try finish(canvas, within: block, onto: target)
        return target.framebuffer
    }

    private func paint(_ loupe: Loupe, _ view: ViewPlan, onto canvas: Target) throws(GLError) {
        let parts = LoupeParts(of: loupe, within: view.region.bounds)
        try paintShadow(of: loupe, parts, onto: canvas)
        guard !parts.bounds.isEmpty else { return }
        let below = try keepBelow(parts, of: canvas)
        try paintContent(of: loupe, view, parts.whole, onto: canvas)
        try paintBorder(of: loupe, parts, below: below, onto: canvas)
    }

    /// Keeps what the canvas holds under the border of a loupe.
    private func keepBelow(_ parts: LoupeParts, of canvas: Target) throws(GLError) -> Target {
        let below = try loupeTarget(.below, parts.bounds)
        try copy(canvas, parts.border, within: parts.bounds, to: below)
        return below
    }

    private func paintShadow(of loupe: Loupe, _ parts: LoupeParts, onto canvas: Target) throws(GLError) {
        guard let shadow = loupe.shadow else { return }
        if let outline = loupe.outline {
            try paint(shadow, of: loupe, along: outline, parts, onto: canvas)
        } else {
            try paint(shadow, ofDisc: loupe, parts, onto: canvas)
        }
    }

    /// Lays the rim over a loupe's content, and what was below over both, as far as the feather lets it through.
    private func paintBorder(of loupe: Loupe, _ parts: LoupeParts, below: Target, onto canvas: Target) throws(GLError) {
        if let outline = loupe.outline {
            try paintBorder(of: loupe, along: outline, parts, below: below, onto: canvas)
        } else {
            try paintBorder(ofDisc: loupe, parts, below: below, onto: canvas)
        }
    }

    /// A target for a loupe that lies within some bounds.
    func loupeTarget(_ role: FramebufferRole, _ bounds: PixelRect) throws(GLError) -> Target {
        let framebuffer = try painter.framebuffer(
            role, format(loupePrecision), width: bounds.width, height: bounds.height)
        return Target(framebuffer: framebuffer, x: bounds.minX, y: bounds.minY)
    }

    /// What a loupe shows, both halves of it.
    func paintContent(
        of loupe: Loupe, _ view: ViewPlan, _ region: MeshRegion, onto canvas: Target
    ) throws(GLError) {
        let other = try otherHalf(of: loupe, view, over: canvas)
        let background = loupe.outside == .transparent ? nil : background
        try paintContent(view, ink: try ink(of: view), region, over: background, onto: canvas)
        if let other { try paint(other, of: loupe, view, region, onto: canvas) }
    }

    /// - Parameters:
    ///   - ink: of each of the view's layers.
    ///   - background: what lies under the layers; nil leaves what the target holds.
    func paintContent(
        _ view: ViewPlan, ink: [[InkSheet]], _ region: MeshRegion, over background: SIMD4<Float>?, onto target: Target
    ) throws(GLError) {
        if let background {
            try painter.fill(background, region, in: view.background, onto: target, blending: blending)
        }
        for (layer, ink) in zip(view.layers, ink) where layer.isVisible {
            try forEachPart(of: layer, ink: ink, in: view, over: background) { (part) throws(GLError) in
                try part.paint(region, onto: target, by: painter)
            }
        }
        if let mark = view.mark { try paint(mark, in: view.region.bounds, region, onto: target) }
    }

    /// How one picture is laid over another, each with its share of a pixel: a part of what is there is taken away, then
    /// the sum is added. An opaque canvas stays opaque, so that one blend does both.
    var blendSteps: [Blend] { plan.scene.canvas.background.isOpaque ? [.over] : [.erase, .add] }

    /// What the borders of discs and of lenses have in common.
    func bindBorder(of loupe: Loupe, _ below: Target, _ program: Program, _ canvas: Target, _ blend: Blend) {
        program.set(.below, below.framebuffer.texture, unit: 0)
        program.set(.belowShift, integers: canvas.x - below.x, canvas.y - below.y)
        program.set(.rimColor, loupe.rim?.color.working(blending) ?? .zero)
        program.set(.adds, blend == .add ? 1 : 0)
    }
}

// MARK: - What a layer's shaders read

extension FramePainter {
    /// The strokes of each layer.
    func ink(of view: ViewPlan) throws(GLError) -> [[InkSheet]] {
        let limit = InkSheet.entryLimit(of: painter.context)
        return try view.layers.map { (layer) throws(GLError) in
            try layer.ink(limit: limit) { $0.working(blending) }.map { (tiles) throws(GLError) in
                try InkSheet(tiles, on: painter.context)
            }
        }
    }

    /// Hands over the layer ready to be drawn: whole, or band by band where filtering it would take much memory.
    private func forEachPart(
        of layer: LayerPlan, ink: [InkSheet], in view: ViewPlan, over background: SIMD4<Float>?,
        _ body: (PaintableLayer) throws(GLError) -> Void
    ) throws(GLError) {
        let tangents = try layer.tangents.map { (planes) throws(GLError) in try Texture(painter.context, planes) }
        let outline = try layer.unevenTangents.map { (tangents) throws(GLError) in
            try OutlineSheet(tangents, of: layer.outline, on: painter.context)
        }
        func part(_ source: PaintableLayer.Source) -> PaintableLayer {
            PaintableLayer(
                plan: layer, source: source, backdrop: layer.isBottom ? background : nil, ink: ink,
                tangents: tangents, outline: outline, blending: blending,
                pixelOrigin: (view.region.bounds.minX, view.region.bounds.minY))
        }
        switch layer.sampling {
        case .fill(let color):
            try body(part(.fill(color.working(blending))))
        case .copy(let dx, let dy):
            if let use = LayerUse(layer, in: view), case .moved(let image) = parts[use] {
                return try body(part(.moved(image, dx: dx, dy: dy)))
            }
            let held = texels(of: layer, in: view)
            try body(part(.copy(held.texture, dx: dx - held.x, dy: dy - held.y)))
        case .linear(let columns, let rows):
            try body(part(.linear(texels(of: layer, in: view), columns: columns, rows: rows)))
        case .drawn:
            let held = texels(of: layer, in: view)
            try body(part(.copy(held.texture, dx: -held.x, dy: -held.y)))
        case .separable(let columns, let rows):
            let limit = painter.context.info.limits.textureSize
            let block = layer.shadedBlock
            if let use = LayerUse(layer, in: view), case .filtered(let texture, let block) = parts[use] {
                let filtered = try FilteredRows(finished: texture, block: block, on: painter.context)
                return try body(part(.filtered(filtered)))
            }
            for band in rows.bands(of: block, textureLimit: limit) {
                let filtered = try filter(
                    texels(of: layer, in: view).texture, columns: columns, block.minX..<block.maxX, rows: rows, band)
                try body(part(.filtered(filtered)))
            }
        }
    }

    private func texels(of layer: LayerPlan, in view: ViewPlan) -> HeldTexels {
        if let use = LayerUse(layer, in: view), case .excerpt(let texels) = parts[use] { return texels }
        guard let path = layer.imagePath, let texture = textures[path] else {
            preconditionFailure("the renderer looks for every image before it draws")
        }
        return HeldTexels(texture: texture, x: 0, y: 0)
    }

    /// The first direction of a separable filter, for some output columns and a band of output rows.
    private func filter(
        _ image: Texture, columns: FilterTable, _ pixels: Range<Int>, rows: FilterTable, _ band: Range<Int>
    ) throws(GLError) -> FilteredRows {
        let texelRows = rows.texelRows(of: band)
        let block = PixelRect(width: pixels.count, height: texelRows.count)
        let isFine = plan.depth == .sixteen
        let framebuffer = try painter.framebuffer(
            .filteredRows, isFine ? .rgba32UI : .rgba16UI, width: block.width, height: block.height)
        let columnTable = try Texture.table(painter.context, columns.entries(of: pixels, isFine: isFine))
        let lightTable =
            blending == .linear && !isFine ? try Texture.table(painter.context, FilterChannel.table(.linear)) : nil
        try painter.draw(
            .filterColumns(blending, isFine: isFine), .block, in: [block],
            onto: Target(framebuffer: framebuffer, x: 0, y: 0),
            blend: .replace
        ) { program in
            program.set(.image, image, unit: 0)
            program.set(.columnTable, columnTable, unit: 1)
            program.set(.columnTaps, integer: columns.taps)
            if let lightTable { program.set(.lightTable, lightTable, unit: 2) }
            program.set(.firstTexelRow, integer: texelRows.lowerBound)
            program.set(.lastTexel, integers: image.width - 1, image.height - 1)
        }
        return FilteredRows(
            texture: framebuffer.texture,
            rowTable: try Texture.table(painter.context, rows.entries(of: band, isFine: isFine)), rowTaps: rows.taps,
            firstColumn: pixels.lowerBound, rows: band, texelRows: texelRows)
    }
}

extension Texture {
    /// Row 0: each tangent line; row 1: each line less the next one.
    fileprivate convenience init(_ context: Context, _ tangents: CornerTangents) throws(GLError) {
        let planes = tangents.planes
        try self.init(context, format: .rgba32F, width: planes.count, height: 2)
        let following = planes.dropFirst() + planes.suffix(1)
        let lines = planes.map { SIMD4(Float($0.a), Float($0.b), Float($0.c), 0) }
        let steps = zip(planes, following).map { plane, next in
            SIMD4(Float(plane.a - next.a), Float(plane.b - next.b), Float(plane.c - next.c), 0)
        }
        try upload(vectors: lines + steps)
    }
}

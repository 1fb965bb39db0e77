import LoupeBase
import LoupeScene

/// The steps that draw a plan on a device, in order: the base view, then callouts, loupes, scale bars and text over it.
package struct FramePasses {
    /// What is drawn.
    package let plan: DrawPlan
    let device: DeviceTraits
    /// The layers whose image is not a texture as a whole.
    let held: [LayerUse: HeldTexels]
    /// The pixels of the canvas that each scale bar's band and each text covers, from bottom to top.
    private let overlays: [PixelRect]
    /// Where the base view is kept, so that the loupes are drawn over a copy of it; nil for nowhere.
    var base: CanvasTarget?
    /// The steps that have not been taken.
    package private(set) var steps: [DrawStep] = []

    /// No step yet.
    package init(
        _ plan: DrawPlan, on device: DeviceTraits, held: [LayerUse: HeldTexels] = [:], overlays: [PixelRect] = []
    ) {
        (self.plan, self.device, self.held, self.overlays) = (plan, device, held, overlays)
    }

    var blending: Blending { plan.scene.blending }
    /// The background's only colour; nil for a gradient.
    private var plainBackground: SIMD4<Float>? { plan.scene.canvas.background.plainColor?.working(blending) }
    /// How finely the loupes' block is held.
    var loupePrecision: CanvasPrecision { plan.loupePrecision(roundsOnce: device.readsBelow) }

    // MARK: - Pictures

    /// Draws the whole canvas.
    /// - Returns: the target that holds it, straight RGBA.
    package mutating func addPicture() -> TargetName {
        let canvas = beginCanvas()
        addBase(onto: canvas)
        addLoupes(onto: canvas)
        return addFinish(canvas, in: plan.canvas)
    }

    /// What is drawn onto: the canvas itself, or a wide one that `addFinish` turns into it.
    /// - Parameter block: of the canvas; nil for all of it.
    package mutating func beginCanvas(of block: PixelRect? = nil) -> CanvasTarget {
        begin(plan.precision == .bytes ? .canvas : .wideCanvas, of: block ?? plan.canvas)
    }

    /// Makes a target for a block of the canvas.
    /// - Parameter precision: nil for the canvas's own.
    package mutating func begin(
        _ name: TargetName, of block: PixelRect, _ precision: CanvasPrecision? = nil
    ) -> CanvasTarget {
        let target = CanvasTarget(name, TargetFormat(precision ?? plan.precision), x: block.minX, y: block.minY)
        steps.append(.begin(name, target.format, width: block.width, height: block.height))
        return target
    }

    /// Draws the canvas at magnification 1, or a block of it, byte for byte as in the whole.
    package mutating func addBase(onto target: CanvasTarget, within block: PixelRect? = nil) {
        let view = block.map { plan.views[0].cut(to: $0) } ?? plan.views[0]
        addContent(of: view, hasBackground: true, onto: target)
    }

    /// Brings the base view up to date in a target of its own.
    /// - Parameter old: the plan whose base view that target holds; nil where it holds none.
    /// - Returns: the target, and the block in which it has changed.
    package mutating func addBaseView(since old: DrawPlan?) -> (target: CanvasTarget, changed: PixelRect) {
        let target = begin(.base, of: plan.canvas)
        let damage = plan.baseDamage(since: old)
        if !damage.isEmpty { addBase(onto: target, within: damage) }
        return (target, damage)
    }

    /// Copies a block of the base view, which the loupes are drawn over.
    package mutating func addCopy(of block: PixelRect, from base: CanvasTarget, to target: CanvasTarget) {
        self.base = base
        if !block.isEmpty { steps.append(.copy(block, from: base, to: target)) }
    }

    /// Draws the callouts over the shadows of their loupes, then the loupes in order, then scale bars and text, over what
    /// the canvas holds.
    package mutating func addLoupes(onto canvas: CanvasTarget) {
        let hasShadowsBelow = plan.scene.loupes.contains { $0.hasShadowBelowCallouts }
        if !hasShadowsBelow { addCallouts(onto: canvas) }
        let block = hasShadowsBelow ? loupeBounds : plan.discBounds
        if loupePrecision != plan.precision, !block.isEmpty {
            let finer = begin(.loupeBlock, of: block, loupePrecision)
            addCopy(of: canvas, in: [block], to: finer)
            if hasShadowsBelow { addCallouts(onto: finer) }
            addEachLoupe(onto: finer)
            addFinish(finer, within: block, onto: canvas)
        } else {
            if hasShadowsBelow { addCallouts(onto: canvas) }
            addEachLoupe(onto: canvas)
        }
        addOverlays(onto: canvas)
    }

    private mutating func addCallouts(onto target: CanvasTarget) {
        for loupe in plan.scene.loupes where loupe.hasShadowBelowCallouts { addShadow(of: loupe, onto: target) }
        for callout in plan.callouts { add(callout, onto: target) }
    }

    private mutating func addEachLoupe(onto target: CanvasTarget) {
        for view in plan.views {
            if case .loupe(let index) = view.view.kind { add(loupe: index, view, onto: target) }
        }
    }

    /// The pixels that `addLoupes` may change lie in this block.
    package var loupeBounds: PixelRect {
        .union(of: [plan.loupeBounds] + overlays.map { $0.intersection(plan.canvas) })
    }

    /// Writes the canvas as straight RGBA of 8 bits, or of floats for 16, within a block. A canvas of 8 bits is opaque, so
    /// it is that already.
    /// - Parameters:
    ///   - held: the block that the canvas's target holds; nil where it holds no more than is written.
    ///   - name: of the target that is made where the canvas is not finished.
    /// - Returns: the target that holds the finished canvas.
    package mutating func addFinish(
        _ canvas: CanvasTarget, of held: PixelRect? = nil, in block: PixelRect, as name: TargetName = .canvas
    ) -> TargetName {
        guard plan.precision != .bytes else { return canvas.name }
        let target = begin(name, of: held ?? block, plan.depth == .sixteen ? .floats : .bytes)
        addFinish(canvas, within: block, onto: target)
        return name
    }

    /// The steps so far, which are added to no longer.
    package mutating func takeSteps() -> [DrawStep] {
        defer { steps = [] }
        return steps
    }

    // MARK: - Steps

    mutating func addDraw(
        _ program: ShaderProgram, in blocks: [PixelRect], onto target: CanvasTarget, blend: BlendMode,
        _ inputs: ShaderInputs
    ) {
        if blocks.isEmpty { return }
        steps.append(.draw(Pass(program, in: blocks, onto: target, blend: blend, inputs)))
    }

    /// Fills blocks, no two of which overlap, with a working colour.
    mutating func addFill(
        _ color: SIMD4<Float>, in blocks: [PixelRect], onto target: CanvasTarget, blend: BlendMode = .replace
    ) {
        var inputs = ShaderInputs()
        inputs.set(.fillColor, color)
        addDraw(
            ShaderProgram(.noEdge, blending.options, content: .fill), in: blocks, onto: target, blend: blend, inputs)
    }

    /// Puts pixels in blocks of the canvas into another target, which may hold them more finely.
    /// - Parameter program: converts each pixel to what the other target holds.
    mutating func addCopy(
        of canvas: CanvasTarget, in blocks: [PixelRect], to target: CanvasTarget,
        by program: ShaderProgram = ShaderProgram(.copy)
    ) {
        var inputs = ShaderInputs()
        inputs.set(.canvas, .target(canvas.name))
        inputs.set(.canvasShift, integers: target.x - canvas.x, target.y - canvas.y)
        if program.options.contains(.dither) { inputs.set(.ditherOrigin, integers: target.x, target.y) }
        addDraw(program, in: blocks, onto: target, blend: .replace, inputs)
    }

    /// Writes a block of a finer target as straight 8-bit RGBA.
    private mutating func addFinish(_ finer: CanvasTarget, within block: PixelRect, onto target: CanvasTarget) {
        let options = blending.options.union(plan.isDithered ? .dither : [])
        addCopy(of: finer, in: [block], to: target, by: ShaderProgram(.finish, options))
    }

    /// Draws the scale bars and the text over what the canvas holds.
    private mutating func addOverlays(onto target: CanvasTarget) {
        for (index, block) in overlays.enumerated() {
            let visible = block.intersection(plan.canvas)
            guard !visible.isEmpty else { continue }
            var inputs = ShaderInputs()
            inputs.set(.opacity, 1)
            inputs.set(.image, .overlay(index))
            inputs.set(.texelShift, integers: target.x - block.minX, target.y - block.minY)
            inputs.set(.lastTexel, integers: block.width - 1, block.height - 1)
            addDraw(
                ShaderProgram(.noEdge, blending.options, content: .copy), in: [visible], onto: target, blend: .over,
                inputs)
        }
    }

    // MARK: - Views

    /// What a view shows.
    /// - Parameter hasBackground: whether the background lies under the layers; otherwise that is what the target holds.
    mutating func addContent(of view: ViewPlan, hasBackground: Bool, onto target: CanvasTarget) {
        let background = hasBackground ? plainBackground : nil
        let region = view.region
        if let background {
            addFill(background, in: region.blocks(in: view.background), onto: target)
        } else if hasBackground, case .gradient(let gradient) = plan.scene.canvas.background {
            add(gradient, of: view, onto: target)
        }
        for layer in view.layers {
            if let shadow = layer.shadow { addShadow(shadow, of: layer, in: view, onto: target) }
            if layer.isVisible { add(layer, in: view, over: background, onto: target) }
        }
        if let mark = view.mark {
            let blocks = region.blocks(in: mark.rects(in: region.bounds))
            addFill(mark.color.working(blending), in: blocks, onto: target, blend: .over)
        }
    }

    /// A gradient under the layers of a view.
    private mutating func add(_ gradient: Backdrop.Gradient, of view: ViewPlan, onto target: CanvasTarget) {
        let (width, height) = (Double(plan.canvas.width), Double(plan.canvas.height))
        let axis = gradient.axis(width: width, height: height)
        let origin = (x: view.region.bounds.minX, y: view.region.bounds.minY)
        let start = view.view.canvas(of: Point(x: Double(origin.x), y: Double(origin.y)))
        let step = (1 / (axis.length * view.view.magnification)) * axis.direction
        let first = gradient.position(of: start, width: width, height: height)
        var inputs = ShaderInputs()
        inputs.set(.opacity, 1)
        inputs.set(.pixelOrigin, integers: origin.x - target.x, origin.y - target.y)
        inputs.set(.fillColor, gradient.from.working(blending))
        inputs.set(.gradientEnd, gradient.to.working(blending))
        inputs.set(.gradientLine, SIMD3(Float(step.dx), Float(step.dy), Float(first)))
        addDraw(
            ShaderProgram(.noEdge, blending.options, content: .gradient),
            in: view.region.blocks(in: view.background), onto: target, blend: .replace, inputs)
    }

    // MARK: - Layers

    /// A layer: whole, or band by band where filtering it would take much memory.
    private mutating func add(
        _ layer: LayerPlan, in view: ViewPlan, over background: SIMD4<Float>?, onto target: CanvasTarget
    ) {
        let ink = layer.ink(limit: InkTable.entryLimit(device)) { $0.working(blending) }.map { InkTable($0) }
        let outline = layer.tangents.map { OutlineTable($0, of: layer.outline) }
        let gridLines = layer.grid.map { FloatTexture(table: $0.lines(in: layer.shadedBlock)) }
        func steps(_ source: LayerPasses.Source) -> [DrawStep] {
            LayerPasses(
                plan: layer, source: source, backdrop: layer.isBottom ? background : nil, ink: ink,
                outline: outline, gridLines: gridLines, blending: blending,
                pixelOrigin: (view.region.bounds.minX, view.region.bounds.minY)
            ).steps(onto: target)
        }
        if let source = source(of: layer, in: view) {
            self.steps += steps(source)
            return
        }
        guard case .separable(let columns, let rows) = layer.sampling, let image = image(of: layer, in: view) else {
            return
        }
        let block = layer.shadedBlock
        for band in rows.bands(of: block, textureLimit: device.largestTexture) {
            let filtered = addFirstPass(image, columns, block.minX..<block.maxX, rows, band)
            self.steps += steps(.filtered(filtered))
        }
    }

    /// Where a layer's colour comes from; nil where it is filtered by tables on the device.
    private func source(of layer: LayerPlan, in view: ViewPlan) -> LayerPasses.Source? {
        if case .fill(let color) = layer.sampling { return .fill(color.working(blending)) }
        guard let use = LayerUse(layer, in: view), let image = image(of: layer, in: view) else { return nil }
        switch layer.sampling {
        case .fill: return nil
        case .copy(let dx, let dy):
            if case .inMemory = held[use] { return .upload(use, dx: dx, dy: dy) }
            return .copy(image, dx: dx - image.x, dy: dy - image.y)
        case .linear(let columns, let rows):
            return .linear(image, columns: columns, rows: rows)
        case .drawn:
            return .copy(image, dx: -image.x, dy: -image.y)
        case .separable:
            guard case .filtered(let block) = held[use] else { return nil }
            return .filtered(FilteredLayerRows(finished: use, block))
        }
    }

    /// The texels of a layer that are a texture; nil for a plain colour.
    private func image(of layer: LayerPlan, in view: ViewPlan) -> HeldImage? {
        guard let use = LayerUse(layer, in: view) else { return nil }
        if case .block(let block) = held[use] { return HeldImage(use, block) }
        if case .drawn(let block) = layer.sampling { return HeldImage(use, block.pixels) }
        return plan.size(of: use.image).map { HeldImage(use, PixelRect(width: $0.width, height: $0.height)) }
    }

    /// The first pass of a separable filter, for some output columns and a band of output rows.
    private mutating func addFirstPass(
        _ image: HeldImage, _ columns: FilterTable, _ pixels: Range<Int>, _ rows: FilterTable, _ band: Range<Int>
    ) -> FilteredLayerRows {
        let texelRows = rows.texelRows(of: band)
        let block = PixelRect(width: pixels.count, height: texelRows.count)
        let isFine = plan.depth == .sixteen
        let target = CanvasTarget(.filteredRows, isFine ? .floatBits : .integers)
        steps.append(.begin(target.name, target.format, width: block.width, height: block.height))
        var inputs = ShaderInputs()
        inputs.set(.image, .image(image.use))
        inputs.set(.columnTable, FloatTexture(table: columns.entries(of: pixels, from: image.x, isFine: isFine)))
        inputs.set(.columnTaps, integer: columns.taps)
        if blending == .linear, !isFine {
            inputs.set(.lightTable, FloatTexture(table: FilterChannel.table(isLinear: true)))
        }
        inputs.set(.firstTexelRow, integer: texelRows.lowerBound - image.y)
        inputs.set(.lastTexel, integers: image.width - 1, image.height - 1)
        addDraw(
            ShaderProgram(.horizontalPass, blending.options.union(isFine ? .fineRows : [])), in: [block], onto: target,
            blend: .replace, inputs)
        return FilteredLayerRows(
            texture: .target(target.name), isFine: isFine,
            rowTable: FloatTexture(table: rows.entries(of: band, isFine: isFine)), rowTaps: rows.taps,
            firstColumn: pixels.lowerBound, rows: band, texelRows: texelRows)
    }
}

extension LayerUse {
    /// Nil for a plain colour.
    package init?(_ layer: LayerPlan, in view: ViewPlan) {
        guard let image = layer.imagePath else { return nil }
        self.init(view: view.index, layer: layer.index, image: image)
    }
}

import LoupeGLES
import LoupeGeometry
import LoupeJSON
import LoupePlan
import LoupeScene
import LoupeShaders

/// Draws one plan: the base view, then each loupe over it.
struct FramePainter {
    let plan: DrawPlan
    let textures: [ImagePath: Texture]
    /// What is there of images that were not held whole.
    let parts: [LayerUse: StreamedPart]
    /// Scale bars and text, from bottom to top.
    var overlays: [Overlay] = []
    let painter: Painter
    /// A target that holds the base view, where the loupes are drawn over a copy of it; nil where there is none.
    var base: Target?

    var blending: Blending { plan.scene.blending }
    /// The background's only colour; nil for a gradient.
    private var plainBackground: SIMD4<Float>? { plan.scene.canvas.background.plainColor?.working(blending) }
    /// Whether what is written to 8 bits is dithered.
    var isDithered: Bool { plan.depth == .eight && plan.scene.isDithered }
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
        try target(role, of: plan.scene.canvas.pixels, plan.precision)
    }

    /// A target for a block of the canvas.
    func target(
        _ role: FramebufferRole, of block: PixelRect, _ precision: CanvasPrecision
    ) throws(GLError) -> Target {
        let framebuffer = try painter.framebuffer(role, format(precision), width: block.width, height: block.height)
        return Target(framebuffer: framebuffer, x: block.minX, y: block.minY)
    }

    /// The canvas at magnification 1, or a block of it, byte for byte as in the whole.
    func paintBase(onto target: Target, within block: PixelRect? = nil) throws(GLError) {
        let view = block.map(plan.views[0].cut) ?? plan.views[0]
        try paintContent(view, ink: ink(of: view), .block, hasBackground: true, onto: target)
    }

    /// The callouts over the shadows of their loupes, then the loupes in order, then scale bars and text, over what the
    /// canvas holds.
    func paintLoupes(onto canvas: Target) throws(GLError) {
        try paintLoupesAlone(onto: canvas)
        try paintOverlays(onto: canvas)
    }

    private func paintLoupesAlone(onto canvas: Target) throws(GLError) {
        let hasShadowsBelow = plan.scene.loupes.contains { $0.hasShadowBelowCallouts }
        if !hasShadowsBelow { try paintCallouts(onto: canvas) }
        let block = hasShadowsBelow ? loupeBounds : plan.discBounds
        guard loupePrecision != plan.precision, !block.isEmpty else {
            if hasShadowsBelow { try paintCallouts(onto: canvas) }
            return try paintEachLoupe(onto: canvas)
        }
        let finer = try target(.loupeBlock, of: block, loupePrecision)
        try copy(canvas, .block, within: block, to: finer)
        if hasShadowsBelow { try paintCallouts(onto: finer) }
        try paintEachLoupe(onto: finer)
        try finish(finer, within: block, onto: canvas)
    }

    private func paintCallouts(onto target: Target) throws(GLError) {
        for loupe in plan.scene.loupes where loupe.hasShadowBelowCallouts { try paintShadow(of: loupe, onto: target) }
        for callout in plan.callouts { try paint(callout, onto: target) }
    }

    /// How finely the loupes' block is held.
    var loupePrecision: CanvasPrecision { plan.loupePrecision(roundsOnce: painter.context.readsBelow) }

    private func paintEachLoupe(onto target: Target) throws(GLError) {
        for view in plan.views {
            if case .loupe(let index) = view.view.kind { try paint(loupe: index, view, onto: target) }
        }
    }

    /// Puts pixels of a block of the canvas into another target, which may hold them more finely.
    ///
    /// - Parameter shader: converts each pixel to what the other target holds.
    func copy(
        _ canvas: Target, _ region: MeshRegion, within block: PixelRect, to target: Target,
        by shader: ShaderProgram = ShaderProgram(.copy)
    ) throws(GLError) {
        let texture = canvas.framebuffer.texture
        try painter.draw(shader, region, in: [block], onto: target, blend: .replace) { program in
            program.set(.canvas, texture, unit: 0)
            program.set(.canvasShift, integers: target.x - canvas.x, target.y - canvas.y)
            if shader.options.contains(.dither) { program.set(.ditherOrigin, integers: target.x, target.y) }
        }
    }

    /// Writes a block of a finer target as straight 8-bit RGBA.
    private func finish(_ finer: Target, within block: PixelRect, onto target: Target) throws(GLError) {
        let options = blending.options.union(isDithered ? .dither : [])
        try copy(finer, .block, within: block, to: target, by: ShaderProgram(.finish, options))
    }

    /// Every pixel that `paintLoupes` may change lies in this block.
    var loupeBounds: PixelRect {
        .union(of: [plan.loupeBounds] + overlays.map { $0.block.intersection(plan.scene.canvas.pixels) })
    }

    private var outputFormat: Texture.Format { plan.depth == .sixteen ? .rgba32F : .rgba8 }

    /// The canvas as straight RGBA of 8 bits, or of floats for 16, brought up to date within a block.
    ///
    /// A canvas of 8 bits is opaque, so it is that already.
    /// - Parameter role: of the target that is finished where the canvas is not.
    func finished(
        _ canvas: Target, in block: PixelRect, as role: FramebufferRole = .canvas
    ) throws(GLError) -> Framebuffer {
        guard plan.precision != .bytes else { return canvas.framebuffer }
        let (width, height) = (canvas.framebuffer.width, canvas.framebuffer.height)
        let target = Target(
            framebuffer: try painter.framebuffer(role, outputFormat, width: width, height: height), x: canvas.x,
            y: canvas.y)
        try finish(canvas, within: block, onto: target)
        return target.framebuffer
    }

    /// - Parameters:
    ///   - ink: of each of the view's layers.
    ///   - hasBackground: whether the background lies under the layers; otherwise that is what the target holds.
    func paintContent(
        _ view: ViewPlan, ink: [[InkTexture]], _ region: MeshRegion, hasBackground: Bool, onto target: Target
    ) throws(GLError) {
        let background = hasBackground ? plainBackground : nil
        if let background {
            try painter.fill(background, region, in: view.background, onto: target, blending: blending)
        } else if hasBackground, case .gradient(let gradient) = plan.scene.canvas.background {
            try paint(gradient, region, of: view, onto: target)
        }
        for (layer, ink) in zip(view.layers, ink) {
            if let shadow = layer.shadow { try paint(shadow, of: layer, region, of: view, onto: target) }
            guard layer.isVisible else { continue }
            try forEachPart(of: layer, ink: ink, in: view, over: background) { (part) throws(GLError) in
                try part.paint(region, onto: target, by: painter)
            }
        }
        if let mark = view.mark {
            try painter.fill(
                mark.color.working(blending), region, in: mark.rects(in: view.region.bounds), onto: target,
                blending: blending, blend: .over)
        }
    }

    /// A gradient under the layers of a view.
    private func paint(
        _ gradient: Backdrop.Gradient, _ region: MeshRegion, of view: ViewPlan, onto target: Target
    ) throws(GLError) {
        let canvas = plan.scene.canvas
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let axis = gradient.axis(width: width, height: height)
        let origin = (x: view.region.bounds.minX, y: view.region.bounds.minY)
        let start = view.view.canvas(of: Point(x: Double(origin.x), y: Double(origin.y)))
        let step = (1 / (axis.length * view.view.magnification)) * axis.direction
        let first = gradient.position(of: start, width: width, height: height)
        let isDithered = self.isDithered && target.framebuffer.texture.format == .rgba8
        let options = blending.options.union(isDithered ? .dither : [])
        try painter.draw(
            ShaderProgram(.noEdge, options, content: .gradient), region, in: view.background, onto: target,
            blend: .replace
        ) { [blending] program in
            program.set(.opacity, 1)
            program.set(.pixelOrigin, integers: origin.x - target.x, origin.y - target.y)
            program.set(.fillColor, gradient.from.working(blending))
            program.set(.gradientEnd, gradient.to.working(blending))
            program.set(.gradientLine, SIMD3(Float(step.dx), Float(step.dy), Float(first)))
            if isDithered { program.set(.ditherOrigin, integers: target.x, target.y) }
        }
    }
}

extension DrawPlan {
    /// Every pixel that a callout, a disc or its shadow may change lies in this block.
    var loupeBounds: PixelRect { .union(of: [discBounds] + callouts.map { $0.bounds(in: scene.canvas.pixels) }) }

    /// Every pixel that a disc or its shadow may change lies in this block.
    fileprivate var discBounds: PixelRect {
        let discs = views.dropFirst().map { $0.region.bounds }
        let casings = scene.loupes.compactMap { loupe in
            loupe.rim?.casing.map {
                Border(of: loupe).block(grownBy: $0.width + 1).intersection(scene.canvas.pixels)
            }
        }
        let shadows = scene.loupes.compactMap { loupe in
            loupe.shadow.map { $0.bounds(of: loupe).intersection(scene.canvas.pixels) }
        }
        return .union(of: discs + casings + shadows)
    }
}

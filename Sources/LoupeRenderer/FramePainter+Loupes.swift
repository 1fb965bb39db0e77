import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// Draws one loupe: its shadow, its content, the other half where it is split, then its rim and feather.
extension FramePainter {
    /// - Parameter index: of the loupe in the scene.
    func paint(loupe index: Int, _ view: ViewPlan, onto canvas: Target) throws(GLError) {
        let loupe = plan.scene.loupes[index]
        let parts = LoupeParts(of: loupe, within: view.region.bounds)
        if !loupe.hasShadowBelowCallouts { try paintShadow(of: loupe, onto: canvas) }
        if let casing = loupe.rim?.casing { try paint(casing, of: loupe, onto: canvas) }
        guard !parts.bounds.isEmpty else { return }
        let below = try below(index, parts, on: canvas)
        try paintContent(of: loupe, view, parts.whole, onto: canvas)
        let shadows = shadows(onDiscOf: index, in: parts.bounds)
        if shadows.isEmpty {
            return try paintBorder(of: loupe, loupe.rim, parts, below: below, onto: canvas)
        }
        // The rim alone, the shadows over it and the content, then the feather alone.
        try paintBorder(of: loupe, loupe.rim, parts, below: below, isFeathered: false, onto: canvas)
        for other in shadows { try paintShadow(of: other, on: (parts.whole, parts.bounds), onto: canvas) }
        try paintBorder(of: loupe, nil, parts, below: below, onto: canvas)
    }

    /// What the canvas holds under a loupe's border, in another target: a copy, or the base view where nothing lies over it
    /// yet.
    private func below(_ index: Int, _ parts: LoupeParts, on canvas: Target) throws(GLError) -> Target {
        let loupe = plan.scene.loupes[index]
        let isOverBase =
            index == 0 && loupePrecision == plan.precision && loupe.shadow == nil && loupe.rim?.casing == nil
            && plan.callouts.isEmpty && !plan.scene.loupes.contains { $0.hasShadowBelowCallouts }
        if isOverBase, let base { return base }
        let below = try target(.below, of: parts.bounds, loupePrecision)
        try copy(canvas, parts.border, within: parts.bounds, to: below)
        return below
    }

    /// The later loupes whose shadows lie below the callouts and fall on a loupe's disc.
    private func shadows(onDiscOf index: Int, in bounds: PixelRect) -> [Loupe] {
        if plan.scene.loupes[index].outside == .transparent { return [] }
        return plan.scene.loupes[(index + 1)...].filter { other in
            other.hasShadowBelowCallouts
                && other.shadow.map { !$0.bounds(of: other).intersection(bounds).isEmpty } == true
        }
    }

    /// How one picture is composited over another, each with its weight in a pixel: a part of what is there is removed, then
    /// the sum is added. An opaque canvas stays opaque, so one blend does both.
    private var blendSteps: [Blend] { plan.scene.canvas.background.isOpaque ? [.over] : [.erase, .add] }

    // MARK: - Border

    /// Composites the rim over a loupe's content, and what was below the loupe over both by the weight that the feather
    /// gives it.
    /// - Parameters:
    ///   - below: what the canvas held before the loupe.
    ///   - isFeathered: whether the loupe covers only a part of the pixels on its border; all of them otherwise.
    private func paintBorder(
        of loupe: Loupe, _ rim: Loupe.Rim?, _ parts: LoupeParts, below: Target, isFeathered: Bool = true,
        onto canvas: Target
    ) throws(GLError) {
        let border = try BorderInputs(ofRim: loupe, parts, on: painter.context)
        for blend in blendSteps {
            try painter.draw(
                ShaderProgram(.rim, border.options), parts.border, in: [parts.bounds], onto: canvas, blend: blend
            ) { program in
                border.bindRim(program, width: rim?.width ?? 0, onto: canvas)
                program.set(.borderShift, isFeathered ? 0 : 1)
                program.set(.below, below.framebuffer.texture, unit: 0)
                program.set(.belowShift, integers: canvas.x - below.x, canvas.y - below.y)
                program.set(.rimColor, rim?.color.working(blending) ?? .zero)
                program.set(.adds, blend == .add ? 1 : 0)
            }
        }
    }

    // MARK: - Shadow

    /// A loupe's shadow; nothing if it has none.
    /// - Parameter place: the pixels of another loupe on which it falls, and their bounds; nil for all around the loupe.
    func paintShadow(
        of loupe: Loupe, on place: (region: MeshRegion, bounds: PixelRect)? = nil, onto canvas: Target
    ) throws(GLError) {
        guard let shadow = loupe.shadow else { return }
        let whole = shadow.bounds(of: loupe).intersection(plan.scene.canvas.pixels)
        let block = place.map { $0.bounds.intersection(whole) } ?? whole
        guard !block.isEmpty else { return }
        let parts = LoupeParts(of: loupe, within: Border(of: loupe).block(grownBy: 1).intersection(whole))
        // Where the loupe is left out of its own shadow.
        let hole = loupe.outside == .transparent ? block.intersection(parts.bounds) : PixelRect(width: 0, height: 0)
        try paint(
            shadow, of: Border(of: loupe), place?.region ?? parts.surroundings, in: [block], hole: hole, onto: canvas)
    }

    /// The shadow of a layer in a view, outside of the layer's border.
    func paint(
        _ shadow: Loupe.Shadow, of layer: LayerPlan, _ region: MeshRegion, of view: ViewPlan, onto target: Target
    ) throws(GLError) {
        let reach = shadow.reach + 1
        let rect = layer.outline.rect
        let block = PixelRect(
            around: rect.center + shadow.offset, across: rect.width / 2 + reach, down: rect.height / 2 + reach
        ).intersection(view.region.bounds)
        guard !block.isEmpty else { return }
        let inside = PixelSpans(of: layer.outline, deeperThan: 0.5, within: block).blocks
        try paint(
            shadow, of: .outline(layer.outline), region, in: block.without(inside),
            hole: Border.outline(layer.outline).block(grownBy: 1).intersection(block), onto: target)
    }

    /// Draws a border's shadow in some blocks.
    /// - Parameter hole: the block in which the caster is cut out of its own shadow; empty where it is not cut out.
    private func paint(
        _ shadow: Loupe.Shadow, of shape: Border, _ region: MeshRegion, in blocks: [PixelRect], hole: PixelRect,
        onto canvas: Target
    ) throws(GLError) {
        let block = PixelRect.union(of: blocks)
        guard !block.isEmpty else { return }
        let border = try BorderInputs(of: shadow, of: shape, in: block, hole: hole, on: painter.context)
        var options = border.options
        if !hole.isEmpty { options.insert(.hole) }
        let readsBelow = painter.context.readsBelow
        if readsBelow { options.insert(.readsBelow) }
        let isDithered = self.isDithered && readsBelow && canvas.framebuffer.texture.format == .rgba8
        if isDithered { options.insert(.dither) }
        try painter.draw(
            ShaderProgram(.shadow, options), region, in: blocks, onto: canvas, blend: readsBelow ? .replace : .over
        ) { [blending] program in
            border.bindShadow(program, of: shape, movedBy: shadow.offset, hasHole: !hole.isEmpty, onto: canvas)
            program.set(.shadowScale, shadow.scale)
            program.set(.shadowColor, shadow.color.working(blending))
            if isDithered { program.set(.ditherOrigin, integers: canvas.x, canvas.y) }
        }
    }

    // MARK: - Content

    /// What a loupe shows, both halves of it.
    private func paintContent(
        of loupe: Loupe, _ view: ViewPlan, _ region: MeshRegion, onto canvas: Target
    ) throws(GLError) {
        let other = try otherHalf(of: loupe, view, over: canvas)
        try paintContent(
            view, ink: try ink(of: view), region, hasBackground: loupe.outside != .transparent, onto: canvas)
        if let other { try paint(other, of: loupe, view, region, onto: canvas) }
    }

    /// The other half of a split loupe in a target of its own, drawn before the first half; nil where the loupe is not split.
    private func otherHalf(of loupe: Loupe, _ view: ViewPlan, over canvas: Target) throws(GLError) -> Target? {
        guard case .loupe(let index) = view.view.kind, let other = plan.otherHalves[index] else { return nil }
        let bounds = view.region.bounds
        let content = try target(.otherHalf, of: bounds, loupePrecision)
        let isTransparent = loupe.outside == .transparent
        if isTransparent { try copy(canvas, .block, within: bounds, to: content) }
        try paintContent(
            other, ink: try ink(of: other), .block, hasBackground: !isTransparent, onto: content)
        return content
    }

    /// Composites the other half, with the divider, over the first one.
    private func paint(
        _ other: Target, of loupe: Loupe, _ view: ViewPlan, _ region: MeshRegion, onto canvas: Target
    ) throws(GLError) {
        guard let split = loupe.split else { return }
        let direction = split.direction
        // From the content's first pixel.
        let (dx, dy) = (loupe.center.x - Double(other.x), loupe.center.y - Double(other.y))
        let halfLine = SIMD3(Float(direction.dx), Float(direction.dy), Float(-(dx * direction.dx + dy * direction.dy)))
        for blend in blendSteps {
            try painter.draw(
                ShaderProgram(.split), region, in: [view.region.bounds], onto: canvas, blend: blend
            ) { program in
                program.set(.pixelOrigin, integers: other.x - canvas.x, other.y - canvas.y)
                program.set(.loupeContent, other.framebuffer.texture, unit: 0)
                program.set(.contentShift, integers: canvas.x - other.x, canvas.y - other.y)
                program.set(.halfLine, halfLine)
                program.set(.dividerColor, split.divider?.color.working(blending) ?? .zero)
                program.set(.dividerWidth, Float(split.divider?.width ?? 0))
                program.set(.adds, blend == .add ? 1 : 0)
            }
        }
    }
}

/// What `rim.frag` and `shadow.frag` read of a loupe's border. A disc has cheaper variants of both.
private struct BorderInputs {
    private enum Shape {
        case disc(Circle)
        case outline(OutlineTexture)
    }

    private let shape: Shape
    /// The canvas pixel that shader positions are relative to.
    private let origin: (x: Int, y: Int)

    var options: ShaderOptions { if case .outline = shape { .outline } else { [] } }

    /// For the rim and the feather.
    init(ofRim loupe: Loupe, _ parts: LoupeParts, on context: Context) throws(GLError) {
        switch Border(of: loupe) {
        case .disc(let disc):
            (shape, origin) = (.disc(disc), disc.center.wholePixel)
        case .outline(let outline):
            let tangents = OutlineTangents(
                of: outline, seenIn: [parts.bounds], depth: (loupe.rim?.width ?? 0) + 0.5, reach: 0.5)
            shape = .outline(try OutlineTexture(tangents, of: outline, on: context))
            origin = (parts.bounds.minX, parts.bounds.minY)
        }
    }

    /// For a shadow in a block.
    /// - Parameter hole: the block in which the caster is cut out of its shadow. The shadow's tangents have to measure
    ///   there too.
    init(
        of shadow: Loupe.Shadow, of border: Border, in block: PixelRect, hole: PixelRect, on context: Context
    ) throws(GLError) {
        switch border {
        case .disc(let disc):
            let moved = Circle(center: disc.center + shadow.offset, radius: disc.radius)
            (shape, origin) = (.disc(moved), moved.center.wholePixel)
        case .outline(let outline):
            let moved = outline.offset(by: shadow.offset)
            let tangents = OutlineTangents(
                of: moved, seenIn: hole.isEmpty ? [block] : [block, hole.offset(by: shadow.offset)],
                depth: shadow.reach, reach: shadow.reach, tolerance: shadow.tolerance)
            shape = .outline(try OutlineTexture(tangents, of: moved, on: context))
            origin = (block.minX, block.minY)
        }
    }

    func bindRim(_ program: Program, width: Double, onto canvas: Target) {
        program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        switch shape {
        case .disc(let disc):
            program.set(.discCenter, disc.center.position(from: origin))
            program.set(.discRadius, Float(disc.radius))
            program.set(.rimInnerRadius, Float(disc.radius - width))
        case .outline(let texture):
            texture.bind(program, from: origin, unit: 1)
            program.set(.rimWidth, Float(width))
        }
    }

    func bindShadow(
        _ program: Program, of border: Border, movedBy offset: Vector, hasHole: Bool, onto canvas: Target
    ) {
        program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        switch shape {
        case .disc(let disc):
            program.set(.shadowCenter, disc.center.position(from: origin))
            program.set(.shadowRadius, Float(disc.radius))
            guard hasHole else { return }
            program.set(.discCenter, border.center.position(from: origin))
            program.set(.discRadius, Float(disc.radius))
        case .outline(let texture):
            texture.bind(program, from: origin, unit: 0)
            if hasHole { program.set(.shadowOffset, SIMD2(Float(offset.dx), Float(offset.dy))) }
        }
    }
}

extension Point {
    /// As `fragPosition()` of the shaders has it, which is relative to a whole pixel.
    func position(from origin: (x: Int, y: Int)) -> SIMD2<Float> {
        SIMD2(Float(x - Double(origin.x)), Float(y - Double(origin.y)))
    }

    fileprivate var wholePixel: (x: Int, y: Int) { (x: Int(x.rounded(.down)), y: Int(y.rounded(.down))) }
}

/// The pixels of a loupe that each of its steps draws.
struct LoupeParts {
    /// Every pixel of the loupe lies in this block.
    let bounds: PixelRect
    /// All of them, each once, and few others.
    let whole: MeshRegion
    /// All but those inside, where neither rim nor feather shows.
    let border: MeshRegion
    /// Where its shadow may show.
    let surroundings: MeshRegion

    /// - Parameter bounds: what the canvas holds of the loupe.
    init(of loupe: Loupe, within bounds: PixelRect) {
        self.bounds = bounds
        guard let outline = loupe.outline else {
            let rings = DiscRings(of: loupe)
            (whole, border) = (.disc(rings), .ring(rings.border))
            surroundings = loupe.shadow.map { .ring($0.rings(of: loupe)) } ?? .blocks([])
            return
        }
        let inside = PixelSpans(of: outline, deeperThan: (loupe.rim?.width ?? 0) + 0.5, within: bounds).blocks
        (whole, border) = (.block, .blocks(bounds.without(inside)))
        surroundings = loupe.shadow.map { .blocks($0.bounds(of: loupe).without(inside)) } ?? .blocks([])
    }
}

extension Loupe {
    /// Whether the shadow is drawn before all callouts, so that the loupe's own lies above it.
    var hasShadowBelowCallouts: Bool { shadow != nil && callout != nil }
}

extension Loupe.Shadow {
    /// Beyond this many standard deviations the shadow is under a thousandth of its strength.
    private static let deviations = 3.3
    /// A shadow without blur is the limit of ever smaller ones; this one is as small as 32-bit distances resolve.
    private static let leastDeviation = 1e-6

    private var deviation: Double { max(blur / 2, Self.leastDeviation) }
    /// 1/(σ·√2), per pixel.
    fileprivate var scale: Float { Float(1 / (deviation * 2.0.squareRoot())) }
    /// How far from the loupe's border, moved by the offset, the shadow changes, in pixels.
    fileprivate var reach: Double { 1 + Self.deviations * deviation }
    /// How exact the distance has to be for a thousandth of the shadow's strength, as far as 32-bit distances are.
    fileprivate var tolerance: Double {
        min(max(0.0025 * deviation, Self.leastDeviation), CornerTangents.tolerance)
    }

    /// The radius around the moved disc's centre beyond which its shadow does not show.
    private func outerRadius(of loupe: Loupe) -> Double { loupe.radius + 1 + Self.deviations * deviation }

    /// Where the shadow of a disc shows: around the moved disc, as far as its blur reaches.
    fileprivate func rings(of loupe: Loupe) -> DiscRings {
        let center = loupe.center + offset
        let outer = outerRadius(of: loupe)
        // The loupe's own disc covers all of the shadow inside it, where it lies wholly within the shadow's reach.
        let inner = loupe.radius - 0.5
        let isWithin = offset.length + inner < outer
        return DiscRings(
            center: isWithin ? loupe.center : center, innerRadius: isWithin ? inner : 0, outerRadius: outer,
            outerCenter: center)
    }

    /// Every pixel that the shadow of a loupe reaches lies in this block.
    func bounds(of loupe: Loupe) -> PixelRect {
        guard let border = loupe.outline?.rect else {
            let reach = outerRadius(of: loupe) + 1
            return PixelRect(around: loupe.center + offset, across: reach, down: reach)
        }
        let reach = reach + 1
        return PixelRect(
            around: loupe.center + offset, across: border.width / 2 + reach, down: border.height / 2 + reach)
    }
}

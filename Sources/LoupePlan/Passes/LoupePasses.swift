import LoupeBase
import LoupeScene

/// One loupe: its shadow, its content, the other half where it is split, then its rim and feather.
extension FramePasses {
    /// - Parameter index: of the loupe in the scene.
    mutating func add(loupe index: Int, _ view: ViewPlan, onto canvas: CanvasTarget) {
        let (opacity, block) = (plan.scene.loupes[index].opacity, plan.bounds(ofLoupe: index, view))
        guard opacity < 1, !block.isEmpty else { return addWhole(loupe: index, view, onto: canvas) }
        let before = begin(.beforeLoupe, of: block, loupePrecision)
        addCopy(of: canvas, in: [block], to: before)
        addWhole(loupe: index, view, onto: canvas)
        // The coverage of a half plane whose border is everywhere at the same distance.
        addMix(of: before, byLine: SIMD3(0, 0, Float(0.5 - opacity)), in: [block], onto: canvas)
    }

    private mutating func addWhole(loupe index: Int, _ view: ViewPlan, onto canvas: CanvasTarget) {
        let loupe = plan.scene.loupes[index]
        let bounds = view.region.bounds
        if !loupe.hasShadowBelowCallouts { addShadow(of: loupe, onto: canvas) }
        if let casing = loupe.rim?.casing { add(casing, of: loupe, onto: canvas) }
        guard !bounds.isEmpty else { return }
        // All of it but where neither rim nor feather shows.
        let depth = max(loupe.rim?.width ?? 0, 0) + 0.5
        let edge = view.region.blocks(without: Region(of: Border(of: loupe), deeperThan: depth, within: bounds))
        let below = addBelow(index, edge, of: bounds, on: canvas)
        addContent(ofLoupe: index, view, onto: canvas)
        let shadows = shadows(onDiscOf: index, in: bounds)
        let border = BorderInputs(Border(of: loupe), seenIn: [bounds], depth: depth)
        if shadows.isEmpty { return add(border, loupe.rim, in: edge, below: below, onto: canvas) }
        // The rim alone, the shadows over it and the content, then the feather alone.
        add(border, loupe.rim, in: edge, below: below, isFeathered: false, onto: canvas)
        for other in shadows { addShadow(of: other, on: view.region, onto: canvas) }
        add(border, nil, in: edge, below: below, onto: canvas)
    }

    /// What the canvas holds under a loupe's border, in another target: a copy, or the base view where nothing lies over it
    /// yet.
    private mutating func addBelow(
        _ index: Int, _ edge: [PixelRect], of bounds: PixelRect, on canvas: CanvasTarget
    ) -> CanvasTarget {
        let loupe = plan.scene.loupes[index]
        let isOverBase =
            index == 0 && loupePrecision == plan.precision && loupe.shadow == nil && loupe.rim?.casing == nil
            && plan.callouts.isEmpty && !plan.scene.loupes.contains { $0.hasShadowBelowCallouts }
        if isOverBase, let base { return base }
        let below = begin(.below, of: bounds, loupePrecision)
        addCopy(of: canvas, in: edge, to: below)
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
    private var blendSteps: [BlendMode] { plan.scene.canvas.background.isOpaque ? [.over] : [.erase, .add] }

    // MARK: - Border

    /// Composites the rim over a loupe's content, and what was below the loupe over both by the weight that the feather
    /// gives it.
    /// - Parameters:
    ///   - below: what the canvas held before the loupe.
    ///   - isFeathered: whether the loupe covers only a part of the pixels on its border; all of them otherwise.
    private mutating func add(
        _ border: BorderInputs, _ rim: Loupe.Rim?, in edge: [PixelRect], below: CanvasTarget, isFeathered: Bool = true,
        onto canvas: CanvasTarget
    ) {
        for blend in blendSteps {
            var inputs = ShaderInputs()
            border.set(&inputs, onto: canvas)
            inputs.set(.rimWidth, Float(rim?.width ?? 0))
            inputs.set(.borderShift, isFeathered ? 0 : 1)
            inputs.set(.below, .target(below.name))
            inputs.set(.belowShift, integers: canvas.x - below.x, canvas.y - below.y)
            inputs.set(.rimColor, rim?.color.working(blending) ?? .zero)
            inputs.set(.adds, blend == .add ? 1 : 0)
            addDraw(ShaderProgram(.rim, border.options), in: edge, onto: canvas, blend: blend, inputs)
        }
    }

    // MARK: - Shadow

    /// A loupe's shadow; nothing if it has none.
    /// - Parameter other: the pixels of another loupe on which it falls; nil for all around the loupe.
    mutating func addShadow(of loupe: Loupe, on other: Region? = nil, onto canvas: CanvasTarget) {
        guard let shadow = loupe.shadow else { return }
        let whole = shadow.bounds(of: loupe).intersection(plan.canvas)
        let block = other.map { $0.bounds.intersection(whole) } ?? whole
        guard !block.isEmpty else { return }
        let border = Border(of: loupe)
        let blocks =
            other?.blocks(in: [whole])
            ?? shadow.region(of: border, within: whole).blocks(
                without: Region(of: border, deeperThan: 0.5, within: whole))
        // Where the loupe is left out of its own shadow.
        let hole =
            loupe.isSeenThrough ? block.intersection(border.block(grownBy: 1)) : PixelRect(width: 0, height: 0)
        add(
            shadow, of: border, in: blocks, of: block, hole: hole,
            opacity: loupe.hasShadowBelowCallouts ? loupe.opacity : 1, onto: canvas)
    }

    /// The shadow of a layer in a view, outside of the layer's border.
    mutating func addShadow(
        _ shadow: Loupe.Shadow, of layer: LayerPlan, in view: ViewPlan, onto target: CanvasTarget
    ) {
        let rect = layer.outline.rect
        let half = Vector(dx: rect.width / 2, dy: rect.height / 2)
        let block = shadow.bounds(around: rect.center, half).intersection(view.region.bounds)
        guard !block.isEmpty else { return }
        let border = Border.outline(layer.outline)
        let outside = Region(bounds: block).blocks(without: Region(of: border, deeperThan: 0.5, within: block))
        let blocks = view.region.blocks(in: outside.map { $0.intersection(view.drawn) })
        add(shadow, of: border, in: blocks, of: block, hole: border.block(grownBy: 1).intersection(block), onto: target)
    }

    /// Draws a border's shadow in some blocks.
    /// - Parameters:
    ///   - block: the block of the whole shadow, wherever it is drawn.
    ///   - hole: the block in which the caster is cut out of its own shadow; empty where it is not cut out.
    private mutating func add(
        _ shadow: Loupe.Shadow, of shape: Border, in blocks: [PixelRect], of block: PixelRect, hole: PixelRect,
        opacity: Double = 1, onto canvas: CanvasTarget
    ) {
        if blocks.isEmpty { return }
        // Where the caster is cut out, the shadow's border measures too, moved back.
        let border = BorderInputs(
            shape.moved(by: shadow.offset), seenIn: hole.isEmpty ? [block] : [block, hole.offset(by: shadow.offset)],
            depth: shadow.reach, reach: shadow.reach, tolerance: shadow.tolerance)
        var options = border.options
        if !hole.isEmpty { options.insert(.hole) }
        if device.readsBelow { options.insert(.readsBelow) }
        var inputs = ShaderInputs()
        border.set(&inputs, onto: canvas)
        if !hole.isEmpty { inputs.set(.shadowOffset, SIMD2(Float(shadow.offset.dx), Float(shadow.offset.dy))) }
        inputs.set(.shadowScale, shadow.scale)
        inputs.set(.shadowColor, shadow.color.working(blending) * Float(opacity))
        addDraw(
            ShaderProgram(.shadow, options), in: blocks, onto: canvas, blend: device.readsBelow ? .replace : .over,
            inputs)
    }

    // MARK: - Content

    /// What a loupe shows, both halves of it. The other half of a split loupe is drawn first, in a target of its own.
    private mutating func addContent(ofLoupe index: Int, _ view: ViewPlan, onto canvas: CanvasTarget) {
        let loupe = plan.scene.loupes[index]
        let isTransparent = loupe.outside == .transparent
        guard let split = loupe.split, let otherHalf = plan.otherHalves[index] else {
            return addContent(of: view, hasBackground: !isTransparent, onto: canvas)
        }
        let blocks = view.region.blocks(in: [view.region.bounds])
        let other = begin(.otherHalf, of: view.region.bounds, loupePrecision)
        if isTransparent { addCopy(of: canvas, in: blocks, to: other) }
        addContent(of: otherHalf, hasBackground: !isTransparent, onto: other)
        addContent(of: view, hasBackground: !isTransparent, onto: canvas)
        // Over the first half comes the other one, with the divider.
        let direction = split.direction
        // From the content's first pixel.
        let (dx, dy) = (loupe.center.x - Double(other.x), loupe.center.y - Double(other.y))
        let halfLine = SIMD3(Float(direction.dx), Float(direction.dy), Float(-(dx * direction.dx + dy * direction.dy)))
        addMix(of: other, byLine: halfLine, divider: split.divider, in: blocks, onto: canvas)
    }

    /// Replaces what the canvas holds by another target's pixels, each by the coverage of its half plane.
    private mutating func addMix(
        of other: CanvasTarget, byLine halfLine: SIMD3<Float>, divider: Loupe.Split.Divider? = nil,
        in blocks: [PixelRect], onto canvas: CanvasTarget
    ) {
        for blend in blendSteps {
            var inputs = ShaderInputs()
            inputs.set(.pixelOrigin, integers: other.x - canvas.x, other.y - canvas.y)
            inputs.set(.loupeContent, .target(other.name))
            inputs.set(.contentShift, integers: canvas.x - other.x, canvas.y - other.y)
            inputs.set(.halfLine, halfLine)
            inputs.set(.dividerColor, divider?.color.working(blending) ?? .zero)
            inputs.set(.dividerWidth, Float(divider?.width ?? 0))
            inputs.set(.adds, blend == .add ? 1 : 0)
            addDraw(ShaderProgram(.split), in: blocks, onto: canvas, blend: blend, inputs)
        }
    }
}

/// The values of a border that the shaders of rims, shadows and callouts read, for `common/border.glsl`. A disc has cheaper
/// variants of them.
struct BorderInputs {
    /// The canvas pixel that shader positions are relative to.
    let origin: (x: Int, y: Int)
    private let border: Border
    /// Nil for a disc.
    private let outline: OutlineTable?

    var options: ShaderOptions { outline == nil ? [] : .outline }

    /// - Parameter blocks: the pixels that measure the distance, as `OutlineTangents` has them; the first is not empty.
    init(
        _ border: Border, seenIn blocks: [PixelRect], depth: Double = 0.5, reach: Double = 0.5,
        tolerance: Double = OutlineTangents.tolerance
    ) {
        self.border = border
        switch border {
        case .disc(let disc):
            outline = nil
            origin = (x: Int(disc.center.x.rounded(.down)), y: Int(disc.center.y.rounded(.down)))
        case .outline(let shape):
            let tangents = OutlineTangents(of: shape, seenIn: blocks, depth: depth, reach: reach, tolerance: tolerance)
            outline = OutlineTable(tangents, of: shape)
            origin = (blocks[0].minX, blocks[0].minY)
        }
    }

    func set(_ inputs: inout ShaderInputs, onto canvas: CanvasTarget) {
        inputs.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        outline?.set(&inputs, from: origin)
        if case .disc(let disc) = border {
            inputs.set(.discCenter, disc.center.position(from: origin))
            inputs.set(.discRadius, Float(disc.radius))
        }
    }
}

extension Border {
    /// The border moved by a displacement.
    fileprivate func moved(by offset: Vector) -> Border {
        switch self {
        case .disc(let disc): .disc(Circle(center: disc.center + offset, radius: disc.radius))
        case .outline(let outline): .outline(outline.offset(by: offset))
        }
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
        min(max(0.0025 * deviation, Self.leastDeviation), OutlineTangents.tolerance)
    }

    /// The pixels of a block in which the shadow of a border shows; for an outline the whole block, as its rows are slow to
    /// measure.
    fileprivate func region(of border: Border, within block: PixelRect) -> Region {
        guard case .disc = border else { return Region(bounds: block) }
        return Region(of: border.moved(by: offset), deeperThan: -reach, within: block)
    }

    /// Every pixel that the shadow of a loupe reaches lies in this block.
    func bounds(of loupe: Loupe) -> PixelRect { bounds(around: loupe.center, loupe.halfSides) }

    /// The same for a border with a centre and half sides.
    fileprivate func bounds(around center: Point, _ half: Vector) -> PixelRect {
        PixelRect(around: center + offset, across: half.dx + reach + 1, down: half.dy + reach + 1)
    }
}

extension DrawPlan {
    /// Whether what is written to 8 bits is dithered.
    var isDithered: Bool { depth == .eight && scene.isDithered }

    /// Every pixel that a callout, a disc or its shadow may change lies in this block.
    package var loupeBounds: PixelRect { .union(of: [discBounds] + callouts.map { $0.bounds(in: canvas) }) }

    /// Every pixel that a disc or its shadow may change lies in this block.
    var discBounds: PixelRect {
        .union(
            of: views.compactMap { view in
                if case .loupe(let index) = view.view.kind { bounds(ofLoupe: index, view) } else { nil }
            })
    }

    /// Every pixel that a loupe, its casing or its shadow may change lies in this block.
    func bounds(ofLoupe index: Int, _ view: ViewPlan) -> PixelRect {
        let loupe = scene.loupes[index]
        let casing = loupe.rim?.casing.map { Border(of: loupe).block(grownBy: $0.width + 1) }
        let around = [casing, loupe.shadow?.bounds(of: loupe)].compactMap { $0?.intersection(canvas) }
        return .union(of: [view.region.bounds] + around)
    }
}

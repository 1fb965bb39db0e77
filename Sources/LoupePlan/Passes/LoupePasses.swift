import LoupeBase
import LoupeScene

/// One loupe: its shadow, its content, the other half where it is split, then its rim and feather.
extension FramePasses {
    /// - Parameter index: of the loupe in the scene.
    mutating func add(loupe index: Int, _ view: ViewPlan, onto canvas: CanvasTarget) {
        let (opacity, block) = (plan.scene.loupes[index].opacity, plan.bounds(ofLoupe: index, view))
        guard opacity < 1, !block.isEmpty else { return addWhole(loupe: index, view, onto: canvas) }
        let before = begin(.beforeLoupe, of: block, loupePrecision)
        addCopy(of: canvas, .block, within: block, to: before)
        addWhole(loupe: index, view, onto: canvas)
        // The coverage of a half plane whose border is everywhere at the same distance.
        addMix(of: before, byLine: SIMD3(0, 0, Float(0.5 - opacity)), .block, in: block, onto: canvas)
    }

    private mutating func addWhole(loupe index: Int, _ view: ViewPlan, onto canvas: CanvasTarget) {
        let loupe = plan.scene.loupes[index]
        let parts = LoupeParts(of: loupe, within: view.region.bounds)
        if !loupe.hasShadowBelowCallouts { addShadow(of: loupe, onto: canvas) }
        if let casing = loupe.rim?.casing { add(casing, of: loupe, onto: canvas) }
        guard !parts.bounds.isEmpty else { return }
        let below = addBelow(index, parts, on: canvas)
        addContent(ofLoupe: index, view, parts.whole, onto: canvas)
        let shadows = shadows(onDiscOf: index, in: parts.bounds)
        if shadows.isEmpty { return addBorder(of: loupe, loupe.rim, parts, below: below, onto: canvas) }
        // The rim alone, the shadows over it and the content, then the feather alone.
        addBorder(of: loupe, loupe.rim, parts, below: below, isFeathered: false, onto: canvas)
        for other in shadows { addShadow(of: other, on: (parts.whole, parts.bounds), onto: canvas) }
        addBorder(of: loupe, nil, parts, below: below, onto: canvas)
    }

    /// What the canvas holds under a loupe's border, in another target: a copy, or the base view where nothing lies over it
    /// yet.
    private mutating func addBelow(_ index: Int, _ parts: LoupeParts, on canvas: CanvasTarget) -> CanvasTarget {
        let loupe = plan.scene.loupes[index]
        let isOverBase =
            index == 0 && loupePrecision == plan.precision && loupe.shadow == nil && loupe.rim?.casing == nil
            && plan.callouts.isEmpty && !plan.scene.loupes.contains { $0.hasShadowBelowCallouts }
        if isOverBase, let base { return base }
        let below = begin(.below, of: parts.bounds, loupePrecision)
        addCopy(of: canvas, parts.border, within: parts.bounds, to: below)
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
    private mutating func addBorder(
        of loupe: Loupe, _ rim: Loupe.Rim?, _ parts: LoupeParts, below: CanvasTarget, isFeathered: Bool = true,
        onto canvas: CanvasTarget
    ) {
        let border = BorderInputs(ofRim: loupe, parts)
        for blend in blendSteps {
            var inputs = ShaderInputs()
            border.setRim(&inputs, width: rim?.width ?? 0, onto: canvas)
            inputs.set(.borderShift, isFeathered ? 0 : 1)
            inputs.set(.below, .target(below.name))
            inputs.set(.belowShift, integers: canvas.x - below.x, canvas.y - below.y)
            inputs.set(.rimColor, rim?.color.working(blending) ?? .zero)
            inputs.set(.adds, blend == .add ? 1 : 0)
            addDraw(
                ShaderProgram(.rim, border.options), parts.border, in: [parts.bounds], onto: canvas, blend: blend,
                inputs)
        }
    }

    // MARK: - Shadow

    /// A loupe's shadow; nothing if it has none.
    /// - Parameter place: the pixels of another loupe on which it falls, and their bounds; nil for all around the loupe.
    mutating func addShadow(
        of loupe: Loupe, on place: (region: MeshRegion, bounds: PixelRect)? = nil, onto canvas: CanvasTarget
    ) {
        guard let shadow = loupe.shadow else { return }
        let whole = shadow.bounds(of: loupe).intersection(plan.canvas)
        let block = place.map { $0.bounds.intersection(whole) } ?? whole
        guard !block.isEmpty else { return }
        let parts = LoupeParts(of: loupe, within: Border(of: loupe).block(grownBy: 1).intersection(whole))
        // Where the loupe is left out of its own shadow.
        let hole = loupe.isSeenThrough ? block.intersection(parts.bounds) : PixelRect(width: 0, height: 0)
        add(
            shadow, of: Border(of: loupe), place?.region ?? parts.surroundings, in: [block], hole: hole,
            opacity: loupe.hasShadowBelowCallouts ? loupe.opacity : 1, onto: canvas)
    }

    /// The shadow of a layer in a view, outside of the layer's border.
    mutating func addShadow(
        _ shadow: Loupe.Shadow, of layer: LayerPlan, _ region: MeshRegion, of view: ViewPlan,
        onto target: CanvasTarget
    ) {
        let reach = shadow.reach + 1
        let rect = layer.outline.rect
        let block = PixelRect(
            around: rect.center + shadow.offset, across: rect.width / 2 + reach, down: rect.height / 2 + reach
        ).intersection(view.region.bounds)
        guard !block.isEmpty else { return }
        let inside = PixelSpans(of: layer.outline, deeperThan: 0.5, within: block).blocks
        add(
            shadow, of: .outline(layer.outline), region, in: block.without(inside),
            hole: Border.outline(layer.outline).block(grownBy: 1).intersection(block), onto: target)
    }

    /// Draws a border's shadow in some blocks.
    /// - Parameter hole: the block in which the caster is cut out of its own shadow; empty where it is not cut out.
    private mutating func add(
        _ shadow: Loupe.Shadow, of shape: Border, _ region: MeshRegion, in blocks: [PixelRect], hole: PixelRect,
        opacity: Double = 1, onto canvas: CanvasTarget
    ) {
        let block = PixelRect.union(of: blocks)
        guard !block.isEmpty else { return }
        let border = BorderInputs(of: shadow, of: shape, in: block, hole: hole)
        var options = border.options
        if !hole.isEmpty { options.insert(.hole) }
        if device.readsBelow { options.formUnion(ditherOptions(canvas).union(.readsBelow)) }
        var inputs = ShaderInputs()
        border.setShadow(&inputs, of: shape, movedBy: shadow.offset, hasHole: !hole.isEmpty, onto: canvas)
        inputs.set(.shadowScale, shadow.scale)
        inputs.set(.shadowColor, shadow.color.working(blending) * Float(opacity))
        if options.contains(.dither) { inputs.set(.ditherOrigin, integers: canvas.x, canvas.y) }
        addDraw(
            ShaderProgram(.shadow, options), region, in: blocks, onto: canvas,
            blend: device.readsBelow ? .replace : .over, inputs)
    }

    // MARK: - Content

    /// What a loupe shows, both halves of it. The other half of a split loupe is drawn first, in a target of its own.
    private mutating func addContent(
        ofLoupe index: Int, _ view: ViewPlan, _ region: MeshRegion, onto canvas: CanvasTarget
    ) {
        let loupe = plan.scene.loupes[index]
        let isTransparent = loupe.outside == .transparent
        var content: CanvasTarget?
        if let other = plan.otherHalves[index] {
            let bounds = view.region.bounds
            let target = begin(.otherHalf, of: bounds, loupePrecision)
            if isTransparent { addCopy(of: canvas, .block, within: bounds, to: target) }
            addContent(of: other, .block, hasBackground: !isTransparent, onto: target)
            content = target
        }
        addContent(of: view, region, hasBackground: !isTransparent, onto: canvas)
        if let content, let split = loupe.split { add(content, split, of: loupe, view, region, onto: canvas) }
    }

    /// Composites the other half, with the divider, over the first one.
    private mutating func add(
        _ other: CanvasTarget, _ split: Loupe.Split, of loupe: Loupe, _ view: ViewPlan, _ region: MeshRegion,
        onto canvas: CanvasTarget
    ) {
        let direction = split.direction
        // From the content's first pixel.
        let (dx, dy) = (loupe.center.x - Double(other.x), loupe.center.y - Double(other.y))
        let halfLine = SIMD3(Float(direction.dx), Float(direction.dy), Float(-(dx * direction.dx + dy * direction.dy)))
        addMix(of: other, byLine: halfLine, divider: split.divider, region, in: view.region.bounds, onto: canvas)
    }

    /// Replaces what the canvas holds by another target's pixels, each by the coverage of its half plane.
    private mutating func addMix(
        of other: CanvasTarget, byLine halfLine: SIMD3<Float>, divider: Loupe.Split.Divider? = nil,
        _ region: MeshRegion, in block: PixelRect, onto canvas: CanvasTarget
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
            addDraw(ShaderProgram(.split), region, in: [block], onto: canvas, blend: blend, inputs)
        }
    }
}

/// The values of a loupe's border that `rim.frag` and `shadow.frag` read. A disc has cheaper variants of both.
private struct BorderInputs {
    private enum Shape {
        case disc(Circle)
        case outline(OutlineTable)
    }

    private let shape: Shape
    /// The canvas pixel that shader positions are relative to.
    private let origin: (x: Int, y: Int)

    var options: ShaderOptions { if case .outline = shape { .outline } else { [] } }

    /// For the rim and the feather.
    init(ofRim loupe: Loupe, _ parts: LoupeParts) {
        switch Border(of: loupe) {
        case .disc(let disc):
            (shape, origin) = (.disc(disc), disc.center.wholePixel)
        case .outline(let outline):
            let tangents = OutlineTangents(
                of: outline, seenIn: [parts.bounds], depth: (loupe.rim?.width ?? 0) + 0.5, reach: 0.5)
            shape = .outline(OutlineTable(tangents, of: outline))
            origin = (parts.bounds.minX, parts.bounds.minY)
        }
    }

    /// For a shadow in a block.
    /// - Parameter hole: the block in which the caster is cut out of its shadow. The shadow's tangents have to measure
    ///   there too.
    init(of shadow: Loupe.Shadow, of border: Border, in block: PixelRect, hole: PixelRect) {
        switch border {
        case .disc(let disc):
            let moved = Circle(center: disc.center + shadow.offset, radius: disc.radius)
            (shape, origin) = (.disc(moved), moved.center.wholePixel)
        case .outline(let outline):
            let moved = outline.offset(by: shadow.offset)
            let tangents = OutlineTangents(
                of: moved, seenIn: hole.isEmpty ? [block] : [block, hole.offset(by: shadow.offset)],
                depth: shadow.reach, reach: shadow.reach, tolerance: shadow.tolerance)
            shape = .outline(OutlineTable(tangents, of: moved))
            origin = (block.minX, block.minY)
        }
    }

    func setRim(_ inputs: inout ShaderInputs, width: Double, onto canvas: CanvasTarget) {
        inputs.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        switch shape {
        case .disc(let disc):
            inputs.set(.discCenter, disc.center.position(from: origin))
            inputs.set(.discRadius, Float(disc.radius))
            inputs.set(.rimInnerRadius, Float(disc.radius - width))
        case .outline(let table):
            table.set(&inputs, from: origin)
            inputs.set(.rimWidth, Float(width))
        }
    }

    func setShadow(
        _ inputs: inout ShaderInputs, of border: Border, movedBy offset: Vector, hasHole: Bool,
        onto canvas: CanvasTarget
    ) {
        inputs.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        switch shape {
        case .disc(let disc):
            inputs.set(.shadowCenter, disc.center.position(from: origin))
            inputs.set(.shadowRadius, Float(disc.radius))
            guard hasHole else { return }
            inputs.set(.discCenter, border.center.position(from: origin))
            inputs.set(.discRadius, Float(disc.radius))
        case .outline(let table):
            table.set(&inputs, from: origin)
            if hasHole { inputs.set(.shadowOffset, SIMD2(Float(offset.dx), Float(offset.dy))) }
        }
    }
}

extension Point {
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
        min(max(0.0025 * deviation, Self.leastDeviation), OutlineTangents.tolerance)
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

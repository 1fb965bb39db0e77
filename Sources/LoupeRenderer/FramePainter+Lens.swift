import LoupeGLES
import LoupeGeometry
import LoupeScene
import LoupeShaders

/// Loupes that are no discs. As every mask comes from the distance, blocks of whole pixels part their inside from their ring.
extension FramePainter {
    func paint(
        _ loupe: Loupe, bordered outline: Outline, _ view: ViewPlan, onto canvas: Target
    ) throws(GLError) {
        let bounds = view.region.bounds
        let plain = PixelSpans(of: outline, deeperThan: (loupe.rim?.width ?? 0) + 0.5, within: bounds).blocks
        if let shadow = loupe.shadow { try paint(shadow, of: loupe, in: bounds, beside: plain, onto: canvas) }
        guard !bounds.isEmpty else { return }
        let border = MeshRegion.blocks(bounds.without(plain))
        let below = try keepBelow(border, within: bounds, of: canvas)
        try paintContent(of: loupe, view, .block, onto: canvas)
        try paintRim(loupe, bordered: outline, border, below: below, bounds: bounds, onto: canvas)
    }

    private func paintRim(
        _ loupe: Loupe, bordered outline: Outline, _ border: MeshRegion, below: Target, bounds: PixelRect,
        onto canvas: Target
    ) throws(GLError) {
        let placed = PlacedOutline(outline)
        let width = loupe.rim?.width ?? 0
        let tangents = OutlineTangents(of: placed, seenIn: [bounds], depth: width + 0.5, reach: 0.5)
        let sheet = try OutlineSheet(tangents, of: placed, on: painter.context)
        let origin = (x: bounds.minX, y: bounds.minY)
        for blend in blendSteps {
            try painter.draw(.lensRim, border, in: [bounds], onto: canvas, blend: blend) { program in
                program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
                sheet.bind(program, from: origin, unit: 1)
                program.set(.rimWidth, Float(width))
                bindBorder(of: loupe, below, program, canvas, blend)
            }
        }
    }

    /// - Parameters:
    ///   - bounds: of the loupe itself.
    ///   - plain: the blocks of the loupe itself, under which nothing of the shadow is seen.
    private func paint(
        _ shadow: Loupe.Shadow, of loupe: Loupe, in bounds: PixelRect, beside plain: [PixelRect], onto canvas: Target
    ) throws(GLError) {
        guard let outline = loupe.outline else { return }
        let block = shadow.bounds(of: loupe).intersection(plan.scene.canvas.pixels)
        guard !block.isEmpty else { return }
        let placed = PlacedOutline(outline.moved(by: shadow.offset))
        let reach = ShadowCaster.reach(of: shadow)
        // Where the loupe itself lies in the shadow's outline, whose tangents measure its hole too.
        let hole = loupe.outside == .transparent ? block.intersection(bounds) : PixelRect(width: 0, height: 0)
        let tangents = OutlineTangents(
            of: placed, seenIn: hole.isEmpty ? [block] : [block, hole.moved(by: shadow.offset)], depth: reach,
            reach: reach, tolerance: ShadowCaster.tolerance(of: shadow))
        let sheet = try OutlineSheet(tangents, of: placed, on: painter.context)
        let region = MeshRegion.blocks(block.without(plain))
        let readsBelow = painter.context.readsBelow
        let key = ProgramCache.Key.lensShadow(hasHole: !hole.isEmpty, readsBelow: readsBelow)
        let blend = readsBelow ? Blend.replace : .over
        try painter.draw(key, region, in: [block], onto: canvas, blend: blend) { program in
            program.set(.pixelOrigin, integers: block.minX - canvas.x, block.minY - canvas.y)
            sheet.bind(program, from: (block.minX, block.minY), unit: 0)
            program.set(.shadowScale, ShadowCaster.scale(of: shadow))
            program.set(.shadowColor, shadow.color.working(blending))
            if !hole.isEmpty {
                program.set(.shadowOffset, SIMD2(Float(shadow.offset.dx), Float(shadow.offset.dy)))
            }
        }
    }
}

extension PlacedOutline {
    /// A lens's border, which is in output pixels already.
    fileprivate init(_ outline: Outline) {
        self.init(rect: outline.rect, radii: outline.radii, exponent: outline.exponent)
    }
}

extension PixelRect {
    /// The smallest block that holds every pixel of this one, moved.
    fileprivate func moved(by offset: Vector) -> PixelRect {
        PixelRect(
            minX: minX + Int(offset.dx.rounded(.down)), minY: minY + Int(offset.dy.rounded(.down)),
            maxX: maxX + Int(offset.dx.rounded(.up)), maxY: maxY + Int(offset.dy.rounded(.up)))
    }
}

extension Outline {
    fileprivate func moved(by offset: Vector) -> Outline {
        Outline(
            rect: Rect(x: rect.x + offset.dx, y: rect.y + offset.dy, width: rect.width, height: rect.height),
            radii: radii, exponent: exponent)
    }
}

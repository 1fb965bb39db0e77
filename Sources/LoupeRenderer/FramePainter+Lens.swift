import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// What is drawn of a shape that is no disc. As every mask comes from the distance, blocks of whole pixels part the inside
/// from the border.
extension FramePainter {
    func paintBorder(
        of loupe: Loupe, along outline: Outline, _ parts: LoupeParts, below: Target, onto canvas: Target
    ) throws(GLError) {
        let bounds = parts.bounds
        let placed = PlacedOutline(outline)
        let width = loupe.rim?.width ?? 0
        let tangents = OutlineTangents(of: placed, seenIn: [bounds], depth: width + 0.5, reach: 0.5)
        let sheet = try OutlineSheet(tangents, of: placed, on: painter.context)
        let origin = (x: bounds.minX, y: bounds.minY)
        for blend in blendSteps {
            try painter.draw(.lensRim, parts.border, in: [bounds], onto: canvas, blend: blend) { program in
                program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
                sheet.bind(program, from: origin, unit: 1)
                program.set(.rimWidth, Float(width))
                bindBorder(of: loupe, below, program, canvas, blend)
            }
        }
    }

    func paint(
        _ shadow: Loupe.Shadow, of loupe: Loupe, along outline: Outline, _ parts: LoupeParts, onto canvas: Target
    ) throws(GLError) {
        let block = shadow.bounds(of: loupe).intersection(plan.scene.canvas.pixels)
        guard !block.isEmpty else { return }
        let placed = PlacedOutline(outline.moved(by: shadow.offset))
        let reach = ShadowCaster.reach(of: shadow)
        // Where the loupe itself lies in the shadow's outline, whose tangents measure its hole too.
        let hole = loupe.outside == .transparent ? block.intersection(parts.bounds) : PixelRect(width: 0, height: 0)
        let tangents = OutlineTangents(
            of: placed, seenIn: hole.isEmpty ? [block] : [block, hole.moved(by: shadow.offset)], depth: reach,
            reach: reach, tolerance: ShadowCaster.tolerance(of: shadow))
        let sheet = try OutlineSheet(tangents, of: placed, on: painter.context)
        let readsBelow = painter.context.readsBelow
        let key = ProgramCache.Key.lensShadow(hasHole: !hole.isEmpty, readsBelow: readsBelow)
        let blend = readsBelow ? Blend.replace : .over
        try painter.draw(key, parts.surroundings, in: [block], onto: canvas, blend: blend) { program in
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

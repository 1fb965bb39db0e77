import LoupeGLES
import LoupeGeometry
import LoupeScene
import LoupeShaders

/// What is drawn of a disc's own shape.
extension FramePainter {
    func paintBorder(ofDisc loupe: Loupe, _ parts: LoupeParts, below: Target, onto canvas: Target) throws(GLError) {
        let origin = loupe.center.wholePixel
        for blend in blendSteps {
            try painter.draw(.rim, parts.border, in: [parts.bounds], onto: canvas, blend: blend) { program in
                program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
                program.set(.discCenter, loupe.center.place(from: origin))
                program.set(.discRadius, Float(loupe.radius))
                program.set(.rimInnerRadius, Float(loupe.radius - (loupe.rim?.width ?? 0)))
                bindBorder(of: loupe, below, program, canvas, blend)
            }
        }
    }

    func paint(
        _ shadow: Loupe.Shadow, ofDisc loupe: Loupe, _ parts: LoupeParts, onto canvas: Target
    ) throws(GLError) {
        let center = loupe.center + shadow.offset
        let origin = center.wholePixel
        let readsBelow = painter.context.readsBelow
        let key = ProgramCache.Key.shadow(hasHole: loupe.outside == .transparent, readsBelow: readsBelow)
        let block = shadow.bounds(of: loupe).intersection(plan.scene.canvas.pixels)
        let blend = readsBelow ? Blend.replace : .over
        try painter.draw(key, parts.surroundings, in: [block], onto: canvas, blend: blend) { program in
            program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
            program.set(.shadowCenter, center.place(from: origin))
            program.set(.shadowRadius, Float(loupe.radius))
            program.set(.shadowScale, ShadowCaster.scale(of: shadow))
            program.set(.shadowColor, shadow.color.working(blending))
            if loupe.outside == .transparent {
                program.set(.discCenter, loupe.center.place(from: origin))
                program.set(.discRadius, Float(loupe.radius))
            }
        }
    }
}

extension Point {
    /// As the shaders' `place()` tells it.
    func place(from origin: (x: Int, y: Int)) -> SIMD2<Float> {
        SIMD2(Float(x - Double(origin.x)), Float(y - Double(origin.y)))
    }

    var wholePixel: (x: Int, y: Int) { (x: Int(x.rounded(.down)), y: Int(y.rounded(.down))) }
}

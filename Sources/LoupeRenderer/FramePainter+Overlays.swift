import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// What lies over the finished picture: scale bars, then text. Both are small pictures, composited pixel for pixel.
struct Overlay {
    let texture: Texture
    /// The pixels of the canvas that it covers; its first texel lies on the first of them.
    let block: PixelRect
}

extension Overlay {
    /// A rect of one colour, anti-aliased; nil where it lies outside of the canvas.
    init?(_ rect: Rect, _ color: Color, on canvas: PixelRect, _ context: Context) throws(GLError) {
        let block = PixelRect(coveringMinX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            .intersection(canvas)
        guard !block.isEmpty else { return nil }
        let pixels = BarPlan.coverage(of: rect, in: block).flatMap { coverage -> [UInt8] in
            let alpha = UInt8((Int(coverage) * Int(color.alpha) + 127) / 255)
            return [color.red, color.green, color.blue, alpha]
        }
        let texture = try Texture(context, format: .rgba8, width: block.width, height: block.height)
        try pixels.withUnsafeBufferPointer { (pixels) throws(GLError) in
            try texture.upload(UnsafeRawBufferPointer(pixels))
        }
        self.init(texture: texture, block: block)
    }
}

extension FramePainter {
    /// Draws the scale bars and the text over what the canvas holds.
    func paintOverlays(onto target: Target) throws(GLError) {
        let pixels = plan.scene.canvas.pixels
        for overlay in overlays {
            let (texture, block) = (overlay.texture, overlay.block)
            let visible = block.intersection(pixels)
            guard !visible.isEmpty else { continue }
            let shader = ShaderProgram(.noEdge, blending.options, content: .copy)
            try painter.draw(shader, .block, in: [visible], onto: target, blend: .over) { program in
                program.set(.opacity, 1)
                program.set(.image, texture, unit: 0)
                program.set(.texelShift, integers: target.x - block.minX, target.y - block.minY)
                program.set(.lastTexel, integers: texture.width - 1, texture.height - 1)
            }
        }
    }
}

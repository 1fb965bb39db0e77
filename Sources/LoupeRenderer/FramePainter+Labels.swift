import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

/// What lies over the finished picture: scale bars, then text. The blocks of both are small pictures, composited pixel for
/// pixel.
struct Overlay {
    let texture: Texture
    /// The pixels of the canvas that it covers.
    let block: PixelRect
}

/// What an overlay shows.
enum OverlayKey: Hashable {
    case band(Rect, Color)
    case text(TextRun)
}

extension FramePainter {
    /// Draws the scale bars and the text over what the canvas holds.
    func paintOverlays(onto target: Target) throws(GLError) {
        for overlay in overlays {
            let (texture, block) = (overlay.texture, overlay.block)
            let shader = ShaderProgram(.noEdge, blending.options, content: .copy)
            try painter.draw(shader, .block, in: [block], onto: target, blend: .over) { program in
                program.set(.opacity, 1)
                program.set(.image, texture, unit: 0)
                program.set(.texelShift, integers: target.x - block.minX, target.y - block.minY)
                program.set(.lastTexel, integers: texture.width - 1, texture.height - 1)
            }
        }
    }
}

extension Renderer {
    /// The overlays of a plan. Those that the last plan had too are reused.
    func overlays(of plan: DrawPlan) throws -> [Overlay] {
        let canvas = plan.scene.canvas.pixels
        var overlays: [Overlay] = []
        var used: [OverlayKey: Overlay?] = [:]
        func add(_ key: OverlayKey, _ make: () throws -> DrawnText?) throws {
            let overlay: Overlay?
            if let known = used[key] ?? drawnOverlays[key] {
                overlay = known
            } else {
                overlay = try make().map { drawn in
                    Overlay(texture: try Texture(context, .rgba8, drawn.block, drawn.image.pixels), block: drawn.block)
                }
            }
            used[key] = .some(overlay)
            if let overlay { overlays.append(overlay) }
        }
        for band in plan.bars.flatMap({ $0.bands }) {
            try add(.band(band.rect, band.color)) { DrawnText(band.rect, band.color, on: canvas) }
        }
        for run in plan.textRuns { try add(.text(run)) { try TextDrawing.draw(TextSpecimen(run), on: canvas) } }
        drawnOverlays = used
        return overlays
    }
}

extension DrawnText {
    /// A rect of one colour, anti-aliased; nil where it lies outside of the canvas.
    fileprivate init?(_ rect: Rect, _ color: Color, on canvas: PixelRect) {
        let block = PixelRect(coveringMinX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            .intersection(canvas)
        guard !block.isEmpty else { return nil }
        let pixels = BarPlan.coverage(of: rect, in: block).flatMap { coverage -> [UInt8] in
            let alpha = UInt8((Int(coverage) * Int(color.alpha) + 127) / 255)
            return [color.red, color.green, color.blue, alpha]
        }
        self.init(image: Image(width: block.width, height: block.height, pixels: pixels), block: block)
    }
}

extension TextSpecimen {
    /// The text of a plan.
    package init(_ run: TextRun) {
        let style = run.style
        self.init(
            text: run.text, family: style.family, size: style.size, weight: style.weight, color: Paint(style.color),
            halo: style.halo.map { ($0.width, Paint($0.color)) }, anchor: run.anchor, align: run.align)
    }
}

extension TextSpecimen.Paint {
    fileprivate init(_ color: Color) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
}

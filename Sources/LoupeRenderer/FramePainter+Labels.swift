import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// What an overlay shows.
enum OverlayKey: Hashable {
    case band(Rect, Color)
    case text(TextRun)
}

extension Renderer {
    /// The overlays of a plan. Those that the last plan had too are reused.
    func overlays(of plan: DrawPlan) throws -> [Overlay] {
        let canvas = plan.scene.canvas.pixels
        var overlays: [Overlay] = []
        var used: [OverlayKey: Overlay?] = [:]
        func add(_ key: OverlayKey, _ make: () throws -> Overlay?) throws {
            let overlay = if let known = used[key] ?? drawnOverlays[key] { known } else { try make() }
            used[key] = .some(overlay)
            if let overlay { overlays.append(overlay) }
        }
        for band in plan.bars.flatMap({ $0.bands }) {
            try add(.band(band.rect, band.color)) { try Overlay(band.rect, band.color, on: canvas, context) }
        }
        for run in plan.textRuns {
            try add(.text(run)) {
                try TextDrawing.draw(TextSpecimen(run), on: canvas).map { drawn in
                    Overlay(texture: try Texture(context, .rgba8, drawn.block, drawn.image.pixels), block: drawn.block)
                }
            }
        }
        drawnOverlays = used
        return overlays
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

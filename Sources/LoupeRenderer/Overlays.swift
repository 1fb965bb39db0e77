import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeSystem

/// A small picture on the device that lies over the finished one, and the pixels of the canvas that it covers.
typealias OverlayTexture = (texture: Texture, block: PixelRect)

extension Renderer {
    /// A scale bar's band or a text on the device; nil where it lies outside of the canvas.
    func draw(_ overlay: Overlay, on canvas: PixelRect) throws -> OverlayTexture? {
        let drawn: (block: PixelRect, bytes: [UInt8])? =
            if case .text(let run) = overlay {
                try TextDrawing.draw(TextRequest(run), on: canvas).map { ($0.block, $0.image.pixels) }
            } else {
                overlay.pixels(on: canvas)
            }
        return try drawn.map { (try Texture(context, .rgba8, $0.block, $0.bytes), $0.block) }
    }

    /// A vector picture as a view shows it; nil where none of its path is loaded.
    func draw(_ picture: DrawnVector) throws -> Texture? {
        try vectors[picture.path].map {
            let document = try $0.scalingStrokes(by: picture.strokeScale)
            return try Texture(
                context, .rgba8, picture.block.pixels, document.draw(DrawingPlace(picture.block)).pixels)
        }
    }
}

extension TextRequest {
    /// The text of a plan.
    package init(_ run: TextRun) {
        let style = run.style
        self.init(
            text: run.text, family: style.family, size: style.size, weight: style.weight,
            color: style.color.channels, halo: style.halo.map { ($0.width, $0.color.channels) },
            anchor: run.anchor, align: run.align)
    }
}

extension DrawingPlace {
    /// The block of a view.
    package init(_ block: DrawnBlock) {
        let (rect, pixels) = (block.rect, block.pixels)
        self.init(
            x: rect.x, y: rect.y, width: rect.width, height: rect.height, columns: pixels.minX..<pixels.maxX,
            rows: pixels.minY..<pixels.maxY)
    }
}

extension Image {
    /// What a plan needs to know of the picture.
    package var traits: ImageTraits {
        let isVector = vector != nil
        // Whether a vector picture is opaque depends on the view, which draws it later than this is asked.
        return ImageTraits(size: size, isOpaque: !isVector && isOpaque, isVector: isVector)
    }
}

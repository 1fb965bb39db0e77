import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupePlan
import LoupeScene

/// A vector picture as a view shows it.
struct VectorDrawing: Hashable {
    let path: String
    let block: DrawnBlock
}

extension Renderer {
    /// Draws the vector pictures of a plan for each of its views. What the last plan showed in the same place is taken
    /// from there, so that a base view that stands still is drawn once.
    func drawVectors(of plan: DrawPlan) throws(RenderError) -> [LayerUse: StreamedPart] {
        var parts: [LayerUse: StreamedPart] = [:]
        var used: [VectorDrawing: Texture] = [:]
        for view in plan.views + plan.otherHalves.values {
            for layer in view.layers where layer.isVisible {
                guard case .drawn(let block) = layer.sampling, let use = LayerUse(layer, in: view),
                    let document = vectors[use.image]
                else { continue }
                let drawing = VectorDrawing(path: use.image, block: block)
                let known = used[drawing] ?? drawings[drawing]
                let texture = if let known { known } else { try texture(of: document, block) }
                used[drawing] = texture
                parts[use] = .excerpt(HeldTexels(texture: texture, x: block.pixels.minX, y: block.pixels.minY))
            }
        }
        drawings = used
        return parts
    }

    private func texture(of document: SVGDocument, _ block: DrawnBlock) throws(RenderError) -> Texture {
        let pixels: [UInt8]
        do {
            pixels = try document.draw(SVGPlacement(block)).pixels
        } catch {
            throw .picture(error)
        }
        return try wrapped { () throws(GLError) in try Texture(context, .rgba8, block.pixels, pixels) }
    }
}

extension SVGPlacement {
    fileprivate init(_ block: DrawnBlock) {
        let (rect, pixels) = (block.rect, block.pixels)
        self.init(
            x: rect.x, y: rect.y, width: rect.width, height: rect.height, columns: pixels.minX..<pixels.maxX,
            rows: pixels.minY..<pixels.maxY)
    }
}

import LoupeBase
import LoupeImaging
import LoupePlan

/// A base view that consists of one image's texels unchanged, so that a device has to draw only what lies over it.
final class HeldBase {
    let use: LayerUse
    /// From a pixel of the canvas to its texel.
    private let dx: Int
    private let dy: Int
    /// Whether the base view shows nothing else.
    private let isAlone: Bool
    /// Nil before it is given, and once it has become the picture.
    var image: Image?

    /// Nil where the layer is not the first thing drawn, or where not all of it are texels of an image of this size.
    init?(_ layer: LayerPlan, as use: LayerUse, of size: ImageSize, in view: ViewPlan) {
        guard case .copy(let dx, let dy) = layer.sampling, layer.isBottom, !layer.hasStrokes, !view.showsBackground
        else { return nil }
        let texels = PixelRect(minX: -dx, minY: -dy, maxX: size.width - dx, maxY: size.height - dy)
        guard layer.pieces.allSatisfy({ $0.state == .noEdge && $0.rect.intersection(texels) == $0.rect }) else {
            return nil
        }
        (self.use, self.dx, self.dy) = (use, dx, dy)
        isAlone = view.mark == nil && view.layers.filter(\.isVisible).count == 1
    }

    /// The block where something lies over the image, which the device draws; it may be empty.
    func block(of frame: PlannedFrame) -> PixelRect {
        let canvas = frame.plan.canvas
        return isAlone ? frame.passes.loupeBounds.grownToDeviceBlocks.intersection(canvas) : canvas
    }

    /// The picture: the image, with a block that the device has drawn. The image's own memory becomes the picture's where
    /// nothing else holds the image, since page-faulting fresh memory costs more than filling it.
    func takePicture(of canvas: PixelRect, with drawn: Image?, at block: PixelRect) -> Image {
        if let drawn, block == canvas { return drawn }
        guard var picture = image?.cropped(x: dx, y: dy, width: canvas.width, height: canvas.height) else {
            preconditionFailure("a picture is drawn over an image that has come")
        }
        image = nil
        if let drawn { picture.replaceBlock(x: block.minX, y: block.minY, with: drawn) }
        return picture
    }
}

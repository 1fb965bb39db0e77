import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// A layer in a view.
struct LayerUse: Hashable {
    let view: View.Kind
    /// Its index in `Scene.layers`.
    let layer: Int
    /// The image that it shows there: the halves of a split loupe show different ones.
    let image: ImagePath

    /// Nil for a plain colour.
    init?(_ layer: LayerPlan, in view: ViewPlan) {
        guard let image = layer.imagePath else { return nil }
        (self.view, self.layer, self.image) = (view.view.kind, layer.index, image)
    }
}

/// A texture of an image's texels, or of a block of them.
struct HeldTexels {
    let texture: Texture
    /// The texel that the texture's first one is.
    let x: Int
    let y: Int
}

/// What a layer in a view shows of an image that is not held whole.
enum StreamedPart {
    /// The image itself, in memory: its texels are uploaded where something is drawn over them.
    case moved(Image)
    case excerpt(HeldTexels)
    /// Filtered in both directions: the pixels of a block.
    case filtered(Texture, block: PixelRect)
}

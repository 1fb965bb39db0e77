import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

extension Image {
    /// What a plan needs to know of the picture.
    public var traits: ImageTraits {
        let isVector = vector != nil
        // Whether a vector picture is opaque depends on the view, which draws it later than this is asked.
        return ImageTraits(
            size: ImageSize(width: width, height: height), isOpaque: !isVector && isOpaque, isVector: isVector)
    }
}

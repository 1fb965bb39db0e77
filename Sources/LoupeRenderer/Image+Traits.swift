import LoupeImaging
import LoupeScene

extension Image {
    /// What a plan needs to know of the picture.
    public var traits: ImageTraits {
        ImageTraits(size: ImageSize(width: width, height: height), isOpaque: isOpaque)
    }
}

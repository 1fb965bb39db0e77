import LoupeBase

extension Image {
    /// Whether it is pixel art. A vector image is none.
    package var isPixelArt: Bool {
        vector == nil && pixels.withUnsafeBytes { PixelArt.isSeen(in: $0, width: width, height: height) }
    }
}

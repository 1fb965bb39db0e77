/// How texels become pixels: Pillow's resampling filters of the same meaning (SPEC 5).
public enum Filter: String, Hashable, Sendable, CaseIterable {
    /// The texel under the pixel's centre.
    case nearest
    /// The triangle of half-width 1 (Pillow's BILINEAR).
    case linear
    /// The Keys cubic with a = −½ and half-width 2 (Pillow's BICUBIC).
    case cubic
    /// The sinc windowed to 3 lobes (Pillow's LANCZOS).
    case lanczos
}

/// A filter that turns texels into pixels: squares, or Pillow's resampling filters of the same meaning (specification,
/// section 5).
public enum Filter: String, Hashable, Sendable, CaseIterable {
    /// The texel under the pixel's centre.
    case nearest
    /// The texels that the pixel covers, weighted by area: squares whose edges are anti-aliased over one pixel.
    case sharp
    /// The triangle of half-width 1 (Pillow's BILINEAR).
    case linear
    /// The Keys cubic with a = −½ and half-width 2 (Pillow's BICUBIC).
    case cubic
    /// The sinc windowed to 3 lobes (Pillow's LANCZOS).
    case lanczos
}

/// A loupe's filter: one filter for every layer, or a choice by the size at which texels appear.
public enum LoupeFilter: String, Hashable, Sendable, CaseIterable {
    /// The filter of the same name, at every texel size.
    case nearest, sharp, linear, cubic, lanczos
    /// `linear` where a layer's texels are smaller than six output pixels, `nearest` where they are not.
    case auto

    /// The same filter at every texel size.
    public init(_ filter: Filter) {
        self = LoupeFilter(rawValue: filter.rawValue)!
    }

    /// The filter for a layer whose texels appear `texelSize` output pixels large, along the shorter of their sides.
    public func filter(atTexelSize texelSize: Double) -> Filter {
        Filter(rawValue: rawValue) ?? (texelSize < Self.nearestTexelSize ? .linear : .nearest)
    }

    /// The size in output pixels from which `auto` shows texels as squares. It is a millionth less than six, so that
    /// rounding does not decide at six.
    public static let nearestTexelSize = 6 - 1e-6
}

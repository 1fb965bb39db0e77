/// Red, green, blue and alpha, premultiplied, 0 … 1, in the space in which the scene blends.
typealias Pixel = SIMD4<Double>

extension Pixel {
    /// This pixel source-over another.
    func over(_ below: Pixel) -> Pixel {
        self + below * (1 - w)
    }

    /// What SPEC 5 does to a filtered texel: alpha to 0 … 1, each colour to 0 … alpha.
    var clampedTexel: Pixel {
        let alpha = Swift.min(Swift.max(w, 0), 1)
        return clamped(lowerBound: .zero, upperBound: Pixel(repeating: alpha))
    }
}

/// A coverage from a signed distance in pixels, positive inside: one pixel of feather.
func coverage(ofDistance distance: Double) -> Double {
    min(max(distance + 0.5, 0), 1)
}

import LoupeBase
import LoupeScene

/// Converts straight sRGB of 8 or 16 bits to the pixels that are filtered and blended, and back.
struct PixelCodec {
    private let blending: Blending
    /// The value of a colour channel for each of the 256 codes.
    private let decoded: [Double]

    init(blending: Blending) {
        self.blending = blending
        decoded = (0...255).map { code in
            let encoded = Double(code) / 255
            return blending == .linear ? Self.linear(fromSRGB: encoded) : encoded
        }
    }

    /// The pixel of a scene's colour.
    func pixel(_ color: Color) -> Pixel {
        pixel(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }

    /// The pixel of straight 8-bit channels. Alpha is linear in every blending space.
    func pixel(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) -> Pixel {
        Pixel(decoded[Int(red)], decoded[Int(green)], decoded[Int(blue)], 1) * (Double(alpha) / 255)
    }

    /// The pixel of straight 16-bit channels, 0…65535.
    func pixel(_ samples: SIMD4<UInt16>) -> Pixel {
        let encoded = Pixel(samples) / 65535
        if blending == .srgb { return Pixel(encoded.x, encoded.y, encoded.z, 1) * encoded.w }
        return Pixel(
            Self.linear(fromSRGB: encoded.x), Self.linear(fromSRGB: encoded.y), Self.linear(fromSRGB: encoded.z), 1)
            * encoded.w
    }

    /// The straight 16-bit channels of a pixel, rounded to nearest; all zero if alpha rounds to zero.
    func samples(_ pixel: Pixel) -> SIMD4<UInt16> {
        let straight = pixel / (pixel.w > 0 ? pixel.w : 1)
        let encoded =
            blending == .linear
            ? Pixel(
                Self.sRGB(fromLinear: straight.x), Self.sRGB(fromLinear: straight.y), Self.sRGB(fromLinear: straight.z),
                0)
            : straight
        let all = Pixel(encoded.x, encoded.y, encoded.z, pixel.w).clamped(lowerBound: .zero, upperBound: .one)
        let samples = SIMD4<UInt16>(clamping: SIMD4<Int>((all * 65535).rounded(.toNearestOrAwayFromZero)))
        return samples.w == 0 ? .zero : samples
    }

    /// The straight 8-bit channels of a pixel, rounded to nearest; all zero if alpha rounds to zero.
    ///
    /// - Parameter dither: Added to each colour channel before it is rounded, in steps.
    func color(_ pixel: Pixel, dither: Double = 0) -> Color {
        let alpha = Self.code(pixel.w)
        guard alpha > 0 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
        let straight = pixel / pixel.w
        func encode(_ channel: Double) -> UInt8 {
            Self.code((blending == .linear ? Self.sRGB(fromLinear: channel) : channel) + dither / 255)
        }
        return Color(red: encode(straight.x), green: encode(straight.y), blue: encode(straight.z), alpha: alpha)
    }

    private static func code(_ value: Double) -> UInt8 {
        UInt8((min(max(value, 0), 1) * 255).rounded())
    }

    /// The transfer function of IEC 61966-2-1, from an encoded channel 0…1 to light 0…1.
    private static func linear(fromSRGB encoded: Double) -> Double {
        encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }

    /// The inverse of `linear(fromSRGB:)`.
    private static func sRGB(fromLinear light: Double) -> Double {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// Red, green, blue and alpha, premultiplied, 0…1, in the space in which the scene blends.
typealias Pixel = SIMD4<Double>

extension Pixel {
    /// This pixel composited source-over another.
    func sourceOver(_ below: Pixel) -> Pixel {
        self + below * (1 - w)
    }

    /// A filtered texel after the clamp of the specification, section 5: alpha to 0…1, each colour to 0…alpha.
    var clampedTexel: Pixel {
        let alpha = Swift.min(Swift.max(w, 0), 1)
        return clamped(lowerBound: .zero, upperBound: Pixel(repeating: alpha))
    }
}

/// The coverage at a signed distance to a border, in output pixels, positive inside: a feather of one pixel.
func coverage(ofDistance distance: Double) -> Double {
    min(max(distance + 0.5, 0), 1)
}

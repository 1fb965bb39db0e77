import CMath

/// A colour in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal distances look
/// about equally large.
public struct OKLab: Hashable, Sendable {
    /// 0 is black, 1 white.
    public let lightness: Double
    /// Green to red.
    public let a: Double
    /// Blue to yellow.
    public let b: Double

    /// An sRGB colour, whose alpha is ignored.
    public init(_ color: Color) {
        self.init(
            linear: SIMD3(
                Color.decoded(Double(color.red) / 255), Color.decoded(Double(color.green) / 255),
                Color.decoded(Double(color.blue) / 255)))
    }

    /// Red, green and blue in linear light with the primaries of sRGB, 0…1.
    package init(linear: SIMD3<Double>) {
        let (red, green, blue) = (linear.x, linear.y, linear.z)
        let l = pow(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue, 1.0 / 3)
        let m = pow(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue, 1.0 / 3)
        let s = pow(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue, 1.0 / 3)
        lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
        a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
        b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    }

    /// How far two colours lie apart.
    package func distance(to other: OKLab) -> Double {
        let (dl, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return (dl * dl + da * da + db * db).squareRoot()
    }

    /// How clearly two colours differ: the larger of their distances in lightness and in chroma.
    public func contrast(to other: OKLab) -> Double {
        let (da, db) = (a - other.a, b - other.b)
        return max(abs(lightness - other.lightness), (da * da + db * db).squareRoot())
    }
}

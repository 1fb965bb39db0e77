import LoupeBase

/// A colour in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal distances look
/// about equally large.
package struct OKLab: Hashable, Sendable {
    /// 0 is black, 1 white.
    package let lightness: Double
    /// Green to red.
    package let a: Double
    /// Blue to yellow.
    package let b: Double

    /// An sRGB colour, whose alpha is ignored.
    package init(_ color: Color) {
        func channel(_ value: UInt8) -> Double { Color.decodedBytes[Int(value)] }
        self.init(linear: SIMD3(channel(color.red), channel(color.green), channel(color.blue)))
    }

    /// Red, green and blue in linear light with the primaries of sRGB, 0…1.
    package init(linear color: SIMD3<Double>) {
        let l = cbrt(0.4122214708 * color.x + 0.5363325363 * color.y + 0.0514459929 * color.z)
        let m = cbrt(0.2119034982 * color.x + 0.6806995451 * color.y + 0.1073969566 * color.z)
        let s = cbrt(0.0883024619 * color.x + 0.2817188376 * color.y + 0.6299787005 * color.z)
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
    package func contrast(to other: OKLab) -> Double {
        let (da, db) = (a - other.a, b - other.b)
        return max(abs(lightness - other.lightness), (da * da + db * db).squareRoot())
    }
}

import Glibc
import LoupeScene

extension Color {
    /// Premultiplied 0…1 in the space in which the scene blends.
    func working(_ blending: Blending) -> SIMD4<Float> {
        let straight = SIMD3(Double(red), Double(green), Double(blue)) / 255
        let light =
            switch blending {
            case .srgb: straight
            case .linear: SIMD3(Self.decoded(straight.x), Self.decoded(straight.y), Self.decoded(straight.z))
            }
        let a = Double(alpha) / 255
        return SIMD4(Float(light.x * a), Float(light.y * a), Float(light.z * a), Float(a))
    }

    /// The sRGB transfer function, IEC 61966-2-1.
    static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}

/// A colour-vision deficiency at its full strength: one kind of cones is missing.
package enum ColorVision: String, Hashable, Sendable, CaseIterable {
    /// Without cones for long waves: red looks dark.
    case protanopia
    /// Without cones for middle waves.
    case deuteranopia
    /// Without cones for short waves.
    case tritanopia

    /// What a colour looks like.
    ///
    /// G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision
    /// Deficiency", IEEE TVCG 15(6), 2009: the matrices of severity 1.0, applied to linear sRGB. Alpha is kept.
    package func seen(_ color: Color) -> Color {
        let linear = SIMD3(color.red, color.green, color.blue).linear
        let (red, green, blue) = rows
        func channel(_ row: SIMD3<Double>) -> UInt8 {
            Color.encoded(min(max((row * linear).sum(), 0), 1))
        }
        return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: color.alpha)
    }

    private var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        switch self {
        case .protanopia:
            (
                SIMD3(0.152286, 1.052583, -0.204868), SIMD3(0.114503, 0.786281, 0.099216),
                SIMD3(-0.003882, -0.048116, 1.051998)
            )
        case .deuteranopia:
            (
                SIMD3(0.367322, 0.860646, -0.227968), SIMD3(0.280085, 0.672501, 0.047413),
                SIMD3(-0.011820, 0.042940, 0.968881)
            )
        case .tritanopia:
            (
                SIMD3(1.255528, -0.076749, -0.178779), SIMD3(-0.078411, 0.930809, 0.147602),
                SIMD3(0.004733, 0.691367, 0.303900)
            )
        }
    }
}

extension Color {
    /// The contrast ratio of two opaque colours, 1 … 21 (W3C, Web Content Accessibility Guidelines 2.1, "contrast ratio").
    package func contrastRatio(to other: Color) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The relative luminance, 0 … 1 (the same guidelines).
    private var luminance: Double { (SIMD3(0.2126, 0.7152, 0.0722) * SIMD3(red, green, blue).linear).sum() }
}

extension SIMD3<UInt8> {
    /// Encoded channels in linear light.
    fileprivate var linear: SIMD3<Double> {
        SIMD3<Double>(Color.decodedBytes[Int(x)], Color.decodedBytes[Int(y)], Color.decodedBytes[Int(z)])
    }
}

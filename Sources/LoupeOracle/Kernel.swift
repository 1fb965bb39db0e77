import Glibc
import LoupeScene

/// A resampling kernel of Pillow's (SPEC 5), in units of its own lobes.
enum Kernel {
    /// The triangle.
    case linear
    /// The Keys cubic with a = −½.
    case cubic
    /// The sinc windowed by its own three times wider main lobe.
    case lanczos

    /// Beyond this the kernel is zero.
    var support: Double {
        switch self {
        case .linear: 1
        case .cubic: 2
        case .lanczos: 3
        }
    }

    func weight(_ offset: Double) -> Double {
        let x = abs(offset)
        guard x < support else { return 0 }
        switch self {
        case .linear: return 1 - x
        case .cubic: return Self.keys(x)
        case .lanczos: return Self.sinc(x) * Self.sinc(x / 3)
        }
    }

    /// Keys, "Cubic convolution interpolation for digital image processing", 1981.
    private static func keys(_ x: Double) -> Double {
        let a = -0.5
        return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}

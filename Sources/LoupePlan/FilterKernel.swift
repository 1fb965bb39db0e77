import CMath
import LoupeScene

/// The filters' kernels, as functions of the distance from the sample in texels (SPEC 5).
extension Filter {
    /// Beyond this distance the kernel is 0; nil for `nearest`, which has no kernel.
    var support: Double? {
        switch self {
        case .nearest: nil
        case .linear: 1
        case .cubic: 2
        case .lanczos: 3
        }
    }

    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .nearest: return 1
        case .linear: return max(0, 1 - x)
        case .cubic: return Self.keys(x)
        case .lanczos: return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
        }
    }

    /// Keys (1981) with a = −½.
    private static func keys(_ x: Double) -> Double {
        let a = -0.5
        if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
        return 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}

import Glibc

/// sRGB's curve (IEC 61966-2-1).
enum StandardCurve {
    /// What is stored for a light; what is out of 0 to 1 is cut off.
    static func encoded(_ light: Double) -> Double {
        let light = min(max(light, 0), 1)
        return light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}

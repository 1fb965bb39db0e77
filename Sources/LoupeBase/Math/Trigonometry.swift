// Angles are brought to −π/4…π/4 by π/2 in three parts (Cody and Waite), then the Taylor series are summed.

/// The sine of an angle in radians. The error is below one unit in the last place for angles up to 2²⁰; of larger ones, whole
/// turns are taken away as if a turn were the double nearest to 2π.
public func sin(_ x: Double) -> Double {
    guard !(abs(x) < 0x1p-27) else { return x }
    let (quarter, angle) = reduced(x)
    let result = quarter & 1 == 0 ? sine(angle).rounded : cosine(angle).rounded
    return quarter & 2 == 0 ? result : -result
}

/// The cosine of an angle in radians, as exact as ``sin(_:)``.
public func cos(_ x: Double) -> Double {
    let (quarter, angle) = reduced(x)
    let result = quarter & 1 == 0 ? cosine(angle).rounded : sine(angle).rounded
    return (quarter + 1) & 2 == 0 ? result : -result
}

/// The tangent of an angle in radians, as exact as ``sin(_:)``.
public func tan(_ x: Double) -> Double {
    guard !(abs(x) < 0x1p-27) else { return x }
    let (quarter, angle) = reduced(x)
    if quarter & 1 == 0 { return (sine(angle) / cosine(angle)).rounded }
    return -(cosine(angle) / sine(angle)).rounded
}

private func reduced(_ x: Double) -> (quarter: Int, angle: DoubleDouble) {
    guard abs(x) < .infinity else { return (0, DoubleDouble(.nan)) }
    let x = abs(x) <= 0x1p20 ? x : x.remainder(dividingBy: 2 * .pi)
    guard abs(x) > .pi / 4 else { return (0, DoubleDouble(x)) }
    let count = (x * (2 / .pi)).rounded(.toNearestOrEven)
    let first = x - count * 0x1.921fb54400000p0
    let second = DoubleDouble(sum: first, -count * 0x1.0b4611a600000p-34)
    let angle = second + DoubleDouble(-count * 0x1.3198a2e037073p-69)
    return (Int(count) & 3, angle)
}

private func sine(_ angle: DoubleDouble) -> DoubleDouble {
    let x = angle.high
    let z = x * x
    let series = polynomial(
        z, 1 / 355_687_428_096_000, -1 / 1_307_674_368_000, 1 / 6_227_020_800, -1 / 39_916_800, 1 / 362_880, -1 / 5040,
        1 / 120, -1 / 6)
    return DoubleDouble(ordered: x, x * z * series + angle.low * (1 - z / 2))
}

private func cosine(_ angle: DoubleDouble) -> DoubleDouble {
    let x = angle.high
    let square = DoubleDouble(product: x, x)
    let z = square.high
    let series = polynomial(
        z, -1 / 6_402_373_705_728_000, 1 / 20_922_789_888_000, -1 / 87_178_291_200, 1 / 479_001_600, -1 / 3_628_800,
        1 / 40_320, -1 / 720, 1 / 24)
    let start = DoubleDouble(ordered: 1, -z / 2)
    return DoubleDouble(ordered: start.high, start.low - square.low / 2 - x * angle.low + z * z * series)
}

/// The angle of the direction (`x`, `y`), in radians from −π to π, with the special cases of C. The error is below one unit in
/// the last place.
public func atan2(_ y: Double, _ x: Double) -> Double {
    if x.isNaN || y.isNaN { return .nan }
    let (across, down) = (abs(x), abs(y))
    var angle: DoubleDouble
    if down == 0 || across == .infinity && down < .infinity {
        angle = DoubleDouble(0)
    } else if across == down {
        angle = eighth
    } else if down < across {
        angle = arcTangent(down, across)
    } else {
        let other = across == 0 || down == .infinity ? DoubleDouble(0) : arcTangent(across, down)
        angle = quarter + DoubleDouble(-other.high, -other.low)
    }
    if x.sign == .minus {
        angle = DoubleDouble(2 * quarter.high, 2 * quarter.low) + DoubleDouble(-angle.high, -angle.low)
    }
    return Double(signOf: y, magnitudeOf: angle.rounded)
}

/// The angle whose tangent is `x`, in radians from −π/2 to π/2. The error is below one unit in the last place.
public func atan(_ x: Double) -> Double { atan2(x, 1) }

/// The angle whose cosine is `x`, in radians from 0 to π. The error is below two units in the last place.
public func acos(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    return atan2(((1 - x) * (1 + x)).squareRoot(), x)
}

private let quarter = DoubleDouble(0x1.921fb54442d18p0, 0x1.1a62633145c07p-54)
private let eighth = DoubleDouble(0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55)

/// The angles whose tangents are eighths.
private let angles = [
    DoubleDouble(0),
    DoubleDouble(0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59),
    DoubleDouble(0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57),
    DoubleDouble(0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56),
    DoubleDouble(0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56),
    DoubleDouble(0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58),
    DoubleDouble(0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56),
    DoubleDouble(0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56),
    eighth,
]

/// The angle whose tangent is y/x, 0 < y < x: that of the nearest eighth, and the rest by its series.
private func arcTangent(_ y: Double, _ x: Double) -> DoubleDouble {
    let quotient = y / x
    guard quotient > 0x1p-28 else { return DoubleDouble(quotient) }
    // Neither products nor sums may overflow or lose bits.
    let scale = -Int(x.exponent)
    let (y, x) = (y.scaled(by: scale), x.scaled(by: scale))
    let index = (8 * quotient).rounded()
    let part = index / 8
    let (along, beside) = (DoubleDouble(product: part, x), DoubleDouble(product: part, y))
    let rest = (DoubleDouble(y) + DoubleDouble(-along.high, -along.low)) / (DoubleDouble(x) + beside)
    let z = rest.high * rest.high
    let series = polynomial(z, -1 / 15, 1 / 13, -1 / 11, 1 / 9, -1 / 7, 1 / 5, -1 / 3)
    return angles[Int(index)] + rest + DoubleDouble(rest.high * z * series)
}

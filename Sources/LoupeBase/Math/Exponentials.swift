// e^x with x = k·ln 2 + r, |r| ≤ ln 2 / 2, and e^r by its Taylor series. What the reduction and the sum lose is carried along.

/// The first 32 bits of ln 2, so that a product with an exponent is exact, and the rest.
let logOfTwo = (high: 0x1.62e42ff000000p-1, low: -0x1.718432a1b0e26p-35)

/// e to the power of `x`. The error is below one unit in the last place.
public func exp(_ x: Double) -> Double { exp(DoubleDouble(x)) }

/// 2 to the power of `x`. The error is below one unit in the last place; whole powers are exact.
public func exp2(_ x: Double) -> Double {
    guard abs(x) < 1100 else { return x > 0 ? .infinity : x < 0 ? 0 : x }
    let whole = x.rounded(.toNearestOrEven)
    let part = DoubleDouble(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56) * (x - whole)
    return eToThe(part.high, part.low).scaled(by: Int(whole))
}

/// e to the power of `x`, less 1: exact in its last places near 0, too. The error is below two units in the last place.
public func expm1(_ x: Double) -> Double {
    guard abs(x) > 0x1p-54 else { return x }
    guard x < 709 else { return exp(x) - 1 }
    guard x > -40 else { return x.isNaN ? x : -1 }
    let (power, high, low) = reduced(DoubleDouble(x))
    let rest = high + tail(high, low)
    guard power != 0 else { return rest }
    let scale = 1.0.scaled(by: power)
    let sum = DoubleDouble(sum: scale - 1, scale * rest)
    // 2^k − 1 is exact up to k = 53; beyond, the 1 is less than the rounding error.
    return sum.rounded
}

func exp(_ x: DoubleDouble) -> Double {
    guard abs(x.high) < 800 else { return x.high > 0 ? .infinity : x.high < 0 ? 0 : x.high }
    let (power, high, low) = reduced(x)
    return eToThe(high, low).scaled(by: power)
}

/// The power of two, and what is left of the exponent.
private func reduced(_ x: DoubleDouble) -> (power: Int, high: Double, low: Double) {
    let power = (x.high * 0x1.71547652b82fep0).rounded(.toNearestOrEven)
    let rest = DoubleDouble(sum: x.high - power * logOfTwo.high, -power * logOfTwo.low)
    let sum = DoubleDouble(sum: rest.high, rest.low + x.low)
    return (Int(power), sum.high, sum.low)
}

/// e^(r + s), where s is at most half a unit in the last place of r.
private func eToThe(_ r: Double, _ s: Double) -> Double {
    let sum = DoubleDouble(ordered: 1, r)
    return sum.high + (sum.low + tail(r, s))
}

/// e^(r + s) − 1 − r, by the Taylor series from the second power on.
private func tail(_ r: Double, _ s: Double) -> Double {
    let series = polynomial(
        r, 1 / 87_178_291_200, 1 / 6_227_020_800, 1 / 479_001_600, 1 / 39_916_800, 1 / 3_628_800, 1 / 362_880,
        1 / 40_320,
        1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2)
    return r * r * series + (s + s * r)
}

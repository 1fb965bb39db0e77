// ln x with x = 2^k·m, √½ ≤ m < √2: the logarithm of the nearest 64th c from a table, and ln m/c = 2·artanh((m − c)/(m + c))
// by its series.

/// The natural logarithm. The error is below one unit in the last place. 0 gives −∞, a negative number NaN.
public func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x < 0 ? .nan : x }
    return logarithm(DoubleDouble(x)).rounded
}

/// The natural logarithm of 1 + `x`: exact in its last places near 0, too. The error is below one unit in the last place.
public func log1p(_ x: Double) -> Double {
    guard x > -1, x < .infinity else { return x == -1 ? -.infinity : x < -1 ? .nan : x }
    guard abs(x) > 0x1p-54 else { return x }
    return logarithm(DoubleDouble(sum: 1, x)).rounded
}

/// The logarithm to the base 2. The error is below one unit in the last place; powers of two give whole numbers.
public func log2(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x < 0 ? .nan : x }
    let (power, rest) = parts(DoubleDouble(x))
    let inverse = DoubleDouble(0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56)
    return (DoubleDouble(power) + rest * inverse).rounded
}

/// `x` to the power of `y`, with the special cases of IEEE 754. The error is below one unit in the last place; where the
/// power is a double, the result is exact.
public func pow(_ x: Double, _ y: Double) -> Double {
    if x > 0, x < .infinity, abs(y) <= 0x1p64 { return exp(logarithm(DoubleDouble(x)) * y) }
    if y == 0 || x == 1 { return 1 }
    if x.isNaN || y.isNaN { return .nan }
    let isWhole = y.rounded(.towardZero) == y
    let isOdd = isWhole && abs(y) < 0x1p53 && Int64(y) & 1 != 0
    let size = abs(x)
    let isNegative = x.sign == .minus && isOdd
    if size == 0 || size == .infinity {
        let result: Double = (size == 0) == (y > 0) ? 0 : .infinity
        return isNegative ? -result : result
    }
    if y.isInfinite { return size == 1 ? 1 : (size > 1) == (y > 0) ? .infinity : 0 }
    if x < 0, !isWhole { return .nan }
    if size == 1 { return isNegative ? -1 : 1 }
    // Beyond 2⁶⁴ the result is 0 or ∞, as no logarithm but 0 is nearer to 0 than 2⁻⁵³.
    let exponent = min(max(y, -0x1p64), 0x1p64)
    let result = exp(logarithm(DoubleDouble(size)) * exponent)
    return isNegative ? -result : result
}

/// The natural logarithm of a positive number, to some 65 bits.
private func logarithm(_ x: DoubleDouble) -> DoubleDouble {
    let (power, rest) = parts(x)
    let whole = DoubleDouble(sum: power * logOfTwo.high, rest.high)
    return DoubleDouble(ordered: whole.high, whole.low + (power * logOfTwo.low + rest.low))
}

/// The power of two below √2·x and next to it, and the natural logarithm of what is left.
private func parts(_ x: DoubleDouble) -> (power: Double, rest: DoubleDouble) {
    guard x.high >= .leastNormalMagnitude else {
        let (power, rest) = parts(DoubleDouble(x.high * 0x1p54))
        return (power - 54, rest)
    }
    let squareRootOfHalf: UInt64 = 0x3fe6_a09e_667f_3bcd
    let power = Int((x.high.bitPattern + (0x3ff0_0000_0000_0000 - squareRootOfHalf)) >> 52) - 1023
    let (m, beyond) = (x.high.scaled(by: -power), x.low.scaled(by: -power))

    let index = (64 * m).rounded(.toNearestOrEven)
    let near = index / 64
    let known = logarithms[Int(index) - 45]

    let sum = DoubleDouble(ordered: m, near)
    let s = (m - near) / sum.high
    let product = DoubleDouble(product: s, sum.high)
    let sLow = ((((m - near) - product.high) - product.low) + (beyond - s * (sum.low + beyond))) / sum.high
    let z = s * s
    let series = s * z * (2 / 3 + z * (2 / 5 + z * (2 / 7 + z * (2 / 9))))
    let total = DoubleDouble(sum: known.high, 2 * s)
    return (Double(power), DoubleDouble(ordered: total.high, total.low + (known.low + (2 * sLow + series))))
}

/// The natural logarithms of 45/64 to 91/64, in two doubles each.
private let logarithms: [(high: Double, low: Double)] = [
    (-0x1.68ac83e9c6a14p-2, -0x1.a64eadd740178p-58),
    (-0x1.522ae0738a3d8p-2, 0x1.8f7e9b38a6979p-57),
    (-0x1.3c25277333184p-2, 0x1.2ad27e50a8ec6p-56),
    (-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56),
    (-0x1.1178e8227e47cp-2, 0x1.0e63a5f01c691p-57),
    (-0x1.f991c6cb3b379p-3, -0x1.f665066f980a2p-57),
    (-0x1.d1037f2655e7bp-3, -0x1.60629242471a2p-57),
    (-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57),
    (-0x1.823c16551a3c2p-3, 0x1.1232ce70be781p-57),
    (-0x1.5bf406b543db2p-3, 0x1.1f5b44c0df7e7p-61),
    (-0x1.365fcb0159016p-3, -0x1.7d411a5b944adp-58),
    (-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58),
    (-0x1.da727638446a2p-4, -0x1.401fa71733019p-58),
    (-0x1.9335e5d594989p-4, 0x1.478a85704ccb7p-58),
    (-0x1.4d3115d207eacp-4, -0x1.769f42c7842ccp-58),
    (-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58),
    (-0x1.894aa149fb343p-5, -0x1.a8be97660a23dp-60),
    (-0x1.0415d89e74444p-5, -0x1.c05cf1d753622p-59),
    (-0x1.0205658935847p-6, -0x1.27c8e8416e71fp-60),
    (0x0.0p+0, 0x0.0p+0),
    (0x1.fc0a8b0fc03e4p-7, -0x1.83092c59642a1p-62),
    (0x1.f829b0e783300p-6, 0x1.33e3f04f1ef23p-60),
    (0x1.77458f632dcfcp-5, 0x1.18d3ca87b9296p-59),
    (0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59),
    (0x1.341d7961bd1d1p-4, -0x1.b599f227becbbp-58),
    (0x1.6f0d28ae56b4cp-4, -0x1.906d99184b992p-58),
    (0x1.a926d3a4ad563p-4, 0x1.942f48aa70ea9p-58),
    (0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60),
    (0x1.0d77e7cd08e59p-3, 0x1.9a5dc5e9030acp-57),
    (0x1.29552f81ff523p-3, 0x1.301771c407dbfp-57),
    (0x1.44d2b6ccb7d1ep-3, 0x1.9f4f6543e1f88p-57),
    (0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58),
    (0x1.7ab890210d909p-3, 0x1.be36b2d6a0608p-59),
    (0x1.9525a9cf456b4p-3, 0x1.d904c1d4e2e26p-57),
    (0x1.af3c94e80bff3p-3, -0x1.398cff3641985p-58),
    (0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57),
    (0x1.e27076e2af2e6p-3, -0x1.61578001e0162p-59),
    (0x1.fb9186d5e3e2bp-3, -0x1.caaae64f21acbp-57),
    (0x1.0a324e27390e3p-2, 0x1.7dcfde8061c03p-56),
    (0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61),
    (0x1.22941fbcf7966p-2, -0x1.76f5eb09628afp-56),
    (0x1.2e8e2bae11d31p-2, -0x1.8f4cdb95ebdf9p-56),
    (0x1.3a64c556945eap-2, -0x1.c68651945f97cp-57),
    (0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56),
    (0x1.51aad872df82dp-2, 0x1.3927ac19f55e3p-59),
    (0x1.5d1bdbf5809cap-2, 0x1.4236383dc7fe1p-56),
    (0x1.686c81e9b14afp-2, -0x1.ddea0f7f58e3dp-57),
]

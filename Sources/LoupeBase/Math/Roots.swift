/// The cube root. The error is below one unit in the last place; cubes give exact results.
public func cbrt(_ x: Double) -> Double {
    guard x != 0, abs(x) < .infinity else { return x }
    // |x| = 8^k·m, 1 ≤ m < 8.
    let exponent = Int(abs(x).exponent)
    let third = (exponent >= 0 ? exponent : exponent - 2) / 3
    let m = abs(x).scaled(by: -3 * third)
    // A third of the bits is a third of the exponent, and nearly right. Each step of Halley's triples the right digits.
    var root = Double(bitPattern: m.bitPattern / 3 + 0x2a9f_7893_0000_0000)
    for _ in 0..<2 {
        let cube = root * root * root
        root *= (cube + 2 * m) / (2 * cube + m)
    }
    let cube = DoubleDouble(product: root, root) * root
    root -= ((cube.high - m) + cube.low) / (3 * root * root)
    return Double(signOf: x, magnitudeOf: root.scaled(by: third))
}

/// The length of the vector (`x`, `y`), where its square would overflow or vanish, too. The error is below one unit in the
/// last place.
public func hypot(_ x: Double, _ y: Double) -> Double {
    if x.isInfinite || y.isInfinite { return .infinity }
    if x.isNaN || y.isNaN { return .nan }
    let (long, short) = (max(abs(x), abs(y)), min(abs(x), abs(y)))
    guard short > 0 else { return long + short }
    guard short > long * 0x1p-54 else { return long }
    let isExtreme = long > 0x1p480 || short < 0x1p-440
    let exponent = isExtreme ? Int(long.exponent) : 0
    let (a, b) = isExtreme ? (long.scaled(by: -exponent), short.scaled(by: -exponent)) : (long, short)
    let square = DoubleDouble(product: a, a) + DoubleDouble(product: b, b)
    let root = square.high.squareRoot()
    let product = DoubleDouble(product: root, root)
    let rest = (square.high - product.high) - product.low + square.low
    let length = root + rest / (2 * root)
    return isExtreme ? length.scaled(by: exponent) : length
}

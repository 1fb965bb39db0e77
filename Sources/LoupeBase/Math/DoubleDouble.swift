/// A number of about 106 bits: the sum of two doubles, the second at most half a unit in the last place of the first.
///
/// The functions of this module need such sums where a result of 53 bits would lose its last ones. Products are split by
/// Dekker's method (1971) and not by a fused multiplication, which not every processor has.
struct DoubleDouble {
    var high: Double
    var low: Double

    init(_ high: Double, _ low: Double = 0) {
        self.high = high
        self.low = low
    }

    /// `a + b` without a rounding error (Knuth's TwoSum).
    init(sum a: Double, _ b: Double) {
        high = a + b
        let part = high - a
        low = (a - (high - part)) + (b - part)
    }

    /// `a + b` without a rounding error, where |a| ≥ |b|.
    init(ordered a: Double, _ b: Double) {
        high = a + b
        low = b - (high - a)
    }

    /// `a·b` without a rounding error, where neither overflows beyond 2⁹⁹⁶ and the product is above 2⁻⁹⁶⁹.
    init(product a: Double, _ b: Double) {
        let (upperA, upperB) = (Self.upper(a), Self.upper(b))
        let (lowerA, lowerB) = (a - upperA, b - upperB)
        high = a * b
        low = ((upperA * upperB - high) + upperA * lowerB + lowerA * upperB) + lowerA * lowerB
    }

    /// The first 26 bits.
    private static func upper(_ value: Double) -> Double {
        let shifted = 134_217_729 * value
        return shifted - (shifted - value)
    }

    /// The double nearest to the number.
    var rounded: Double { high + low }

    static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
        let product = DoubleDouble(product: a.high, b.high)
        return DoubleDouble(ordered: product.high, product.low + (a.high * b.low + a.low * b.high))
    }

    static func * (a: DoubleDouble, b: Double) -> DoubleDouble {
        let product = DoubleDouble(product: a.high, b)
        return DoubleDouble(ordered: product.high, product.low + a.low * b)
    }

    static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
        let sum = DoubleDouble(sum: a.high, b.high)
        return DoubleDouble(ordered: sum.high, sum.low + (a.low + b.low))
    }

    static func / (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
        let first = a.high / b.high
        let product = DoubleDouble(product: first, b.high)
        let rest = (a.high - product.high) - product.low + a.low - first * b.low
        return DoubleDouble(ordered: first, rest / b.high)
    }
}

extension Double {
    /// The number times 2 to the power of `exponent`, rounded once unless it is subnormal.
    func scaled(by exponent: Int) -> Double {
        func power(_ exponent: Int) -> Double { Double(bitPattern: UInt64(exponent + 1023) << 52) }
        if exponent > 1023 { return self * power(1023) * power(min(exponent - 1023, 1023)) }
        if exponent < -1022 { return self * power(-1022 + 53) * power(max(exponent + 1022 - 53, -1022)) }
        return self * power(exponent)
    }
}

/// The value of the polynomial with these coefficients, that of the highest power first. Even and odd powers are summed beside
/// each other, which processors do at the same time.
@inline(__always)
func polynomial(_ x: Double, _ coefficients: Double...) -> Double {
    let square = x * x
    let count = coefficients.count
    var (one, other) = (coefficients[0], coefficients[1])
    var index = 2
    while index + 1 < count {
        one = one * square + coefficients[index]
        other = other * square + coefficients[index + 1]
        index += 2
    }
    guard index < count else { return one * x + other }
    return (one * square + coefficients[index]) + other * x
}

import Glibc
import LoupeBase
import TestSupport
import Testing

/// C's library is the judge: its functions are within one unit in the last place, those marked otherwise within a few.
@Suite("Mathematical functions")
struct FunctionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let range: ClosedRange<Double>
        let limit: Double
        let own: @Sendable (Double) -> Double
        let judge: @Sendable (Double) -> Double
        var testDescription: String { "\(name) in \(range)" }
    }

    static let cases: [Case] = [
        Case(name: "exp", range: -20...20, limit: 1, own: { LoupeBase.exp($0) }, judge: { Glibc.exp($0) }),
        Case(name: "exp", range: -745...709, limit: 1, own: { LoupeBase.exp($0) }, judge: { Glibc.exp($0) }),
        Case(name: "exp2", range: -40...40, limit: 1, own: { LoupeBase.exp2($0) }, judge: { Glibc.exp2($0) }),
        Case(name: "expm1", range: -2...2, limit: 2, own: { LoupeBase.expm1($0) }, judge: { Glibc.expm1($0) }),
        Case(name: "expm1", range: -50...50, limit: 2, own: { LoupeBase.expm1($0) }, judge: { Glibc.expm1($0) }),
        Case(name: "expm1", range: -1e-9...1e-9, limit: 1, own: { LoupeBase.expm1($0) }, judge: { Glibc.expm1($0) }),
        Case(name: "log", range: 0...10, limit: 1, own: { LoupeBase.log($0) }, judge: { Glibc.log($0) }),
        Case(name: "log", range: 0.99...1.01, limit: 1, own: { LoupeBase.log($0) }, judge: { Glibc.log($0) }),
        Case(name: "log", range: 0...1e300, limit: 1, own: { LoupeBase.log($0) }, judge: { Glibc.log($0) }),
        Case(name: "log1p", range: -0.999...9, limit: 1, own: { LoupeBase.log1p($0) }, judge: { Glibc.log1p($0) }),
        Case(name: "log1p", range: -1e-9...1e-9, limit: 1, own: { LoupeBase.log1p($0) }, judge: { Glibc.log1p($0) }),
        Case(name: "log2", range: 0...1e6, limit: 1, own: { LoupeBase.log2($0) }, judge: { Glibc.log2($0) }),
        Case(name: "x^0.3", range: 0...3, limit: 1, own: { LoupeBase.pow($0, 0.3) }, judge: { Glibc.pow($0, 0.3) }),
        Case(name: "x^2.4", range: 0...1, limit: 1, own: { LoupeBase.pow($0, 2.4) }, judge: { Glibc.pow($0, 2.4) }),
        Case(
            name: "x^−50.7", range: 0...9, limit: 1, own: { LoupeBase.pow($0, -50.7) }, judge: { Glibc.pow($0, -50.7) }),
        Case(
            name: "1.7^x", range: -900...900, limit: 1, own: { LoupeBase.pow(1.7, $0) }, judge: { Glibc.pow(1.7, $0) }),
        Case(name: "sin", range: -7...7, limit: 1, own: { LoupeBase.sin($0) }, judge: { Glibc.sin($0) }),
        Case(name: "cos", range: -7...7, limit: 1, own: { LoupeBase.cos($0) }, judge: { Glibc.cos($0) }),
        Case(name: "tan", range: -7...7, limit: 1, own: { LoupeBase.tan($0) }, judge: { Glibc.tan($0) }),
        Case(name: "sin", range: -1e6...1e6, limit: 1, own: { LoupeBase.sin($0) }, judge: { Glibc.sin($0) }),
        Case(name: "atan", range: -9...9, limit: 1, own: { LoupeBase.atan($0) }, judge: { Glibc.atan($0) }),
        Case(name: "atan", range: -1e20...1e20, limit: 1, own: { LoupeBase.atan($0) }, judge: { Glibc.atan($0) }),
        Case(
            name: "atan2(x, −1.3)", range: -9...9, limit: 1, own: { LoupeBase.atan2($0, -1.3) },
            judge: { Glibc.atan2($0, -1.3) }),
        Case(name: "acos", range: -1...1, limit: 2, own: { LoupeBase.acos($0) }, judge: { Glibc.acos($0) }),
        Case(
            name: "hypot(x, 1.7)", range: -9...9, limit: 1, own: { LoupeBase.hypot($0, 1.7) },
            judge: { Glibc.hypot($0, 1.7) }),
        // C's own are up to four and five units off.
        Case(name: "cbrt", range: -9...9, limit: 5, own: { LoupeBase.cbrt($0) }, judge: { Glibc.cbrt($0) }),
        Case(name: "erfc", range: -6...27, limit: 9, own: { LoupeBase.erfc($0) }, judge: { Glibc.erfc($0) }),
    ]

    @Test("are within a unit in the last place of C's", arguments: cases)
    func closeness(_ example: Case) {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            let x = Double.random(in: example.range, using: &random)
            let (own, expected) = (example.own(x), example.judge(x))
            let unit = max(expected.ulp, 0x1p-1022.ulp)
            if abs(own - expected) > example.limit * unit {
                Issue.record("\(example.name)(\(x)) = \(own), not \(expected)")
                return
            }
        }
    }

    static let specials: [Double] = [
        0, -0.0, 0.5, -0.5, 1, -1, 1.5, 2, -2, 3, -3, 4, 1024, .infinity, -.infinity, .nan, 1e308, -1e308, 1e-308,
        Double.leastNonzeroMagnitude,
        -Double.leastNonzeroMagnitude, 0x1p53, 0x1p53 + 2, 0x1p60, -0x1p53 - 2, 710, -746, 1e-17, .pi / 4, .pi / 2, .pi,
    ]

    /// The same number with the same sign, or within one unit in the last place; any NaN for a NaN.
    private static func agree(_ own: Double, _ expected: Double, units: Double = 1) -> Bool {
        if own.isNaN || expected.isNaN { return own.isNaN && expected.isNaN }
        if own == expected { return own.sign == expected.sign }
        return abs(own - expected) <= units * max(expected.ulp, Double.leastNonzeroMagnitude)
    }

    @Test("treat zeros, infinities, NaN, the largest and the smallest as C's do", arguments: specials)
    func specialCases(_ x: Double) {
        #expect(Self.agree(LoupeBase.exp(x), Glibc.exp(x)))
        #expect(Self.agree(LoupeBase.exp2(x), Glibc.exp2(x)))
        #expect(Self.agree(LoupeBase.expm1(x), Glibc.expm1(x)))
        #expect(Self.agree(LoupeBase.log(x), Glibc.log(x)))
        #expect(Self.agree(LoupeBase.log1p(x), Glibc.log1p(x)))
        #expect(Self.agree(LoupeBase.log2(x), Glibc.log2(x)))
        #expect(Self.agree(LoupeBase.atan(x), Glibc.atan(x)))
        #expect(Self.agree(LoupeBase.acos(x), Glibc.acos(x)))
        #expect(Self.agree(LoupeBase.cbrt(x), Glibc.cbrt(x), units: 4))
        #expect(Self.agree(LoupeBase.erfc(x), Glibc.erfc(x), units: 8))
        if abs(x) < 1e6 || !x.isFinite {
            #expect(Self.agree(LoupeBase.sin(x), Glibc.sin(x)))
            #expect(Self.agree(LoupeBase.cos(x), Glibc.cos(x)))
            #expect(Self.agree(LoupeBase.tan(x), Glibc.tan(x)))
        }
        for y in Self.specials {
            #expect(Self.agree(LoupeBase.pow(x, y), Glibc.pow(x, y)), "\(x) to the power of \(y)")
            #expect(Self.agree(LoupeBase.atan2(x, y), Glibc.atan2(x, y)), "atan2(\(x), \(y))")
            #expect(Self.agree(LoupeBase.hypot(x, y), Glibc.hypot(x, y)), "hypot(\(x), \(y))")
        }
    }

    @Test("give exact results where there are such")
    func exactResults() {
        for whole in 0...40 {
            let number = Double(whole)
            #expect(LoupeBase.exp2(number) == Double(sign: .plus, exponent: whole, significand: 1))
            #expect(LoupeBase.log2(LoupeBase.exp2(-number)) == -number)
            #expect(LoupeBase.pow(number, 3) == number * number * number)
            #expect(LoupeBase.pow(number * number, 0.5) == number)
            #expect(LoupeBase.cbrt(number * number * number) == number)
            #expect(LoupeBase.hypot(3 * number, 4 * number) == 5 * number)
        }
    }

    @Test("large angles give a sine and a cosine")
    func largeAngles() {
        for angle in [0x1p20, 1e7, 1e15, 1e100, -1e300] {
            let (sine, cosine) = (LoupeBase.sin(angle), LoupeBase.cos(angle))
            #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15)
        }
    }
}

/// The duration of one frame, an exact fraction of a second.
package struct FrameTime: Hashable, Sendable {
    private let numerator: Int
    private let denominator: Int

    /// `step` / `framesPerSecond` seconds. The rate is rounded to three decimal places.
    package init(framesPerSecond: Double, step: Int = 1) {
        let thousandths = max(1, Int((framesPerSecond * 1000).rounded()))
        let common = Self.greatestCommonDivisor(step * 1000, thousandths)
        numerator = step * 1000 / common
        denominator = thousandths / common
    }

    /// The delay of so many frames as two 16-bit numbers; the fraction is rounded where it does not fit.
    func delay(frames: Int) -> [UInt8] {
        let common = Self.greatestCommonDivisor(numerator * frames, denominator)
        var (n, d) = (numerator * frames / common, denominator / common)
        while n > 65535 || d > 65535 { (n, d) = (n / 2, max(1, d / 2)) }
        return [UInt8(n >> 8), UInt8(n & 255), UInt8(d >> 8), UInt8(d & 255)]
    }

    /// The length of so many frames, in milliseconds, rounded.
    func milliseconds(frames: Int) -> Int {
        let (whole, rest) = (numerator * frames).quotientAndRemainder(dividingBy: denominator)
        return 1000 * whole + (2000 * rest + denominator) / (2 * denominator)
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}

import Glibc

/// A rectangle of complex numbers and its discrete Fourier transform (J. W. Cooley and J. W. Tukey, 1965).
struct FourierGrid {
    /// A power of two.
    let width: Int
    /// A power of two.
    let height: Int
    /// Row by row.
    var real: [Double]
    /// Row by row.
    var imaginary: [Double]

    /// Zeros.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        real = [Double](repeating: 0, count: width * height)
        imaginary = real
    }

    /// The smallest power of two that is not smaller.
    static func side(atLeast count: Int) -> Int {
        var side = 1
        while side < count { side *= 2 }
        return side
    }

    /// Transforms in place: Σ z·e^(∓2πi(ux/width + vy/height)), minus forwards, plus backwards. Neither is scaled.
    mutating func transform(backwards: Bool = false) {
        transformLines(count: height, length: width, stride: 1, step: width, backwards)
        transformLines(count: width, length: height, stride: width, step: 1, backwards)
    }

    /// Transforms `count` lines whose numbers lie `stride` apart and whose first numbers lie `step` apart.
    private mutating func transformLines(count: Int, length: Int, stride: Int, step: Int, _ backwards: Bool) {
        guard length > 1 else { return }
        let turn = (backwards ? 2 : -2) * Double.pi / Double(length)
        let cosines = (0..<length / 2).map { cos(turn * Double($0)) }
        let sines = (0..<length / 2).map { sin(turn * Double($0)) }
        var (x, y) = ([Double](repeating: 0, count: length), [Double](repeating: 0, count: length))
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                x.withUnsafeMutableBufferPointer { x in
                    y.withUnsafeMutableBufferPointer { y in
                        for line in 0..<count {
                            // In the order of reversed bits, which the butterflies need.
                            var reversed = 0
                            for index in 0..<length {
                                let offset = line * step + index * stride
                                (x[reversed], y[reversed]) = (real[offset], imaginary[offset])
                                var bit = length >> 1
                                while reversed & bit != 0 {
                                    reversed ^= bit
                                    bit >>= 1
                                }
                                reversed |= bit
                            }
                            Self.butterflies(x, y, cosines, sines)
                            for index in 0..<length {
                                let offset = line * step + index * stride
                                (real[offset], imaginary[offset]) = (x[index], y[index])
                            }
                        }
                    }
                }
            }
        }
    }

    private static func butterflies(
        _ x: UnsafeMutableBufferPointer<Double>, _ y: UnsafeMutableBufferPointer<Double>, _ cosines: [Double],
        _ sines: [Double]
    ) {
        var half = 1
        while half < x.count {
            let stride = x.count / (2 * half)
            for start in Swift.stride(from: 0, to: x.count, by: 2 * half) {
                for k in 0..<half {
                    let (a, b) = (start + k, start + k + half)
                    let (c, s) = (cosines[k * stride], sines[k * stride])
                    let (re, im) = (x[b] * c - y[b] * s, x[b] * s + y[b] * c)
                    (x[b], y[b]) = (x[a] - re, y[a] - im)
                    (x[a], y[a]) = (x[a] + re, y[a] + im)
                }
            }
            half *= 2
        }
    }
}

import Glibc
import LoupeScene

/// LDR-FLIP: the error that a person sees who alternates between two pictures (P. Andersson, J. Nilsson,
/// T. Akenine-Möller, M. Oskarsson, K. Åström and M. D. Fairchild, "FLIP: A Difference Evaluator for Alternating Images",
/// 2020). 0 is no difference, 1 the largest.
struct FLIP: Sendable {
    /// A number of each of eight neighbours.
    typealias Lanes = SIMD8<Float>
    /// The weights of a symmetric filter at 0…radius, or of an odd one, which has their negatives on the other side.
    private typealias Taps = [Float]

    /// The colours are Y, Cx and Cz, of which two filters of Cz are added.
    private let luminance, redGreen: Taps
    private let blueYellow: (Taps, Taps)
    /// How much each of the two counts.
    private let parts: (Float, Float)
    /// Of Y alone: what smooths, and what finds edges and points.
    private let smooth, edge, point: Taps
    /// YCxCz of each level of red, of green and of blue, which are added.
    private let levels: [Pixel]
    private let space = ColorSpace()
    /// How far a pixel's error looks, in pixels.
    let radius: Int

    /// - Parameter pixelsPerDegree: of the field of view of the person who looks.
    init(pixelsPerDegree: Double) {
        let spatial = Int((3 * (0.04 / (2 * Double.pi * Double.pi)).squareRoot() * pixelsPerDegree).rounded(.up))
        func taps(_ b: Double) -> FilterTaps {
            FilterTaps(radius: spatial) { x in
                let degrees = x / pixelsPerDegree
                return exp(-Double.pi * Double.pi * degrees * degrees / b)
            }
        }
        let terms = [(a: 34.1, b: 0.04), (a: 13.5, b: 0.025)]
        // Each term's part of the sum of the blue-yellow filter over the plane.
        let sums = terms.map { term in
            term.a * (Double.pi / term.b).squareRoot() * pow(taps(term.b).weights.reduce(0, +), 2)
        }

        let deviation = 0.5 * 0.082 * pixelsPerDegree
        let features = Int((3 * deviation).rounded(.up))
        func gaussian(_ x: Double) -> Double { exp(-x * x / (2 * deviation * deviation)) }

        // Half of the weights. Those that are lost in single precision are left out: 3 of 10 of Y.
        func half(_ taps: FilterTaps) -> Taps {
            let weights = taps.normalized.weights[taps.radius...]
            return weights[...(weights.lastIndex { abs($0) > 1e-9 } ?? taps.radius)].map { Float($0) }
        }
        (luminance, redGreen) = (half(taps(0.0047)), half(taps(0.0053)))
        blueYellow = (half(taps(terms[0].b)), half(taps(terms[1].b)))
        parts = (Float(sums[0] / (sums[0] + sums[1])), Float(sums[1] / (sums[0] + sums[1])))
        smooth = half(FilterTaps(radius: features, gaussian))
        edge = half(FilterTaps(radius: features) { -$0 * gaussian($0) })
        point = half(FilterTaps(radius: features) { ($0 * $0 / (deviation * deviation) - 1) * gaussian($0) })
        radius = max(spatial, features)
        // Black is added once.
        levels = (0..<3).flatMap { channel in
            Color.decodedBytes.map { level in
                var linear = Vector.zero
                linear[channel] = level
                return Pixel(Self.opponent(linear) - (channel == 0 ? .zero : Self.opponent(.zero)))
            }
        }
    }

    // MARK: - Pixels

    /// Red, green and blue in linear light, or another colour of three numbers.
    typealias Vector = SIMD3<Double>
    /// YCxCz.
    typealias Pixel = SIMD3<Float>

    /// YCxCz of linear light.
    @inline(__always)
    private static func opponent(_ linear: Vector) -> Vector {
        let v = ColorSpace.xyz(linear) / ColorSpace.white
        return Vector(116 * v.y - 16, 500 * (v.x - v.y), 200 * (v.y - v.z))
    }

    /// YCxCz of an opaque pixel of sRGB, red in the lowest byte.
    @inline(__always)
    func opponent(_ word: UInt32) -> Pixel {
        levels[Int(word & 255)] + levels[256 + Int(word >> 8 & 255)] + levels[512 + Int(word >> 16 & 255)]
    }

    /// YCxCz of a pixel of linear light.
    func opponent(linear: Vector) -> Pixel { Pixel(Self.opponent(linear)) }

    /// A block of YCxCz with `radius` more pixels on every side.
    /// - Parameter pixel: the colour of a pixel, by its column and row in the block.
    @inline(__always)
    func block(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel) -> Block {
        var block = Block(width: width + 2 * radius, height: height + 2 * radius, planes: 3)
        let (plane, stride) = (block.plane, block.stride)
        block.numbers.withUnsafeMutableBufferPointer { numbers in
            for y in 0..<height + 2 * radius {
                for x in 0..<width + 2 * radius {
                    let (color, index) = (pixel(x - radius, y - radius), y * stride + x)
                    numbers[index] = color.x
                    numbers[plane + index] = color.y
                    numbers[2 * plane + index] = color.z
                }
            }
        }
        return block
    }

    /// Planes of numbers. Seven columns more lie at their right, as eight pixels are filtered at a time.
    struct Block {
        let width, height: Int
        fileprivate var numbers: [Float]
        fileprivate var stride: Int { width + 7 }
        /// How far the next plane is.
        fileprivate var plane: Int { stride * height }

        fileprivate init(width: Int, height: Int, planes: Int) {
            (self.width, self.height) = (width, height)
            numbers = Array(repeating: 0, count: planes * (width + 7) * height)
        }
    }

    // MARK: - What is seen

    /// What an eye sees of a block: L*a*b*, how strong an edge is, and a point. Without the margins.
    func seen(_ block: Block) -> Block {
        let (width, height) = (block.width - 2 * radius, block.height - 2 * radius)
        var rows = Block(width: width, height: block.height, planes: 7)
        filter(block, into: &rows, step: 1) { pixel, plane, store in
            let (luma, x, z) = (pixel, pixel + plane, pixel + 2 * plane)
            store(0, Self.even(luma, 1, luminance))
            store(1, Self.even(x, 1, redGreen))
            store(2, Self.even(z, 1, blueYellow.0) * parts.0)
            store(3, Self.even(z, 1, blueYellow.1) * parts.1)
            store(4, Self.even(luma, 1, smooth))
            store(5, Self.odd(luma, 1, edge))
            store(6, Self.curved(luma, 1, point))
        }
        var seen = Block(width: width, height: height, planes: 5)
        let (space, step) = (space, rows.stride)
        filter(rows, into: &seen, step: step) { pixel, plane, store in
            let smoothed = pixel + 4 * plane
            let color = space.adjusted(
                luminance: Self.even(pixel, step, luminance), redGreen: Self.even(pixel + plane, step, redGreen),
                blueYellow: Self.even(pixel + 2 * plane, step, blueYellow.0)
                    + Self.even(pixel + 3 * plane, step, blueYellow.1))
            store(0, color.0)
            store(1, color.1)
            store(2, color.2)
            let edges = (Self.even(pixel + 5 * plane, step, smooth), Self.odd(smoothed, step, edge))
            let points = (Self.even(pixel + 6 * plane, step, smooth), Self.curved(smoothed, step, point))
            store(3, (edges.0 * edges.0 + edges.1 * edges.1).squareRoot())
            store(4, (points.0 * points.0 + points.1 * points.1).squareRoot())
        }
        return seen
    }

    /// Filters eight pixels at a time, in so few columns that all rows of a sum stay in the nearest memory.
    /// - Parameters:
    ///   - step: how far the neighbours are that are summed: `radius` of them lie before the target's first.
    ///   - pixels: takes where the first plane has the pixels, how far the next plane is, and what stores eight numbers in a plane.
    @inline(__always)
    private func filter(
        _ source: Block, into target: inout Block, step: Int,
        _ pixels: (UnsafePointer<Float>, _ plane: Int, _ store: (Int, Lanes) -> Void) -> Void
    ) {
        let (width, height, stride, plane) = (target.width, target.height, target.stride, target.plane)
        let (from, offset, next) = (source.stride, step * radius, source.plane)
        source.numbers.withUnsafeBufferPointer { source in
            target.numbers.withUnsafeMutableBytes { target in
                guard let first = source.baseAddress else { return }
                for left in Swift.stride(from: 0, to: width, by: 16) {
                    for y in 0..<height {
                        for x in Swift.stride(from: left, to: min(left + 16, width), by: 8) {
                            pixels(first + (offset + y * from + x), next) { index, lanes in
                                let place = index * plane + y * stride + x
                                target.storeBytes(of: lanes, toByteOffset: 4 * place, as: Lanes.self)
                            }
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func eight(_ pixel: UnsafePointer<Float>) -> Lanes {
        UnsafeRawPointer(pixel).loadUnaligned(as: Lanes.self)
    }

    /// A sum over pixels that lie `step` apart: of the middle, and of what pairs at both sides of it give.
    @inline(__always)
    private static func sum(
        _ pixel: UnsafePointer<Float>, _ step: Int, _ taps: Taps, middle: Lanes, _ pair: (Lanes, Lanes) -> Lanes
    ) -> Lanes {
        taps.withUnsafeBufferPointer { taps in
            var sum = middle * taps[0]
            for k in 1..<taps.count { sum += pair(eight(pixel - k * step), eight(pixel + k * step)) * taps[k] }
            return sum
        }
    }

    @inline(__always)
    private static func even(_ pixel: UnsafePointer<Float>, _ step: Int, _ taps: Taps) -> Lanes {
        sum(pixel, step, taps, middle: eight(pixel)) { $0 + $1 }
    }

    @inline(__always)
    private static func odd(_ pixel: UnsafePointer<Float>, _ step: Int, _ taps: Taps) -> Lanes {
        sum(pixel, step, taps, middle: .zero) { $1 - $0 }
    }

    /// A filter whose weights sum to 0, of the distances from the pixel in the middle: an even colour gives 0, however numbers are
    /// rounded.
    @inline(__always)
    private static func curved(_ pixel: UnsafePointer<Float>, _ step: Int, _ taps: Taps) -> Lanes {
        let twice = 2 * eight(pixel)
        return sum(pixel, step, taps, middle: .zero) { $0 + $1 - twice }
    }

    // MARK: - Errors

    /// The errors of two blocks of one size that were seen.
    /// - Parameter store: takes the error of a pixel, by its column and row.
    @inline(__always)
    func errors(_ a: Block, _ b: Block, _ store: (_ x: Int, _ y: Int, _ error: Float) -> Void) {
        let (width, height, stride, plane, space) = (a.width, a.height, a.stride, a.plane, space)
        a.numbers.withUnsafeBufferPointer { a in
            b.numbers.withUnsafeBufferPointer { b in
                guard let a = a.baseAddress, let b = b.baseAddress else { return }
                for y in 0..<height {
                    for x in Swift.stride(from: 0, to: width, by: 8) {
                        func difference(_ index: Int) -> Lanes {
                            let place = index * plane + y * stride + x
                            return Self.eight(a + place) - Self.eight(b + place)
                        }
                        let (red, blue) = (difference(1), difference(2))
                        let errors = space.errors(
                            lightness: difference(0).magnitudes, chroma: red * red + blue * blue,
                            features: difference(3).magnitudes.larger(difference(4).magnitudes))
                        for lane in 0..<min(8, width - x) { store(x + lane, y, errors[lane]) }
                    }
                }
            }
        }
    }
}

extension SIMD8<Float> {
    /// Without their signs.
    fileprivate var magnitudes: Self { larger(-self) }

    // The standard library's functions take one lane after the other.
    @inline(__always)
    fileprivate func larger(_ other: Self) -> Self { replacing(with: other, where: self .< other) }

    @inline(__always)
    fileprivate func smaller(_ other: Self) -> Self { replacing(with: other, where: self .> other) }
}

// MARK: - Colours

/// The colours in which FLIP judges differences.
private struct ColorSpace: Sendable {
    typealias Lanes = FLIP.Lanes
    /// Three numbers of each of eight pixels.
    typealias Colors = (Lanes, Lanes, Lanes)

    /// From linear light to X, Y and Z relative to white, and back.
    private let relative = Matrix { xyz($0) / white }
    private let inverse = Matrix { linear(xyz: $0 * white) }
    /// The distance of green and blue, which is the largest, raised.
    private var largest: Float = 0

    private static let exponent: Float = 0.7

    init() {
        let (zero, one) = (Lanes(repeating: 0), Lanes(repeating: 1))
        let (green, blue) = (adjusted((zero, one, zero)), adjusted((zero, zero, one)))
        let chroma = (green.1 - blue.1) * (green.1 - blue.1) + (green.2 - blue.2) * (green.2 - blue.2)
        largest = Float(pow(Double(abs(green.0[0] - blue.0[0]) + chroma[0].squareRoot()), Double(Self.exponent)))
    }

    static let white = xyz(SIMD3(1, 1, 1))

    static func xyz(_ linear: SIMD3<Double>) -> SIMD3<Double> {
        let (r, g, b) = (linear.x, linear.y, linear.z)
        return SIMD3(
            10_135_552.0 / 24_577_794 * r + 8_788_810.0 / 24_577_794 * g + 4_435_075.0 / 24_577_794 * b,
            2_613_072.0 / 12_288_897 * r + 8_788_810.0 / 12_288_897 * g + 887_015.0 / 12_288_897 * b,
            1_425_312.0 / 73_733_382 * r + 8_788_810.0 / 73_733_382 * g + 70_074_185.0 / 73_733_382 * b)
    }

    private static func linear(xyz v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            3.241003275 * v.x - 1.537398934 * v.y - 0.498615861 * v.z,
            -0.969224334 * v.x + 1.875930071 * v.y + 0.041554224 * v.z,
            0.055639423 * v.x - 0.204011202 * v.y + 1.057148933 * v.z)
    }

    /// A matrix by its columns.
    private struct Matrix: Sendable {
        let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

        init(_ column: (SIMD3<Double>) -> SIMD3<Double>) {
            columns = (
                SIMD3<Float>(column(SIMD3(1, 0, 0))), SIMD3<Float>(column(SIMD3(0, 1, 0))),
                SIMD3<Float>(column(SIMD3(0, 0, 1)))
            )
        }

        @inline(__always)
        func of(_ v: Colors) -> Colors {
            let (a, b, c) = columns
            return (
                v.0 * a.x + v.1 * b.x + v.2 * c.x, v.0 * a.y + v.1 * b.y + v.2 * c.y, v.0 * a.z + v.1 * b.z + v.2 * c.z
            )
        }
    }

    /// L*a*b* with the chroma of the Hunt effect: colours are weaker where it is dark.
    /// - Parameters: Y, Cx and Cz.
    @inline(__always)
    func adjusted(luminance: Lanes, redGreen: Lanes, blueYellow: Lanes) -> Colors {
        let y = (luminance + 16) * (1 / 116)
        let linear = inverse.of((y + redGreen * (1 / 500), y, y - blueYellow * (1 / 200)))
        let (zero, one) = (Lanes(repeating: 0), Lanes(repeating: 1))
        func bounded(_ v: Lanes) -> Lanes { v.larger(zero).smaller(one) }
        return adjusted((bounded(linear.0), bounded(linear.1), bounded(linear.2)))
    }

    @inline(__always)
    private func adjusted(_ linear: Colors) -> Colors {
        let v = relative.of(linear)
        let (x, y, z) = (Self.roots(v.0), Self.roots(v.1), Self.roots(v.2))
        let lightness = 116 * y - 16
        return (lightness, 5 * lightness * (x - y), 2 * lightness * (y - z))
    }

    /// The cube roots of numbers of at most about 1, and a line where they are small.
    @inline(__always)
    private static func roots(_ t: Lanes) -> Lanes {
        let delta: Float = 6.0 / 29
        let least = Lanes(repeating: delta * delta * delta)
        let isSmall = t .<= least
        let cubes = t.replacing(with: least, where: isSmall)
        // A third of the exponent and of the mantissa is within 4 %, and each step of Halley cubes the error.
        let bits = unsafeBitCast(cubes, to: SIMD8<UInt32>.self)
        var third = (bits &>> 2) &+ (bits &>> 4)
        third = third &+ (third &>> 4)
        third = third &+ (third &>> 8)
        var root = unsafeBitCast(third &+ 0x2a51_37a0, to: Lanes.self)
        for _ in 0..<2 {
            let cube = root * root * root
            root *= (cube + cubes + cubes) / (cube + cube + cubes)
        }
        return root.replacing(with: t * (1 / (3 * delta * delta)) + 4.0 / 29, where: isSmall)
    }

    /// Errors of pixels, 0…1, whose parts of a difference are given: differences of lightness and of chroma are added.
    /// - Parameters:
    ///   - chroma: squared.
    ///   - features: by how much edges or points of Y differ.
    @inline(__always)
    func errors(lightness: Lanes, chroma: Lanes, features: Lanes) -> Lanes {
        let distance = lightness + chroma.squareRoot()
        let raised = Self.power(distance, Lanes(repeating: Self.exponent))
        // The usual differences get most of the range.
        let (bend, one) = (0.4 * largest, Lanes(repeating: 1))
        let usual = raised * (0.95 / bend)
        let color = usual.replacing(
            with: 0.95 + (raised - bend) * (0.05 / (largest - bend)), where: raised .>= Lanes(repeating: bend))
        // The features of brightness 0…1, not of 116 times as much.
        let feature = (features * (1 / (116 * Float(2).squareRoot()))).squareRoot()
        let exponent = (one - feature).replacing(with: Lanes(repeating: 0), where: feature .> one)
        return Self.power(color, exponent).replacing(
            with: Lanes(repeating: 0), where: distance .== Lanes(repeating: 0))
    }

    /// Numbers of 0 to about 1000, raised to 0…1, within two millionths of themselves. With the C library's function for
    /// single numbers FLIP takes several times as long.
    @inline(__always)
    private static func power(_ base: Lanes, _ exponent: Lanes) -> Lanes {
        typealias Bits = SIMD8<UInt32>
        let one = Lanes(repeating: 1)
        // Added to a number, it leaves the number's whole part in the lowest bits: 1.5·2²³ has none left for fractions.
        let (shift, shiftBits) = (Float(12_582_912), Bits(repeating: 0x4b40_0000))
        // The base as m·2ⁿ, where m is √½…√2, and the logarithm of m as a series.
        let bits = unsafeBitCast(base, to: SIMD8<Int32>.self)
        let n = (bits &- SIMD8(repeating: 0x3f35_04f3)) &>> 23
        let m = unsafeBitCast(bits &- n &<< 23, to: Lanes.self)
        let t = (m - one) / (m + one)
        let squares = t * t
        let series = polynomial(squares, 1, 1 / 3, 1 / 5, 1 / 7, 1 / 9)
        let whole = unsafeBitCast(unsafeBitCast(n, to: Bits.self) &+ shiftBits, to: Lanes.self) - shift
        let logarithm = whole + t * series * (2 / 0.693_147_18)
        // Two to the power of a whole number and a rest of −½…½.
        let power = logarithm * exponent
        let rounded = power + shift
        let x = (power - (rounded - shift)) * 0.693_147_18
        let rest = polynomial(x, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720) * x * x + x + one
        let exponents = (unsafeBitCast(rounded, to: Bits.self) &- shiftBits) &<< 23
        return unsafeBitCast(unsafeBitCast(rest, to: Bits.self) &+ exponents, to: Lanes.self)
    }

    /// a + b·x + c·x² + d·x³ + e·x⁴.
    @inline(__always)
    private static func polynomial(_ x: Lanes, _ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float) -> Lanes {
        let high = (x * e + d) * x + c
        return (high * x + b) * x + a
    }
}

import Glibc
import LoupeScene

/// LDR-FLIP: the error that a person sees who alternates between two pictures (P. Andersson, J. Nilsson,
/// T. Akenine-Möller, M. Oskarsson, K. Åström and M. D. Fairchild, "FLIP: A Difference Evaluator for Alternating Images",
/// 2020). 0 is no difference, 1 the largest.
struct FLIP: Sendable {
    typealias Lanes = SIMD4<Float>

    /// Eight numbers that are filtered together: those of a pixel, or a weight for each.
    ///
    /// Of a pixel, `colors` are Y, Cx and twice Cz, as two filters of Cz are added; `features` are four times Y.
    struct Numbers: Sendable {
        var colors = Lanes.zero
        var features = Lanes.zero
    }

    /// The weights along the rows, at −radius…radius. Those of the features find edges and points in the first two lanes and
    /// smooth in the others.
    private let across: [Numbers]
    /// The weights along the columns, which smooth where the others find edges and points, and the other way round.
    private let down: [Numbers]
    /// YCxCz of each level of red, of green and of blue, which are added.
    private let levels: [Lanes]
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
        let parts = sums.map { $0 / sums.reduce(0, +) }

        let deviation = 0.5 * 0.082 * pixelsPerDegree
        let features = Int((3 * deviation).rounded(.up))
        func gaussian(_ x: Double) -> Double { exp(-x * x / (2 * deviation * deviation)) }
        let smooth = FilterTaps(radius: features, gaussian).normalized
        let edge = FilterTaps(radius: features) { -$0 * gaussian($0) }.normalized
        let point = FilterTaps(radius: features) { ($0 * $0 / (deviation * deviation) - 1) * gaussian($0) }.normalized

        let radius = max(spatial, features)
        self.radius = radius
        func numbers(_ colors: [FilterTaps], _ features: [FilterTaps], _ scale: Lanes) -> [Numbers] {
            (-radius...radius).map { x in
                func lanes(_ taps: [FilterTaps]) -> Lanes { Lanes(taps.map { Float($0.weight(at: x)) }) }
                return Numbers(colors: lanes(colors) * scale, features: lanes(features))
            }
        }
        let colors = ([0.0047, 0.0053] + terms.map { $0.b }).map { taps($0).normalized }
        across = numbers(colors, [edge, point, smooth, smooth], Lanes(repeating: 1))
        down = numbers(colors, [smooth, smooth, edge, point], Lanes(1, 1, Float(parts[0]), Float(parts[1])))
        // Black is added once.
        levels = (0..<3).flatMap { channel in
            Color.decodedBytes.map { level in
                var linear = Vector.zero
                linear[channel] = level
                let color = Self.opponent(linear) - (channel == 0 ? .zero : Self.opponent(.zero))
                return Lanes(color)
            }
        }
    }

    // MARK: - Pixels

    /// Red, green and blue in linear light, or another colour of three numbers.
    typealias Vector = SIMD3<Double>

    /// YCxCz of linear light.
    @inline(__always)
    private static func opponent(_ linear: Vector) -> Vector {
        let v = ColorSpace.xyz(linear) / ColorSpace.white
        return Vector(116 * v.y - 16, 500 * (v.x - v.y), 200 * (v.y - v.z))
    }

    /// The numbers of an opaque pixel of sRGB, red in the lowest byte.
    @inline(__always)
    func numbers(_ word: UInt32) -> Numbers {
        let colors =
            levels[Int(word & 255)] + levels[256 + Int(word >> 8 & 255)] + levels[512 + Int(word >> 16 & 255)]
        return Numbers(colors: colors, features: Lanes(repeating: colors.x))
    }

    /// The numbers of a pixel of linear light.
    func numbers(linear: Vector) -> Numbers {
        let colors = Lanes(Self.opponent(linear))
        return Numbers(colors: colors, features: Lanes(repeating: colors.x))
    }

    /// A block of pixels with `radius` more on every side.
    /// - Parameter pixel: the numbers of a pixel, by its column and row in the block.
    @inline(__always)
    func block(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> Numbers) -> Block {
        var block = Block(width: width + 2 * radius, height: height + 2 * radius)
        block.fill { pixel($0 - radius, $1 - radius) }
        return block
    }

    /// Rows of pixels. A column more lies at their right, as two pixels are filtered at a time.
    struct Block {
        let width, height: Int
        fileprivate var stride: Int { width + 1 }
        fileprivate var pixels: [Numbers]

        fileprivate init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
            pixels = Array(repeating: Numbers(), count: (width + 1) * height)
        }

        @inline(__always)
        fileprivate mutating func fill(_ pixel: (_ x: Int, _ y: Int) -> Numbers) {
            let (width, height, stride) = (width, height, stride)
            pixels.withUnsafeMutableBufferPointer { pixels in
                for y in 0..<height { for x in 0..<width { pixels[y * stride + x] = pixel(x, y) } }
            }
        }
    }

    // MARK: - What is seen

    /// What an eye sees of a block: the colours as L*a*b*, and in the first two lanes of the features how strong an edge and
    /// a point are. Without the margins.
    func seen(_ block: Block) -> Block {
        let (width, height) = (block.width - 2 * radius, block.height - 2 * radius)
        var rows = Block(width: width, height: block.height)
        filter(block, across, step: 1, relative: Lanes(1, 1, 0, 0), into: &rows)
        var seen = Block(width: width, height: height)
        filter(rows, down, step: rows.stride, relative: Lanes(0, 0, 1, 1), into: &seen)
        let space = space
        seen.pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices {
                let squares = pixels[index].features * pixels[index].features
                let strengths = (squares.lowHalf + squares.highHalf).squareRoot()
                pixels[index].colors = space.adjusted(opponent: pixels[index].colors)
                pixels[index].features = Lanes(lowHalf: strengths, highHalf: .zero)
            }
        }
        return seen
    }

    /// Sums of pixels that lie `step` apart, of which the first has the place of the sum.
    /// - Parameter relative: 1 for the features whose weights sum to 0. They are taken of the distance from the pixel in the
    ///   middle, so that an even colour has no feature, however numbers are rounded.
    private func filter(_ source: Block, _ taps: [Numbers], step: Int, relative: Lanes, into target: inout Block) {
        let (width, height, from, to) = (target.width, target.height, source.stride, target.stride)
        let middle = step * radius
        source.pixels.withUnsafeBufferPointer { source in
            target.pixels.withUnsafeMutableBufferPointer { target in
                taps.withUnsafeBufferPointer { taps in
                    // So few columns at a time that all rows of a sum stay in the nearest memory.
                    for left in Swift.stride(from: 0, to: width, by: 16) {
                        for y in 0..<height {
                            for x in Swift.stride(from: left, to: min(left + 16, width), by: 2) {
                                var index = y * from + x
                                let first = source[index + middle].features * relative
                                let second = source[index + middle + 1].features * relative
                                var (a, b) = (Numbers(), Numbers())
                                for tap in taps {
                                    a.colors += source[index].colors * tap.colors
                                    b.colors += source[index + 1].colors * tap.colors
                                    a.features += (source[index].features - first) * tap.features
                                    b.features += (source[index + 1].features - second) * tap.features
                                    index += step
                                }
                                target[y * to + x] = a
                                target[y * to + x + 1] = b
                            }
                        }
                    }
                }
            }
        }
    }

    // MARK: - Errors

    /// The errors of two blocks of one size that were seen, four neighbours at a time.
    /// - Parameter store: takes the error of a pixel, by its column and row.
    @inline(__always)
    func errors(_ a: Block, _ b: Block, _ store: (_ x: Int, _ y: Int, _ error: Float) -> Void) {
        let (width, height, stride, space) = (a.width, a.height, a.stride, space)
        a.pixels.withUnsafeBufferPointer { a in
            b.pixels.withUnsafeBufferPointer { b in
                for y in 0..<height {
                    for x in Swift.stride(from: 0, to: width, by: 4) {
                        /// By how much lightness differs, chroma squared, and the feature that differs more.
                        func difference(_ lane: Int) -> Lanes {
                            let index = y * stride + min(x + lane, width - 1)
                            let color = a[index].colors - b[index].colors
                            let feature = a[index].features - b[index].features
                            let chroma = color.y * color.y + color.z * color.z
                            return Lanes(abs(color.x), chroma, max(abs(feature.x), abs(feature.y)), 0)
                        }
                        let (p, q, r, s) = (difference(0), difference(1), difference(2), difference(3))
                        let errors = space.errors(
                            lightness: Lanes(p.x, q.x, r.x, s.x), chroma: Lanes(p.y, q.y, r.y, s.y),
                            features: Lanes(p.z, q.z, r.z, s.z))
                        for lane in 0..<min(4, width - x) { store(x + lane, y, errors[lane]) }
                    }
                }
            }
        }
    }
}

extension SIMD4<Float> {
    /// Three numbers, the last one twice.
    fileprivate init(_ v: SIMD3<Double>) { self.init(Float(v.x), Float(v.y), Float(v.z), Float(v.z)) }
}

// MARK: - Colours

/// The colours in which FLIP judges differences.
private struct ColorSpace: Sendable {
    typealias Lanes = FLIP.Lanes
    private typealias Columns = (Lanes, Lanes, Lanes)

    /// From linear light to X, Y and Z relative to white, and back.
    private let relative: Columns
    private let inverse: Columns
    /// X, Y and Z of white in linear light.
    private let gray: Lanes
    /// The distance of green and blue, which is the largest, raised.
    private var largest: Float = 0

    private static let exponent: Float = 0.7

    init() {
        func columns(_ column: (SIMD3<Double>) -> SIMD3<Double>) -> Columns {
            func lanes(_ v: SIMD3<Double>) -> Lanes {
                let color = column(v)
                return Lanes(Float(color.x), Float(color.y), Float(color.z), 0)
            }
            return (lanes(SIMD3(1, 0, 0)), lanes(SIMD3(0, 1, 0)), lanes(SIMD3(0, 0, 1)))
        }
        relative = columns { Self.xyz($0) / Self.white }
        inverse = columns { Self.linear(xyz: $0 * Self.white) }
        gray = inverse.0 + inverse.1 + inverse.2
        let (green, blue) = (adjusted(linear: Lanes(0, 1, 0, 0)), adjusted(linear: Lanes(0, 0, 1, 0)))
        let difference = green - blue
        let chroma = difference.y * difference.y + difference.z * difference.z
        largest = Float(pow(Double(abs(difference.x) + chroma.squareRoot()), Double(Self.exponent)))
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

    /// L*a*b* with the chroma of the Hunt effect: colours are weaker where it is dark.
    /// - Parameter v: Y, Cx, and two numbers that add up to Cz.
    @inline(__always)
    func adjusted(opponent v: Lanes) -> Lanes {
        let y = (v.x + 16) * (1 / 116)
        let linear = y * gray + v.y * (1 / 500) * inverse.0 - (v.z + v.w) * (1 / 200) * inverse.2
        let (black, white) = (Lanes(repeating: 0), Lanes(repeating: 1))
        let bounded = linear.replacing(with: black, where: linear .< black)
        return adjusted(linear: bounded.replacing(with: white, where: bounded .> white))
    }

    @inline(__always)
    private func adjusted(linear v: Lanes) -> Lanes {
        let f = Self.roots(v.x * relative.0 + v.y * relative.1 + v.z * relative.2)
        let lightness = 116 * f.y - 16
        return Lanes(lightness, 5 * lightness * (f.x - f.y), 2 * lightness * (f.y - f.z), 0)
    }

    /// The cube roots of numbers of at most about 1, and a line where they are small.
    @inline(__always)
    private static func roots(_ t: Lanes) -> Lanes {
        let delta: Float = 6.0 / 29
        let least = Lanes(repeating: delta * delta * delta)
        let isSmall = t .<= least
        let cubes = t.replacing(with: least, where: isSmall)
        // A third of the exponent and of the mantissa is within 4 %, and each step of Halley cubes the error.
        let bits = unsafeBitCast(cubes, to: SIMD4<UInt32>.self)
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
        typealias Bits = SIMD4<UInt32>
        let one = Lanes(repeating: 1)
        // Added to a number, it leaves the number's whole part in the lowest bits: 1.5·2²³ has none left for fractions.
        let (shift, shiftBits) = (Float(12_582_912), Bits(repeating: 0x4b40_0000))
        // The base as m·2ⁿ, where m is √½…√2, and the logarithm of m as a series.
        let bits = unsafeBitCast(base, to: SIMD4<Int32>.self)
        let n = (bits &- SIMD4(repeating: 0x3f35_04f3)) &>> 23
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

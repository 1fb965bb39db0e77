import Glibc

/// LDR-FLIP: the error that a person sees who alternates between two pictures (P. Andersson, J. Nilsson,
/// T. Akenine-Möller, M. Oskarsson, K. Åström and M. D. Fairchild, "FLIP: A Difference Evaluator for Alternating Images",
/// 2020). 0 is no difference, 1 the largest.
struct FLIP: Sendable {
    /// The filters of the achromatic and the red-green channel, in pixels.
    private let achromatic: FilterTaps
    private let redGreen: FilterTaps
    /// The blue-yellow channel's filter is the sum of two, with these parts.
    private let blueYellow: [(taps: FilterTaps, part: Double)]
    /// A Gaussian and its first and second derivative, which find edges and points.
    private let smooth: FilterTaps
    private let edge: FilterTaps
    private let point: FilterTaps
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
        func sum(_ taps: FilterTaps) -> Double { taps.weights.reduce(0, +) }
        achromatic = taps(0.0047).normalized
        redGreen = taps(0.0053).normalized
        let terms = [(a: 34.1, b: 0.04), (a: 13.5, b: 0.025)]
        // Each term's share of the filter's sum over the plane.
        let shares = terms.map { term in term.a * (Double.pi / term.b).squareRoot() * pow(sum(taps(term.b)), 2) }
        let whole = shares.reduce(0, +)
        blueYellow = zip(terms, shares).map { (taps($0.b).normalized, $1 / whole) }

        let deviation = 0.5 * 0.082 * pixelsPerDegree
        let features = Int((3 * deviation).rounded(.up))
        func gaussian(_ x: Double) -> Double { exp(-x * x / (2 * deviation * deviation)) }
        smooth = FilterTaps(radius: features, gaussian).normalized
        edge = FilterTaps(radius: features) { -$0 * gaussian($0) }.normalized
        point = FilterTaps(radius: features) { ($0 * $0 / (deviation * deviation) - 1) * gaussian($0) }.normalized
        radius = max(spatial, features)
    }

    // MARK: - Colours

    /// A colour relative to the white point, from sRGB bytes over which nothing is left to blend.
    typealias Vector = SIMD3<Double>

    private static let white = xyz(Vector(1, 1, 1))

    @inline(__always)
    private static func xyz(_ linear: Vector) -> Vector {
        let (r, g, b) = (linear.x, linear.y, linear.z)
        return Vector(
            10_135_552.0 / 24_577_794 * r + 8_788_810.0 / 24_577_794 * g + 4_435_075.0 / 24_577_794 * b,
            2_613_072.0 / 12_288_897 * r + 8_788_810.0 / 12_288_897 * g + 887_015.0 / 12_288_897 * b,
            1_425_312.0 / 73_733_382 * r + 8_788_810.0 / 73_733_382 * g + 70_074_185.0 / 73_733_382 * b)
    }

    @inline(__always)
    private static func linear(xyz v: Vector) -> Vector {
        Vector(
            3.241003275 * v.x - 1.537398934 * v.y - 0.498615861 * v.z,
            -0.969224334 * v.x + 1.875930071 * v.y + 0.041554224 * v.z,
            0.055639423 * v.x - 0.204011202 * v.y + 1.057148933 * v.z)
    }

    /// YCxCz of linear light.
    @inline(__always)
    static func opponent(_ linear: Vector) -> Vector {
        let v = xyz(linear) / white
        return Vector(116 * v.y - 16, 500 * (v.x - v.y), 200 * (v.y - v.z))
    }

    /// L*a*b* with the chroma of the Hunt effect: colours are weaker where it is dark.
    @inline(__always)
    private static func adjusted(opponent v: Vector) -> Vector {
        let y = (v.x + 16) / 116
        let filtered = linear(xyz: Vector(v.y / 500 + y, y, y - v.z / 200) * white)
        return adjusted(linear: filtered.clamped(lowerBound: .zero, upperBound: .one))
    }

    @inline(__always)
    private static func adjusted(linear: Vector) -> Vector {
        let v = xyz(linear) / white
        let (x, y, z) = (root(v.x), root(v.y), root(v.z))
        let lightness = 116 * y - 16
        return Vector(lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z))
    }

    @inline(__always)
    private static func root(_ t: Double) -> Double {
        let delta = 6.0 / 29
        return t > delta * delta * delta ? cbrt(t) : t / (3 * delta * delta) + 4.0 / 29
    }

    /// The distance of two colours: differences of lightness and of chroma are added.
    @inline(__always)
    private static func distance(_ a: Vector, _ b: Vector) -> Double {
        let d = a - b
        return abs(d.x) + (d.y * d.y + d.z * d.z).squareRoot()
    }

    /// The distance of green and blue, which is the largest, raised.
    private static let largest = pow(
        distance(adjusted(linear: Vector(0, 1, 0)), adjusted(linear: Vector(0, 0, 1))), exponent)
    private static let exponent = 0.7

    /// A colour's part of the error, 0…1: the usual differences get most of the range.
    @inline(__always)
    private static func colorError(_ a: Vector, _ b: Vector) -> Double {
        let error = pow(distance(a, b), exponent)
        let bend = 0.4 * largest
        return error < bend ? 0.95 / bend * error : 0.95 + (error - bend) / (largest - bend) * 0.05
    }

    // MARK: - Rows

    /// The colours, edges and points that are seen in some rows of a picture.
    private struct Seen {
        /// L*a*b* after the eye's blur.
        let colors: [Rows]
        let edges: [Rows]
        let points: [Rows]
    }

    /// - Parameter planes: YCxCz with `radius` rows more above and below.
    private func seen(_ planes: [Rows]) -> Seen {
        let brightness = planes[0]
        func filtered(_ plane: Rows, _ along: FilterTaps, _ across: FilterTaps) -> Rows {
            plane.horizontal(along).vertical(across, inset: radius)
        }
        let yellow = blueYellow.map { filtered(planes[2], $0.taps, $0.taps) }
        var (first, second, third) = (
            filtered(planes[0], achromatic, achromatic), filtered(planes[1], redGreen, redGreen), yellow[0]
        )
        for y in 0..<first.count {
            for x in 0..<first.width {
                let blue = yellow[0][x, y] * blueYellow[0].part + yellow[1][x, y] * blueYellow[1].part
                let color = Self.adjusted(opponent: Vector(first[x, y], second[x, y], blue))
                (first[x, y], second[x, y], third[x, y]) = (color.x, color.y, color.z)
            }
        }
        let blurred = brightness.horizontal(smooth)
        return Seen(
            colors: [first, second, third],
            edges: [filtered(brightness, edge, smooth), blurred.vertical(edge, inset: radius)],
            points: [filtered(brightness, point, smooth), blurred.vertical(point, inset: radius)])
    }

    /// The error of each pixel of some rows of two pictures.
    /// - Parameter planes: YCxCz of the reference and of the actual picture, with `radius` rows more above and below, and
    ///   as many columns to spare.
    func errors(_ reference: [Rows], _ actual: [Rows]) -> [Float] {
        let (a, b) = (seen(reference), seen(actual))
        let (width, count) = (a.colors[0].width, a.colors[0].count)
        var errors: [Float] = []
        errors.reserveCapacity(width * count)
        for y in 0..<count {
            for x in 0..<width {
                let color = Self.colorError(
                    Vector(a.colors[0][x, y], a.colors[1][x, y], a.colors[2][x, y]),
                    Vector(b.colors[0][x, y], b.colors[1][x, y], b.colors[2][x, y]))
                let edges = Self.strength(a.edges, x, y) - Self.strength(b.edges, x, y)
                let points = Self.strength(a.points, x, y) - Self.strength(b.points, x, y)
                // The features of brightness 0…1, not of 116 times as much.
                let feature = (max(abs(edges), abs(points)) / 116 / 2.0.squareRoot()).squareRoot()
                errors.append(Float(pow(color, 1 - min(feature, 1))))
            }
        }
        return errors
    }

    @inline(__always)
    private static func strength(_ parts: [Rows], _ x: Int, _ y: Int) -> Double {
        let (dx, dy) = (parts[0][x, y], parts[1][x, y])
        return (dx * dx + dy * dy).squareRoot()
    }
}

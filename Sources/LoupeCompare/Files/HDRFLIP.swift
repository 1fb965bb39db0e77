import Glibc
import LoupeImaging
import LoupeScene
import LoupeSystem

/// HDR-FLIP: the largest error of FLIP in tone-mapped pictures of several exposures (P. Andersson, J. Nilsson, P. Shirley and
/// T. Akenine-Möller, "Visualizing Errors in Rendered High Dynamic Range Images", 2021), by flip-evaluator's rules.
struct HDRFLIP: Sendable {
    private let flip = FLIP(pixelsPerDegree: ErrorMetric.standardPixelsPerDegree)
    /// What light is multiplied by, one for each exposure.
    let factors: [Float]

    /// The first exposure maps the brightest luminance to 0.85, the last one the median, and none is more than a stop from the
    /// next. In single precision as there, since one more or less exposure changes the error.
    init(reference: LinearImage) {
        let values = reference.values
        let all = (0..<values.count / 3).map { index -> Float in
            let (red, green) = (0.2126 * values[3 * index], 0.7152 * values[3 * index + 1])
            return red + green + 0.0722 * values[3 * index + 2]
        }.sorted()
        // Where half of a picture is black, which would need infinite exposure, the other half counts. Less than 1e-30 is black
        // as well: the exposure of a subnormal number is infinite in single precision.
        let black: Float = 1e-30
        let luminances = all[all.count / 2] > black ? all[...] : all.drop { $0 <= black }
        let median = luminances.isEmpty ? 1 : luminances[(luminances.startIndex + all.count) / 2]
        let (start, stop): (Float, Float) = (log2(Self.bright / (luminances.last ?? 1)), log2(Self.bright / median))
        let count = max(2, Int((stop - start).rounded(.up)))
        let step = (stop - start) / Float(count - 1)
        factors = (0..<count).map { exp2(start + Float($0) * step) }
    }

    /// The errors of several pictures, row by row.
    static func errors(_ actuals: [LinearImage], reference: LinearImage) -> [[Float]] {
        let (flip, rows) = (HDRFLIP(reference: reference), 64)
        let bands = Threads.map((reference.height + rows - 1) / rows) { band in
            flip.errors(actuals, reference, band * rows..<min((band + 1) * rows, reference.height))
        }
        return actuals.indices.map { index in bands.flatMap { $0[index] } }
    }

    private func errors(_ actuals: [LinearImage], _ reference: LinearImage, _ rows: Range<Int>) -> [[Float]] {
        let width = reference.width
        var errors = actuals.map { _ in [Float](repeating: 0, count: width * rows.count) }
        for left in stride(from: 0, to: width, by: FLIP.blockWidth) {
            let columns = left..<min(left + FLIP.blockWidth, width)
            for factor in factors {
                let shown = flip.seen(block(reference, columns, rows, factor))
                for index in actuals.indices {
                    let other = flip.seen(block(actuals[index], columns, rows, factor))
                    errors[index].withUnsafeMutableBufferPointer { errors in
                        flip.errors(shown, other) { x, y, error in
                            errors[y * width + left + x] = max(errors[y * width + left + x], error)
                        }
                    }
                }
            }
        }
        return errors
    }

    /// A block as FLIP filters it. Beyond the picture, its outermost pixels go on.
    private func block(_ image: LinearImage, _ columns: Range<Int>, _ rows: Range<Int>, _ factor: Float) -> FLIP.Block {
        image.values.withUnsafeBufferPointer { values in
            flip.block(width: columns.count, height: rows.count) { x, y in
                let column = min(max(columns.lowerBound + x, 0), image.width - 1)
                let index = 3 * (min(max(rows.lowerBound + y, 0), image.height - 1) * image.width + column)
                let light = SIMD3(values[index], values[index + 1], values[index + 2]) * factor
                return flip.opponent(linear: FLIP.Vector(Self.toneMapped(light)))
            }
        }
    }

    // MARK: - Tone mapping

    // K. Narkowicz's fit of the curve of ACES: (a·x² + b·x) / (c·x² + d·x + e), of 0.6 times the light.
    private static let (a, b): (Float, Float) = (0.6 * 0.6 * 2.51, 0.6 * 0.03)
    private static let (c, d, e): (Float, Float, Float) = (0.6 * 0.6 * 2.43, 0.6 * 0.59, 0.14)

    @inline(__always)
    private static func toneMapped(_ x: SIMD3<Float>) -> SIMD3<Float> {
        // Where light is so bright that its square is infinite, the curve has ended.
        let x = x.clamped(lowerBound: SIMD3(repeating: -1e9), upperBound: SIMD3(repeating: 1e9))
        return (x * (x * a + b) / (x * (x * c + d) + e)).clamped(lowerBound: .zero, upperBound: .one)
    }

    /// The light that the curve maps to 0.85.
    private static let bright: Float = {
        let (p, q, r) = (a - 0.85 * c, b - 0.85 * d, -0.85 * e)
        let middle = -0.5 * (q / p)
        return middle + (middle * middle - r / p).squareRoot()
    }()
}

extension LinearImage {
    /// An opaque image of the light times 2^exposure, clamped to 0…1 and encoded by sRGB's curve.
    func shown(exposure: Double) -> Image {
        let factor = exp2(Float(exposure))
        let pixels = (0..<4 * width * height).map { index in
            index % 4 == 3 ? 255 : Color.encoded(Double(values[index / 4 * 3 + index % 4] * factor))
        }
        return Image(width: width, height: height, pixels: pixels)
    }
}

import Glibc
import LoupeSystem

/// Structural similarity (Z. Wang, A. C. Bovik, H. R. Sheikh and E. P. Simoncelli, "Image quality assessment: from error
/// visibility to structural similarity", 2004), in windows of a Gaussian with σ = 1.5 px. 1 is equal, 0 unrelated.
public enum SSIM {
    /// The numbers of a picture that are compared.
    public enum Channels: String, Hashable, Sendable {
        /// 0.299 R + 0.587 G + 0.114 B.
        case luma
        /// R, G and B, each by itself; the mean counts.
        case rgb
    }

    /// How far a pixel's similarity looks, in pixels.
    static let radius = 5
    private static let window = FilterTaps(radius: radius) { exp(-$0 * $0 / (2 * 1.5 * 1.5)) }.normalized
    /// (0.01·255)² and (0.03·255)².
    private static let (c1, c2) = (2.55 * 2.55, 7.65 * 7.65)

    /// The similarity of each pixel of some rows, and its part without the brightness.
    struct Similarity {
        let whole: Rows
        let structure: Rows
    }

    /// - Parameters:
    ///   - a: Numbers of 0…255 with `radius` rows more above and below, and as many columns to spare.
    ///   - b: The same of the other picture.
    static func similarity(_ a: Rows, _ b: Rows) -> Similarity {
        var (squares, products) = (a, a)
        for y in 0..<a.count {
            for x in -a.margin..<a.width + a.margin {
                let (p, q) = (a[x, y], b[x, y])
                (squares[x, y], products[x, y]) = (p * p + q * q, p * q)
            }
        }
        func filtered(_ rows: Rows) -> Rows { rows.horizontal(window).vertical(window, inset: radius) }
        var (first, second) = (filtered(a), filtered(b))
        let (sums, product) = (filtered(squares), filtered(products))
        for y in 0..<first.count {
            for x in 0..<first.width {
                let (p, q) = (first[x, y], second[x, y])
                let both = p * q
                let each = p * p + q * q
                let structure = (2 * (product[x, y] - both) + c2) / (sums[x, y] - each + c2)
                first[x, y] = (2 * both + c1) / (each + c1) * structure
                second[x, y] = structure
            }
        }
        return Similarity(whole: first, structure: second)
    }

    // MARK: - Several scales

    /// The weight of each scale, the finest first (Wang, Simoncelli and Bovik, "Multiscale structural similarity for image
    /// quality assessment", 2003).
    private static let weights = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]
    /// The shortest side that has a whole window at the coarsest scale, in pixels.
    static let shortestSide = (2 * radius) << (weights.count - 1) + 1

    /// MS-SSIM of two whole planes of 0…255, and the similarity of each pixel at the finest scale.
    static func multiScale(_ a: Rows, _ b: Rows) -> (mean: Double, finest: [Rows]) {
        var (a, b, product, finest) = (a, b, 1.0, [Rows]())
        for (scale, weight) in weights.enumerated() {
            let bands = similarities(a, b)
            let parts = scale == weights.count - 1 ? bands.map { $0.whole } : bands.map { $0.structure }
            product *= pow(max(Rows.mean(of: parts, inset: radius), 0), weight)
            if scale == 0 { finest = bands.map { $0.whole } }
            if scale < weights.count - 1 { (a, b) = (a.halved, b.halved) }
        }
        return (product, finest)
    }

    /// The similarity of two whole planes, as bands of rows from the top.
    private static func similarities(_ a: Rows, _ b: Rows) -> [Similarity] {
        let height = 64
        return Threads.map((a.count + height - 1) / height) { band in
            let rows = band * height..<min((band + 1) * height, a.count)
            return similarity(a.surrounded(rows, by: radius), b.surrounded(rows, by: radius))
        }
    }
}

extension Rows {
    /// Some rows, with so many more above and below and columns to spare, mirrored beyond the plane's edges.
    fileprivate func surrounded(_ rows: Range<Int>, by margin: Int) -> Rows {
        var result = Rows(width: width, count: rows.count + 2 * margin, margin: margin)
        for y in 0..<result.count {
            let from = Extension.mirrored.source(of: rows.lowerBound + y - margin, count: count)
            for x in 0..<width { result[x, y] = self[x, from] }
        }
        result.extend(.mirrored)
        return result
    }

    /// Half as wide and high: means of blocks of four. An odd last row or column is taken twice.
    fileprivate var halved: Rows {
        var result = Rows(width: (width + 1) / 2, count: (count + 1) / 2)
        for y in 0..<result.count {
            let (top, bottom) = (2 * y, min(2 * y + 1, count - 1))
            for x in 0..<result.width {
                let (left, right) = (2 * x, min(2 * x + 1, width - 1))
                result[x, y] = (self[left, top] + self[right, top] + self[left, bottom] + self[right, bottom]) / 4
            }
        }
        return result
    }

    /// The mean of a plane that is given in bands, without so many rows and columns at each edge.
    fileprivate static func mean(of bands: [Rows], inset: Int) -> Double {
        let (width, height) = (bands[0].width, bands.reduce(0) { $0 + $1.count })
        var (sum, start) = (0.0, 0)
        for band in bands {
            for y in 0..<band.count where (inset..<height - inset).contains(start + y) {
                for x in inset..<width - inset { sum += band[x, y] }
            }
            start += band.count
        }
        return sum / Double((height - 2 * inset) * (width - 2 * inset))
    }
}

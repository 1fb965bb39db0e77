import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// A number that says how far a picture is from its reference: those of ``Metric``, and the squared errors that papers give.
package enum CropMetric: String, Hashable, Sendable, CaseIterable {
    /// The largest difference of a channel, 0…255.
    case channel
    /// The share of the pixels that differ, as pixelmatch counts them.
    case yiq
    /// The mean of the errors of ``ErrorMetric/flip(pixelsPerDegree:)``.
    case flip
    /// Structural similarity of the luma, of red, green and blue, and at several scales.
    case ssim
    case ssimRGB = "ssim-rgb"
    case msSSIM = "ms-ssim"
    /// The mean distance of the colours in OKLab, times 100.
    case oklab
    /// The mean of (a − r)² over red, green and blue of 0…1, as they are stored.
    case mse
    /// 10·log10(1 / MSE), in decibels; infinite for equal pictures.
    case psnr
    /// The mean of (a − r)² / (r² + 0.01).
    case relativeMSE = "relmse"

    /// Its name in figures.
    package var title: String {
        switch self {
        case .channel: "Max. Δ"
        case .yiq: "Pixels"
        case .flip: "FLIP"
        case .ssim: "SSIM"
        case .ssimRGB: "SSIM RGB"
        case .msSSIM: "MS-SSIM"
        case .oklab: "OKLab"
        case .mse: "MSE"
        case .psnr: "PSNR"
        case .relativeMSE: "relMSE"
        }
    }

    /// Whether the highest number is the best, and not the lowest.
    package var isHigherBetter: Bool {
        switch self {
        case .ssim, .ssimRGB, .msSSIM, .psnr: true
        case .channel, .yiq, .flip, .oklab, .mse, .relativeMSE: false
        }
    }

    /// How many digits after the point figures usually give it.
    package var decimals: Int {
        switch self {
        case .channel: 0
        case .psnr, .oklab: 2
        case .yiq, .flip, .ssim, .ssimRGB, .msSSIM: 3
        case .mse, .relativeMSE: 4
        }
    }

    /// The number of two opaque pictures of one size.
    /// - Throws: `DiffError` for pictures that the metric can't judge.
    package func value(reference: Image, actual: Image) throws(DiffError) -> Double {
        switch self {
        case .mse: Self.squares(reference, actual) { _ in 1 }
        case .psnr: -10 * log10(Self.squares(reference, actual) { _ in 1 })
        case .relativeMSE: Self.squares(reference, actual) { 1 / ($0 * $0 + 0.01) }
        case .channel: try Comparison(metric: Metric(.channel)).compare(reference: reference, actual: actual).maxDelta
        case .yiq: try Comparison(metric: Metric(.yiq)).compare(reference: reference, actual: actual).ratio
        case .flip, .ssim, .ssimRGB, .msSSIM, .oklab:
            try errors(reference: reference, actual: actual)?.statistics.mean ?? 0
        }
    }

    /// The error of each pixel; nil for a metric without such.
    func errors(reference: Image, actual: Image) throws(DiffError) -> ErrorMap? {
        guard let name = Metric.Name(rawValue: rawValue), case .error(let metric, _) = Metric(name) else { return nil }
        return try ErrorMap(metric, of: PicturePair(reference, actual), excluded: nil)
    }

    /// The mean of the squared differences of red, green and blue, 0…1.
    /// - Parameter weight: of a square, by the reference's value.
    private static func squares(_ reference: Image, _ actual: Image, weight: (Double) -> Double) -> Double {
        let rows = 64
        let bands = (reference.height + rows - 1) / rows
        // Whole numbers, so that the order of adding does not matter.
        let sums = reference.withWords { a in
            actual.withWords { b in
                Threads.map(bands) { band in
                    var sums = [Int](repeating: 0, count: 256)
                    for index in band * rows * a.width..<min((band + 1) * rows, a.height) * a.width {
                        var (p, q) = (UInt32(littleEndian: a.words[index]), UInt32(littleEndian: b.words[index]))
                        for _ in 0..<3 {
                            let difference = Int(q & 255) - Int(p & 255)
                            sums[Int(p & 255)] &+= difference &* difference
                            (p, q) = (p >> 8, q >> 8)
                        }
                    }
                    return sums
                }
            }
        }
        var sum = 0.0
        for level in 0..<256 {
            sum += weight(Double(level) / 255) * Double(sums.reduce(0) { $0 + $1[level] })
        }
        return sum / (255 * 255) / Double(3 * reference.width * reference.height)
    }
}

// MARK: - Maps

/// A picture of where crops differ.
package enum CropMap: String, Hashable, Sendable, CaseIterable {
    /// The errors of FLIP in the colours of magma; the brightest is 1.
    case flip
    /// The largest difference of a channel in the colours of magma; the brightest is `brightest`.
    case difference

    /// The picture of two opaque pictures of one size.
    /// - Parameter brightest: the difference in the brightest colour, above 0.
    /// - Throws: `DiffError`.
    package func picture(reference: Image, actual: Image, brightest: Double) throws(DiffError) -> Image {
        switch self {
        case .flip:
            let map = try CropMetric.flip.errors(reference: reference, actual: actual)
            return ErrorMapPicture.draw(map?.errors ?? [], brightest: 1, reference.size)
        case .difference:
            let errors = reference.withWords { a in
                actual.withWords { b in
                    zip(a.words, b.words).map {
                        Float(Premultiplied.difference(UInt32(littleEndian: $0), UInt32(littleEndian: $1)))
                    }
                }
            }
            return ErrorMapPicture.draw(errors, brightest: brightest, reference.size)
        }
    }
}

import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// A number that says how far a picture is from its reference.
package enum CropMetric: Hashable, Sendable {
    /// The number of a metric of `diff`: of `channel` the largest difference, of `yiq` the share of the pixels that differ, of
    /// the others the mean; of SSIM it is the similarity.
    case diff(Metric.Name)
    /// The mean of (a − r)² over red, green and blue: as they are stored, 0…1, or linear light.
    case mse
    /// 10·log10(1 / MSE), in decibels; infinite for equal pictures.
    case psnr
    /// The mean of (a − r)² / (r² + 0.01).
    case relativeMSE

    /// Its name in options.
    package var name: String {
        switch self {
        case .diff(let name): name.rawValue
        case .mse: "mse"
        case .psnr: "psnr"
        case .relativeMSE: "relmse"
        }
    }

    /// All of them.
    package static let all = Metric.Name.allCases.map(Self.diff) + [.mse, .psnr, .relativeMSE]

    /// How figures show it: its name, whether the highest number is the best, and how many digits after the point it usually
    /// has.
    package var style: (title: String, isHigherBetter: Bool, decimals: Int) {
        switch self {
        case .diff(.channel): ("Max. Δ", false, 0)
        case .diff(.yiq): ("Pixels", false, 3)
        case .diff(.flip): ("FLIP", false, 3)
        case .diff(.ssim): ("SSIM", true, 3)
        case .diff(.ssimRGB): ("SSIM RGB", true, 3)
        case .diff(.msSSIM): ("MS-SSIM", true, 3)
        case .diff(.oklab): ("OKLab", false, 2)
        case .mse: ("MSE", false, 4)
        case .psnr: ("PSNR", true, 2)
        case .relativeMSE: ("relMSE", false, 4)
        }
    }

    /// The numbers of pictures of one size. FLIP of linear light is HDR-FLIP, and squared errors are those of the light itself;
    /// the other metrics judge what is shown.
    /// - Throws: `DiffError` for pictures that the metric can't judge.
    package func values(_ actuals: [CropPicture], reference: CropPicture) throws(DiffError) -> [Double] {
        switch self {
        case .mse: actuals.map { Self.squares(reference, $0) { _ in 1 } }
        case .psnr: actuals.map { -10 * log10(Self.squares(reference, $0) { _ in 1 }) }
        case .relativeMSE: actuals.map { Self.squares(reference, $0) { 1 / ($0 * $0 + 0.01) } }
        case .diff(let name): try Self.values(of: name, actuals, reference: reference)
        }
    }

    private static func values(
        of name: Metric.Name, _ actuals: [CropPicture], reference: CropPicture
    ) throws(DiffError) -> [Double] {
        if name == .flip, let errors = CropPicture.errors(actuals, reference: reference) {
            return errors.map { $0.reduce(0) { $0 + Double($1) } / Double($0.count) }
        }
        let (reference, actuals) = (reference.shown, actuals.map(\.shown))
        if case .error(let metric, _) = Metric(name) {
            return try ErrorMap.maps(metric, of: actuals.map { PicturePair(reference, $0) }).map { $0.statistics.mean }
        }
        return try actuals.map { (actual) throws(DiffError) in
            let found = try Comparison(metric: Metric(name)).compare(reference: reference, actual: actual)
            return name == .yiq ? found.ratio : found.maxDelta
        }
    }

    /// The mean of the squared differences of red, green and blue.
    /// - Parameter weight: of a square, by the reference's value.
    private static func squares(_ reference: CropPicture, _ actual: CropPicture, weight: (Double) -> Double) -> Double {
        guard let a = reference.light?.values, let b = actual.light?.values else {
            return squares(reference.shown, actual.shown, weight: weight)
        }
        let sum = zip(a, b).reduce(0.0) { sum, pair in
            let (from, difference) = (Double(pair.0), Double(pair.1) - Double(pair.0))
            return sum + weight(from) * difference * difference
        }
        return sum / Double(a.count)
    }

    /// The same of 8-bit images.
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
    /// The errors of FLIP, or of HDR-FLIP where pictures have linear light, in the colours of magma; the brightest is 1.
    case flip
    /// The largest difference of a channel in the colours of magma; the brightest is `brightest`.
    case difference

    /// The pictures of others of one size.
    /// - Parameter brightest: the difference in the brightest colour, above 0.
    /// - Throws: `DiffError`.
    package func pictures(
        _ actuals: [CropPicture], reference: CropPicture, brightest: Double
    ) throws(DiffError) -> [Image] {
        if self == .flip, let errors = CropPicture.errors(actuals, reference: reference) {
            return errors.map { ErrorMapPicture.draw($0, brightest: 1, reference.shown.size) }
        }
        let (reference, actuals) = (reference.shown, actuals.map(\.shown))
        switch self {
        case .flip:
            let flip = ErrorMetric.flip(pixelsPerDegree: ErrorMetric.standardPixelsPerDegree)
            return try ErrorMap.maps(flip, of: actuals.map { PicturePair(reference, $0) }).map {
                ErrorMapPicture.draw($0.errors, brightest: 1, reference.size)
            }
        case .difference:
            return actuals.map { actual in
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
}

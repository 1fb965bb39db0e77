import Glibc
import LoupeImaging
import LoupeScene
import LoupeSystem

/// The error of each pixel of two pictures by an ``ErrorMetric``.
struct ErrorMap: Sendable {
    let metric: ErrorMetric
    let width: Int
    let height: Int
    /// Row by row.
    let errors: [Float]
    let statistics: ErrorStatistics

    /// How many rows one thread works on at a time.
    private static let bandHeight = 64

    /// The mean as an error, also for a metric that tells a similarity.
    var meanError: Double { metric.isSimilarity ? 1 - statistics.mean : statistics.mean }
}

extension ErrorMap {
    /// - Parameters:
    ///   - pair: Equal where pixels are left out.
    ///   - excluded: For each pixel, whether it is left out; nil if none is.
    /// - Throws: `DiffError.tooSmall` for a picture that the metric can't judge.
    init(_ metric: ErrorMetric, of pair: PicturePair, excluded: [Bool]?) throws(DiffError) {
        self = try Self.maps(metric, of: [pair], excluded: excluded)[0]
    }

    /// The maps of several pictures and one reference, for which what depends on it alone is worked out once.
    /// - Parameters:
    ///   - pairs: all with the same reference.
    ///   - excluded: as above.
    /// - Throws: as above.
    static func maps(
        _ metric: ErrorMetric, of pairs: [PicturePair], excluded: [Bool]? = nil
    ) throws(DiffError) -> [ErrorMap] {
        guard let first = pairs.first else { return [] }
        if metric == .multiScaleSSIM, min(first.width, first.height) < SSIM.shortestSide {
            throw .tooSmall(width: first.width, height: first.height, needed: SSIM.shortestSide)
        }
        let isOpaque = pairs.allSatisfy { $0.isOpaque }
        let backdrops: [ErrorStatistics.Backdrop?] =
            isOpaque ? [nil] : ErrorStatistics.Backdrop.allCases.map { Optional($0) }
        let maps = backdrops.map { Self.maps(metric, of: pairs, excluded, over: $0) }
        // The first of those that are as bad.
        return pairs.indices.map { index in
            let own = maps.map { $0[index] }
            return own.max { $0.meanError < $1.meanError } ?? own[0]
        }
    }

    private static func maps(
        _ metric: ErrorMetric, of pairs: [PicturePair], _ excluded: [Bool]?, over backdrop: ErrorStatistics.Backdrop?
    ) -> [ErrorMap] {
        let (height, count) = (pairs[0].height, pairs.count)
        let bands = (height + bandHeight - 1) / bandHeight
        let images = [pairs[0].reference] + pairs.map { $0.actual }
        let found: [(bands: [[Float]], mean: Double?)] = images.withWords { grids in
            let planes = grids.map { Planes($0, over: backdrop) }
            if metric == .multiScaleSSIM {
                let reference = planes[0].luma
                return planes.dropFirst().map { actual in
                    let similarity = SSIM.multiScale(reference, actual.luma)
                    return (similarity.finest.map { BandErrors.errors([$0]) }, similarity.mean)
                }
            }
            let work = BandErrors(metric)
            let errors = Threads.map(bands) { band in
                let start = band * Self.bandHeight
                let rows = start..<min(start + Self.bandHeight, height)
                return work.errors(planes[0], Array(planes.dropFirst()), rows)
            }
            return (0..<count).map { index in (errors.map { $0[index] }, nil) }
        }
        return Threads.map(count) { index in
            let pair = pairs[index]
            var errors: [Float] = []
            errors.reserveCapacity(pair.width * height)
            for band in found[index].bands { errors += band }
            let statistics = ErrorStatistics(
                errors, of: pair, excluded, metric, mean: found[index].mean, backdrop: backdrop)
            return ErrorMap(metric: metric, width: pair.width, height: height, errors: errors, statistics: statistics)
        }
    }
}

extension ErrorStatistics {
    /// - Parameter mean: In place of the pixels' own.
    fileprivate init(
        _ errors: [Float], of pair: PicturePair, _ excluded: [Bool]?, _ metric: ErrorMetric, mean: Double?,
        backdrop: Backdrop?
    ) {
        // Windows that reach beyond the picture are left out of the mean of SSIM, as by others.
        let edge = metric.isSimilarity && Swift.min(pair.width, pair.height) > 2 * SSIM.radius ? SSIM.radius : 0
        var (least, most) = (Float.infinity, Float.zero)
        var (sum, count, atEdge, edgeCount) = (0.0, 0, 0.0, 0)
        for y in 0..<pair.height {
            let isInner = y >= edge && y < pair.height - edge
            for x in pair.columns(inRow: y) {
                let index = y * pair.width + x
                if excluded?[index] == true { continue }
                (least, most) = (Swift.min(least, errors[index]), Swift.max(most, errors[index]))
                if isInner, x >= edge, x < pair.width - edge {
                    sum += Double(errors[index])
                    count += 1
                } else {
                    atEdge += Double(errors[index])
                    edgeCount += 1
                }
            }
        }
        if count == 0 { (sum, count) = (atEdge, edgeCount) }
        let error = count == 0 ? 0 : sum / Double(count)
        let (low, high) = (Double(Swift.min(least, most)), Double(most))
        self.backdrop = backdrop
        self.mean = metric.isSimilarity ? mean ?? 1 - error : error
        (min, max) = metric.isSimilarity ? (1 - high, 1 - low) : (low, high)
    }
}

/// A picture's pixels as numbers, over a backdrop.
private struct Planes {
    let grid: PixelGrid
    let backdrop: ErrorStatistics.Backdrop?

    init(_ grid: PixelGrid, over backdrop: ErrorStatistics.Backdrop?) {
        (self.grid, self.backdrop) = (grid, backdrop)
    }

    /// Red, green and blue as they are stored, 0…1.
    @inline(__always)
    func color(_ x: Int, _ y: Int) -> SIMD3<Double> { color(of: grid[x, y]) }

    @inline(__always)
    private func color(of word: UInt32) -> SIMD3<Double> {
        let color = SIMD3(Double(word & 255), Double(word >> 8 & 255), Double(word >> 16 & 255)) / 255
        guard let backdrop, word < 0xff00_0000 else { return color }
        let alpha = Double(word >> 24) / 255
        return color * alpha + (1 - alpha) * backdrop.level
    }

    /// Red, green and blue in linear light, 0…1.
    @inline(__always)
    func linear(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let word = grid[x, y]
        if backdrop == nil || word >= 0xff00_0000 {
            return SIMD3(
                Self.decoded[Int(word & 255)], Self.decoded[Int(word >> 8 & 255)], Self.decoded[Int(word >> 16 & 255)])
        }
        let color = color(of: word)
        return SIMD3(Color.decoded(color.x), Color.decoded(color.y), Color.decoded(color.z))
    }

    private static let decoded: [Double] = Color.decodedBytes

    /// The whole picture's luma, 0…255.
    var luma: Rows {
        var rows = Rows(width: grid.width, count: grid.height)
        for y in 0..<grid.height {
            for x in 0..<grid.width { rows[x, y] = Self.luma(color(x, y)) }
        }
        return rows
    }

    @inline(__always)
    static func luma(_ color: SIMD3<Double>) -> Double { 255 * (color * SIMD3(0.299, 0.587, 0.114)).sum() }

    /// Three planes of some rows and of `margin` more on every side.
    @inline(__always)
    func rows(
        _ range: Range<Int>, margin: Int, _ kind: Extension, _ value: (Int, Int) -> SIMD3<Double>
    ) -> [Rows] {
        var planes = [Rows](
            repeating: Rows(width: grid.width, count: range.count + 2 * margin, margin: margin), count: 3)
        for y in 0..<range.count + 2 * margin {
            let from = kind.source(of: range.lowerBound + y - margin, count: grid.height)
            for x in 0..<grid.width {
                let number = value(x, from)
                (planes[0][x, y], planes[1][x, y], planes[2][x, y]) = (number.x, number.y, number.z)
            }
        }
        for index in planes.indices { planes[index].extend(kind) }
        return planes
    }
}

/// Works out the errors of some rows.
private struct BandErrors: Sendable {
    private let metric: ErrorMetric
    /// Only for that metric.
    private let flip: FLIP?

    init(_ metric: ErrorMetric) {
        self.metric = metric
        if case .flip(let pixelsPerDegree) = metric {
            flip = FLIP(pixelsPerDegree: pixelsPerDegree)
        } else {
            flip = nil
        }
    }

    /// The errors of some rows of each of several pictures.
    func errors(_ reference: Planes, _ actuals: [Planes], _ rows: Range<Int>) -> [[Float]] {
        if let flip { return flip.errors(reference, actuals, rows) }
        return actuals.map { errors(reference, $0, rows) }
    }

    private func errors(_ a: Planes, _ b: Planes, _ rows: Range<Int>) -> [Float] {
        let reach = metric.isSimilarity ? SSIM.radius : 0
        if a.isEqual(to: b, 0..<a.grid.width, rows, reach: reach) {
            return [Float](repeating: 0, count: a.grid.width * rows.count)
        }
        switch metric {
        case .ssim(let channels):
            let pairs = zip(numbers(a, rows, channels), numbers(b, rows, channels)).prefix(channels == .rgb ? 3 : 1)
            return Self.errors(pairs.map { SSIM.similarity($0, $1).whole })
        case .flip, .multiScaleSSIM: preconditionFailure("its errors come otherwise")
        case .oklab: return distances(a, b, rows)
        }
    }

    /// 1 − the mean of each pixel's similarities in some planes.
    static func errors(_ planes: [Rows]) -> [Float] {
        let (width, count) = (planes[0].width, planes[0].count)
        var errors = [Float](repeating: 0, count: width * count)
        for y in 0..<count {
            for x in 0..<width {
                let sum = planes.reduce(0) { $0 + $1[x, y] }
                errors[y * width + x] = Float(max(1 - sum / Double(planes.count), 0))
            }
        }
        return errors
    }

    private func numbers(_ picture: Planes, _ rows: Range<Int>, _ channels: SSIM.Channels) -> [Rows] {
        picture.rows(rows, margin: SSIM.radius, .mirrored) { x, y in
            let color = picture.color(x, y)
            return channels == .rgb ? 255 * color : SIMD3(Planes.luma(color), 0, 0)
        }
    }

    private func distances(_ a: Planes, _ b: Planes, _ rows: Range<Int>) -> [Float] {
        let width = a.grid.width
        var errors = [Float](repeating: 0, count: width * rows.count)
        for y in rows {
            for x in 0..<width where a.grid[x, y] != b.grid[x, y] {
                let (p, q) = (a.linear(x, y), b.linear(x, y))
                guard p != q else { continue }
                errors[(y - rows.lowerBound) * width + x] = Float(100 * OKLab(linear: p).distance(to: OKLab(linear: q)))
            }
        }
        return errors
    }
}

extension Planes {
    /// Whether a block and what an error sees around it is the same in another picture.
    /// - Parameter reach: how far an error looks, in pixels.
    fileprivate func isEqual(to other: Planes, _ columns: Range<Int>, _ rows: Range<Int>, reach: Int) -> Bool {
        let (left, right) = (max(columns.lowerBound - reach, 0), min(columns.upperBound + reach, grid.width))
        return (max(rows.lowerBound - reach, 0)..<min(rows.upperBound + reach, grid.height)).allSatisfy { y in
            let (p, q) = (grid.row(y).baseAddress, other.grid.row(y).baseAddress)
            guard let p, let q else { return true }
            return memcmp(p + 4 * left, q + 4 * left, 4 * (right - left)) == 0
        }
    }

    /// A block as FLIP filters it. Beyond the picture, its outermost pixels go on.
    fileprivate func block(_ columns: Range<Int>, _ rows: Range<Int>, for flip: FLIP) -> FLIP.Block {
        flip.block(width: columns.count, height: rows.count) { x, y in
            let column = min(max(columns.lowerBound + x, 0), grid.width - 1)
            let row = min(max(rows.lowerBound + y, 0), grid.height - 1)
            let word = grid[column, row]
            let isOpaque = backdrop == nil || word >= 0xff00_0000
            return isOpaque ? flip.opponent(word) : flip.opponent(linear: linear(column, row))
        }
    }
}

extension FLIP {
    /// How many columns are filtered at a time: few enough for a block to stay in the memory near the core.
    static let blockWidth = 128

    /// The errors of some rows of each of several pictures.
    fileprivate func errors(_ reference: Planes, _ actuals: [Planes], _ rows: Range<Int>) -> [[Float]] {
        let width = reference.grid.width
        var errors = actuals.map { _ in [Float](repeating: 0, count: width * rows.count) }
        for left in stride(from: 0, to: width, by: Self.blockWidth) {
            let columns = left..<min(left + Self.blockWidth, width)
            let differing = actuals.indices.filter {
                !reference.isEqual(to: actuals[$0], columns, rows, reach: radius)
            }
            guard !differing.isEmpty else { continue }
            let shown = seen(reference.block(columns, rows, for: self))
            for index in differing {
                let other = seen(actuals[index].block(columns, rows, for: self))
                errors[index].withUnsafeMutableBufferPointer { errors in
                    self.errors(shown, other) { x, y, error in errors[y * width + left + x] = error }
                }
            }
        }
        return errors
    }
}

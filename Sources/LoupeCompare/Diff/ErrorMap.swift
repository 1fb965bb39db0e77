import Glibc
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

    /// - Parameter excluded: For each pixel, whether it is left out; nil if none is.
    /// - Throws: `DiffError.tooSmall` for a picture that the metric can't judge.
    init(
        _ metric: ErrorMetric, of pair: PicturePair, search radius: Int, excluded: [Bool]?
    ) throws(DiffError) {
        if radius > 0, !metric.isOfSinglePixels { throw .noSearch(metric: metric.name) }
        if metric == .multiScaleSSIM, min(pair.width, pair.height) < SSIM.shortestSide {
            throw .tooSmall(width: pair.width, height: pair.height, needed: SSIM.shortestSide)
        }
        let judged = excluded.map(pair.hiding) ?? pair
        let backdrops: [ErrorStatistics.Backdrop?] = pair.isOpaque ? [nil] : ErrorStatistics.Backdrop.allCases
        let maps = backdrops.map {
            ErrorMap(metric, pair: judged, search: radius, excluded: excluded, backdrop: $0)
        }
        // The first of those that are as bad.
        self = maps.dropFirst().reduce(maps[0]) {
            $1.meanError > $0.meanError ? $1 : $0
        }
    }

    /// The mean as an error, also for a metric that tells a similarity.
    var meanError: Double { metric.isSimilarity ? 1 - statistics.mean : statistics.mean }

    private init(
        _ metric: ErrorMetric, pair: PicturePair, search radius: Int, excluded: [Bool]?,
        backdrop: ErrorStatistics.Backdrop?
    ) {
        (self.metric, width, height) = (metric, pair.width, pair.height)
        let bands = (pair.height + Self.bandHeight - 1) / Self.bandHeight
        let found: (errors: [[Float]], mean: Double?) = pair.withWords { reference, actual in
            let (a, b) = (Planes(reference, over: backdrop), Planes(actual, over: backdrop))
            if metric == .multiScaleSSIM {
                let similarity = SSIM.multiScale(a.luma, b.luma)
                return (similarity.finest.map(BandErrors.errors), similarity.mean)
            }
            let work = BandErrors(metric, search: NearSearch(radius: radius, reference, actual))
            let errors = Threads.map(bands) { band in
                let start = band * Self.bandHeight
                return work.errors(a, b, rows: start..<min(start + Self.bandHeight, pair.height))
            }
            return (errors, nil)
        }
        errors = found.errors.flatMap(\.self)
        let isCompared: (Int, Int) -> Bool = { x, y in
            pair.columns(inRow: y).contains(x) && !(excluded?[y * pair.width + x] ?? false)
        }
        statistics = ErrorStatistics(
            errors, width: pair.width, metric: metric, mean: found.mean, backdrop: backdrop, isCompared: isCompared)
    }
}

extension ErrorStatistics {
    /// - Parameter mean: In place of the pixels' own.
    fileprivate init(
        _ errors: [Float], width: Int, metric: ErrorMetric, mean: Double?, backdrop: Backdrop?,
        isCompared: (Int, Int) -> Bool
    ) {
        let height = errors.count / Swift.max(width, 1)
        // Windows that reach beyond the picture are left out of the mean of SSIM, as by others.
        let edge = metric.isSimilarity && Swift.min(width, height) > 2 * SSIM.radius ? SSIM.radius : 0
        var (values, sum, count) = ([Float](), 0.0, 0)
        values.reserveCapacity(errors.count)
        for y in 0..<height {
            let isInner = y >= edge && y < height - edge
            for x in 0..<width where isCompared(x, y) {
                let error = errors[y * width + x]
                values.append(error)
                guard isInner, x >= edge, x < width - edge else { continue }
                sum += Double(error)
                count += 1
            }
        }
        let spread = ErrorSpread(values)
        let found = [0.25, 0.5, 0.75].map { spread.value(above: $0, isWeighted: metric.key == "flip") }
        let error = count == 0 ? 0 : sum / Double(count)
        let ends = (Double(values.min() ?? 0), Double(values.max() ?? 0))
        self.backdrop = backdrop
        if metric.isSimilarity {
            self.mean = mean ?? 1 - error
            (min, max) = (1 - ends.1, 1 - ends.0)
            quartiles = found.reversed().map { 1 - $0 }
        } else {
            self.mean = error
            (min, max) = ends
            quartiles = found
        }
    }
}

/// Errors by their size. They are not sorted: each falls into the bucket of its sign, exponent and highest seven bits.
private struct ErrorSpread {
    private let values: [Float]
    private var counts = [Int](repeating: 0, count: 1 << 16)
    private var sums = [Double](repeating: 0, count: 1 << 16)

    /// - Parameter values: None is negative.
    init(_ values: [Float]) {
        self.values = values
        for value in values {
            counts[Self.bucket(of: value)] += 1
            sums[Self.bucket(of: value)] += Double(value)
        }
    }

    @inline(__always)
    private static func bucket(of value: Float) -> Int { Int(value.bitPattern >> 16) }

    /// The smallest value at or below which this part of all values lies, or of their sum; 0 where there is none.
    func value(above part: Double, isWeighted: Bool) -> Double {
        let limit = part * (isWeighted ? sums.reduce(0, +) : Double(values.count))
        var (bucket, before) = (0, 0.0)
        for index in counts.indices where counts[index] > 0 {
            bucket = index
            let more = isWeighted ? sums[index] : Double(counts[index])
            if before + more >= limit { break }
            before += more
        }
        let inside = values.filter { Self.bucket(of: $0) == bucket }.sorted()
        let found = inside.first { value in
            before += isWeighted ? Double(value) : 1
            return before >= limit
        }
        return Double(found ?? inside.last ?? 0)
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
    func linear(_ x: Int, _ y: Int) -> SIMD3<Double> { linear(of: grid[x, y]) }

    /// Those of a pixel's word.
    @inline(__always)
    func linear(of word: UInt32) -> SIMD3<Double> {
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
    private let flip: FLIP?
    /// Only for a metric whose errors are of single pixels.
    private let search: NearSearch?

    init(_ metric: ErrorMetric, search: NearSearch?) {
        (self.metric, self.search) = (metric, search)
        if case .flip(let pixelsPerDegree) = metric {
            flip = FLIP(pixelsPerDegree: pixelsPerDegree)
        } else {
            flip = nil
        }
    }

    /// How far an error looks, in rows.
    private var reach: Int {
        switch metric {
        case .flip: flip?.radius ?? 0
        case .ssim, .multiScaleSSIM: SSIM.radius
        case .oklab: search?.radius ?? 0
        }
    }

    func errors(_ a: Planes, _ b: Planes, rows: Range<Int>) -> [Float] {
        let (width, height) = (a.grid.width, a.grid.height)
        let seen = max(rows.lowerBound - reach, 0)..<min(rows.upperBound + reach, height)
        let areEqual = seen.allSatisfy { y in
            let (p, q) = (a.grid.row(y), b.grid.row(y))
            return memcmp(p.baseAddress!, q.baseAddress!, 4 * width) == 0
        }
        if areEqual { return [Float](repeating: 0, count: width * rows.count) }
        switch metric {
        case .flip:
            guard let flip else { return [] }
            let planes = [a, b].map { picture in
                picture.rows(rows, margin: flip.radius, .replicated) { FLIP.opponent(picture.linear($0, $1)) }
            }
            return flip.errors(planes[0], planes[1])
        case .ssim(.rgb): return structural(a, b, rows, planes: 3)
        case .ssim(.luma): return structural(a, b, rows, planes: 1)
        case .multiScaleSSIM: preconditionFailure("its errors come with its mean")
        case .oklab: return distances(a, b, rows)
        }
    }

    /// 1 − each similarity.
    static func errors(_ similarities: Rows) -> [Float] {
        var errors = [Float](repeating: 0, count: similarities.width * similarities.count)
        for y in 0..<similarities.count {
            for x in 0..<similarities.width {
                errors[y * similarities.width + x] = Float(max(1 - similarities[x, y], 0))
            }
        }
        return errors
    }

    private func structural(_ a: Planes, _ b: Planes, _ rows: Range<Int>, planes: Int) -> [Float] {
        let (first, second) = (numbers(a, rows, planes), numbers(b, rows, planes))
        var errors = [Float](repeating: 0, count: a.grid.width * rows.count)
        let similarities = (0..<planes).map { SSIM.similarity(first[$0], second[$0]).whole }
        for y in 0..<rows.count {
            for x in 0..<a.grid.width {
                let sum = similarities.reduce(0) { $0 + $1[x, y] }
                errors[y * a.grid.width + x] = Float(max(1 - sum / Double(planes), 0))
            }
        }
        return errors
    }

    private func numbers(_ picture: Planes, _ rows: Range<Int>, _ planes: Int) -> [Rows] {
        picture.rows(rows, margin: SSIM.radius, .mirrored) { x, y in
            let color = picture.color(x, y)
            return planes == 3 ? 255 * color : SIMD3(Planes.luma(color), 0, 0)
        }
    }

    private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        a == b ? 0 : OKLab(linear: a).distance(to: OKLab(linear: b))
    }

    private func distances(_ a: Planes, _ b: Planes, _ rows: Range<Int>) -> [Float] {
        let width = a.grid.width
        var errors = [Float](repeating: 0, count: width * rows.count)
        for y in rows {
            for x in 0..<width where a.grid[x, y] != b.grid[x, y] {
                let found =
                    search?.difference(x, y) { distance(a.linear(of: $0), b.linear(of: $1)) }
                    ?? distance(a.linear(x, y), b.linear(x, y))
                errors[(y - rows.lowerBound) * width + x] = Float(100 * found)
            }
        }
        return errors
    }
}

import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// Settings for comparing two pictures: the metric, how much may differ, and which pixels are left out.
public struct Comparison: Equatable, Sendable {
    /// How the difference of two pixels is measured, and above which difference a pixel differs.
    public var metric: Metric
    /// How many pixels may differ.
    public var allowance: Allowance
    /// Which pixels are not compared.
    public var exclusion: Exclusion
    /// Whether pictures of different sizes may be the same. They are compared where they overlap, and each pixel that only one
    /// of them has counts as one that differs.
    public var allowsSize = false
    /// Whether files are not the same where anything differs beside the pixels, such as their density.
    public var countsMetadata = false
    /// The scene that the reference shows. If given, differences are counted for each region of its picture.
    public var scene: Scene?

    /// By default, every channel of every pixel has to be equal.
    public init(
        metric: Metric = .channel(Tolerance()), allowance: Allowance = Allowance(),
        exclusion: Exclusion = Exclusion(), scene: Scene? = nil
    ) {
        self.metric = metric
        self.allowance = allowance
        self.exclusion = exclusion
        self.scene = scene
    }

    /// Compares two pictures pixel by pixel, on all cores. The result does not depend on the number of cores.
    ///
    /// Pictures of different sizes are aligned, compared where they overlap, and are the same only with `allowsSize`. All
    /// coordinates are those of the reference. Samples of 16 bits are compared as they are by the metric `channel`, also with
    /// those of 8; other metrics round them to 8.
    ///
    /// - Throws: `DiffError` if the mask or the scene has another size than the reference, if every pixel is left out, if the
    ///   metric can't do what is asked, or if memory is short.
    public func compare(reference: Image, actual: Image) throws(DiffError) -> Difference {
        var pair = PicturePair(reference, actual)
        if let canvas = scene?.canvas, canvas.width != reference.width || canvas.height != reference.height {
            throw .sceneSize(
                width: canvas.width, height: canvas.height, neededWidth: reference.width,
                neededHeight: reference.height)
        }
        // For the exclusion, the regions, and the runs of a picture in which every other pixel differs.
        var heldBytes = 24
        if case .error(let metric, _) = metric { heldBytes = metric.heldBytes }
        // Samples of 8 bits are widened, and those of 16 rounded for metrics that need it.
        if pair.depth == 16 { heldBytes += 24 }
        guard Memory.hasRoom(forPixels: pair.width, pair.height, bytesPerPixel: heldBytes) else {
            throw .outOfMemory(width: pair.width, height: pair.height)
        }
        let excluded = try exclusion.bitmap(width: pair.width, height: pair.height)
        guard pair.comparedPixels(excluded) > 0 else { throw .nothingCompared }
        if let excluded { pair = pair.hiding(excluded) }
        guard case .error(let metric, let limits) = metric else {
            return Difference(of: pair, comparison: self, tally: tally(pair), excluded: excluded)
        }
        let map = try ErrorMap(metric, of: pair, excluded: excluded)
        let tally = tally(map, limits, pair, excluded)
        return Difference(of: pair, comparison: self, tally: tally, excluded: excluded, errorMap: map)
    }

    /// - Parameter map: The error of each pixel.
    private func tally(_ map: ErrorMap, _ limits: ErrorLimits, _ pair: PicturePair, _ excluded: [Bool]?) -> Tally {
        var tally = Tally(regions: scene.map(RegionMap.init))
        for row in 0..<pair.height {
            for column in pair.columns(inRow: row) {
                let index = row * map.width + column
                let error = Double(map.errors[index])
                guard error > 0, excluded?[index] != true else { continue }
                tally.add(column, row, delta: error, differs: limits.threshold.map { error > $0 } ?? false)
            }
        }
        return tally
    }

    private func tally(_ pair: PicturePair) -> Tally {
        if case .channel(let tolerance) = metric, let tally = pair.tallyOf16Bits(tolerance, regions: regionMap) {
            return tally
        }
        return pair.withWords { reference, actual in
            pair.tally(regions: regionMap) { row, tally in scan(row, of: pair, reference, actual, into: &tally) }
        }
    }

    private var regionMap: RegionMap? { scene.map(RegionMap.init) }

    /// Adds the pixels of a row that are not equal to `tally`.
    private func scan(
        _ row: Int, of pair: PicturePair, _ reference: PixelGrid, _ actual: PixelGrid, into tally: inout Tally
    ) {
        let columns = pair.columns(inRow: row)
        guard !columns.isEmpty else { return }
        // Beyond these columns, both pictures are equal.
        let rows = RowPair(reference: reference.row(row), actual: actual.row(row), count: columns.upperBound)
        switch metric {
        case .channel(let tolerance):
            ChannelScanner(tolerance: tolerance).scan(rows, row: row, into: &tally)
        case .yiq(let threshold, let includesAntialiased):
            let test = includesAntialiased ? nil : AntialiasingTest(reference: reference, actual: actual)
            YIQScanner(threshold: threshold, antialiasing: test).scan(rows, row: row, width: pair.width, into: &tally)
        case .error: preconditionFailure("errors are those of an ErrorMap")
        }
    }
}

extension PicturePair {
    /// How many rows one thread compares at a time.
    private static let bandHeight = 64

    /// What `scan` adds for each row, on all cores.
    fileprivate func tally(
        regions: RegionMap?, _ scan: @escaping @Sendable (_ row: Int, _ tally: inout Tally) -> Void
    ) -> Tally {
        let bands = (height + Self.bandHeight - 1) / Self.bandHeight
        let tallies = Threads.map(bands) { band in
            var tally = Tally(regions: regions)
            let start = band * Self.bandHeight
            for row in start..<min(start + Self.bandHeight, height) { scan(row, &tally) }
            return tally
        }
        return tallies.dropFirst().reduce(into: tallies[0]) { $0.append($1) }
    }

    /// The pixels that differ in 16 bits; nil for pictures of 8.
    func tallyOf16Bits(_ tolerance: Tolerance, regions: RegionMap? = nil) -> Tally? {
        guard let expected = reference.pixels16, let found = actual.pixels16 else { return nil }
        return expected.withUnsafeBufferPointer { a in
            found.withUnsafeBufferPointer { b in
                let scanner = DeepScanner(a, b, width: width, tolerance: tolerance)
                return tally(regions: regions) { row, tally in
                    scanner.scan(columns(inRow: row), row: row, into: &tally)
                }
            }
        }
    }
}

/// Limits on how many pixels may differ. If both limits are set, both apply. If neither is set, no pixel may differ.
public struct Allowance: Hashable, Sendable {
    /// How many pixels may differ; nil for no such limit.
    public var maxPixels: Int?
    /// Which fraction of the compared pixels may differ, 0…1; nil for no such limit.
    public var maxRatio: Double?

    /// By default, no pixel may differ.
    public init(maxPixels: Int? = nil, maxRatio: Double? = nil) {
        self.maxPixels = maxPixels
        self.maxRatio = maxRatio
    }

    /// The values allowed for `maxRatio`.
    public static let ratioRange: ClosedRange<Double> = 0...1

    /// How many of `total` compared pixels may differ.
    func pixels(of total: Int) -> Int {
        let limit = maxRatio.map { ratio in
            // Results report the quotient, so it decides where the product was rounded.
            let count = Int((ratio * Double(total)).rounded(.down))
            return Double(count + 1) / Double(max(total, 1)) <= ratio ? count + 1 : count
        }
        return [maxPixels, limit].compactMap { $0 }.min() ?? 0
    }
}

/// The pixels that a comparison leaves out: those in rectangles and those that a mask shows in white.
public struct Exclusion: Equatable, Sendable {
    /// Rectangles to leave out, in pixels of the pictures. Parts outside the pictures are ignored.
    public var rects: [PixelRect]
    /// A pixel is left out if one of its premultiplied colour channels is 128 or more in the mask: white means leave out,
    /// black and transparent mean compare. The mask has the size of the reference.
    public var mask: Image?

    /// By default, nothing is left out.
    public init(rects: [PixelRect] = [], mask: Image? = nil) {
        self.rects = rects
        self.mask = mask
    }

    /// For each pixel of a canvas, row by row, whether it is left out; nil if nothing is.
    func bitmap(width: Int, height: Int) throws(DiffError) -> [Bool]? {
        guard !rects.isEmpty || mask != nil else { return nil }
        var bitmap = try maskBitmap(width: width, height: height) ?? [Bool](repeating: false, count: width * height)
        for rect in rects {
            let block = rect.intersection(PixelRect(width: width, height: height))
            guard !block.isEmpty else { continue }
            for row in block.minY..<block.maxY {
                let start = row * width
                for index in (start + block.minX)..<(start + block.maxX) { bitmap[index] = true }
            }
        }
        return bitmap
    }

    private func maskBitmap(width: Int, height: Int) throws(DiffError) -> [Bool]? {
        guard let mask else { return nil }
        guard mask.width == width, mask.height == height else {
            throw .maskSize(width: mask.width, height: mask.height, neededWidth: width, neededHeight: height)
        }
        return mask.pixels.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { word in
                let color = Premultiplied.channels(of: UInt32(littleEndian: word))
                return max(color.x, color.y, color.z) >= 128
            }
        }
    }
}

/// The reason that two pictures can't be compared.
public enum DiffError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mask has another size than the pictures, in pixels.
    case maskSize(width: Int, height: Int, neededWidth: Int, neededHeight: Int)
    /// The scene's canvas has another size than the reference, in pixels.
    case sceneSize(width: Int, height: Int, neededWidth: Int, neededHeight: Int)
    /// There is no memory to compare pictures of this size, in pixels.
    case outOfMemory(width: Int, height: Int)
    /// MS-SSIM needs larger pictures: each side has to have `needed` pixels.
    case tooSmall(width: Int, height: Int, needed: Int)
    /// Every pixel is left out.
    case nothingCompared

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .maskSize(let width, let height, let neededWidth, let neededHeight):
            "the mask has \(width)×\(height) pixels, but the reference has \(neededWidth)×\(neededHeight); use a mask of the same size"
        case .sceneSize(let width, let height, let neededWidth, let neededHeight):
            "the scene's canvas has \(width)×\(height) pixels, but the reference has \(neededWidth)×\(neededHeight); use the scene that the reference shows"
        case .outOfMemory(let width, let height):
            "there is no memory to compare \(width)×\(height) pixels; \(Memory.advice)"
        case .tooSmall(let width, let height, let needed):
            "ms-ssim needs pictures of \(needed)×\(needed) pixels or more, and these have \(width)×\(height); use ssim"
        case .nothingCompared:
            "every pixel is left out, so nothing is compared; leave out fewer (a mask is white there)"
        }
    }
}

import Glibc

/// Compares rows of samples of 16 bits by the metric `channel`. A view of memory that it does not own.
struct DeepScanner: @unchecked Sendable {
    // Several threads read it, and none writes.
    private let reference: UnsafeBufferPointer<UInt16>
    private let actual: UnsafeBufferPointer<UInt16>
    /// Samples of a row.
    private let rowSamples: Int
    /// The largest difference that passes in each region, and last in a picture without regions, in 1/65535.
    private let limits: [Int]

    /// - Parameter width: of the pictures, in pixels.
    init(
        _ reference: UnsafeBufferPointer<UInt16>, _ actual: UnsafeBufferPointer<UInt16>, width: Int,
        tolerance: Tolerance
    ) {
        (self.reference, self.actual, rowSamples) = (reference, actual, 4 * width)
        let regions = PictureRegion.allCases.map { Optional($0) } + [nil]
        // A whole number of steps that was divided by 257 may have become a little smaller.
        limits = regions.map { Int((tolerance[$0] * 257 + 1e-6).rounded(.down)) }
    }

    /// Adds the pixels of a row that are not equal to `tally`.
    func scan(_ columns: Range<Int>, row: Int, into tally: inout Tally) {
        guard let a = reference.baseAddress, let b = actual.baseAddress, !columns.isEmpty else { return }
        let start = row * rowSamples + 4 * columns.lowerBound
        if memcmp(a + start, b + start, 8 * columns.count) == 0 { return }
        let places = stride(from: start, to: start + 4 * columns.count, by: 4)
        for (column, place) in zip(columns, places) {
            let (one, other) = (Self.pixel(a + place), Self.pixel(b + place))
            if one == other { continue }
            let steps = Self.steps(one, other)
            // Colours of transparent pixels may differ without effect.
            guard steps > 0 else { continue }
            let region = tally.region(column, row)
            let limit = limits[region.flatMap { PictureRegion.allCases.firstIndex(of: $0) } ?? limits.count - 1]
            tally.add(column, row, steps: steps, in: region, differs: steps > limit)
        }
    }

    @inline(__always)
    private static func pixel(_ samples: UnsafePointer<UInt16>) -> SIMD4<UInt32> {
        SIMD4(UInt32(samples[0]), UInt32(samples[1]), UInt32(samples[2]), UInt32(samples[3]))
    }

    /// The largest difference of a premultiplied channel, in 1/65535.
    @inline(__always)
    private static func steps(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> Int {
        let (a, b) = (premultiplied(a), premultiplied(b))
        return Int((pointwiseMax(a, b) &- pointwiseMin(a, b)).max())
    }

    /// Colours are rounded to nearest.
    @inline(__always)
    private static func premultiplied(_ straight: SIMD4<UInt32>) -> SIMD4<UInt32> {
        let alpha = straight.w
        guard alpha != 65535 else { return straight }
        // 65535² and half of 65535 are less than 2³².
        var color = (straight &* SIMD4(repeating: alpha) &+ SIMD4(repeating: 32767)) / SIMD4(repeating: 65535)
        color.w = alpha
        return color
    }
}

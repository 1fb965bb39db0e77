/// A rule that says whether an image is pixel art: few colours in runs with hard edges, as in sprites, icons and screenshots
/// of old systems. Photographs have many colours, drawings and text have soft edges. Specification, section 5.8.
package enum PixelArt {
    /// Whether at most 128 colours, hard edges and hardly any blends between them make up an image. Looks at no more than
    /// 512 rows.
    /// - Parameter bytes: straight RGBA, `4 * width * height` bytes.
    package static func isSeen(in bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> Bool {
        var runs = RunStatistics()
        let pixels = bytes.assumingMemoryBound(to: UInt32.self)
        let step = (height + RunStatistics.rows - 1) / RunStatistics.rows
        for row in stride(from: 0, to: height, by: step) {
            let start = row * width
            guard runs.take(UnsafeBufferPointer(rebasing: pixels[start..<start + width])) else { return false }
        }
        return runs.arePixelArt
    }
}

/// Counts the runs of equal pixels in the rows of an image.
private struct RunStatistics {
    /// The most rows that are looked at.
    static let rows = 512
    private static let mostColors = 128
    /// The least difference of a channel at a hard edge.
    private static let hardDifference = 24
    /// The least difference between two colours of which a third can be a blend.
    private static let blendDifference = 64
    /// How far a blend may lie from the straight line between the two, in each channel.
    private static let blendTolerance: Float = 24
    /// Edges for each blend.
    private static let edgesPerBlend = 6

    private var colors: Set<UInt32> = []
    /// The colour that came last of those with the same hash.
    private var recent = [UInt32?](repeating: nil, count: 1024)
    /// Borders between runs.
    private var edges = 0
    /// Those between colours that differ much.
    private var hardEdges = 0
    /// Runs of one pixel whose colour mixes those on either side, as anti-aliasing makes them.
    private var blends = 0

    var arePixelArt: Bool {
        edges > 0 && 2 * hardEdges >= edges && Self.edgesPerBlend * blends <= edges
    }

    /// Counts a row of straight RGBA; false where the image has too many colours.
    mutating func take(_ row: UnsafeBufferPointer<UInt32>) -> Bool {
        var before: UInt32?
        var (stored, current, length) = (row[0], Self.shown(row[0]), 1)
        guard note(current) else { return false }
        for index in row.indices.dropFirst() {
            if row[index] == stored {
                length += 1
                continue
            }
            stored = row[index]
            let next = Self.shown(stored)
            if next == current {
                length += 1
                continue
            }
            guard note(next) else { return false }
            edges += 1
            if Self.difference(current, next) >= Self.hardDifference { hardEdges += 1 }
            if length == 1, let before, Self.isBlend(current, of: before, next) { blends += 1 }
            (before, current, length) = (current, next, 1)
        }
        return true
    }

    /// A stored pixel premultiplied.
    private static func shown(_ stored: UInt32) -> UInt32 {
        let pixel = UInt32(littleEndian: stored)
        let alpha = pixel >> 24
        guard alpha < 255 else { return pixel }
        func channel(_ shift: UInt32) -> UInt32 { ((pixel >> shift & 255) * alpha + 127) / 255 << shift }
        return channel(0) | channel(8) | channel(16) | alpha << 24
    }

    /// Counts a colour once; false where there are too many.
    private mutating func note(_ color: UInt32) -> Bool {
        // The set alone would take longer than all the rest.
        let slot = Int((color &* 0x9e37_79b1) >> 22)
        if recent[slot] == color { return true }
        recent[slot] = color
        colors.insert(color)
        return colors.count <= Self.mostColors
    }

    private static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), Int32(pixel >> 24))
    }

    /// How far two colours differ in the channel that differs most.
    private static func difference(_ one: UInt32, _ other: UInt32) -> Int {
        let (a, b) = (channels(one), channels(other))
        let larger = a.replacing(with: b, where: a .< b)
        let smaller = a.replacing(with: b, where: a .> b)
        return Int((larger &- smaller).max())
    }

    private static func isBlend(_ pixel: UInt32, of one: UInt32, _ other: UInt32) -> Bool {
        guard difference(one, other) >= blendDifference else { return false }
        let start = SIMD4<Float>(channels(one))
        let (way, step) = (SIMD4<Float>(channels(other)) - start, SIMD4<Float>(channels(pixel)) - start)
        let weight = (step * way).sum() / (way * way).sum()
        let rest = step - weight * way
        return 0 <= weight && weight <= 1 && (rest * rest).max() <= blendTolerance * blendTolerance
    }
}

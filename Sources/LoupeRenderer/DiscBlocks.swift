import LoupeGeometry

/// The part of some blocks that a disc covers, as blocks sorted by whether the disc's border crosses them.
///
/// Every scissored block costs a draw call of its own, some 13 µs on a software device, and the bands of a corner
/// zone make many. Where two of them lie one upon the other, the columns they share become one taller block; what is
/// left on either side mostly lies inside the disc, and any number of such blocks are one call.
struct DiscBlocks {
    /// Wholly inside the inner polygon.
    private(set) var inside: [PixelRect] = []
    /// All others that hold a pixel of the disc.
    private(set) var crossing: [PixelRect] = []
    private let rings: DiscRings

    /// The disc's pixels in the blocks, which must not overlap.
    init(_ blocks: [PixelRect], of rings: DiscRings) {
        self.rings = rings
        for block in blocks { add(block) }
    }

    private mutating func add(_ block: PixelRect) {
        if sort(block) { return }
        for index in crossing.indices {
            guard let join = Join(crossing[index], block), join.rests.allSatisfy(isSorted) else { continue }
            crossing.remove(at: index)
            for rest in join.rests { _ = sort(rest) }
            return add(join.common)
        }
        crossing.append(block)
    }

    private func isSorted(_ block: PixelRect) -> Bool { rings.isInside(block) || rings.isOutside(block) }

    /// Keeps a block that lies wholly inside and leaves out one that lies wholly outside; false for any other.
    private mutating func sort(_ block: PixelRect) -> Bool {
        if rings.isInside(block) {
            inside.append(block)
            return true
        }
        return rings.isOutside(block)
    }
}

/// Two blocks that touch along a side, cut anew.
private struct Join {
    /// Both, where they lie side by side with the other one.
    let common: PixelRect
    let rests: [PixelRect]

    /// nil where they do not touch.
    init?(_ one: PixelRect, _ other: PixelRect) {
        let (minX, maxX) = (max(one.minX, other.minX), min(one.maxX, other.maxX))
        let (minY, maxY) = (max(one.minY, other.minY), min(one.maxY, other.maxY))
        let both = [one, other]
        if minY == maxY, minX < maxX {
            common = PixelRect(
                minX: minX, minY: min(one.minY, other.minY), maxX: maxX, maxY: max(one.maxY, other.maxY))
            rests = both.flatMap { $0.columns(outside: minX..<maxX) }
        } else if minX == maxX, minY < maxY {
            common = PixelRect(
                minX: min(one.minX, other.minX), minY: minY, maxX: max(one.maxX, other.maxX), maxY: maxY)
            rests = both.flatMap { $0.rows(outside: minY..<maxY) }
        } else {
            return nil
        }
    }
}

extension PixelRect {
    fileprivate func columns(outside range: Range<Int>) -> [PixelRect] {
        [
            PixelRect(minX: minX, minY: minY, maxX: range.lowerBound, maxY: maxY),
            PixelRect(minX: range.upperBound, minY: minY, maxX: maxX, maxY: maxY),
        ].filter { !$0.isEmpty }
    }

    fileprivate func rows(outside range: Range<Int>) -> [PixelRect] {
        [
            PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: range.lowerBound),
            PixelRect(minX: minX, minY: range.upperBound, maxX: maxX, maxY: maxY),
        ].filter { !$0.isEmpty }
    }
}

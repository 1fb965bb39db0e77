import LoupeImaging

/// Some of the pixels of a picture.
struct PixelMask {
    typealias Block = (columns: Range<Int>, rows: Range<Int>)

    let width: Int
    let height: Int
    private var isSet: [Bool]

    /// The pixels that differ between two pictures of equal sizes.
    init(_ one: Image, _ other: Image) {
        (width, height) = (one.width, one.height)
        isSet = []
        one.withWords(other) { one, other in isSet = zip(one, other).map { $0 != $1 } }
    }

    subscript(column: Int, row: Int) -> Bool { isSet[row * width + column] }

    /// Which part of the pixels it has, from 0 to 1.
    var share: Double { Double(isSet.count { $0 }) / Double(isSet.count) }

    /// The smallest block that holds all of its pixels; nil if it has none.
    var block: Block? {
        let rows = (0..<height).filter { isSet[$0 * width..<($0 + 1) * width].contains(true) }
        guard let top = rows.first, let bottom = rows.last else { return nil }
        let columns = (0..<width).filter { column in rows.contains { self[column, $0] } }
        guard let left = columns.first, let right = columns.last else { return nil }
        return (left..<right + 1, top..<bottom + 1)
    }

    /// Adds the pixels of another mask of the same size.
    mutating func formUnion(_ other: PixelMask) {
        for index in isSet.indices where other.isSet[index] { isSet[index] = true }
    }

    /// Adds the pixels of a block.
    mutating func formUnion(_ block: Block) {
        for row in block.rows {
            for column in block.columns { isSet[row * width + column] = true }
        }
    }

    /// With all pixels that are at most so many columns and rows away.
    func grown(by distance: Int) -> PixelMask {
        var result = self
        for row in 0..<height { result.grow(by: distance, from: row * width, step: 1, count: width) }
        for column in 0..<width { result.grow(by: distance, from: column, step: width, count: height) }
        return result
    }

    /// Grows along a row or a column.
    private mutating func grow(by distance: Int, from start: Int, step: Int, count: Int) {
        let line = (0..<count).map { isSet[start + $0 * step] }
        for index in line.indices where line[index] {
            for near in max(0, index - distance)...min(count - 1, index + distance) {
                isSet[start + near * step] = true
            }
        }
    }
}

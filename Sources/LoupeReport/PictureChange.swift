import LoupeImaging

/// A form in which a picture of a page can be stored.
struct PictureForm {
    /// Nil for the whole picture.
    let change: PagePictures.Change?
    /// What is stored.
    let image: Image
}

// Pictures of equal sizes.
extension Image {
    /// The ways in which another picture can be stored as a change of this one, or whole where all of it changes.
    /// - Parameter number: this picture's number.
    func changes(to other: Image, number: Int) -> [PictureForm] {
        let differing = PixelMask(self, other)
        guard let block = differing.block else {
            return [PictureForm(change: .init(same: number), image: other)]
        }
        var forms: [(kind: PagePictures.Change.Kind, image: Image)] = []
        let isAll = block.columns.count == width && block.rows.count == height
        if !isAll { forms.append((.replace, other.cropped(to: block))) }
        if other.isOpaque {
            // Where almost all pixels differ, this is no smaller than all of them.
            if differing.share < 0.9 { forms.append((.over, other.cut(differing, block))) }
            if isOpaque { forms.append((.add, sumsAndDifferences(other, in: block))) }
        }
        let changes = forms.map { PictureForm(change: .init(kind: $0, base: number, block: block), image: $1) }
        return isAll ? changes + [PictureForm(change: nil, image: other)] : changes
    }

    /// About which part of the pixels differ: every seventh row is compared.
    func distance(to other: Image) -> Double {
        var (count, all) = (0, 0)
        withWords(other) { one, two in
            for row in Swift.stride(from: 0, to: height, by: 7) {
                for index in row * width..<(row + 1) * width where one[index] != two[index] { count += 1 }
                all += width
            }
        }
        return Double(count) / Double(all)
    }

    /// What is to be added to a block of this picture, and below it what is to be subtracted, to get another one.
    private func sumsAndDifferences(_ other: Image, in block: PixelMask.Block) -> Image {
        let (columns, rows) = (block.columns.count, block.rows.count)
        var result = [UInt8](repeating: 255, count: columns * rows * 8)
        let (one, two) = (pixels, other.pixels)
        for row in 0..<rows {
            for column in 0..<columns {
                let source = ((block.rows.lowerBound + row) * width + block.columns.lowerBound + column) * 4
                let sum = (row * columns + column) * 4
                for channel in 0..<3 {
                    let (old, new) = (one[source + channel], two[source + channel])
                    result[sum + channel] = new > old ? new - old : 0
                    result[sum + rows * columns * 4 + channel] = old > new ? old - new : 0
                }
            }
        }
        return Image(width: columns, height: rows * 2, pixels: result)
    }

    /// A block of this picture, transparent but for the pixels of a mask.
    func cut(_ mask: PixelMask, _ block: PixelMask.Block) -> Image {
        var result = cropped(to: block)
        result.pixels.withUnsafeMutableBufferPointer { bytes in
            for row in block.rows {
                for column in block.columns where !mask[column, row] {
                    let index = (row - block.rows.lowerBound) * block.columns.count + column - block.columns.lowerBound
                    for channel in 0..<4 { bytes[index * 4 + channel] = 0 }
                }
            }
        }
        return result
    }

    func cropped(to block: PixelMask.Block) -> Image {
        cropped(
            x: block.columns.lowerBound, y: block.rows.lowerBound, width: block.columns.count,
            height: block.rows.count)
    }

    func withWords(
        _ other: Image, _ body: (UnsafeBufferPointer<UInt32>, UnsafeBufferPointer<UInt32>) -> Void
    ) {
        pixels.withUnsafeBytes { one in
            other.pixels.withUnsafeBytes { two in
                one.withMemoryRebound(to: UInt32.self) { one in
                    two.withMemoryRebound(to: UInt32.self) { two in body(one, two) }
                }
            }
        }
    }
}

extension PagePictures.Change {
    /// No change of a picture.
    init(same base: Int) { self.init(kind: .same, base: base, x: 0, y: 0, width: 0, height: 0) }

    init(kind: Kind, base: Int, block: PixelMask.Block) {
        self.init(
            kind: kind, base: base, x: block.columns.lowerBound, y: block.rows.lowerBound,
            width: block.columns.count, height: block.rows.count)
    }
}

import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeVerify

/// The pictures of a page, each stored once and as small as it can be, so that hundreds of failed cases make a file that
/// can be sent.
///
/// Most pictures resemble another one of the page: the actual picture its reference, a reference that of another case with
/// the same page. Such a picture is stored as a change of that one. The script composes it with operations that are exact
/// for 8-bit channels, so what a reader sees is the picture itself.
struct PagePictures {
    /// How a picture is made from an earlier one, whose size it has.
    struct Change: Hashable {
        enum Kind: String {
            /// Both are opaque. The PNG has two parts below each other, each of the block's size: what is added to each
            /// channel, and what is subtracted from it.
            case add
            /// The PNG has the pixels that differ, which are opaque; the others are transparent.
            case over
            /// The PNG replaces the block.
            case replace
        }

        let kind: Kind
        /// The earlier picture's number.
        let base: Int
        /// The block that changes, in pixels.
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// The PNGs, by the picture's number.
    private(set) var pictures: [HTMLPage.Picture] = []
    /// Nil for a whole picture.
    private(set) var changes: [Change?] = []
    private var numbers: [String: Int] = [:]
    /// The whole pictures that came last, which others are compared with.
    private var recent: [Opened] = []

    /// A picture whose pixels are known.
    fileprivate struct Opened {
        let number: Int
        let image: Image
        let isOpaque: Bool
    }

    /// How many whole pictures a new one is compared with.
    private static let recentCount = 4

    /// Stores the pictures of a case.
    /// - Returns: The number of each; an absent kind has none. `marks` are the differing pixels and the boxes alone,
    ///   which lie over the reference made faint.
    mutating func add(_ pictures: CasePictures) -> [(kind: String, number: Int)] {
        var added: [(kind: String, number: Int)] = []
        var reference: Opened?
        if let text = pictures.reference {
            let (number, opened) = add(text, like: recent)
            reference = opened
            added.append(("reference", number))
        }
        if let text = pictures.actual {
            added.append(("actual", add(text, like: reference.map { [$0] } ?? recent).number))
        }
        if let text = pictures.errorMap { added.append(("errors", store(text, as: nil))) }
        if let text = pictures.difference {
            added.append(reference == nil ? ("difference", store(text, as: nil)) : differenceOrMarks(text))
        }
        return added
    }

    /// The changes as the script reads them, by the pictures' numbers.
    var json: [JSONValue] {
        changes.map { change in
            guard let change else { return .null }
            let block = [change.x, change.y, change.width, change.height].map { JSONValue.number(Double($0)) }
            return [
                "kind": .string(change.kind.rawValue), "base": .number(Double(change.base)), "block": .array(block),
            ]
        }
    }

    private mutating func add(_ text: String, like candidates: [Opened]) -> (number: Int, opened: Opened?) {
        guard let image = Base64.decode(text).flatMap({ try? PNG.decode($0, name: "a picture") }) else {
            return (store(text, as: nil), nil)
        }
        let isOpaque = image.isOpaque
        if let number = numbers[text] { return (number, Opened(number: number, image: image, isOpaque: isOpaque)) }
        let near = candidates.filter { $0.image.size == image.size }
            .min { $0.image.distance(to: image) < $1.image.distance(to: image) }
        var number: Int?
        if let near, near.image.distance(to: image) < 0.7 {
            if near.image == image {
                number = near.number
                numbers[text] = number
            } else if let (change, png) = near.change(to: image, isOpaque: isOpaque), png.utf8.count < text.utf8.count {
                number = store(png, as: change, of: text)
            }
        }
        let isWhole = number == nil
        let opened = Opened(number: number ?? store(text, as: nil), image: image, isOpaque: isOpaque)
        if isWhole { recent = recent.suffix(Self.recentCount - 1) + [opened] }
        return (opened.number, opened)
    }

    /// The marks of a difference picture, whose other pixels are grey; the whole picture if its marks can't be taken out.
    private mutating func differenceOrMarks(_ text: String) -> (kind: String, number: Int) {
        guard let image = Base64.decode(text).flatMap({ try? PNG.decode($0, name: "a picture") }),
            let marks = try? PNG.encode(image.withoutGrey)
        else { return ("difference", store(text, as: nil)) }
        return ("marks", store(Base64.encode(marks), as: nil))
    }

    /// - Parameter original: the whole picture as it was given.
    private mutating func store(_ base64: String, as change: Change?, of original: String? = nil) -> Int {
        if change == nil, let number = numbers[base64] { return number }
        let number = pictures.count
        numbers[original ?? base64] = number
        pictures.append(HTMLPage.Picture(name: "\(number)", base64: base64))
        changes.append(change)
        return number
    }
}

extension PagePictures.Opened {
    /// The change to another picture of the same size, and its PNG in base64; nil where memory is short.
    fileprivate func change(to other: Image, isOpaque isOtherOpaque: Bool) -> (PagePictures.Change, String)? {
        guard let block = image.changedBlock(other) else { return nil }
        let kind: PagePictures.Change.Kind
        let png: Image
        if !isOtherOpaque {
            (kind, png) = (.replace, other.cropped(to: block))
        } else if isOpaque, image.meanDifference(to: other, in: block) < 24 {
            (kind, png) = (.add, image.sumsAndDifferences(other, in: block))
        } else {
            // Where other content is shown, the new pixels are packed smaller than their differences.
            (kind, png) = (.over, image.differingPixels(of: other, in: block))
        }
        guard let bytes = try? PNG.encode(png) else { return nil }
        let change = PagePictures.Change(
            kind: kind, base: number, x: block.columns.lowerBound, y: block.rows.lowerBound,
            width: block.columns.count, height: block.rows.count)
        return (change, Base64.encode(bytes))
    }
}

// Pictures of equal sizes.
extension Image {
    fileprivate typealias Block = (columns: Range<Int>, rows: Range<Int>)

    /// About which part of the pixels differ: every seventh row is compared.
    fileprivate func distance(to other: Image) -> Double {
        var (count, all) = (0, 0)
        withWords(other) { one, two in
            for row in Swift.stride(from: 0, to: height, by: 7) {
                for index in row * width..<(row + 1) * width where one[index] != two[index] { count += 1 }
                all += width
            }
        }
        return Double(count) / Double(all)
    }

    /// The smallest block that holds all pixels that differ; nil if none does.
    fileprivate func changedBlock(_ other: Image) -> Block? {
        var (left, right, top, bottom) = (width, 0, height, 0)
        withWords(other) { one, two in
            for row in 0..<height {
                let start = row * width
                guard let first = (0..<width).first(where: { one[start + $0] != two[start + $0] }) else { continue }
                let last = (0..<width).last { one[start + $0] != two[start + $0] } ?? first
                (left, right, top, bottom) = (min(left, first), max(right, last + 1), min(top, row), row + 1)
            }
        }
        return left < right ? (left..<right, top..<bottom) : nil
    }

    private func withWords(
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

    /// What is to be added to a block of this picture, and below it what is to be subtracted, to get another one.
    fileprivate func sumsAndDifferences(_ other: Image, in block: Block) -> Image {
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

    /// The mean difference of the channels of those pixels of a block that differ.
    fileprivate func meanDifference(to other: Image, in block: Block) -> Double {
        var (sum, count) = (0, 0)
        let (one, two) = (pixels, other.pixels)
        for row in block.rows {
            for index in (row * width + block.columns.lowerBound) * 4..<(row * width + block.columns.upperBound) * 4
            where one[index] != two[index] {
                sum += abs(Int(one[index]) - Int(two[index]))
                count += 1
            }
        }
        return Double(sum) / Double(max(count, 1))
    }

    /// A block of another picture, transparent where the two are equal.
    fileprivate func differingPixels(of other: Image, in block: Block) -> Image {
        let (old, new) = (cropped(to: block), other.cropped(to: block))
        var result = new
        result.pixels.withUnsafeMutableBufferPointer { bytes in
            old.withWords(new) { one, two in
                for index in one.indices where one[index] == two[index] {
                    for channel in 0..<4 { bytes[index * 4 + channel] = 0 }
                }
            }
        }
        return result
    }

    fileprivate func cropped(to block: Block) -> Image {
        let bytes = block.rows.flatMap { row in
            pixels[(row * width + block.columns.lowerBound) * 4..<(row * width + block.columns.upperBound) * 4]
        }
        return Image(width: block.columns.count, height: block.rows.count, pixels: bytes)
    }

    /// The picture with its grey pixels transparent.
    fileprivate var withoutGrey: Image {
        var image = self
        image.pixels.withUnsafeMutableBufferPointer { bytes in
            for index in Swift.stride(from: 0, to: bytes.count, by: 4)
            where bytes[index] == bytes[index + 1] && bytes[index] == bytes[index + 2] {
                for channel in 0..<4 { bytes[index + channel] = 0 }
            }
        }
        return image
    }
}

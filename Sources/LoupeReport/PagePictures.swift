import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeVerify

/// The pictures of a page, each stored once and as small as it can be, so that hundreds of failed cases make a file that
/// can be sent.
///
/// They are lossless WebPs. Most pictures resemble another one of the page: the actual picture its reference, a reference
/// the page that other references show too. Such a picture is stored as a change of that one. The script composes it with
/// operations that are exact for 8-bit channels, so what a reader sees is the picture itself.
struct PagePictures {
    /// How a picture is made from another one, whose size it has.
    struct Change: Hashable, Sendable {
        enum Kind: String, Sendable {
            /// Both are opaque. The stored picture has two parts below each other, each of the block's size: what is added
            /// to each channel, and what is subtracted from it.
            case add
            /// The stored picture has the pixels that differ, which are opaque; the others are transparent.
            case over
            /// The stored picture replaces the block.
            case replace
            /// Nothing changes, and nothing is stored.
            case same
        }

        let kind: Kind
        /// The other picture's number.
        let base: Int
        /// The block that changes, in pixels.
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    /// What is stored, by the picture's number: WebPs, or PNGs as they were given; empty where nothing is.
    private(set) var pictures: [[UInt8]] = []
    /// Nil for a whole picture.
    private(set) var changes: [Change?] = []
    /// The numbers of each case's pictures; an absent kind has none. `marks` are the differing pixels and the boxes alone,
    /// which lie over the reference made faint.
    private(set) var numbers: [[(kind: String, number: Int)]] = []

    /// Packs the pictures of cases, on every core.
    init(_ cases: [CasePictures?]) {
        let shared = SharedPages(of: cases.map { $0?.reference ?? $0?.actual })
        var tasks = shared.pages.map { PackTask(given: .png($0)) }
        // A difference picture of which the marks are stored is no whole picture.
        var known: [String: Int] = [:]
        var knownMarks: [String: Int] = [:]
        func add(_ text: String, like bases: [Int] = [], isOnReference: Bool = false) -> Int {
            if let number = isOnReference ? knownMarks[text] : known[text] { return number }
            if isOnReference { knownMarks[text] = tasks.count } else { known[text] = tasks.count }
            tasks.append(PackTask(given: .base64(text), bases: bases, isOnReference: isOnReference))
            return tasks.count - 1
        }
        for (pictures, page) in zip(cases, shared.pageOfPicture) {
            var added: [(kind: String, number: Int)] = []
            // The page has its own index as its number.
            let pages = page.map { [$0] } ?? []
            let reference = pictures?.reference.map { add($0, like: pages) }
            if let reference { added.append(("reference", reference)) }
            if let text = pictures?.actual {
                added.append(("actual", add(text, like: (reference.map { [$0] } ?? []) + pages)))
            }
            if let text = pictures?.errorMap { added.append(("errors", add(text))) }
            if let text = pictures?.difference {
                // The signature and the header of a PNG take 33 bytes, which are 44 characters.
                let isPicture = text.utf8.count > 44
                added.append(("difference", add(text, isOnReference: isPicture && reference != nil)))
            }
            numbers.append(added)
        }
        let given = tasks.map(\.given)
        let packed = Threads.map(tasks.count) { [tasks] in tasks[$0].packed(among: given) }
        pictures = packed.map(\.bytes)
        changes = packed.map(\.change)
        for (index, added) in numbers.enumerated() {
            numbers[index] = added.map { packed[$0.number].isMarks ? ("marks", $0.number) : $0 }
        }
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
}

/// A picture to be packed.
private struct PackTask: Sendable {
    /// A PNG.
    enum Given: Sendable {
        case png([UInt8])
        case base64(String)

        var bytes: [UInt8] {
            switch self {
            case .png(let bytes): bytes
            case .base64(let text): Base64.decode(text) ?? []
            }
        }

        var image: Image? { try? PNG.decode(bytes, name: "a picture").flattened }
    }

    let given: Given
    /// The numbers of pictures that it may be a change of.
    var bases: [Int] = []
    /// Whether it is a difference picture, whose reference is stored too.
    var isOnReference = false

    struct Packed: Sendable {
        var bytes: [UInt8]
        var change: PagePictures.Change?
        /// Whether only the marks of a difference picture are stored.
        var isMarks = false
    }

    /// The smallest form of the picture; as it was given where it can't be read, or where memory is short.
    /// - Parameter pictures: all pictures, by their numbers.
    func packed(among pictures: [Given]) -> Packed {
        guard let image = given.image else { return Packed(bytes: given.bytes) }
        if isOnReference {
            let marks = image.withoutGrey
            let bytes = WebP.encode(marks) ?? (try? PNG.encode(marks))
            return Packed(bytes: bytes ?? given.bytes, isMarks: bytes != nil)
        }
        let others = bases.compactMap { number in pictures[number].image.map { (number: number, image: $0) } }
            .filter { $0.image.size == image.size }
            .map { (number: $0.number, image: $0.image, distance: $0.image.distance(to: image)) }
        let near = others.min { $0.distance < $1.distance }
        let forms =
            near.map { $0.image.changes(to: image, number: $0.number, distance: $0.distance) }
            ?? [Form(change: nil, image: image)]
        if forms.first?.change?.kind == .same { return Packed(bytes: [], change: forms.first?.change) }
        let packed = forms.compactMap { form in
            WebP.encode(form.image).map { Packed(bytes: $0, change: form.change) }
        }
        return packed.min { $0.bytes.count < $1.bytes.count } ?? Packed(bytes: given.bytes)
    }
}

/// A form in which a picture can be stored.
private struct Form {
    /// Nil for the whole picture.
    let change: PagePictures.Change?
    /// What is stored.
    let image: Image
}

extension Image {
    /// The ways in which another picture of the same size can be stored as a change of this one, or whole where all of it
    /// changes.
    /// - Parameters:
    ///   - number: this picture's number.
    ///   - distance: `distance(to: other)`.
    fileprivate func changes(to other: Image, number: Int, distance: Double) -> [Form] {
        guard let block = changedBlock(other) else {
            return [
                Form(change: .init(kind: .same, base: number, x: 0, y: 0, width: 0, height: 0), image: other)
            ]
        }
        var forms: [(kind: PagePictures.Change.Kind, image: Image)] = []
        let isAll = block.columns.count == width && block.rows.count == height
        if !isAll { forms.append((.replace, other.cropped(to: block))) }
        if other.isOpaque {
            // Where almost all pixels differ, this is no smaller than all of them.
            if distance < 0.9 { forms.append((.over, differingPixels(of: other, in: block))) }
            if isOpaque { forms.append((.add, sumsAndDifferences(other, in: block))) }
        }
        let changes = forms.map { kind, image in
            let change = PagePictures.Change(
                kind: kind, base: number, x: block.columns.lowerBound, y: block.rows.lowerBound,
                width: block.columns.count, height: block.rows.count)
            return Form(change: change, image: image)
        }
        return isAll ? changes + [Form(change: nil, image: other)] : changes
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

import LoupeBase
import LoupeImaging

/// Two pictures of the same size and depth. An actual picture of another size is aligned: where only the reference has pixels,
/// both have the reference's, and these are not compared. Where one has 16 bits, samples of 8 are widened.
struct PicturePair: Sendable {
    let reference: Image
    private(set) var actual: Image
    /// The reference's own size.
    let referenceSize: ImageSize
    /// The actual picture's own size.
    let actualSize: ImageSize
    /// The pixels that both have, in pixels of the reference.
    let shared: PixelRect
    /// Where the actual picture's top left corner lies on the reference.
    let offset: (x: Int, y: Int)

    init(_ reference: Image, _ actual: Image) {
        (referenceSize, actualSize) = (reference.size, actual.size)
        let isDeep = reference.pixels16 != nil || actual.pixels16 != nil
        let (reference, actual) = isDeep ? (reference.widened, actual.widened) : (reference, actual)
        self.reference = reference
        let canvas = PixelRect(width: reference.width, height: reference.height)
        guard reference.size != actual.size else {
            (self.actual, shared, offset) = (actual, canvas, (0, 0))
            return
        }
        // The top left corner is kept where no other place is better. A picture that is larger as a whole has no place on the
        // other.
        let found =
            Self.scale(from: reference.size, to: actual.size) != nil
            ? .none : reference.withWords { a in actual.withWords { b in LumaPlane(b).offset(of: LumaPlane(a)) } }
        offset = (found.x, found.y)
        shared = canvas.intersection(
            PixelRect(
                minX: offset.x, minY: offset.y, maxX: offset.x + actual.width, maxY: offset.y + actual.height))
        let place = (shared: shared, offset: offset)
        if let expected = reference.pixels16, let found = actual.pixels16 {
            self.actual = Image(
                width: reference.width, height: reference.height,
                pixels16: Self.aligned(found, of: actual.width, on: expected, of: reference.width, at: place))
        } else {
            self.actual = Image(
                width: reference.width, height: reference.height,
                pixels: Self.aligned(
                    actual.pixels, of: actual.width, on: reference.pixels, of: reference.width, at: place))
        }
    }

    /// The reference's samples, and those of the actual picture where both have pixels. Widths are in pixels.
    private static func aligned<Sample>(
        _ actual: [Sample], of width: Int, on reference: [Sample], of referenceWidth: Int,
        at place: (shared: PixelRect, offset: (x: Int, y: Int))
    ) -> [Sample] {
        var aligned = reference
        let shared = place.shared
        for row in shared.minY..<max(shared.minY, shared.maxY) {
            let from = ((row - place.offset.y) * width + shared.minX - place.offset.x) * 4
            let to = (row * referenceWidth + shared.minX) * 4
            aligned.replaceSubrange(to..<to + shared.width * 4, with: actual[from..<from + shared.width * 4])
        }
        return aligned
    }

    /// How many times as large a picture is as a whole, as one of another pixel ratio is, whose sides are rounded; nil where it
    /// is cut or of almost the same size.
    static func scale(from size: ImageSize, to other: ImageSize) -> Double? {
        let scale = Double(other.width) / Double(size.width)
        let isWhole = abs(Double(other.height) - scale * Double(size.height)) < 1
        return isWhole && max(scale, 1 / scale) >= 1.2 ? scale : nil
    }

    /// The same with the reference's pixels where some are left out, so that no window on their neighbours sees what differs
    /// there.
    func hiding(_ excluded: [Bool]) -> PicturePair {
        func hidden<Sample>(_ actual: [Sample], _ reference: [Sample]) -> [Sample] {
            var hidden = actual
            reference.withUnsafeBufferPointer { from in
                hidden.withUnsafeMutableBufferPointer { to in
                    for index in excluded.indices where excluded[index] {
                        for sample in 4 * index..<4 * index + 4 { to[sample] = from[sample] }
                    }
                }
            }
            return hidden
        }
        var pair = self
        if let expected = reference.pixels16, let found = actual.pixels16 {
            pair.actual = Image(width: width, height: height, pixels16: hidden(found, expected))
        } else {
            pair.actual = Image(width: width, height: height, pixels: hidden(actual.pixels, reference.pixels))
        }
        return pair
    }

    /// The reference's width, in pixels.
    var width: Int { reference.width }
    /// The reference's height, in pixels.
    var height: Int { reference.height }
    /// Whether every pixel of both is opaque.
    var isOpaque: Bool { reference.isOpaque && actual.isOpaque }
    var isSameSize: Bool { referenceSize == actualSize }
    /// Bits of a channel of both, 8 or 16.
    var depth: Int { reference.pixels16 == nil ? 8 : 16 }

    /// How many pixels only one of both has.
    /// - Parameter excluded: those of the reference that do not count.
    func unshared(_ excluded: [Bool]?) -> Int {
        let canvas = reference.width * reference.height
        let left = excluded.map { $0.count { $0 } } ?? 0
        let mine = canvas - left - comparedPixels(excluded)
        return mine + actualSize.width * actualSize.height - shared.width * shared.height
    }

    /// How many pixels are compared.
    func comparedPixels(_ excluded: [Bool]?) -> Int {
        guard let excluded else { return shared.width * shared.height }
        return (0..<height).reduce(0) { count, row in
            count + columns(inRow: row).count { !excluded[row * width + $0] }
        }
    }

    /// Which columns of a row both pictures have.
    func columns(inRow row: Int) -> Range<Int> {
        (shared.minY..<shared.maxY).contains(row) ? shared.minX..<shared.maxX : 0..<0
    }

    /// Calls `body` with the pixels of both as RGBA words, which are valid only during the call.
    func withWords<Result>(_ body: (_ reference: PixelGrid, _ actual: PixelGrid) -> Result) -> Result {
        reference.withWords { reference in actual.withWords { actual in body(reference, actual) } }
    }
}

extension Image {
    /// The same with samples of 16 bits.
    var widened: Image {
        pixels16 == nil ? Image(width: width, height: height, pixels16: pixels.map { UInt16($0) * 257 }) : self
    }

    /// Calls `body` with the pixels as RGBA words, which are valid only during the call.
    func withWords<Result>(_ body: (PixelGrid) -> Result) -> Result {
        pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { body(PixelGrid(words: $0, width: width, height: height)) }
        }
    }
}

extension [Image] {
    /// The same for several pictures.
    func withWords<Result>(_ body: ([PixelGrid]) -> Result) -> Result {
        func opened(_ grids: [PixelGrid]) -> Result {
            grids.count == count ? body(grids) : self[grids.count].withWords { opened(grids + [$0]) }
        }
        return opened([])
    }
}

/// A picture's pixels as RGBA words, red in the lowest byte. A view of memory that it does not own.
struct PixelGrid: @unchecked Sendable {
    // Several threads read it, and none writes.
    let words: UnsafeBufferPointer<UInt32>
    let width: Int
    let height: Int

    @inline(__always)
    subscript(column: Int, row: Int) -> UInt32 { UInt32(littleEndian: words[row * width + column]) }

    @inline(__always)
    func row(_ row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: words[(row * width)..<((row + 1) * width)]))
    }
}

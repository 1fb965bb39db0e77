import LoupeFiles
import LoupeGeometry
import LoupeImaging

/// Two pictures on canvases of the same size: each at the top left, the rest transparent.
struct PicturePair: Sendable {
    let reference: Image
    let actual: Image
    /// The reference's own size.
    let referenceSize: ImageSize
    /// The actual picture's own size.
    let actualSize: ImageSize

    init(_ reference: Image, _ actual: Image) {
        referenceSize = reference.size
        actualSize = actual.size
        let width = max(reference.width, actual.width)
        let height = max(reference.height, actual.height)
        self.reference = reference.padded(width: width, height: height)
        self.actual = actual.padded(width: width, height: height)
    }

    /// The canvas's width, in pixels.
    var width: Int { reference.width }
    /// The canvas's height, in pixels.
    var height: Int { reference.height }
    /// Whether every pixel of both is opaque. A pixel that only one has is transparent in the other.
    var isOpaque: Bool { isSameSize && reference.isOpaque && actual.isOpaque }
    var isSameSize: Bool { referenceSize == actualSize }

    /// How many columns of a row lie in both pictures, and how many in at least one.
    func columns(inRow row: Int) -> (common: Int, either: Int) {
        let inReference = row < referenceSize.height ? referenceSize.width : 0
        let inActual = row < actualSize.height ? actualSize.width : 0
        return (min(inReference, inActual), max(inReference, inActual))
    }

    /// How many pixels lie in at least one picture.
    var pixelCount: Int {
        let common = min(referenceSize.width, actualSize.width) * min(referenceSize.height, actualSize.height)
        let both = referenceSize.width * referenceSize.height + actualSize.width * actualSize.height
        return both - common
    }

    /// Calls `body` with the pixels of both as RGBA words, which are valid only during the call.
    func withWords<Result>(_ body: (_ reference: PixelGrid, _ actual: PixelGrid) -> Result) -> Result {
        reference.withWords { reference in actual.withWords { actual in body(reference, actual) } }
    }
}

extension Image {
    /// The image at the top left of a larger, transparent canvas.
    fileprivate func padded(width: Int, height: Int) -> Image {
        guard width > self.width || height > self.height else { return self }
        var canvas: [UInt8] = []
        canvas.reserveCapacity(width * height * 4)
        for row in 0..<self.height {
            canvas += pixels[(row * self.width * 4)..<((row + 1) * self.width * 4)]
            canvas += repeatElement(0, count: (width - self.width) * 4)
        }
        canvas += repeatElement(0, count: width * (height - self.height) * 4)
        return Image(width: width, height: height, pixels: canvas)
    }

    fileprivate func withWords<Result>(_ body: (PixelGrid) -> Result) -> Result {
        pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { body(PixelGrid(words: $0, width: width, height: height)) }
        }
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

/// Two PNG files to compare.
public struct PictureFiles: Sendable {
    /// The reference, decoded.
    public let reference: Image
    /// The actual picture, decoded.
    public let actual: Image

    /// Reads and decodes both files at the same time. Files with the same bytes are decoded once.
    ///
    /// - Throws: `ImageError` if a file can't be read or decoded. If both fail, the error is the reference's.
    public init(reference: Path, actual: Path) throws(ImageError) {
        let paths = [reference, actual]
        let files = Parallel.map(count: 2) { index in
            Result { () throws(ImageError) in try PNG.bytes(path: paths[index]) }
        }
        let bytes = [try files[0].get(), try files[1].get()]
        let count = bytes[0] == bytes[1] ? 1 : 2
        let images = Parallel.map(count: count) { index in
            Result { () throws(ImageError) in try PNG.decode(bytes[index], name: paths[index].description) }
        }
        self.reference = try images[0].get()
        self.actual = count == 1 ? self.reference : try images[1].get()
    }
}

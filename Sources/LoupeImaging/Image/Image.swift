import LoupeBase
import Synchronization

/// An image in memory: 8-bit sRGB with straight alpha, and on request the same with 16 bits.
///
/// A vector image has pixels of its natural size and the document, which each view draws anew.
public struct Image: Sendable {
    /// In pixels, at least 1.
    public let width: Int
    /// In pixels, at least 1.
    public let height: Int
    /// In pixels.
    public var size: ImageSize { ImageSize(width: width, height: height) }
    /// Red, green, blue and alpha of each pixel, rows from the top, without padding: `width * height * 4` bytes.
    ///
    /// Changing them removes ``pixels16`` and ``vector``.
    public var pixels: [UInt8] {
        get { samples?.rounded ?? bytes }
        // In place, without a copy.
        _modify {
            if let samples { bytes = samples.rounded }
            (samples, vector) = (nil, nil)
            yield &bytes
        }
    }
    /// The same with 16 bits a channel; nil for an 8-bit image.
    public var pixels16: [UInt16]? { samples?.exact }
    /// The pixels of an 8-bit image; empty for one of 16 bits.
    private var bytes: [UInt8] = []
    /// The pixels of a 16-bit image.
    private var samples: Samples16?
    /// The document that the pixels were drawn from; nil for an image of pixels only.
    public private(set) var vector: VectorDocument?

    /// An 8-bit image.
    /// - Precondition: `pixels.count == width * height * 4`.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4)
        self.width = width
        self.height = height
        bytes = pixels
    }

    /// A 16-bit image, whose ``pixels`` are rounded to nearest, when they are first asked for.
    /// - Precondition: `pixels16.count == width * height * 4`.
    public init(width: Int, height: Int, pixels16: [UInt16]) {
        precondition(width > 0 && height > 0 && pixels16.count == width * height * 4)
        self.width = width
        self.height = height
        samples = Samples16(pixels16)
    }

    /// 16-bit samples rounded to 8 bits.
    static func rounded(_ pixels16: [UInt16]) -> [UInt8] { pixels16.map { UInt8((UInt32($0) + 128) / 257) } }

    /// Samples of 16 bits. Those of 8 bits are made when they are first asked for: most uses need one kind.
    private final class Samples16: Sendable {
        let exact: [UInt16]
        private let known = Mutex<[UInt8]?>(nil)

        init(_ exact: [UInt16]) { self.exact = exact }

        var rounded: [UInt8] {
            known.withLock { known in
                if let known { return known }
                let rounded = Image.rounded(exact)
                known = rounded
                return rounded
            }
        }
    }

    /// A vector image, drawn at its natural size.
    /// - Throws: as `VectorDocument.draw(_:)`.
    public init(_ document: VectorDocument) throws(ImageError) {
        self = try document.draw(scaledBy: 1)
        vector = document
    }

    /// An 8-bit image of the same ``pixels``, without ``pixels16`` and ``vector``.
    public var flattened: Image { Image(width: width, height: height, pixels: pixels) }

    /// Bits of a channel, 8 or 16.
    var depth: Int { samples == nil ? 8 : 16 }

    /// Whether red, green and blue are equal in every pixel.
    var isGrey: Bool {
        if let pixels16 {
            return stride(from: 0, to: pixels16.count, by: 4).allSatisfy { index in
                let red = pixels16[index]
                return red == pixels16[index + 1] && red == pixels16[index + 2]
            }
        }
        // Red equals green, and green equals blue.
        return allRuns { run in run.reduce(0) { $0 | ($1 ^ ($1 >> 8)) & 0xffff } == 0 }
    }

    /// Whether every pixel is opaque.
    public var isOpaque: Bool {
        if let pixels16 {
            return stride(from: 3, to: pixels16.count, by: 4).allSatisfy { pixels16[$0] == .max }
        }
        // Runs without an early exit let the compiler vectorize.
        return allRuns { run in UInt32(littleEndian: run.reduce(~0, &)) >= 0xff00_0000 }
    }

    /// Whether `test` holds for each of some runs of pixels that together are all of them. Red is the lowest byte.
    private func allRuns(_ test: (Slice<UnsafeBufferPointer<UInt32>>) -> Bool) -> Bool {
        let length = 4096
        return pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { words in
                stride(from: 0, to: words.count, by: length).allSatisfy {
                    test(words[$0..<Swift.min($0 + length, words.count)])
                }
            }
        }
    }
}

extension Image: Equatable {
    /// Whether size, pixels, depth and document are equal.
    public static func == (one: Image, other: Image) -> Bool {
        (one.width, one.height, one.bytes) == (other.width, other.height, other.bytes)
            && (one.samples === other.samples || one.pixels16 == other.pixels16) && one.vector == other.vector
    }
}

/// Blocks of 8-bit images.
extension Image {
    /// Composites an image onto this one, which is opaque there, in the encoded values.
    /// - Parameters:
    ///   - x: The column of the image's left edge.
    ///   - y: The row of the image's top edge.
    /// - Precondition: the image lies within this one.
    package mutating func sourceOver(_ image: Image, x: Int, y: Int) {
        precondition(x >= 0 && y >= 0 && x + image.width <= width && y + image.height <= height)
        let stride = width
        pixels.withUnsafeMutableBufferPointer { target in
            image.pixels.withUnsafeBufferPointer { source in
                for row in 0..<image.height {
                    var from = row * image.width * 4
                    var to = ((y + row) * stride + x) * 4
                    for _ in 0..<image.width {
                        let alpha = Int(source[from + 3])
                        if alpha > 0 {
                            for channel in 0..<3 {
                                let (over, under) = (Int(source[from + channel]), Int(target[to + channel]))
                                target[to + channel] = UInt8((over * alpha + under * (255 - alpha) + 127) / 255)
                            }
                        }
                        from += 4
                        to += 4
                    }
                }
            }
        }
    }

    /// A block of pixels as an image of its own.
    /// - Precondition: the block lies within this image.
    public func cropped(x: Int, y: Int, width blockWidth: Int, height blockHeight: Int) -> Image {
        if (x, y, blockWidth, blockHeight) == (0, 0, width, height) { return self }
        let rowBytes = blockWidth * 4
        let block = [UInt8](unsafeUninitializedCapacity: rowBytes * blockHeight) { buffer, count in
            pixels.withUnsafeBufferPointer { pixels in
                for row in 0..<blockHeight {
                    let start = ((y + row) * width + x) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: buffer[(row * rowBytes)...])
                        .initialize(from: pixels[start..<(start + rowBytes)])
                }
            }
            count = rowBytes * blockHeight
        }
        return Image(width: blockWidth, height: blockHeight, pixels: block)
    }

    /// Replaces a block of pixels by another image. Rows below this image's last row are left out.
    /// - Precondition: the block lies within this image's columns.
    public mutating func replaceBlock(x: Int, y: Int, with part: Image) {
        precondition(x >= 0 && y >= 0 && x + part.width <= width)
        let (width, rowBytes) = (width, part.width * 4)
        let rows = 0..<min(part.height, max(0, height - y))
        // One access, as each change of `pixels` may copy them.
        pixels.withUnsafeMutableBufferPointer { pixels in
            part.pixels.withUnsafeBufferPointer { part in
                for row in rows {
                    let start = ((y + row) * width + x) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: pixels[start..<(start + rowBytes)])
                        .update(from: part[(row * rowBytes)..<((row + 1) * rowBytes)])
                }
            }
        }
    }
}

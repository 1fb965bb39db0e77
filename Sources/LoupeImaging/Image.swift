/// A picture in memory: 8-bit sRGB with straight alpha, and where it was asked for the same with 16 bits.
///
/// A vector picture has pixels of its natural size, and the document, from which each view draws its own.
public struct Image: Equatable, Sendable {
    /// In pixels, at least 1.
    public let width: Int
    public let height: Int
    /// Red, green, blue, alpha for each pixel; rows from the top, no padding: `width * height * 4` bytes.
    ///
    /// Changing them leaves a plain picture of 8 bits.
    public var pixels: [UInt8] { didSet { (pixels16, vector) = (nil, nil) } }
    /// The same with 16 bits a channel; nil for a picture of 8 bits.
    public private(set) var pixels16: [UInt16]?
    /// What the pixels were drawn from; nil for a picture that is nothing but pixels.
    public private(set) var vector: SVGDocument?

    /// - Precondition: `pixels.count == width * height * 4`.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// A picture of 16 bits a channel. `pixels` are rounded to nearest.
    /// - Precondition: `pixels16.count == width * height * 4`.
    public init(width: Int, height: Int, pixels16: [UInt16]) {
        self.init(width: width, height: height, pixels: Self.rounded(pixels16))
        self.pixels16 = pixels16
    }

    /// Samples of 16 bits to the nearest of 8.
    static func rounded(_ pixels16: [UInt16]) -> [UInt8] { pixels16.map { UInt8((UInt32($0) + 128) / 257) } }

    /// A vector picture, drawn in its natural size.
    public init(_ document: SVGDocument) throws(ImageError) {
        self = try document.draw(
            SVGPlacement(
                x: 0, y: 0, width: Double(document.width), height: Double(document.height),
                columns: 0..<document.width, rows: 0..<document.height))
        vector = document
    }

    /// The same pixels and nothing else: a vector picture in its natural size, one of 16 bits rounded to 8.
    public var flattened: Image { Image(width: width, height: height, pixels: pixels) }

    /// Whether red, green and blue are alike everywhere.
    var isGrey: Bool {
        // Red equals green, and green equals blue.
        allRuns { run in run.reduce(0) { $0 | ($1 ^ ($1 >> 8)) & 0xffff } == 0 }
    }

    /// Whether every alpha is the largest there is.
    public var isOpaque: Bool {
        if let pixels16 {
            return stride(from: 3, to: pixels16.count, by: 4).allSatisfy { pixels16[$0] == .max }
        }
        // A stop at each pixel would keep the compiler from taking several at a time.
        return allRuns { run in UInt32(littleEndian: run.reduce(~0, &)) >= 0xff00_0000 }
    }

    /// Whether some runs of pixels, which together are all of them, are each as `test` asks for; red is the lowest byte.
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

/// Blocks of a picture of 8 bits.
extension Image {
    /// A block as a picture of its own.
    /// - Precondition: it lies within this one.
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

    /// Puts another picture in the place of a block of its size; what reaches beyond this one's last row is left out.
    /// - Precondition: the block lies within this picture's columns.
    public mutating func replaceBlock(x: Int, y: Int, with part: Image) {
        precondition(x >= 0 && y >= 0 && x + part.width <= width)
        let (width, rowBytes) = (width, part.width * 4)
        let rows = 0..<min(part.height, max(0, height - y))
        // In one go: each change of `pixels` may copy them.
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

/// A picture in memory: 8-bit sRGB with straight alpha.
public struct Image: Equatable, Sendable {
    /// In pixels, at least 1.
    public let width: Int
    public let height: Int
    /// Red, green, blue, alpha for each pixel; rows from the top, no padding: `width * height * 4` bytes.
    public var pixels: [UInt8]

    /// - Precondition: `pixels.count == width * height * 4`.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Whether every alpha is 255.
    public var isOpaque: Bool {
        pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { words in
                words.allSatisfy { UInt32(littleEndian: $0) >= 0xff00_0000 }
            }
        }
    }
}

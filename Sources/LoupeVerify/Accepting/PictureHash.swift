import LoupeFiles
import LoupeImaging

/// Tells a picture from any other: `sha256:` and 64 hexadecimal digits.
///
/// The digits are the SHA-256 of the width and the height, each as 32 bits, the high byte first, followed by the pixels
/// as `Image` holds them.
public struct PictureHash: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    private static let prefix = "sha256:"

    public init(of image: Image) {
        let sides = [image.width, image.height].flatMap { side in
            withUnsafeBytes(of: UInt32(side).bigEndian) { Array($0) }
        }
        description = Self.prefix + SHA256.hexadecimal(SHA256.hash(sides + image.pixels))
    }

    /// Nil for anything else than `sha256:` and 64 hexadecimal digits, small ones.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        let isHexadecimal = digits.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
        }
        guard text.utf8.starts(with: Self.prefix.utf8), digits.count == 64, isHexadecimal else { return nil }
        description = text
    }
}

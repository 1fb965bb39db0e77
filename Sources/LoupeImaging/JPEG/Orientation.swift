/// The orientation of a stored image: the EXIF 2.32 tag of that name, with its numbers.
enum Orientation: Int {
    case upright = 1
    case mirrored, turnedHalf, mirroredUpsideDown, transposed, turnedRight, transversed, turnedLeft

    /// Whether width and height are exchanged.
    var isSideways: Bool { rawValue >= 5 }

    /// The orientation in an EXIF block's first directory; upright where there is none or it is not valid.
    /// - Parameter exif: a TIFF structure, with or without `Exif` before it.
    init(exif: ArraySlice<UInt8>) {
        let name = Array("Exif".utf8) + [0, 0]
        let tiff = TIFFDirectory(exif.starts(with: name) ? exif.dropFirst(name.count) : exif)
        self = tiff?.shortValue(ofTag: 0x0112).flatMap(Orientation.init) ?? .upright
    }

    /// The image turned upright.
    func applied(to image: Image) -> Image {
        if self == .upright { return image }
        let (width, height) = isSideways ? (image.height, image.width) : (image.width, image.height)
        if let pixels16 = image.pixels16 {
            return Image(width: width, height: height, pixels16: turned(pixels16, of: image, as: UInt64.self))
        }
        return Image(width: width, height: height, pixels: turned(image.pixels, of: image, as: UInt32.self))
    }

    /// - Parameter Pixel: a number with the bits of the four samples of a pixel.
    private func turned<Sample, Pixel>(_ samples: [Sample], of image: Image, as: Pixel.Type) -> [Sample] {
        let (wide, high) = isSideways ? (image.height, image.width) : (image.width, image.height)
        return [Sample](unsafeUninitializedCapacity: samples.count) { buffer, count in
            let turned = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: Pixel.self)
            samples.withUnsafeBytes { bytes in
                let stored = bytes.bindMemory(to: Pixel.self)
                for y in 0..<high {
                    for x in 0..<wide {
                        let from = source(x, y, width: image.width, height: image.height)
                        turned[y * wide + x] = stored[from.y * image.width + from.x]
                    }
                }
            }
            count = samples.count
        }
    }

    /// The stored position of the pixel that is shown at (x, y).
    private func source(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .turnedHalf: (width - 1 - x, height - 1 - y)
        case .mirroredUpsideDown: (x, height - 1 - y)
        case .transposed: (y, x)
        case .turnedRight: (y, height - 1 - x)
        case .transversed: (width - 1 - y, height - 1 - x)
        case .turnedLeft: (width - 1 - y, x)
        }
    }
}

/// The first directory of a TIFF structure (TIFF 6.0, section 2).
struct TIFFDirectory {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    init?(_ content: ArraySlice<UInt8>) {
        bytes = Array(content)
        switch bytes.prefix(4) {
        case [0x49, 0x49, 42, 0]: isLittleEndian = true
        case [0x4d, 0x4d, 0, 42]: isLittleEndian = false
        default: return nil
        }
    }

    /// The value of an entry with one 16-bit number.
    func shortValue(ofTag tag: Int) -> Int? {
        guard let start = number(at: 4, bytes: 4), let count = number(at: start, bytes: 2) else { return nil }
        for entry in 0..<count {
            let offset = start + 2 + 12 * entry
            guard let name = number(at: offset, bytes: 2) else { return nil }
            guard name == tag else { continue }
            let isOne = number(at: offset + 2, bytes: 2) == 3 && number(at: offset + 4, bytes: 4) == 1
            return isOne ? number(at: offset + 8, bytes: 2) : nil
        }
        return nil
    }

    private func number(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        let part = bytes[offset..<offset + count]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
}

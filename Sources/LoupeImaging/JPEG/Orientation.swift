/// How a stored picture is to be turned: the tag of that name of EXIF 2.32, whose numbers these are.
enum Orientation: Int {
    case upright = 1
    case mirrored, turnedHalf, mirroredUpsideDown, transposed, turnedRight, transversed, turnedLeft

    /// Whether width and height change places.
    var isSideways: Bool { rawValue >= 5 }

    /// What a TIFF header and its first directory say; upright where they say nothing that makes sense.
    /// - Parameter exif: with or without the name `Exif` before it.
    init(exif: ArraySlice<UInt8>) {
        let name = Array("Exif".utf8) + [0, 0]
        let tiff = TIFF(exif.starts(with: name) ? exif.dropFirst(name.count) : exif)
        self = tiff?.shortValue(ofTag: 0x0112).flatMap(Orientation.init) ?? .upright
    }

    /// A picture as it is to be seen.
    func applied(to image: Image) -> Image {
        if self == .upright { return image }
        let (width, height) = (image.width, image.height)
        let (wide, high) = isSideways ? (height, width) : (width, height)
        let pixels = [UInt8](unsafeUninitializedCapacity: wide * high * 4) { buffer, count in
            let turned = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: UInt32.self)
            image.pixels.withUnsafeBytes { bytes in
                let stored = bytes.bindMemory(to: UInt32.self)
                for y in 0..<high {
                    for x in 0..<wide {
                        let place = source(x, y, width: width, height: height)
                        turned[y * wide + x] = stored[place.y * width + place.x]
                    }
                }
            }
            count = wide * high * 4
        }
        return Image(width: wide, height: high, pixels: pixels)
    }

    /// Where the pixel that is seen at (x, y) is stored.
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
private struct TIFF {
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

    /// Of an entry that holds one 16-bit number.
    func shortValue(ofTag tag: Int) -> Int? {
        guard let start = number(at: 4, bytes: 4), let count = number(at: start, bytes: 2) else { return nil }
        for entry in 0..<count {
            let place = start + 2 + 12 * entry
            guard let name = number(at: place, bytes: 2) else { return nil }
            guard name == tag else { continue }
            let isOneShort = number(at: place + 2, bytes: 2) == 3 && number(at: place + 4, bytes: 4) == 1
            return isOneShort ? number(at: place + 8, bytes: 2) : nil
        }
        return nil
    }

    private func number(at place: Int, bytes count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        let part = bytes[place..<place + count]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
}

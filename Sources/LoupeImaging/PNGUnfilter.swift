/// Takes the row filters of the PNG specification, section 9, back from 8-bit rows, and spreads them to RGBA.
enum PNGUnfilter {
    /// Bytes that may be read beyond the rows.
    static let slack = 4

    /// By the bytes of a pixel.
    enum Layout: Int {
        case grey = 1
        case greyAlpha, rgb, rgba

        init?(colorType: UInt8) {
            switch colorType {
            case 0: self = .grey
            case 2: self = .rgb
            case 4: self = .greyAlpha
            case 6: self = .rgba
            default: return nil
            }
        }
    }

    /// - Parameter rows: each behind its filter's number, with room for ``slack`` bytes after the last.
    /// - Returns: nil where a number is no filter's.
    static func pixels(of rows: [UInt8], width: Int, height: Int, layout: Layout) -> [UInt8]? {
        switch layout {
        case .grey: pixels(of: rows, width: width, height: height, as: GreyTexel.self)
        case .greyAlpha: pixels(of: rows, width: width, height: height, as: GreyAlphaTexel.self)
        case .rgb: pixels(of: rows, width: width, height: height, as: RGBTexel.self)
        case .rgba: pixels(of: rows, width: width, height: height, as: RGBATexel.self)
        }
    }

    private static func pixels<Texel: FilteredTexel>(
        of rows: [UInt8], width: Int, height: Int, as texel: Texel.Type
    ) -> [UInt8]? {
        let count = width * height * 4
        var isSound = true
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { output, initializedCount in
            rows.withUnsafeBytes { rows in
                guard let source = rows.baseAddress, let target = UnsafeMutableRawPointer(output.baseAddress) else { return }
                let zeros = [UInt32](repeating: 0, count: width)
                zeros.withUnsafeBytes { zeros in
                    guard var above = zeros.baseAddress else { return }
                    for y in 0..<height where isSound {
                        let row = source + y * (width * Texel.size + 1)
                        let out = target + y * width * 4
                        isSound = unfilter(row, above: above, into: out, width: width, as: texel)
                        above = UnsafeRawPointer(out)
                    }
                }
            }
            initializedCount = isSound ? count : 0
        }
        return isSound ? pixels : nil
    }

    @inline(__always)
    private static func unfilter<Texel: FilteredTexel>(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, into out: UnsafeMutableRawPointer, width: Int,
        as texel: Texel.Type
    ) -> Bool {
        guard let filter = PNGFilter(rawValue: row.load(as: UInt8.self)) else { return false }
        let differences = row + 1
        var left: UInt32 = 0
        var aboveLeft: UInt32 = 0
        for x in 0..<width {
            let difference = Texel.load(differences + x * Texel.size)
            let up = above.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self)
            let value: UInt32
            switch filter {
            case .none: value = difference
            case .sub: value = sum(difference, left)
            case .up: value = sum(difference, up)
            case .average: value = sum(difference, mean(left, up))
            case .paeth: value = sum(difference, paeth(left, up, aboveLeft))
            }
            left = value | Texel.alpha
            aboveLeft = up
            out.storeBytes(of: left, toByteOffset: 4 * x, as: UInt32.self)
        }
        return true
    }

    // MARK: - Four bytes at once

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        ((a & 0x7f7f_7f7f) &+ (b & 0x7f7f_7f7f)) ^ ((a ^ b) & 0x8080_8080)
    }

    /// Rounded down.
    @inline(__always)
    private static func mean(_ a: UInt32, _ b: UInt32) -> UInt32 {
        (a & b) &+ (((a ^ b) & 0xfefe_fefe) >> 1)
    }

    /// Of left, up and up-left the one nearest to left + up − up-left.
    @inline(__always)
    private static func paeth(_ left: UInt32, _ up: UInt32, _ aboveLeft: UInt32) -> UInt32 {
        let (a, b, c) = (lanes(left), lanes(up), lanes(aboveLeft))
        let (p, q) = (b &- c, a &- c)
        let (toA, toB, toC) = (magnitude(p), magnitude(q), magnitude(p &+ q))
        let isB = toB .<= toC
        let isA = (toA .<= toB) .& (toA .<= toC)
        let nearest = c.replacing(with: b, where: isB).replacing(with: a, where: isA)
        return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: nearest), to: UInt32.self)
    }

    @inline(__always)
    private static func lanes(_ word: UInt32) -> SIMD4<Int16> {
        SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(word, to: SIMD4<UInt8>.self))
    }

    @inline(__always)
    private static func magnitude(_ value: SIMD4<Int16>) -> SIMD4<Int16> {
        value.replacing(with: 0 &- value, where: value .< 0)
    }
}

/// How a pixel stands in a row, and as a little-endian word of RGBA.
private protocol FilteredTexel {
    /// In bytes.
    static var size: Int { get }
    /// What makes a pixel without alpha opaque.
    static var alpha: UInt32 { get }
    /// May read up to ``PNGUnfilter/slack`` bytes.
    static func load(_ place: UnsafeRawPointer) -> UInt32
}

private enum GreyTexel: FilteredTexel {
    static let size = 1
    static let alpha: UInt32 = 0xff00_0000
    @inline(__always)
    static func load(_ place: UnsafeRawPointer) -> UInt32 { UInt32(place.load(as: UInt8.self)) &* 0x01_0101 }
}

private enum GreyAlphaTexel: FilteredTexel {
    static let size = 2
    static let alpha: UInt32 = 0
    @inline(__always)
    static func load(_ place: UnsafeRawPointer) -> UInt32 {
        UInt32(place.load(as: UInt8.self)) &* 0x01_0101 | UInt32(place.load(fromByteOffset: 1, as: UInt8.self)) << 24
    }
}

private enum RGBTexel: FilteredTexel {
    static let size = 3
    static let alpha: UInt32 = 0xff00_0000
    @inline(__always)
    static func load(_ place: UnsafeRawPointer) -> UInt32 { UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)) }
}

private enum RGBATexel: FilteredTexel {
    static let size = 4
    static let alpha: UInt32 = 0
    @inline(__always)
    static func load(_ place: UnsafeRawPointer) -> UInt32 { UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)) }
}

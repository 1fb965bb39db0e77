/// Undoes the row filters of 8-bit rows (PNG specification, section 9) and expands them to RGBA.
enum PNGUnfilter {
    /// How many bytes after the rows may be read.
    static let slack = 4

    /// The stored channels; the raw value is the number of bytes of a pixel.
    enum Layout: Int {
        case grey = 1
        case rgb = 3
        case rgba

        init?(colorType: UInt8) {
            switch colorType {
            case 0: self = .grey
            case 2: self = .rgb
            case 6: self = .rgba
            default: return nil
            }
        }
    }

    /// Writes width × height × 4 bytes to `pixels`.
    /// - Parameters:
    ///   - rows: each after its filter's number, with ``slack`` readable bytes after the last.
    ///   - above: the RGBA row above the first.
    /// - Returns: false where a filter's number is unknown.
    static func expand(
        _ rows: UnsafeMutableRawBufferPointer, to pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int,
        layout: Layout, above: UnsafeRawBufferPointer
    ) -> Bool {
        guard let rows = UnsafeRawPointer(rows.baseAddress), let pixels = pixels.baseAddress,
            let above = above.baseAddress
        else { return false }
        return switch layout {
        case .grey: expand(rows, to: pixels, width: width, height: height, above: above, as: GreyTexel.self)
        case .rgb: expand(rows, to: pixels, width: width, height: height, above: above, as: RGBTexel.self)
        case .rgba: expand(rows, to: pixels, width: width, height: height, above: above, as: RGBATexel.self)
        }
    }

    private static func expand<Texel: FilteredTexel>(
        _ rows: UnsafeRawPointer, to pixels: UnsafeMutableRawPointer, width: Int, height: Int,
        above: UnsafeRawPointer, as texel: Texel.Type
    ) -> Bool {
        let stride = width * Texel.size + 1
        var (y, above) = (0, above)
        while y < height {
            let row = rows + y * stride
            var out = pixels + y * width * 4
            if y + 1 < height, isPaeth(row), isPaeth(row + stride) {
                let first = Pixels<Texel>(differences: row + 1, above: above, out: out, width: width)
                out += width * 4
                paeth(
                    first,
                    Pixels(differences: row + stride + 1, above: UnsafeRawPointer(first.out), out: out, width: width))
                y += 2
            } else {
                guard unfilter(row, above: above, into: out, width: width, as: texel) else { return false }
                y += 1
            }
            above = UnsafeRawPointer(out)
        }
        return true
    }

    @inline(__always)
    private static func isPaeth(_ row: UnsafeRawPointer) -> Bool {
        row.load(as: UInt8.self) == PNGFilter.paeth.rawValue
    }

    @inline(__always)
    private static func unfilter<Texel: FilteredTexel>(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, into out: UnsafeMutableRawPointer, width: Int,
        as texel: Texel.Type
    ) -> Bool {
        guard let filter = PNGFilter(rawValue: row.load(as: UInt8.self)) else { return false }
        let pixels = Pixels<Texel>(differences: row + 1, above: above, out: out, width: width)
        switch filter {
        case .none: pixels.map { difference, _, _ in difference }
        case .sub: pixels.map { difference, left, _ in sum(difference, left) }
        case .up: pixels.map { difference, _, up in sum(difference, up) }
        case .average: pixels.map { difference, left, up in sum(difference, mean(left, up)) }
        case .paeth: paeth(pixels)
        }
        return true
    }

    /// A row's pixels as words.
    private struct Pixels<Texel: FilteredTexel> {
        let differences: UnsafeRawPointer
        let above: UnsafeRawPointer
        let out: UnsafeMutableRawPointer
        let width: Int

        /// Computes each pixel from its difference, the pixel to its left and the pixel above.
        @inline(__always)
        func map(_ value: (_ difference: UInt32, _ left: UInt32, _ up: UInt32) -> UInt32) {
            var left: UInt32 = 0
            for x in 0..<width {
                left = value(difference(x), left, up(x))
                store(left, x)
            }
        }

        @inline(__always)
        func difference(_ x: Int) -> UInt32 { Texel.load(differences + x &* Texel.size) }

        @inline(__always)
        func up(_ x: Int) -> UInt32 { above.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self) }

        @inline(__always)
        func store(_ pixel: UInt32, _ x: Int) {
            out.storeBytes(of: pixel | Texel.alpha, toByteOffset: 4 &* x, as: UInt32.self)
        }
    }

    private static func paeth<Texel: FilteredTexel>(_ pixels: Pixels<Texel>) {
        var left = SIMD4<Int16>()
        var aboveLeft = SIMD4<Int16>()
        for x in 0..<pixels.width {
            let up = lanes(pixels.up(x))
            left = paeth(left, up, aboveLeft, lanes(pixels.difference(x)))
            aboveLeft = up
            pixels.store(word(left), x)
        }
    }

    /// Two rows at once, the second one pixel behind the first. Each pixel depends on the one to its left; interleaving two
    /// rows hides that latency.
    private static func paeth<Texel: FilteredTexel>(_ first: Pixels<Texel>, _ second: Pixels<Texel>) {
        let zero = SIMD4<Int16>()
        var aboveLeft = lanes(first.up(0))
        var left = paeth(zero, aboveLeft, zero, lanes(first.difference(0)))
        first.store(word(left), 0)
        var secondAboveLeft = zero
        var secondLeft = zero
        for x in 1..<first.width {
            let up = lanes(first.up(x))
            let pixel = paeth(left, up, aboveLeft, lanes(first.difference(x)))
            first.store(word(pixel), x)
            secondLeft = paeth(secondLeft, left, secondAboveLeft, lanes(second.difference(x &- 1)))
            second.store(word(secondLeft), x &- 1)
            secondAboveLeft = left
            left = pixel
            aboveLeft = up
        }
        let last = first.width - 1
        secondLeft = paeth(secondLeft, left, secondAboveLeft, lanes(second.difference(last)))
        second.store(word(secondLeft), last)
    }

    /// Adds to the difference the nearest of left, up and up-left to left + up − up-left.
    ///
    /// With t = 3 × up-left − left − up, that is min(left, up) where t ≥ max(left, up), max(left, up) where t ≤ min(left, up),
    /// and up-left in between. This is the same choice, ties included, without computing distances.
    @inline(__always)
    private static func paeth(
        _ left: SIMD4<Int16>, _ up: SIMD4<Int16>, _ aboveLeft: SIMD4<Int16>, _ difference: SIMD4<Int16>
    ) -> SIMD4<Int16> {
        let t = aboveLeft &+ aboveLeft &+ aboveLeft &- up &- left
        let isUpLess = up .< left
        let lesser = left.replacing(with: up, where: isUpLess)
        let greater = up.replacing(with: left, where: isUpLess)
        let nearest = aboveLeft.replacing(with: lesser, where: greater .<= t)
            .replacing(with: greater, where: t .<= lesser)
        return (nearest &+ difference) & 0xff
    }

    // MARK: - Four bytes at once

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        ((a & 0x7f7f_7f7f) &+ (b & 0x7f7f_7f7f)) ^ ((a ^ b) & 0x8080_8080)
    }

    /// The means, rounded down.
    @inline(__always)
    private static func mean(_ a: UInt32, _ b: UInt32) -> UInt32 {
        (a & b) &+ (((a ^ b) & 0xfefe_fefe) >> 1)
    }

    @inline(__always)
    private static func word(_ lanes: SIMD4<Int16>) -> UInt32 {
        unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: lanes), to: UInt32.self)
    }

    @inline(__always)
    private static func lanes(_ word: UInt32) -> SIMD4<Int16> {
        SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(word, to: SIMD4<UInt8>.self))
    }
}

/// A stored pixel, and its conversion to a little-endian word of RGBA.
private protocol FilteredTexel {
    /// The bytes of a pixel.
    static var size: Int { get }
    /// The alpha to add to a pixel without one.
    static var alpha: UInt32 { get }
    /// The pixel at an address; reads up to ``PNGUnfilter/slack`` bytes.
    static func load(_ address: UnsafeRawPointer) -> UInt32
}

private enum GreyTexel: FilteredTexel {
    static let size = 1
    static let alpha: UInt32 = 0xff00_0000
    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> UInt32 { UInt32(address.load(as: UInt8.self)) &* 0x01_0101 }
}

private enum RGBTexel: FilteredTexel {
    static let size = 3
    static let alpha: UInt32 = 0xff00_0000
    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> UInt32 {
        UInt32(littleEndian: address.loadUnaligned(as: UInt32.self))
    }
}

private enum RGBATexel: FilteredTexel {
    static let size = 4
    static let alpha: UInt32 = 0
    @inline(__always)
    static func load(_ address: UnsafeRawPointer) -> UInt32 {
        UInt32(littleEndian: address.loadUnaligned(as: UInt32.self))
    }
}

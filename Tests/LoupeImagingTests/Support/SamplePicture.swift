import LoupeImaging
import Testing

/// A picture in one of PNG's storage formats, with what it must decode to, both computed from the specification.
struct SamplePicture: CustomTestStringConvertible {
    let colorType: UInt8
    let depth: Int
    let interlaced: Bool
    let transparent: Bool

    static let width = 13
    static let height = 11

    static let all: [SamplePicture] = {
        let formats: [(UInt8, [Int])] = [
            (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
        ]
        return formats.flatMap { colorType, depths in
            depths.flatMap { depth in
                [false, true].flatMap { interlaced in
                    (colorType < 4 ? [false, true] : [false]).map { transparent in
                        SamplePicture(
                            colorType: colorType, depth: depth, interlaced: interlaced, transparent: transparent)
                    }
                }
            }
        }
    }()

    var testDescription: String {
        "colour type \(colorType), \(depth) bits\(interlaced ? ", interlaced" : "")\(transparent ? ", tRNS" : "")"
    }

    private var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }
    private var largest: Int { 1 << depth - 1 }
    private var paletteCount: Int { min(1 << depth, 200) }

    /// The samples of one pixel, as stored.
    private func samples(_ x: Int, _ y: Int) -> [Int] {
        (0..<channels).map { channel in
            // Neighbours, and the channels of one pixel, take unrelated values.
            let value = (x * 7919 + y * 104_729 + channel * 1_299_709 + 12345) * 2_654_435_761 >> 7
            return colorType == 3 ? value % paletteCount : value & largest
        }
    }

    /// The colour that tRNS makes transparent: that of the pixel at (2, 1).
    private var key: [Int] { samples(2, 1) }

    private func paletteColor(_ index: Int) -> [UInt8] {
        [index * 53, index * 101 + 7, 255 - index].map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Fewer alphas than colours: the rest are opaque.
    private var paletteAlphas: [UInt8] { (0..<(paletteCount / 2)).map { UInt8(truncatingIfNeeded: $0 * 77 + 3) } }

    private func eightBits(_ sample: Int) -> UInt8 {
        UInt8((Double(sample) * 255 / Double(largest)).rounded())
    }

    /// What the file must decode to.
    var expected: Image {
        let pixels = (0..<Self.height).flatMap { y in (0..<Self.width).flatMap { x in rgba(samples(x, y)) } }
        return Image(width: Self.width, height: Self.height, pixels: pixels)
    }

    private func rgba(_ samples: [Int]) -> [UInt8] {
        if colorType == 3 {
            let alpha = transparent && samples[0] < paletteAlphas.count ? paletteAlphas[samples[0]] : 255
            return paletteColor(samples[0]) + [alpha]
        }
        let bytes = samples.map(eightBits)
        switch colorType {
        case 0: return [bytes[0], bytes[0], bytes[0], transparent && samples == key ? 0 : 255]
        case 2: return bytes + [transparent && samples == key ? 0 : 255]
        case 4: return [bytes[0], bytes[0], bytes[0], bytes[1]]
        default: return bytes
        }
    }

    var file: [UInt8] {
        PNGBuilder.file(
            header: PNGBuilder.header(
                width: Self.width, height: Self.height, depth: UInt8(depth), colorType: colorType,
                interlaced: interlaced),
            extras: palette + transparency, raw: interlaced ? interlacedRows : rows(0, 0, 1, 1))
    }

    private var palette: [UInt8] {
        colorType == 3 ? PNGBuilder.chunk("PLTE", (0..<paletteCount).flatMap(paletteColor)) : []
    }

    private var transparency: [UInt8] {
        guard transparent else { return [] }
        let sixteenBits = key.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return PNGBuilder.chunk("tRNS", colorType == 3 ? paletteAlphas : sixteenBits)
    }

    /// Adam7: first column and row of each pass, and the steps between its columns and rows.
    private var interlacedRows: [UInt8] {
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            .flatMap(rows)
    }

    private func rows(_ left: Int, _ top: Int, _ stepX: Int, _ stepY: Int) -> [UInt8] {
        let columns = stride(from: left, to: Self.width, by: stepX)
        return stride(from: top, to: Self.height, by: stepY).flatMap { y in
            [0] + packed(columns.flatMap { x in samples(x, y) })
        }
    }

    /// Samples one after the other, the first in the highest bits; the row's last byte is filled up with zeros.
    private func packed(_ samples: [Int]) -> [UInt8] {
        var bits = samples.flatMap { sample in (0..<depth).reversed().map { sample >> $0 & 1 } }
        while bits.count % 8 != 0 { bits.append(0) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            UInt8(bits[start..<(start + 8)].reduce(0) { $0 << 1 | $1 })
        }
    }
}

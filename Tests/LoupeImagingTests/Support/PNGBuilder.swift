/// Writes PNG files from the specification alone, without libpng or zlib (stored deflate blocks), so that tests can
/// make any file, right or wrong.
enum PNGBuilder {
    static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    static func header(
        width: Int, height: Int, depth: UInt8 = 8, colorType: UInt8 = 6, interlaced: Bool = false
    ) -> [UInt8] {
        chunk("IHDR", word(width) + word(height) + [depth, colorType, 0, 0, interlaced ? 1 : 0])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return word(data.count) + body + word(Int(crc32(body)))
    }

    /// A whole file: `raw` are the filter bytes and rows, `extras` the chunks between IHDR and IDAT.
    static func file(header: [UInt8], extras: [UInt8] = [], raw: [UInt8]) -> [UInt8] {
        signature + header + extras + chunk("IDAT", zlib(raw)) + chunk("IEND", [])
    }

    /// A small valid RGBA file and its pixels.
    static func small(width: Int = 5, height: Int = 3) -> (file: [UInt8], pixels: [UInt8]) {
        let stride = width * 4
        let pixels = (0..<(stride * height)).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        var raw: [UInt8] = []
        for row in 0..<height { raw += [0] + pixels[(row * stride)..<((row + 1) * stride)] }
        return (file(header: header(width: width, height: height), raw: raw), pixels)
    }

    static func zlib(_ raw: [UInt8]) -> [UInt8] {
        let most = 65535
        let blocks = stride(from: 0, to: max(1, raw.count), by: most).flatMap { start -> [UInt8] in
            let block = raw[start..<min(start + most, raw.count)]
            let count = UInt16(block.count)
            let lengths = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            return [start + most < raw.count ? 0 : 1] + lengths + block
        }
        return [0x78, 0x01] + blocks + word(Int(adler32(raw)))
    }

    /// Big-endian, 32 bits.
    static func word(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xffff_ffff
        for byte in bytes { crc = crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
        return ~crc
    }

    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }

    /// The chunks of a right file.
    static func chunks(of file: [UInt8]) -> [(type: String, data: [UInt8])] {
        var chunks: [(type: String, data: [UInt8])] = []
        var start = signature.count
        while start < file.count {
            let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let content = start + 8
            chunks.append(
                (
                    String(decoding: file[(start + 4)..<content], as: UTF8.self),
                    Array(file[content..<(content + length)])
                ))
            start = content + length + 4
        }
        return chunks
    }

    /// Gives each chunk of `file` the CRC that its bytes ask for.
    static func correctingChecksums(of file: [UInt8]) -> [UInt8] {
        var file = file
        var start = 8
        while start + 12 <= file.count {
            let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 8 + length
            guard end + 4 <= file.count else { break }
            file.replaceSubrange(end..<(end + 4), with: word(Int(crc32(Array(file[(start + 4)..<end])))))
            start = end + 4
        }
        return file
    }
}

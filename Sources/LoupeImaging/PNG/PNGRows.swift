import LoupeBase
import LoupeSystem

/// A PNG read row by row, for images that are too large to be held.
///
/// An interlaced one has its rows only at the end, so it is held whole, and refused where that is too much.
package struct PNGRows: Sendable {
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// What the file says about its colours. ``forEachBand(_:)`` does not convert them.
    package let color: ColorEncoding
    private let name: String
    private let content: ImageContent
    private let header: PNGHeader
    private let limits: ImageLimits

    /// - Parameter keep: takes what is wrong with a profile, which the rows are then read without; throws any other error.
    init(
        _ content: ImageContent, _ header: PNGHeader, name: String, limits: ImageLimits,
        _ keep: (ImageError) throws(ImageError) -> Void
    ) throws(ImageError) {
        (width, height) = (header.width, header.height)
        (self.name, self.content, self.header, self.limits) = (name, content, header, limits)
        try limits.check(width: width, height: height, name: name)
        do throws(ImageError) {
            let own = try PNG.color(content.source(), name: name, limits: limits)
            if own != .sRGB { _ = try Self.transform(own, header, name: name) }
            color = own
        } catch {
            try keep(error)
            color = .sRGB
        }
    }

    /// The conversion of rows to sRGB; nil where they are that.
    private static func transform(
        _ color: ColorEncoding, _ header: PNGHeader, name: String
    ) throws(ImageError) -> ColorConversion.Transform? {
        do {
            let conversion = try ColorConversion(color)
            try conversion.check(hasColors: header.colorType & 2 != 0)
            return try conversion.transform(is16Bit: header.depth == 16 && color.needs16Bits)
        } catch {
            throw .damaged(name: name, format: .png, reason: "its colour profile: \(error.reason)")
        }
    }

    /// Calls `body` with all rows in order, some at a time: straight 8-bit RGBA, as stored. The next rows are read
    /// meanwhile on another thread.
    ///
    /// An error in the file may be found only after its last row. The rows are then not to be used.
    package func forEachBand(_ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void) throws(ImageError)
    {
        try forEachBand(keepsDepth: false, body)
    }

    /// As ``forEachBand(_:)``, with the rows converted to sRGB.
    package func forEachConvertedBand(
        _ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void
    ) throws(ImageError) {
        guard color != .sRGB else { return try forEachBand(body) }
        let is16Bit = header.depth == 16 && color.needs16Bits
        guard let transform = try Self.transform(color, header, name: name) else { return try forEachBand(body) }
        try forEachBand(keepsDepth: is16Bit) { band, rows in
            let pixels =
                is16Bit
                ? Image.rounded(transform.converted(Array(band.bindMemory(to: UInt16.self))))
                : transform.converted(Array(band))
            pixels.withUnsafeBytes { body($0, rows) }
        }
    }

    /// - Parameter keepsDepth: whether the rows of a 16-bit file keep 16 bits a channel, as `UInt16`.
    private func forEachBand(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        DecodeCount.add()
        if header.isInterlaced { return try readWhole(keepsDepth: keepsDepth, body) }
        let reader = try PNGRowReader(content, header, is16Bit: keepsDepth, name: name, limits: limits)
        try BandReader(reader, header).forEachBand(body)
    }

    private func readWhole(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        let most = ImageLimits().maxPixels
        guard width * height <= most else {
            throw .interlaced(name: name, width: width, height: height, limit: most)
        }
        let image = try PNG.decode(content, header, name: name, limits: limits, keepsDepth: keepsDepth)
        if let pixels16 = image.pixels16 {
            pixels16.withUnsafeBytes { body($0, 0..<height) }
        } else {
            image.pixels.withUnsafeBytes { body($0, 0..<height) }
        }
    }
}

/// Bands of a PNG's rows. While one is used, the next is read on another thread, where there is one.
private final class BandReader: @unchecked Sendable {
    private let reader: PNGRowReader
    private let header: PNGHeader
    private let rowsInBand: Int
    /// Used in turn.
    private let buffers: [UnsafeMutableRawBufferPointer]

    init(_ reader: PNGRowReader, _ header: PNGHeader) {
        (self.reader, self.header) = (reader, header)
        // About 4 MiB.
        rowsInBand = max(1, min(header.height, (4 << 20) / reader.rowBytes))
        let bytes = reader.rowBytes * rowsInBand
        buffers = (0..<2).map { _ in .allocate(byteCount: bytes, alignment: 16) }
    }

    deinit {
        for buffer in buffers { buffer.deallocate() }
    }

    func forEachBand(_ body: (UnsafeRawBufferPointer, Range<Int>) -> Void) throws(ImageError) {
        let count = (header.height + rowsInBand - 1) / rowsInBand
        var reading = start(0)
        for index in 0..<count {
            try reading.take()
            if index + 1 < count { reading = start(index + 1) }
            let (pixels, rows) = band(index)
            body(UnsafeRawBufferPointer(pixels), rows)
        }
        try reader.finish()
    }

    /// Starts to read a band.
    private func start(_ index: Int) -> Background<Void, ImageError> {
        Background { () throws(ImageError) in try self.reader.read(into: self.band(index).pixels) }
    }

    private func band(_ index: Int) -> (pixels: UnsafeMutableRawBufferPointer, rows: Range<Int>) {
        let rows = index * rowsInBand..<min(header.height, (index + 1) * rowsInBand)
        let buffer = buffers[index % buffers.count]
        return (UnsafeMutableRawBufferPointer(rebasing: buffer[..<(rows.count * reader.rowBytes)]), rows)
    }
}

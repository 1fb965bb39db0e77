import LoupeFiles
import LoupeGeometry

/// A PNG read row by row, for images that are too large to be held.
///
/// An interlaced one has its rows only at the end, so it is held whole, and refused where that is too much.
public struct PNGRows: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// What the file says about its colours. ``forEachBand(_:)`` does not convert them.
    public let color: ColorEncoding
    private let name: String
    private let content: ImageContent
    private let header: PNGHeader
    private let limits: ImageLimits

    /// Rows of the PNG at `path`.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        self = try ImageFile(path: path).rows(limits: limits)
    }

    /// Rows of the PNG in `bytes`.
    /// - Parameter name: what messages call these bytes.
    /// - Throws: what is wrong with the header, and ``ImageError/overLimit(name:width:height:limit:)``.
    public init(_ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        let header = try PNG.withSource(of: bytes) { source throws(ImageError) in
            try PNGHeader(from: source, name: name)
        }
        try self.init(.bytes(bytes), header, name: name, limits: limits)
    }

    init(_ content: ImageContent, _ header: PNGHeader, name: String, limits: ImageLimits) throws(ImageError) {
        (width, height) = (header.width, header.height)
        (self.name, self.content, self.header, self.limits) = (name, content, header, limits)
        try limits.check(width: width, height: height, name: name)
        color = try content.withSource { source throws(ImageError) in
            try PNG.color(source, name: name, limits: limits)
        }
    }

    /// Calls `body` with all rows in order, some at a time: straight 8-bit RGBA, as stored. The next rows are read
    /// meanwhile on another thread.
    ///
    /// An error in the file may be found only after its last row. The rows are then not to be used.
    public func forEachBand(_ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void) throws(ImageError) {
        try forEachBand(keepsDepth: false, body)
    }

    /// As ``forEachBand(_:)``, with the rows converted to sRGB.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` too, where the colour profile is broken.
    public func forEachConvertedBand(
        _ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void
    ) throws(ImageError) {
        guard color != .sRGB else { return try forEachBand(body) }
        let is16Bit = header.depth == 16 && color.needs16Bits
        let conversion: BandConversion?
        do {
            conversion = try BandConversion(color, of: header, is16Bit: is16Bit)
        } catch {
            throw .damaged(name: name, format: .png, reason: "its colour profile: \(error.reason)")
        }
        guard let conversion else { return try forEachBand(body) }
        try forEachBand(keepsDepth: is16Bit) { band, rows in
            conversion.withConverted(band) { body($0, rows) }
        }
    }

    /// - Parameter keepsDepth: whether the rows of a 16-bit file keep 16 bits a channel, as `UInt16`.
    private func forEachBand(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        try content.withSource { source throws(ImageError) in
            try header.checkUnchanged(in: source, name: name)
            try PNG.checkLength(of: source, for: header, name: name)
        }
        if header.isInterlaced { return try readWhole(keepsDepth: keepsDepth, body) }
        let reading = BandReader(content, header, keepsDepth: keepsDepth, name: name, limits: limits)
        while let band = reading.next() { body(UnsafeRawBufferPointer(band.pixels), band.rows) }
        if let failure = reading.failure { throw failure }
    }

    private func readWhole(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        let most = ImageLimits().maxPixels
        guard width * height <= most else {
            throw .interlaced(name: name, width: width, height: height, limit: most)
        }
        let image = try content.withSource { source throws(ImageError) in
            try PNG.decode(source, header, name: name, limits: limits, keepsDepth: keepsDepth)
        }
        if let pixels16 = image.pixels16 {
            pixels16.withUnsafeBytes { body($0, 0..<height) }
        } else {
            image.pixels.withUnsafeBytes { body($0, 0..<height) }
        }
    }
}

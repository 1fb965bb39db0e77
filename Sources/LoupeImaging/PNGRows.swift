import Dispatch
import LoupeFiles
import LoupeGeometry

/// A PNG read row by row, for pictures that are too large to be held.
///
/// An interlaced one has its rows only at the end, so it is held whole, and refused where that would be too much.
public struct PNGRows: Sendable {
    /// Where the file is.
    enum Place {
        case path(String)
        case bytes([UInt8])

        /// Lends the file from its start.
        func withSource<Result>(_ body: (ByteSource) throws(ImageError) -> Result) throws(ImageError) -> Result {
            switch self {
            case .path(let path): try body(ByteSource(picture: path))
            case .bytes(let bytes): try PNG.withSource(of: bytes, body)
            }
        }
    }

    public let width: Int
    public let height: Int
    /// What the file says about its colours. The rows are lent as they are stored.
    public let color: ColorEncoding
    let name: String
    private let place: Place
    private let limits: ImageLimits

    /// Looks at the file's header. It must be one that can be opened again.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(.path(path), PNG.size(path: path), name: path, limits)
    }

    /// Looks at the header in `bytes`.
    /// - Parameter name: what messages call these bytes.
    public init(_ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(.bytes(bytes), PNG.size(of: bytes, name: name), name: name, limits)
    }

    private init(
        _ place: Place, _ size: ImageSize, name: String, _ limits: ImageLimits
    ) throws(ImageError) {
        (width, height) = (size.width, size.height)
        (self.name, self.place, self.limits) = (name, place, limits)
        try limits.check(width: width, height: height, name: name)
        color = try place.withSource { source throws(ImageError) in try PNG.color(source, name: name, limits: limits) }
    }

    /// Lends all rows in order, some at a time: straight 8-bit RGBA. The next are read meanwhile, on another thread.
    ///
    /// What is wrong with the file may be found only after its last row; then the rows count for nothing.
    public func forEachBand(_ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void) throws(ImageError) {
        try forEachBand(of: header(), keepsDepth: false, body)
    }

    /// What the file says of itself, once more.
    func header() throws(ImageError) -> PNGHeader {
        let header = try place.withSource { source throws(ImageError) in
            let header = try PNGHeader(from: source, name: name)
            try PNG.checkLength(of: source, for: header, name: name)
            return header
        }
        guard header.width == width, header.height == height else {
            throw .corrupt(name: name, reason: "it changed while it was read")
        }
        return header
    }

    /// - Parameter keepsDepth: whether the rows of a file of 16 bits a channel are lent with all of them, as `UInt16`.
    func forEachBand(
        of header: PNGHeader, keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        if header.isInterlaced { return try readWhole(keepsDepth: keepsDepth, body) }
        let reading = BandReader(place, header, keepsDepth: keepsDepth, name: name, limits: limits)
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
        let image = try place.withSource { source throws(ImageError) in
            try PNG.decode(source, name: name, limits: limits, keepsDepth: keepsDepth)
        }
        if let pixels16 = image.pixels16 {
            pixels16.withUnsafeBytes { body($0, 0..<height) }
        } else {
            image.pixels.withUnsafeBytes { body($0, 0..<height) }
        }
    }
}

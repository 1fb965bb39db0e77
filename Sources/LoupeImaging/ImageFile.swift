import LoupeBase
import LoupeSystem
import Synchronization

/// An image in a file or in memory, opened once: its format, its size, and access to its contents.
///
/// The format is detected from the content, not from the file's extension. A PNG's file stays open, so that all reads
/// see the same file even where another one takes its path meanwhile. What can't be read twice, and all other formats,
/// is held in memory. Both end with the object, or earlier with ``release()``.
public final class ImageFile: Sendable {
    /// What the image is called in messages: a file's path or "standard input".
    public let name: String
    /// In pixels, after its EXIF orientation is applied. An SVG's natural size at 96 dpi.
    public let size: ImageSize
    /// Of a PNG; upright for other formats, which apply theirs themselves.
    let orientation: Orientation
    /// Where it can be opened again after ``release()``; nil for bytes and for what can be read once only.
    private let path: (path: Path, confinement: PathConfinement)?
    let header: Header
    private let content: Mutex<ImageContent?>
    private let problem = Mutex<String?>(nil)

    /// Why the colour profile was not used when the image was decoded, which has been read as sRGB then, as browsers do; nil where
    /// it was, and before that.
    package var profileProblem: String? { problem.withLock { $0 } }

    /// Takes an image that was decoded before for this one.
    package func knows(_ image: StoredImage) { problem.withLock { $0 = $0 ?? image.profileProblem } }

    /// The part of an image's header that is kept.
    enum Header {
        case png(PNGHeader)
        case jpeg, webp
        /// A TIFF, GIF, HEIC or AVIF.
        case remote(RemotePicture.Header)
        case svg(VectorDocument)
        case pdf(VectorDocument, page: Int)
    }

    /// The format that its content has.
    public var format: Format {
        switch header {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .remote(let header): header.format
        case .svg: .svg
        case .pdf: .pdf
        }
    }

    /// What an SVG or a PDF is drawn from; nil for other formats.
    package var document: VectorDocument? {
        switch header {
        case .svg(let document), .pdf(let document, _): document
        case .png, .jpeg, .webp, .remote: nil
        }
    }

    /// The format of the file's bytes: SVG where a browser has printed it, so that it is drawn as a page of a PDF.
    package var fileFormat: Format { document?.isPrinted == true ? .svg : format }

    /// Whether each view draws it anew at its own scale.
    public var isVector: Bool { format == .svg || format == .pdf }

    /// The page of a PDF or TIFF, from 1; nil for other formats.
    public var page: Int? {
        switch header {
        case .pdf(_, let page): page
        case .remote(let header) where format.hasPages: header.page
        case .png, .jpeg, .webp, .remote, .svg: nil
        }
    }

    /// Whether it is nothing that can be read again: bytes, or what came from standard input or a pipe.
    public var isOnlyInMemory: Bool { path == nil }

    /// Opens the file at `path` and reads the image's header.
    /// - Parameter confinement: where the file must lie.
    /// - Throws: ``ImageError/unreadable(_:)``, or what is wrong with the header. Only the limit of sides is checked.
    package convenience init(path: Path, in confinement: PathConfinement = .none) throws(ImageError) {
        let (source, page) = try Self.source(of: path, in: confinement)
        try self.init(source, name: path.description, path: PagePath(path).file, page: page)
    }

    /// All bytes of the image at `path`. A PNG's header has been checked, so that a file of anything else is not read.
    /// - Parameter confinement: where the file must lie.
    /// - Throws: ``ImageError``: the file can't be read, or is no image.
    package static func bytes(path: Path, in confinement: PathConfinement = .none) throws(ImageError) -> [UInt8] {
        let source = try unpacked(ByteSource(image: path, in: confinement))
        switch Format(of: source.peek(SVGSignature.reach)) {
        case .png, nil: _ = try PNGHeader(ofImage: source, name: path.description)
        default: break
        }
        return try source.restOfImage()
    }

    /// Whether the file at `path` begins as one that has pages: a PDF or a TIFF.
    package static func hasPages(_ path: Path) throws(ImageError) -> Bool {
        let source = try ByteSource(image: path)
        return withExtendedLifetime(source) { Format(of: source.peek(SVGSignature.reach))?.hasPages ?? false }
    }

    /// The file at a path, or the file of whose pages it names one.
    private static func source(
        of path: Path, in confinement: PathConfinement = .none
    ) throws(ImageError) -> (ByteSource, page: Int) {
        let named = PagePath(path)
        let source = try unpacked(ByteSource(image: named.file, in: confinement))
        guard named.page != nil, Format(of: source.peek(SVGSignature.reach))?.hasPages != true else {
            return (source, named.page ?? 1)
        }
        // Only PDFs and TIFFs have pages: there is no such file.
        return (try ByteSource(image: path, in: confinement), 1)
    }

    /// The most bytes of a packed SVG.
    private static let largestPacked = 16 << 20

    /// A source, or the SVG in it where it is packed by gzip, as `.svgz` is.
    private static func unpacked(_ source: ByteSource) throws(ImageError) -> ByteSource {
        guard source.peek(2).elementsEqual([0x1f, 0x8b]), source.length ?? 0 <= largestPacked else { return source }
        let packed = try source.restOfImage()
        let inflated = PNGInflater.inflated(
            packed[...], asGzip: true, mostBytes: min(256 << 20, max(1 << 16, Memory.limit / 2)))
        guard let inflated, SVGSignature.matches(inflated) else { return ByteSource(packed) }
        return ByteSource(inflated)
    }

    /// Reads the header of the image in `bytes`.
    /// - Parameters:
    ///   - name: what messages call these bytes, a file's path or "standard input".
    ///   - page: of a PDF or TIFF, from 1.
    /// - Throws: what is wrong with the header. Only the limit of sides is checked.
    public convenience init(_ bytes: [UInt8], name: String, page: Int = 1) throws(ImageError) {
        try self.init(ByteSource(bytes), name: name, path: nil, page: page)
    }

    /// How many pages a PDF or TIFF has; 1 for other formats.
    package var pageCount: Int {
        if case .remote(let header) = header, format.hasPages { header.count } else { document?.pageCount ?? 1 }
    }

    /// How many frames an APNG, GIF, HEIC, AVIF or WebP has, of which one is the image; 1 for other formats.
    package var frameCount: Int {
        switch header {
        case .remote(let header): format.hasPages ? 1 : header.count
        case .webp: (try? contents()).map(WebP.frameCount) ?? 1
        case .png: (try? PNG.frameCount(currentContent().source(), name: name)) ?? 1
        case .jpeg, .svg, .pdf: 1
        }
    }

    /// - Parameter path: nil for standard input and for bytes.
    private init(_ source: ByteSource, name: String, path: Path?, page: Int = 1) throws(ImageError) {
        self.name = name
        let isRegular = source.file?.isRegular ?? false
        self.path = isRegular ? path.map { ($0, source.file?.confinement ?? .none) } : nil
        let format = Format(of: source.peek(SVGSignature.reach))
        guard let format, format != .png else {
            let header = try PNGHeader(ofImage: source, name: name)
            let content = try ImageContent(source)
            orientation = try PNG.orientation(content.source())
            (self.header, size) = (.png(header), orientation.isSideways ? header.size.transposed : header.size)
            self.content = Mutex(content)
            return
        }
        orientation = .upright
        let bytes = try source.restOfImage()
        content = Mutex(.bytes(bytes))
        switch format {
        case .jpeg, .png: (header, size) = (.jpeg, try JPEG.size(of: bytes, name: name))
        case .webp: (header, size) = (.webp, try WebP.size(of: bytes, name: name))
        case .tiff, .gif, .heic, .avif:
            let remote = try RemotePicture.Header(of: bytes, format, page: page, name: name)
            (header, size) = (.remote(remote), remote.orientation.isSideways ? remote.size.transposed : remote.size)
        case .svg:
            let document = try VectorDocument(bytes, name: name)
            size = ImageSize(width: document.width, height: document.height)
            guard SVGBrowser.isUsed else {
                header = .svg(document)
                break
            }
            let pdf = try SVGBrowser.pdf(of: bytes, size, name: name)
            header = .pdf(try VectorDocument(pdf, as: .pdf(page: 1), printed: document, name: name), page: 1)
        case .pdf:
            let document = try VectorDocument(bytes, as: .pdf(page: page), name: name)
            (header, size) = (.pdf(document, page: page), ImageSize(width: document.width, height: document.height))
        }
    }

    /// A file that may be an image.
    public enum Opened: Sendable {
        /// An image of a known format.
        case image(ImageFile)
        /// The bytes of a file of another format; the first of them where they can't begin a document in JSON.
        case document([UInt8])
    }

    /// Opens the file at `path`, whatever it holds.
    /// - Throws: ``ImageError/unreadable(_:)``, or what is wrong with an image's header.
    public static func open(path: Path) throws(ImageError) -> Opened {
        let (source, page) = try source(of: path)
        return try open(source, name: path.description, path: PagePath(path).file, page: page)
    }

    /// Opens standard input, whatever it holds.
    /// - Throws: as ``open(path:)``.
    public static func openStandardInput() throws(ImageError) -> Opened {
        let source = try unpacked(reading { () throws(FileError) in try ByteSource.standardInput() })
        return try open(source, name: "standard input", path: nil)
    }

    /// Opens bytes, whatever they hold.
    /// - Parameter name: what messages call them.
    /// - Throws: as ``open(path:)``.
    public static func open(_ bytes: [UInt8], name: String) throws(ImageError) -> Opened {
        Format(of: bytes) == nil ? .document(bytes) : .image(try ImageFile(bytes, name: name))
    }

    private static func open(
        _ source: ByteSource, name: String, path: Path?, page: Int = 1
    ) throws(ImageError) -> Opened {
        guard Format(of: source.peek(SVGSignature.reach)) != nil else {
            return .document(try reading { () throws(FileError) in try source.document(.json) })
        }
        return .image(try ImageFile(source, name: name, path: path, page: page))
    }

    /// Closes the file or frees the bytes. A regular file is opened again when it is read again; reading anything else
    /// fails afterwards.
    public func release() {
        content.withLock { $0 = path.map { .path($0.path, $0.confinement) } }
    }

    func currentContent() throws(ImageError) -> ImageContent {
        guard let content = content.withLock({ $0 }) else {
            throw .unreadable(.unreadable(path: name, reason: "it can be read only once"))
        }
        return content
    }
}

// MARK: - Reading

extension ImageFile {
    /// Checks the size in the header.
    /// - Throws: ``ImageError/overLimit(name:width:height:limit:)``.
    public func check(_ limits: ImageLimits) throws(ImageError) {
        var limits = limits
        if isVector { limits.maxSide = min(limits.maxSide, VectorDocument.naturalSideLimit) }
        try limits.check(width: size.width, height: size.height, name: name)
    }

    /// Decodes the image and leaves its numbers as they are stored.
    /// - Parameter keepsDepth: whether the image has 16 bits a channel where the file does; a PNG may.
    /// - Throws: ``ImageError``: the image is damaged, over a limit, or there is no memory for it.
    package func stored(limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false) throws(ImageError) -> StoredImage
    {
        DecodeCount.add()
        var color = ColorEncoding.sRGB
        do throws(ImageError) { color = try colorEncoding(limits: limits) } catch { try keep(error) }
        let depth: Int
        switch header {
        case .png(let header): depth = Int(header.depth)
        case .remote(let header): depth = header.depth
        case .jpeg, .webp, .svg, .pdf: return try usable(numbers(limits: limits), color)
        }
        let is16Bit = depth == 16 && (keepsDepth || color.needs16Bits)
        return try usable(numbers(limits: limits, keepsDepth: is16Bit), keepsDepth: keepsDepth, color)
    }

    /// What the file says about its colours.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where its profile can't be read.
    func colorEncoding(limits: ImageLimits = ImageLimits()) throws(ImageError) -> ColorEncoding {
        let content = try currentContent()
        switch header {
        case .png: return try PNG.color(content.source(), name: name, limits: limits)
        case .jpeg: return try JPEG.color(of: content.whole(), name: name)
        case .webp: return WebP.chunk("ICCP", in: try content.whole()).map { .profile(Array($0)) } ?? .sRGB
        case .remote(let header): return try header.color(name: name)
        case .svg, .pdf: return .sRGB
        }
    }

    /// Decodes the image, whatever its numbers mean. Parameters and errors are those of `stored(limits:keepsDepth:)`.
    package func numbers(
        limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try check(limits)
        let content = try currentContent()
        switch header {
        case .png(let header):
            let stored = try PNG.decode(content, header, name: name, limits: limits, keepsDepth: keepsDepth)
            return orientation.applied(to: stored)
        case .jpeg: return try JPEG.decode(content.whole(), name: name)
        case .webp: return try WebP.decode(content.whole(), name: name)
        case .remote(let header):
            return try RemotePicture.decode(content.whole(), header, name: name, keepsDepth: keepsDepth)
        case .svg(let document), .pdf(let document, _): return try Image(document)
        }
    }

    /// The image with its colours, or with sRGB where their profile does not fit it.
    private func usable(
        _ finest: Image, keepsDepth: Bool = true, _ color: ColorEncoding
    ) throws(ImageError) -> StoredImage {
        var image = StoredImage(finest, keepsDepth: keepsDepth, color: color, name: name, format: format)
        do throws(ImageError) {
            if color != .sRGB { try image.check() }
        } catch {
            try keep(error)
            image = StoredImage(finest, keepsDepth: keepsDepth, color: .sRGB, name: name, format: format)
        }
        image.profileProblem = profileProblem
        return image
    }

    /// Keeps what is wrong with a profile; throws any other error.
    private func keep(_ error: ImageError) throws(ImageError) {
        guard case .damaged(_, _, let reason) = error else { throw error }
        problem.withLock { $0 = reason }
    }

    /// Decodes the image to sRGB. Parameters and errors are those of `stored(limits:keepsDepth:)`.
    public func image(
        limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try stored(limits: limits, keepsDepth: keepsDepth).converted()
    }

    /// An SVG or a page of a PDF, drawn to a size in pixels; nil for other formats.
    /// - Throws: As `VectorDocument.draw(_:)`.
    public func drawn(_ size: ImageSize) throws(ImageError) -> Image? {
        try document?.draw(DrawingPlace(wholeOf: size))
    }

    /// The rows of a PNG as they are stored, for an image that is too large to be held.
    /// - Throws: ``ImageError/notPNG(name:start:)`` for any other format, and where the header is over a limit.
    package func rows(limits: ImageLimits = ImageLimits()) throws(ImageError) -> PNGRows {
        let content = try currentContent()
        guard case .png(let header) = header else {
            throw .notPNG(name: name, start: Array(try content.whole().prefix(ForeignFile.reach)))
        }
        return try PNGRows(content, header, name: name, limits: limits, keep)
    }

    /// The first iTXt text under a keyword before a PNG's image data; nil where there is none, and for other formats.
    /// - Throws: ``ImageError/corrupt(name:reason:)`` where the text is damaged, and
    ///   ``ImageError/overChunkLimit(name:limit:)``.
    public func text(_ keyword: String) throws(ImageError) -> String? {
        guard format == .png else { return nil }
        return try PNG.text(keyword, currentContent().source(), name: name)
    }

    /// The bytes of the whole file.
    /// - Throws: ``ImageError/unreadable(_:)``.
    public func contents() throws(ImageError) -> [UInt8] { try currentContent().whole() }

    /// The SHA-256 of the whole file as `sha256sum` writes it: 64 hexadecimal digits.
    public func digest() throws(ImageError) -> String {
        let source = try currentContent().source()
        return SHA256.hexadecimal(try reading { () throws(FileError) in try SHA256.hash(source) })
    }

    /// Decodes the image in the file at `path` to sRGB.
    public static func read(
        path: Path, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try ImageFile(path: path).image(limits: limits, keepsDepth: keepsDepth)
    }

    /// Decodes the image in `bytes` to sRGB. `name` is that of ``init(_:name:page:)``.
    public static func decode(
        _ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits(),
        keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try ImageFile(bytes, name: name).image(limits: limits, keepsDepth: keepsDepth)
    }
}

/// The number of times that this process has begun to decode an image to be drawn. Tests ask for it: a page is decoded once.
package enum DecodeCount {
    private static let count = Atomic(0)

    package static var value: Int { count.load(ordering: .relaxed) }

    static func add() { count.add(1, ordering: .relaxed) }
}

// MARK: - The format

extension ImageFile {
    /// The formats that are read.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// PNG, still images only.
        case png = "PNG"
        /// JPEG, grey, colour or CMYK.
        case jpeg = "JPEG"
        /// WebP, lossy or lossless, of which the first frame is read.
        case webp = "WebP"
        /// TIFF, by libtiff.
        case tiff = "TIFF"
        /// GIF, of which the first frame is read, by giflib.
        case gif = "GIF"
        /// HEIC, of which the primary picture is read, by libheif.
        case heic = "HEIC"
        /// AVIF, by libheif too.
        case avif = "AVIF"
        /// SVG, drawn by librsvg.
        case svg = "SVG"
        /// PDF, drawn by poppler.
        case pdf = "PDF"

        /// The format that a file with these first bytes has, of which up to 4096 are read; nil for any other. What
        /// follows them may be damaged.
        public init?(of bytes: some Collection<UInt8>) {
            if bytes.starts(with: PNG.signature) {
                self = .png
            } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
                self = .jpeg
            } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
                self = .webp
            } else if Self.tiffStarts.contains(where: { bytes.starts(with: $0) }) {
                self = .tiff
            } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
                self = .gif
            } else if let format = Self.heif(bytes) {
                self = format
            } else if SVGSignature.matches(bytes) {
                self = .svg
            } else if bytes.starts(with: "%PDF-".utf8) || Self.hasLatePDFHeader(bytes) {
                self = .pdf
            } else {
                return nil
            }
        }

        /// Whether a file may have several pages, of which `#` and a number name one.
        var hasPages: Bool { self == .pdf || self == .tiff }

        /// Of each byte order, also of files over 4 GB.
        private static let tiffStarts: [[UInt8]] = [
            [0x49, 0x49, 42, 0], [0x4d, 0x4d, 0, 42], [0x49, 0x49, 43, 0], [0x4d, 0x4d, 0, 43],
        ]

        /// HEIC or AVIF, by the brands at the start of a file of boxes (ISO/IEC 23008-12, annex B); nil for others, such as a film's.
        private static func heif(_ bytes: some Collection<UInt8>) -> Format? {
            guard bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
            let brands = String(decoding: bytes.dropFirst(8).prefix(56), as: UTF8.self)
            if brands.hasPrefix("avif") || brands.hasPrefix("avis") { return .avif }
            guard ["hei", "hev", "mif1", "msf1"].contains(where: brands.hasPrefix) else { return nil }
            return brands.contains("avif") ? .avif : .heic
        }

        /// Whether a PDF's header follows other bytes, of which readers allow 1024 (ISO 32000-1, annex H, note 13), such as an
        /// empty line or those of a printer's job. A text in JSON may speak of it.
        private static func hasLatePDFHeader(_ bytes: some Collection<UInt8>) -> Bool {
            let header = Array("%PDF-".utf8)
            guard let first = bytes.first(where: { !" \t\r\n".utf8.contains($0) }), !"{[<".utf8.contains(first) else {
                return false
            }
            let start = Array(bytes.prefix(1024 + header.count))
            return start.indices.contains { start[$0...].starts(with: header) }
        }
    }
}

// MARK: - The bytes

/// The bytes of an image. Each source begins at the first, and several threads may read at once.
enum ImageContent: Sendable {
    case bytes([UInt8])
    case file(HeldFile)
    /// A file that is opened again for each read.
    case path(Path, PathConfinement)

    /// Keeps a regular file open, unless many are open already. Takes what is left of anything else.
    init(_ source: ByteSource) throws(ImageError) {
        if let file = source.file, file.isRegular {
            self = HeldFile(file).map(ImageContent.file) ?? .path(file.path, file.confinement)
        } else {
            self = .bytes(try source.restOfImage())
        }
    }

    /// All bytes.
    func whole() throws(ImageError) -> [UInt8] {
        try source().restOfImage()
    }

    /// A source of all bytes.
    func source() throws(ImageError) -> ByteSource {
        switch self {
        case .bytes(let bytes): ByteSource(bytes)
        case .file(let held): ByteSource(held.file)
        case .path(let path, let confinement): try ByteSource(image: path, in: confinement)
        }
    }
}

/// A file that an image keeps open.
final class HeldFile: Sendable {
    let file: OpenFile
    private static let count = Atomic(0)
    /// A Linux process may have 1024 descriptors by default, and needs some for other things.
    private static let mostOpen = 256

    /// Nil where as many are open as may be.
    init?(_ file: OpenFile) {
        self.file = file
        let (_, count) = Self.count.add(1, ordering: .relaxed)
        // The object exists now, so its deinitializer counts down.
        if count > Self.mostOpen { return nil }
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }
}

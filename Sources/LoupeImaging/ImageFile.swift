import LoupeFiles
import LoupeGeometry

/// Pictures in, whatever they are stored as: told apart by their first bytes, never by their names.
///
/// A namespace. JPEG and WebP pictures are turned as their EXIF orientation says; sizes are those after turning.
public enum ImageFile {
    public enum Format: String, Hashable, Sendable, CaseIterable {
        case png = "PNG"
        case jpeg = "JPEG"
        case webp = "WebP"
        case svg = "SVG"

        /// Nil for anything else. Says nothing about what follows the first bytes.
        public init?(of bytes: some Collection<UInt8>) {
            if bytes.starts(with: PNG.signature) {
                self = .png
            } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
                self = .jpeg
            } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
                self = .webp
            } else if SVGSignature.matches(bytes) {
                self = .svg
            } else {
                return nil
            }
        }
    }

    /// Decodes the file at `path` to sRGB.
    public static func read(
        path: String, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try stored(path: path, limits: limits, keepsDepth: keepsDepth).converted()
    }

    /// Decodes the picture in `bytes` to sRGB.
    public static func decode(
        _ bytes: [UInt8], name: String, at path: String? = nil, limits: ImageLimits = ImageLimits(),
        keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try stored(bytes, name: name, at: path, limits: limits, keepsDepth: keepsDepth).converted()
    }

    /// Decodes the file at `path` and leaves its numbers as they are.
    /// - Parameter keepsDepth: whether the picture has 16 bits a channel where the file does; a PNG may.
    public static func stored(
        path: String, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> StoredImage {
        let source = try ByteSource(picture: path)
        guard let bytes = try bytesUnlessPNG(source) else {
            return try storedPNG(source, name: path, limits: limits, keepsDepth: keepsDepth)
        }
        return try stored(bytes, name: path, at: path, limits: limits, keepsDepth: keepsDepth)
    }

    /// Decodes the picture in `bytes` and leaves its numbers as they are.
    /// - Parameters:
    ///   - name: what messages call these bytes, a file's path or "standard input".
    ///   - path: of the file that they were read from, beside which an SVG may look for pictures; nil forbids it that.
    public static func stored(
        _ bytes: [UInt8], name: String, at path: String? = nil, limits: ImageLimits = ImageLimits(),
        keepsDepth: Bool = false
    ) throws(ImageError) -> StoredImage {
        switch Format(of: bytes) {
        case .jpeg:
            let image = try JPEG.decode(bytes, name: name, limits: limits)
            let color = try JPEG.profile(in: bytes, name: name).map(ColorEncoding.profile) ?? .sRGB
            return StoredImage(image, color: color, name: name, format: .jpeg)
        case .webp:
            let image = try WebP.decode(bytes, name: name, limits: limits)
            let color = WebP.chunk("ICCP", in: bytes).map { ColorEncoding.profile(Array($0)) } ?? .sRGB
            return StoredImage(image, color: color, name: name, format: .webp)
        case .svg:
            let document = try SVGDocument(bytes, name: name, path: path)
            var limits = limits
            limits.maxSide = min(limits.maxSide, SVGDocument.naturalSideLimit)
            try limits.check(width: document.width, height: document.height, name: name)
            return StoredImage(try Image(document), color: .sRGB, name: name, format: .svg)
        case .png, nil:
            return try PNG.withSource(of: bytes) { source throws(ImageError) in
                try storedPNG(source, name: name, limits: limits, keepsDepth: keepsDepth)
            }
        }
    }

    private static func storedPNG(
        _ source: ByteSource, name: String, limits: ImageLimits, keepsDepth: Bool
    ) throws(ImageError) -> StoredImage {
        try refuseUnknown(Array(source.peek(8)), name: name)
        let color = try PNG.color(source, name: name, limits: limits)
        let is16Bit = try PNGHeader(from: source, name: name).depth == 16 && (keepsDepth || color.needs16Bits)
        let finest = try PNG.decode(source, name: name, limits: limits, keepsDepth: is16Bit)
        return StoredImage(finest, keepsDepth: keepsDepth, color: color, name: name, format: .png)
    }

    /// The width and height in pixels that the file's header names, without decoding or limits.
    public static func size(path: String) throws(ImageError) -> ImageSize {
        let source = try ByteSource(picture: path)
        guard let bytes = try bytesUnlessPNG(source) else {
            try refuseUnknown(Array(source.peek(8)), name: path)
            return try PNG.size(path: path)
        }
        return try size(of: bytes, name: path)
    }

    /// The width and height in pixels that the header in `bytes` names, without decoding or limits.
    public static func size(of bytes: [UInt8], name: String) throws(ImageError) -> ImageSize {
        switch Format(of: bytes) {
        case .jpeg: return try JPEG.size(of: bytes, name: name)
        case .webp: return try WebP.size(of: bytes, name: name)
        case .svg:
            let document = try SVGDocument(bytes, name: name, path: nil)
            return ImageSize(width: document.width, height: document.height)
        case .png, nil:
            try refuseUnknown(Array(bytes.prefix(8)), name: name)
            return try PNG.size(of: bytes, name: name)
        }
    }

    /// Whether the file at `path` is drawn anew by each view; false also for one that can't be read.
    public static func isVector(path: String) -> Bool {
        guard let source = try? ByteSource(picture: path) else { return false }
        return Format(of: source.peek(SVGSignature.reach)) == .svg
    }

    /// Refuses first bytes that are not even a PNG's that was cut short.
    private static func refuseUnknown(_ start: [UInt8], name: String) throws(ImageError) {
        guard start.starts(with: PNG.signature.prefix(start.count)) else {
            throw .unknownFormat(name: name, start: start)
        }
    }

    /// Everything that a source holds; nil, with nothing taken, where it is a PNG or nothing that is known.
    private static func bytesUnlessPNG(_ source: ByteSource) throws(ImageError) -> [UInt8]? {
        switch Format(of: source.peek(SVGSignature.reach)) {
        case .png, nil: return nil
        case .jpeg, .webp, .svg:
            do {
                return try source.rest()
            } catch {
                throw .unreadable(error)
            }
        }
    }
}

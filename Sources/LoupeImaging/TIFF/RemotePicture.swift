import LoupeBase
import LoupeSystem

/// A request about a picture to a helper process without rights.
enum RemotePicture {
    private static let pool = HelperPool()

    /// The answer to a request; the shared memory is passed on, where that has a size. The time and memory are limited.
    static func ask(
        _ request: [UInt8], name: String, format: ImageFile.Format? = nil, shared: Int = 0,
        use: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ImageError) -> MessageReader {
        try member(name, format) { process throws(HelperFailure) in
            // The helper process holds the request twice.
            let limits = SVGDrawing.limits(beside: shared + 2 * request.count)
            return MessageReader(try process.ask(request, shared: shared, limits: limits, use: use))
        }
    }

    /// The file that a request asks for.
    static func file(_ request: [UInt8], name: String) throws(ImageError) -> [UInt8] {
        try member(name, nil) { process throws(HelperFailure) in
            let file = try process.askForFile(request, limits: SVGDrawing.limits(beside: 5 * request.count))
            guard file.answer.isWhole else { throw .invalidAnswer }
            return file.bytes
        }
    }

    private static func member<Answer: Sendable>(
        _ name: String, _ format: ImageFile.Format?, _ body: (HelperProcess) throws(HelperFailure) -> Answer
    ) throws(ImageError) -> Answer {
        do throws(HelperFailure) {
            return try pool.member().use { process, _ throws(HelperFailure) in try body(process) }
        } catch {
            if let file = error.fileError { throw .unwritable(file) }
            if let format, case .refused(let refusal) = error, refusal.reason == .damaged {
                throw .damaged(name: name, format: format, reason: refusal.line)
            }
            let reason = error.clause("reading it")
            if error.isOfInstallation { throw .noHelper(name: name, reason: reason) }
            throw .helperFailed(name: name, reason: reason)
        }
    }

    /// The error about an answer that is none.
    static func noAnswer(_ name: String) -> ImageError {
        .helperFailed(name: name, reason: HelperFailure.invalidAnswer.clause("reading it"))
    }
}

// MARK: - Pictures of pixels

extension RemotePicture {
    /// The header of a picture in a TIFF, GIF, HEIC or AVIF.
    struct Header: Sendable {
        let format: ImageFile.Format
        /// As stored, in pixels.
        let size: ImageSize
        /// Bits of a channel: 8, or 16.
        let depth: Int
        let orientation: Orientation
        /// How many pictures the file has: pages of a TIFF, or frames.
        let count: Int
        /// Primaries and curve, as ITU-T H.273 numbers them; 0 where nothing says it.
        private let colors: [UInt8]
        /// Whether the library made red, green and blue of CMYK or L*a*b*.
        private let isConverted: Bool
        let density: PixelDensity?
        /// How large a pixel is in the world, in metres: as OME-XML or ImageJ says in a TIFF.
        let pixelSize: Double?
        private let profile: [UInt8]?
        /// Which of the file's pictures it is, from 1.
        let page: Int

        init(
            of bytes: [UInt8], _ format: ImageFile.Format, page: Int, name: String
        ) throws(ImageError) {
            var answer = try RemotePicture.ask(request(bytes, format, page), name: name, format: format)
            let numbers = (0..<8).map { _ in Int(answer.number(UInt32.self)) }
            let (x, y, metres) = (answer.double(), answer.double(), answer.double())
            let profile = Array(answer.block())
            guard answer.isWhole, numbers[0] > 0, numbers[1] > 0 else { throw RemotePicture.noAnswer(name) }
            (self.format, self.page, count) = (format, page, numbers[4])
            (size, depth) = (ImageSize(width: numbers[0], height: numbers[1]), numbers[2])
            pixelSize = metres > 0 && metres.isFinite ? metres : nil
            (orientation, density) = (Orientation(rawValue: numbers[3]) ?? .upright, PixelDensity(x: x, y: y))
            isConverted = numbers[7] == 1
            (colors, self.profile) = (numbers[5...6].map { UInt8(clamping: $0) }, profile.isEmpty ? nil : profile)
        }

        /// What its numbers mean: by its profile, or else by its primaries and curve.
        /// - Throws: ``ImageError/damaged(name:format:reason:)`` where they are those of HDR.
        func color(name: String) throws(ImageError) -> ColorEncoding {
            if isConverted {
                let reason = "its colours are CMYK or L*a*b*, of which libtiff makes red, green and blue"
                throw .damaged(name: name, format: format, reason: reason + " without a profile")
            }
            if let profile { return .profile(profile) }
            return try PNG.color(in: ["cICP": colors + [0, 1]], name: name)
        }
    }

    /// The upright picture.
    static func decode(
        _ bytes: [UInt8], _ header: Header, name: String, keepsDepth: Bool
    ) throws(ImageError) -> Image {
        let (width, height, bytesPerPixel) = (header.size.width, header.size.height, header.depth / 2)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 3 * bytesPerPixel) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: 3 * bytesPerPixel)
        }
        var image: Image?
        _ = try ask(
            request(bytes, header.format, header.page), name: name, format: header.format,
            shared: width * height * bytesPerPixel
        ) {
            image =
                header.depth == 16
                ? Image(width: width, height: height, pixels16: Array($0.bindMemory(to: UInt16.self)))
                : Image(width: width, height: height, pixels: Array($0))
        }
        guard let image else { throw noAnswer(name) }
        return header.orientation.applied(to: keepsDepth ? image : image.flattened)
    }

    private static func request(_ bytes: [UInt8], _ format: ImageFile.Format, _ page: Int) -> [UInt8] {
        let task: HelperTask = format == .tiff ? .tiff : format == .gif ? .gif : .heif
        var request = MessageWriter(capacity: bytes.count + 5)
        request.write(task.rawValue)
        request.write(UInt32(page))
        request.write(rest: bytes)
        return request.bytes
    }
}

import LoupeBase
import LoupeSystem

/// Reads and writes TIFFs by libtiff, in a helper process.
package enum TIFF {
    /// What a picture of a file says of itself.
    struct Header: Sendable {
        /// As stored, in pixels.
        let size: ImageSize
        /// Bits of a channel: 8, or 16.
        let depth: Int
        let orientation: Orientation
        let pageCount: Int
        let density: PixelDensity?
        let profile: [UInt8]?
        /// Which of the file's pictures it is, from 1.
        let page: Int
    }

    static func header(of bytes: [UInt8], page: Int, name: String) throws(ImageError) -> Header {
        var answer = try RemotePicture.ask(request(bytes, page), name: name, format: .tiff)
        let numbers = (0..<5).map { _ in Int(answer.number(UInt32.self)) }
        let (x, y, profile) = (answer.double(), answer.double(), Array(answer.block()))
        guard answer.isWhole, numbers[0] > 0, numbers[1] > 0 else { throw RemotePicture.noAnswer(name) }
        return Header(
            size: ImageSize(width: numbers[0], height: numbers[1]), depth: numbers[2],
            orientation: Orientation(rawValue: numbers[3]) ?? .upright, pageCount: numbers[4],
            density: PixelDensity(x: x, y: y), profile: profile.isEmpty ? nil : profile, page: page)
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
        _ = try RemotePicture.ask(
            request(bytes, header.page), name: name, format: .tiff, shared: width * height * bytesPerPixel
        ) {
            image =
                header.depth == 16
                ? Image(width: width, height: height, pixels16: Array($0.bindMemory(to: UInt16.self)))
                : Image(width: width, height: height, pixels: Array($0))
        }
        guard let image else { throw RemotePicture.noAnswer(name) }
        return header.orientation.applied(to: keepsDepth ? image : image.flattened)
    }

    private static func request(_ bytes: [UInt8], _ page: Int) -> [UInt8] {
        var request = MessageWriter(capacity: bytes.count + 5)
        request.write(HelperTask.tiff.rawValue)
        request.write(UInt32(page))
        request.write(rest: bytes)
        return request.bytes
    }

    /// A TIFF packed by LZW, in the depth of the image; without alpha where the image is opaque.
    /// - Parameters:
    ///   - text: its description.
    ///   - name: what messages call it.
    package static func encode(
        _ image: Image, density: PixelDensity?, profile: [UInt8]?, text: String, name: String
    ) throws(ImageError) -> [UInt8] {
        let channels = image.isOpaque ? 3 : 4
        let size = image.width * image.height * channels * (image.pixels16 == nil ? 1 : 2)
        // The samples, the request here and twice in the helper process, and the file.
        guard Memory.hasRoom(for: 5 * size) else {
            throw .outOfMemory(
                name: name, width: image.width, height: image.height,
                bytesPerPixel: 5 * size / (image.width * image.height))
        }
        var request = MessageWriter(capacity: size + (profile?.count ?? 0) + text.utf8.count + 4096)
        request.write(HelperTask.packTIFF.rawValue)
        for number in [image.width, image.height, image.pixels16 == nil ? 8 : 16, channels] {
            request.write(UInt32(number))
        }
        request.write(density.map { Double($0.x) } ?? 0, density.map { Double($0.y) } ?? 0)
        request.write(block: profile ?? [])
        request.write(block: text.utf8)
        if let samples = image.pixels16 {
            kept(samples, channels).withUnsafeBytes { request.write(rest: $0) }
        } else {
            request.write(rest: kept(image.pixels, channels))
        }
        return try RemotePicture.file(request.bytes, name: name)
    }

    /// The first channels of each pixel.
    private static func kept<Sample: ExpressibleByIntegerLiteral>(_ samples: [Sample], _ channels: Int) -> [Sample] {
        if channels == 4 { return samples }
        return [Sample](unsafeUninitializedCapacity: samples.count / 4 * 3) { buffer, count in
            for index in 0..<samples.count / 4 {
                for channel in 0..<3 { buffer[3 * index + channel] = samples[4 * index + channel] }
            }
            count = samples.count / 4 * 3
        }
    }
}

import LoupeBase
import LoupeSystem

/// Writes TIFFs by libtiff, in a helper process.
package enum TIFF {
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

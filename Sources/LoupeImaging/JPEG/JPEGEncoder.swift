import CTurboJPEG
import LoupeSystem

extension JPEG {
    /// The longest side of a JPEG, in pixels.
    package static let longestSide = 65535
    /// The most bytes of a colour profile: 255 segments.
    package static let longestProfile = 255 * profilePart
    private static let profilePart = 65_519

    /// A JPEG of an opaque image's 8-bit pixels, without subsampling of colours: text stays sharp.
    /// - Parameters:
    ///   - quality: 1 to 100, as libjpeg counts.
    ///   - density: rounded to whole dots per inch.
    /// - Returns: nil where there is no memory.
    package static func encode(_ image: Image, quality: Int, density: PixelDensity?, profile: [UInt8]?) -> [UInt8]? {
        guard Memory.hasRoom(forPixels: image.width, image.height, bytesPerPixel: 4), let handle = tjInitCompress()
        else {
            return nil
        }
        defer { tjDestroy(handle) }
        var (packed, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(packed) }
        let result = tjCompress2(
            handle, image.pixels, Int32(image.width), 0, Int32(image.height), Int32(TJPF_RGBX.rawValue), &packed,
            &count,
            Int32(TJSAMP_444.rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
        guard result == 0, let packed else { return nil }
        var bytes = Array(UnsafeBufferPointer(start: packed, count: Int(count)))
        // The JFIF header that libjpeg writes first: its end is the unit and the density, and two sizes of no thumbnail (ITU-T
        // T.871, 10.1).
        if let density {
            let perInch = [density.x, density.y].map { min(65535, max(1, (Double($0) * 0.0254).rounded())) }.map {
                UInt16($0)
            }
            bytes.replaceSubrange(
                13..<18,
                with: [
                    1, UInt8(perInch[0] >> 8), UInt8(perInch[0] & 255), UInt8(perInch[1] >> 8), UInt8(perInch[1] & 255),
                ])
        }
        // ICC.1, annex B.4.
        let parts = stride(from: 0, to: profile?.count ?? 0, by: profilePart).map {
            profile![$0..<min($0 + profilePart, profile!.count)]
        }
        let segments = parts.enumerated().map { index, part in
            let length = UInt16(part.count + 16)
            return [0xff, 0xe2, UInt8(length >> 8), UInt8(length & 255)] + Array("ICC_PROFILE\0".utf8)
                + [UInt8(index + 1), UInt8(parts.count)] + part
        }
        bytes.insert(contentsOf: segments.joined(), at: 20)
        return bytes
    }
}

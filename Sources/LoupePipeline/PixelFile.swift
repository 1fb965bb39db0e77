import LoupeBase
import LoupeImaging
import LoupeSystem

extension Picture {
    /// The picture in a format of pixels other than PNG. It has the picture's density and colour profile, and no scene.
    /// - Parameters:
    ///   - path: where it will lie, for messages.
    ///   - quality: of a JPEG or a WebP, 1 to 100; nil for 92, and for a WebP without losses.
    /// - Throws: `ImageError`, `UnwritablePixels`.
    package func encoded(as format: PictureFormat, for path: Path, quality: Int?) throws -> [UInt8] {
        let profile = colors.lazy.compactMap(\.carriedProfile).first
        func refused(_ reason: String) -> UnwritablePixels { UnwritablePixels(description: "-o \(path): \(reason)") }
        if format == .tiff {
            guard image.width * image.height * (image.pixels16 == nil ? 4 : 8) < 1 << 32 else {
                throw refused("the picture is too large for a TIFF; write a PNG")
            }
            return try TIFF.encode(
                image, density: density, profile: profile, text: plan.scene.alternativeText, name: path.description)
        }
        if image.pixels16 != nil {
            throw refused("\(format.rawValue) has 8 bits a channel; write a PNG or TIFF, or leave out --depth")
        }
        if format == .webp {
            guard max(image.width, image.height) <= WebP.longestSide, profile == nil else {
                throw refused(
                    profile == nil
                        ? "a WebP has at most \(WebP.longestSide) pixels a side; write a PNG"
                        : "a WebP written here has no colour profile, and the page has one; write a PNG or TIFF")
            }
            guard let bytes = WebP.encode(image, quality: quality) else {
                throw refused("no memory to pack it; \(Memory.advice)")
            }
            return bytes
        }
        guard image.isOpaque else {
            throw refused("a JPEG can't be transparent, and the picture is; give it --background white, or write a PNG")
        }
        guard max(image.width, image.height) <= JPEG.longestSide else {
            throw refused("a JPEG has at most \(JPEG.longestSide) pixels a side; write a PNG")
        }
        guard (profile?.count ?? 0) <= JPEG.longestProfile else {
            throw refused("the page's colour profile is too large for a JPEG; write a PNG or TIFF")
        }
        guard let bytes = JPEG.encode(image, quality: quality ?? 92, density: density, profile: profile) else {
            throw refused("no memory to pack it; \(Memory.advice)")
        }
        return bytes
    }
}

/// A format of pixels can't hold a picture.
package struct UnwritablePixels: Error, CustomStringConvertible {
    package let description: String
}

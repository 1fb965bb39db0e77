import LoupeSystem

/// The encoding of a file's colours, as the file states it.
package enum ColorEncoding: Hashable, Sendable {
    /// sRGB; also assumed where the file says nothing.
    case sRGB
    /// An ICC profile, as its bytes.
    case profile([UInt8])
    /// A tone curve, and the chromaticities of white, red, green and blue (PNG specification, 11.3.2.1 and 11.3.2.2).
    case calibrated(Calibration)

    /// An encoding for all colours of usual profiles: the primaries of ROMM RGB with the white and the curve of sRGB.
    package static let wide = ColorEncoding.calibrated(
        Calibration(
            gamma: nil, chromaticities: [0.3127, 0.3290, 0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001]))

    /// Whether 16-bit samples must be converted before they are rounded to 8 bits, which have too few dark values for this
    /// encoding. Only where needed, as it is about ten times slower.
    var needs16Bits: Bool {
        self != .sRGB && ((try? ColorConversion(self).isSteep()) ?? false)
    }

    /// A tone curve and chromaticities.
    package struct Calibration: Hashable, Sendable {
        /// The exponent with which light was encoded, such as 1/2.2; nil for sRGB's curve.
        package let gamma: Double?
        /// x and y of white, red, green and blue in CIE 1931: eight numbers.
        package let chromaticities: [Double]

        /// - Parameter chromaticities: nil for those of sRGB.
        init(gamma: Double?, chromaticities: [Double]? = nil) {
            self.gamma = gamma
            self.chromaticities = chromaticities ?? Self.standard
        }

        /// The chromaticities of sRGB.
        static let standard = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    }
}

/// A decoded image with its numbers as they are stored, and their colour encoding.
package struct StoredImage: Sendable {
    /// Its numbers are in sRGB only where `color` is ``ColorEncoding/sRGB``.
    package let image: Image
    /// What its numbers mean.
    package let color: ColorEncoding
    /// What messages call it.
    let name: String
    let format: ImageFile.Format
    /// Why its colour profile is not used, and it is read as sRGB; nil where it is.
    package var profileProblem: String?
    /// The image that is converted: it may have 16 bits where 8 were requested.
    private let finest: Image

    /// - Parameter keepsDepth: whether 16 bits a channel were requested; otherwise they are used for the conversion only.
    package init(
        _ finest: Image, keepsDepth: Bool = true, color: ColorEncoding, name: String, format: ImageFile.Format
    ) {
        image = keepsDepth ? finest : finest.flattened
        (self.finest, self.color, self.name, self.format) = (finest, color, name, format)
    }

    /// Checks that the image could be converted, without converting it.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile is broken or does not fit the image.
    package func check() throws(ImageError) {
        try byProfile { (profile) throws(ColorConversion.Failure) in
            try profile.check(hasColors: !image.isGrey)
            _ = try profile.transform(is16Bit: false)
        }
    }

    /// The image in sRGB, or in another encoding.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile is broken or does not fit the image, and
    ///   ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)``.
    package func converted(to target: ColorEncoding = .sRGB) throws(ImageError) -> Image {
        if color == target { return image }
        let bytesPerPixel = finest.pixels16 == nil ? 6 : 16
        guard Memory.hasRoom(forPixels: image.width, image.height, bytesPerPixel: bytesPerPixel) else {
            throw .outOfMemory(name: name, width: image.width, height: image.height, bytesPerPixel: bytesPerPixel)
        }
        let converted = try byProfile(to: target) { (profile) throws(ColorConversion.Failure) in
            try profile.applied(to: finest)
        }
        return image.pixels16 == nil ? converted.flattened : converted
    }

    private func byProfile<Value>(
        to target: ColorEncoding = .sRGB, _ body: (ColorConversion) throws(ColorConversion.Failure) -> Value
    ) throws(ImageError) -> Value {
        do {
            return try body(try ColorConversion(color, to: target))
        } catch {
            throw .damaged(name: name, format: format, reason: "its colour profile: \(error.reason)")
        }
    }
}

import LoupeFiles

/// What a file says about the colours that its numbers stand for.
public enum ColorEncoding: Hashable, Sendable {
    /// sRGB, said or, where nothing is said, taken.
    case sRGB
    /// An ICC profile.
    case profile([UInt8])
    /// A power curve, and where red, green, blue and white lie (PNG specification, 11.3.2.1 and 11.3.2.2).
    case calibrated(Calibration)

    /// Whether samples of 16 bits are to be converted before they are rounded to 8, of which too few are dark.
    ///
    /// Not for every colour, as that is some ten times slower.
    var needs16Bits: Bool {
        self != .sRGB && ((try? ColorConversion(self).isSteep()) ?? false)
    }

    /// How many of a picture's numbers make a light.
    public struct Calibration: Hashable, Sendable {
        /// The exponent with which light was encoded, such as 1/2.2; nil for sRGB's own curve.
        public let gamma: Double?
        /// The x and y of white, red, green and blue in CIE 1931; those of sRGB where a file does not say.
        public let chromaticities: [Double]

        init(gamma: Double?, chromaticities: [Double]? = nil) {
            self.gamma = gamma
            self.chromaticities = chromaticities ?? Self.standard
        }

        static let standard = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    }
}

/// A picture with its numbers as they are stored, and what they stand for.
public struct StoredImage: Sendable {
    /// Its numbers are sRGB only where `color` says so.
    public let image: Image
    public let color: ColorEncoding
    /// As messages call it.
    let name: String
    let format: ImageFile.Format
    /// What is converted: it may have 16 bits though 8 are asked for.
    private let finest: Image

    /// - Parameter keepsDepth: whether 16 bits a channel were asked for; without it they are only converted.
    init(_ finest: Image, keepsDepth: Bool = true, color: ColorEncoding, name: String, format: ImageFile.Format) {
        image = keepsDepth ? finest : finest.flattened
        (self.finest, self.color, self.name, self.format) = (finest, color, name, format)
    }

    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile is broken.
    public func check() throws(ImageError) {
        let pixel = Image(width: 1, height: 1, pixels: [0, 0, 0, 255])
        _ = try StoredImage(pixel, color: color, name: name, format: format).converted()
        try byProfile { (profile) throws(ColorConversion.Failure) in try profile.checkChannels(of: image) }
    }

    /// The picture in sRGB.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile is broken.
    public func converted() throws(ImageError) -> Image {
        if color == .sRGB { return image }
        let bytesPerPixel = finest.pixels16 == nil ? 6 : 16
        guard Memory.hasRoom(forPixels: image.width, image.height, bytesPerPixel: bytesPerPixel) else {
            throw .outOfMemory(name: name, width: image.width, height: image.height)
        }
        let converted = try byProfile { (profile) throws(ColorConversion.Failure) in try profile.applied(to: finest) }
        return image.pixels16 == nil ? converted.flattened : converted
    }

    private func byProfile<Value>(
        _ body: (borrowing ColorConversion) throws(ColorConversion.Failure) -> Value
    ) throws(ImageError) -> Value {
        do {
            return try body(try ColorConversion(color))
        } catch {
            throw .damaged(name: name, format: format, reason: "its colour profile: \(error.reason)")
        }
    }
}

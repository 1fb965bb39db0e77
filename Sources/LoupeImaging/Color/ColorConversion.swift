import CLCMS

/// Converts an image's numbers to sRGB by Little CMS, with the relative colorimetric intent. Colours outside sRGB are
/// clipped.
struct ColorConversion: ~Copyable {
    /// Why a profile can't be used.
    struct Failure: Error {
        let reason: String
    }

    /// Little CMS's own state.
    private let context: cmsContext
    /// Keeps the last error message.
    private let log: Log
    private let source: cmsHPROFILE
    private let standard: cmsHPROFILE
    private let isGrey: Bool

    init(_ color: ColorEncoding) throws(Failure) {
        log = Log()
        guard let context = cmsCreateContext(nil, Unmanaged.passUnretained(log).toOpaque()) else {
            throw Failure(reason: "out of memory")
        }
        cmsSetLogErrorHandlerTHR(context) { context, _, text in
            guard let log = cmsGetContextUserData(context), let text else { return }
            Unmanaged<Log>.fromOpaque(log).takeUnretainedValue().reason = String(cString: text)
        }
        guard let source = Self.profile(color, context), let standard = cmsCreate_sRGBProfileTHR(context) else {
            cmsDeleteContext(context)
            throw Failure(reason: log.reason)
        }
        self.context = context
        self.source = source
        self.standard = standard
        isGrey = cmsGetColorSpace(source) == cmsSigGrayData
    }

    deinit {
        cmsCloseProfile(source)
        cmsCloseProfile(standard)
        cmsDeleteContext(context)
    }

    private final class Log {
        var reason = "it can't be read"
    }

    private static func profile(_ color: ColorEncoding, _ context: cmsContext) -> cmsHPROFILE? {
        switch color {
        case .sRGB: return cmsCreate_sRGBProfileTHR(context)
        case .profile(let bytes): return cmsOpenProfileFromMemTHR(context, bytes, UInt32(bytes.count))
        case .calibrated(let calibration): return profile(calibration, context)
        }
    }

    private static func profile(_ calibration: ColorEncoding.Calibration, _ context: cmsContext) -> cmsHPROFILE? {
        // sRGB's curve: ((x + 0.055)/1.055)^2.4 for x ≥ 0.04045, x/12.92 below.
        let curve =
            if let gamma = calibration.gamma {
                cmsBuildGamma(context, 1 / gamma)
            } else {
                cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            }
        guard let curve else { return nil }
        defer { cmsFreeToneCurve(curve) }
        let xy = calibration.chromaticities
        func point(_ index: Int) -> cmsCIExyY { cmsCIExyY(x: xy[2 * index], y: xy[2 * index + 1], Y: 1) }
        var white = point(0)
        var primaries = cmsCIExyYTRIPLE(Red: point(1), Green: point(2), Blue: point(3))
        return cmsCreateRGBProfileTHR(context, &white, &primaries, [curve, curve, curve])
    }

    /// The image in sRGB. Where no colour would change by more than 1/255, the image is returned as it is: many profiles
    /// are those of sRGB.
    borrowing func applied(to image: Image) throws(Failure) -> Image {
        try checkSpace()
        try checkChannels(of: image)
        if try isIdentity() { return image }
        if let pixels16 = image.pixels16 {
            return Image(width: image.width, height: image.height, pixels16: try converted(pixels16))
        }
        return Image(width: image.width, height: image.height, pixels: try converted(image.pixels))
    }

    /// Throws unless the profile is for grey or RGB.
    borrowing func checkSpace() throws(Failure) {
        let space = cmsGetColorSpace(source)
        guard isGrey || space == cmsSigRgbData else {
            throw Failure(
                reason: "it is for images of \(cmsChannelsOf(space)) channels; allowed are grey and RGB")
        }
    }

    /// Throws where the profile is for grey and the image has colours.
    borrowing func checkChannels(of image: Image) throws(Failure) {
        if isGrey && !image.isGrey { throw Failure(reason: Self.hasColors) }
    }

    borrowing func checkChannels(of header: PNGHeader) throws(Failure) {
        if isGrey && header.colorType & 2 != 0 { throw Failure(reason: Self.hasColors) }
    }

    private static var hasColors: String { "it is for grey, and the image has colours" }

    /// Whether no colour of a grid changes by more than 1/255.
    borrowing func isIdentity() throws(Failure) -> Bool {
        let steps: [UInt8] = [0, 20, 64, 110, 128, 190, 240, 255]
        var probe: [UInt8] = []
        for red in steps {
            if isGrey { probe += [red, red, red, 255] }
            for green in steps where !isGrey { for blue in steps { probe += [red, green, blue, 255] } }
        }
        let result = try converted(probe)
        return zip(probe, result).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    /// Whether some neighbouring 8-bit greys become more than 3/255 apart, as with linear light.
    borrowing func isSteep() throws(Failure) -> Bool {
        try checkSpace()
        let greys = try converted((0...255).flatMap { [$0, $0, $0, 255] as [UInt8] })
        return zip(greys, greys.dropFirst(4)).contains { abs(Int($0) - Int($1)) > 3 }
    }

    private static func greyAndAlpha<Sample>(_ pixels: [Sample]) -> [Sample] {
        stride(from: 0, to: pixels.count, by: 4).flatMap { [pixels[$0], pixels[$0 + 3]] }
    }

    /// Converts straight RGBA. Alpha does not change.
    private borrowing func converted<Sample: FixedWidthInteger>(_ pixels: [Sample]) throws(Failure) -> [Sample] {
        let transform = try transform(for: Sample.self)
        defer { cmsDeleteTransform(transform) }
        return converted(pixels, by: transform)
    }

    private borrowing func converted<Sample: FixedWidthInteger>(
        _ pixels: [Sample], by transform: cmsHTRANSFORM
    ) -> [Sample] {
        let input = isGrey ? Self.greyAndAlpha(pixels) : pixels
        return [Sample](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            cmsDoTransform(transform, input, buffer.baseAddress, UInt32(pixels.count / 4))
            count = pixels.count
        }
    }

    private borrowing func transform(
        for sample: any FixedWidthInteger.Type
    ) throws(Failure) -> cmsHTRANSFORM {
        let is16Bit = sample.bitWidth > 8
        let to = is16Bit ? clcms_type_rgba_16 : clcms_type_rgba_8
        let from = isGrey ? (is16Bit ? clcms_type_graya_16 : clcms_type_graya_8) : to
        // Precomputed tables are fast, but exact enough for 8 bits only.
        let flags = is16Bit ? cmsFLAGS_NOOPTIMIZE : 0
        let transform = cmsCreateTransformTHR(
            context, source, UInt32(from), standard, UInt32(to), UInt32(INTENT_RELATIVE_COLORIMETRIC),
            UInt32(cmsFLAGS_COPY_ALPHA | flags))
        guard let transform else { throw Failure(reason: log.reason) }
        return transform
    }

    /// The transform of ``applied(to:)``, for many bands of straight RGBA; nil where they do not change. The caller frees it.
    /// - Parameter is16Bit: whether the bands have 16 bits a channel.
    borrowing func bandTransform(is16Bit: Bool) throws(Failure) -> cmsHTRANSFORM? {
        try checkSpace()
        if try isIdentity() { return nil }
        return is16Bit ? try transform(for: UInt16.self) : try transform(for: UInt8.self)
    }

    /// A band of straight RGBA in sRGB.
    /// - Parameter transform: made by ``bandTransform(is16Bit:)``.
    borrowing func converted<Sample: FixedWidthInteger>(
        _ band: UnsafeRawBufferPointer, by transform: cmsHTRANSFORM
    ) -> [Sample] {
        converted(Array(band.bindMemory(to: Sample.self)), by: transform)
    }
}

/// Converts the bands of an image to sRGB, to the same bytes as the whole image.
final class BandConversion {
    private let conversion: ColorConversion
    private let transform: cmsHTRANSFORM
    private let is16Bit: Bool

    /// Nil where the bands need no conversion.
    /// - Parameter is16Bit: whether the bands have 16 bits a channel; they are rounded to 8 after the conversion.
    init?(_ color: ColorEncoding, of header: PNGHeader, is16Bit: Bool) throws(ColorConversion.Failure) {
        let conversion = try ColorConversion(color)
        try conversion.checkChannels(of: header)
        guard let transform = try conversion.bandTransform(is16Bit: is16Bit) else { return nil }
        (self.transform, self.is16Bit) = (transform, is16Bit)
        self.conversion = conversion
    }

    deinit {
        cmsDeleteTransform(transform)
    }

    /// Calls `body` with the band in sRGB: straight 8-bit RGBA.
    func withConverted(_ band: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        let pixels: [UInt8] =
            if is16Bit {
                Image.rounded(conversion.converted(band, by: transform))
            } else {
                conversion.converted(band, by: transform)
            }
        pixels.withUnsafeBytes(body)
    }
}

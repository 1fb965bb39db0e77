import CLCMS

/// Takes a picture's numbers to sRGB by Little CMS, relative to white; what sRGB can't show is cut off.
struct ColorConversion: ~Copyable {
    /// Why a profile can't be used.
    struct Failure: Error {
        let reason: String
    }

    /// Little CMS's own state, with the last reason that it gave.
    private let context: cmsContext
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
        // Of sRGB: ((x + 0.055)/1.055)^2.4 from 0.04045 on, x/12.92 below.
        let curve =
            if let gamma = calibration.gamma {
                cmsBuildGamma(context, 1 / gamma)
            } else {
                cmsBuildParametricToneCurve(context, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            }
        guard let curve else { return nil }
        defer { cmsFreeToneCurve(curve) }
        let places = calibration.chromaticities
        func place(_ index: Int) -> cmsCIExyY { cmsCIExyY(x: places[2 * index], y: places[2 * index + 1], Y: 1) }
        var white = place(0)
        var primaries = cmsCIExyYTRIPLE(Red: place(1), Green: place(2), Blue: place(3))
        return cmsCreateRGBProfileTHR(context, &white, &primaries, [curve, curve, curve])
    }

    /// The same picture in sRGB. One that no colour of which would change by more than 1/255 is left as it is: many
    /// profiles say sRGB in other words.
    borrowing func applied(to image: Image) throws(Failure) -> Image {
        try checkSpace()
        try checkChannels(of: image)
        if try isIdentity() { return image }
        if let pixels16 = image.pixels16 {
            return Image(width: image.width, height: image.height, pixels16: try converted(pixels16))
        }
        return Image(width: image.width, height: image.height, pixels: try converted(image.pixels))
    }

    borrowing func checkSpace() throws(Failure) {
        let space = cmsGetColorSpace(source)
        guard isGrey || space == cmsSigRgbData else {
            throw Failure(
                reason: "it is for pictures of \(cmsChannelsOf(space)) channels other than red, green and blue")
        }
    }

    /// A profile of greys has no word on colours.
    borrowing func checkChannels(of image: Image) throws(Failure) {
        if isGrey && !image.isGrey { throw Failure(reason: Self.hasColors) }
    }

    borrowing func checkChannels(of header: PNGHeader) throws(Failure) {
        if isGrey && header.colorType & 2 != 0 { throw Failure(reason: Self.hasColors) }
    }

    private static var hasColors: String { "it is for greys, and the picture has colours" }

    /// Of colours on a grid, how much they change.
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

    /// Whether some neighbouring greys of 8 bits come to lie more than 3/255 apart, as those of linear light do.
    borrowing func isSteep() throws(Failure) -> Bool {
        try checkSpace()
        let greys = try converted((0...255).flatMap { [$0, $0, $0, 255] as [UInt8] })
        return zip(greys, greys.dropFirst(4)).contains { abs(Int($0) - Int($1)) > 3 }
    }

    private static func greyAndAlpha<Sample>(_ pixels: [Sample]) -> [Sample] {
        stride(from: 0, to: pixels.count, by: 4).flatMap { [pixels[$0], pixels[$0 + 3]] }
    }

    /// Straight RGBA, whose alpha stays.
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
        // Tables that are made beforehand are quick, and fine enough for 8 bits only.
        let flags = is16Bit ? cmsFLAGS_NOOPTIMIZE : 0
        let transform = cmsCreateTransformTHR(
            context, source, UInt32(from), standard, UInt32(to), UInt32(INTENT_RELATIVE_COLORIMETRIC),
            UInt32(cmsFLAGS_COPY_ALPHA | flags))
        guard let transform else { throw Failure(reason: log.reason) }
        return transform
    }

    /// What `applied` makes many pieces of straight RGBA with; nil where it leaves them as they are.
    /// - Parameter is16Bit: whether they have 16 bits a channel.
    borrowing func bandTransform(is16Bit: Bool) throws(Failure) -> cmsHTRANSFORM? {
        try checkSpace()
        if try isIdentity() { return nil }
        return is16Bit ? try transform(for: UInt16.self) : try transform(for: UInt8.self)
    }

    /// - Parameter transform: of `bandTransform`.
    borrowing func converted<Sample: FixedWidthInteger>(
        _ band: UnsafeRawBufferPointer, by transform: cmsHTRANSFORM
    ) -> [Sample] {
        converted(Array(band.bindMemory(to: Sample.self)), by: transform)
    }
}

/// Takes the bands of a picture to sRGB, to the same bytes as the whole.
final class BandConversion {
    private let conversion: ColorConversion
    private let transform: cmsHTRANSFORM
    private let is16Bit: Bool

    /// Nil where the bands are as they should be.
    /// - Parameter is16Bit: whether they come with 16 bits a channel.
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

    /// Lends a band of straight 8-bit RGBA in sRGB.
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

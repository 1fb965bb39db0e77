import CLCMS

/// A profile whose numbers Little CMS converts to sRGB or to another encoding, with the relative colorimetric intent. Colours
/// outside of that are clipped.
final class ColorConversion {
    /// The reason that a profile can't be used.
    struct Failure: Error {
        let reason: String
    }

    /// Little CMS's own state.
    private let context: cmsContext
    /// Keeps the last error message.
    private let log: Log
    private let source: cmsHPROFILE
    private let target: cmsHPROFILE
    private let isGrey: Bool

    /// - Parameters:
    ///   - target: what the numbers become.
    ///   - isOfInks: whether the numbers are those of CMYK.
    /// - Throws: `Failure`, also where the profile is for other numbers: those of grey or RGB, or of CMYK.
    init(_ color: ColorEncoding, to target: ColorEncoding = .sRGB, isOfInks: Bool = false) throws(Failure) {
        log = Log()
        guard let context = cmsCreateContext(nil, Unmanaged.passUnretained(log).toOpaque()) else {
            throw Failure(reason: "out of memory")
        }
        cmsSetLogErrorHandlerTHR(context) { context, _, text in
            guard let log = cmsGetContextUserData(context), let text else { return }
            Unmanaged<Log>.fromOpaque(log).takeUnretainedValue().reason = String(cString: text)
        }
        guard let source = Self.profile(color, context), let target = Self.profile(target, context) else {
            cmsDeleteContext(context)
            throw Failure(reason: log.reason)
        }
        (self.context, self.source, self.target) = (context, source, target)
        let space = cmsGetColorSpace(source)
        isGrey = space == cmsSigGrayData
        guard isOfInks ? space == cmsSigCmykData : isGrey || space == cmsSigRgbData else {
            let allowed = isOfInks ? "is CMYK" : "are grey and RGB"
            throw Failure(reason: "it is for images of \(cmsChannelsOf(space)) channels; allowed \(allowed)")
        }
    }

    deinit {
        cmsCloseProfile(source)
        cmsCloseProfile(target)
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

    /// Throws where the profile is for grey and an image has colours.
    func check(hasColors: @autoclosure () -> Bool) throws(Failure) {
        if isGrey, hasColors() { throw Failure(reason: "it is for grey, and the image has colours") }
    }

    /// The image in the target's encoding.
    func applied(to image: Image) throws(Failure) -> Image {
        try check(hasColors: !image.isGrey)
        guard let transform = try transform(is16Bit: image.depth == 16) else { return image }
        if let pixels16 = image.pixels16 {
            return Image(width: image.width, height: image.height, pixels16: transform.converted(pixels16))
        }
        return Image(width: image.width, height: image.height, pixels: transform.converted(image.pixels))
    }

    /// Converts CMYK to opaque sRGB where it lies.
    /// - Parameter isInverse: whether 255 is no ink, as Adobe's programs write it.
    func convert(inks pixels: UnsafeMutableBufferPointer<UInt8>, isInverse: Bool) throws(Failure) {
        let handle = cmsCreateTransformTHR(
            context, source, UInt32(isInverse ? clcms_type_inverse_cmyk_8 : clcms_type_cmyk_8), target,
            UInt32(clcms_type_rgba_8), UInt32(INTENT_RELATIVE_COLORIMETRIC), 0)
        guard let handle else { throw Failure(reason: log.reason) }
        defer { cmsDeleteTransform(handle) }
        cmsDoTransform(handle, pixels.baseAddress, pixels.baseAddress, UInt32(pixels.count / 4))
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    }

    /// The conversion of straight RGBA to sRGB; nil where no colour would change by more than 1/255: many profiles are those of
    /// sRGB.
    func transform(is16Bit: Bool) throws(Failure) -> Transform? {
        let steps: [UInt8] = [0, 20, 64, 110, 128, 190, 240, 255]
        var probe: [UInt8] = []
        for red in steps {
            if isGrey { probe += [red, red, red, 255] }
            for green in steps where !isGrey { for blue in steps { probe += [red, green, blue, 255] } }
        }
        let coarse = try Transform(self, is16Bit: false)
        if zip(probe, coarse.converted(probe)).allSatisfy({ abs(Int($0) - Int($1)) <= 1 }) { return nil }
        return is16Bit ? try Transform(self, is16Bit: true) : coarse
    }

    /// Whether some neighbouring 8-bit greys become more than 3/255 apart, as with linear light.
    func isSteep() throws(Failure) -> Bool {
        let greys = try Transform(self, is16Bit: false).converted((0...255).flatMap { [$0, $0, $0, 255] as [UInt8] })
        return zip(greys, greys.dropFirst(4)).contains { abs(Int($0) - Int($1)) > 3 }
    }

    /// A conversion that is ready for samples of one depth.
    final class Transform {
        private let conversion: ColorConversion
        private let handle: cmsHTRANSFORM

        fileprivate init(_ conversion: ColorConversion, is16Bit: Bool) throws(Failure) {
            let to = is16Bit ? clcms_type_rgba_16 : clcms_type_rgba_8
            let from = conversion.isGrey ? (is16Bit ? clcms_type_graya_16 : clcms_type_graya_8) : to
            // Precomputed tables are fast, but exact enough for 8 bits only.
            let flags = is16Bit ? cmsFLAGS_NOOPTIMIZE : 0
            let handle = cmsCreateTransformTHR(
                conversion.context, conversion.source, UInt32(from), conversion.target, UInt32(to),
                UInt32(INTENT_RELATIVE_COLORIMETRIC), UInt32(cmsFLAGS_COPY_ALPHA | flags))
            guard let handle else { throw Failure(reason: conversion.log.reason) }
            (self.conversion, self.handle) = (conversion, handle)
        }

        deinit { cmsDeleteTransform(handle) }

        /// Straight RGBA in sRGB. Alpha does not change.
        func converted<Sample: FixedWidthInteger>(_ pixels: [Sample]) -> [Sample] {
            let greyAndAlpha = { stride(from: 0, to: pixels.count, by: 4).flatMap { [pixels[$0], pixels[$0 + 3]] } }
            let input = conversion.isGrey ? greyAndAlpha() : pixels
            return [Sample](unsafeUninitializedCapacity: pixels.count) { buffer, count in
                cmsDoTransform(handle, input, buffer.baseAddress, UInt32(pixels.count / 4))
                count = pixels.count
            }
        }
    }
}

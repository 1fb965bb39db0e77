import CDeflate
import LoupeSystem

/// What a PNG says about its colours: the first of the chunks cICP, iCCP, sRGB, and gAMA with cHRM that is present and
/// supported (PNG specification, third edition, 4.3).
extension PNG {
    /// The colours of the PNG in a source of which nothing has been taken.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile can't be decompressed, and
    ///   ``ImageError/overChunkLimit(name:limit:)``.
    static func color(
        _ source: ByteSource, name: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) -> ColorEncoding {
        let chunks = try chunks(colorChunks, beforeImageIn: source, name: name, limits: limits) { _, isSound in isSound
        }
        return try color(in: chunks.mapValues(\.content), name: name)
    }

    /// The types of the chunks that say something about colours.
    static let colorChunks: Set<String> = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"]

    /// The colours by the contents of these chunks.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where the profile can't be decompressed, or the colours are HDR's.
    static func color(in chunks: [String: [UInt8]], name: String) throws(ImageError) -> ColorEncoding {
        if let color = chunks["cICP"].flatMap(codePoints) { return color }
        if let content = chunks["iCCP"] {
            guard let profile = profile(in: content) else {
                throw .damaged(name: name, format: .png, reason: "its colour profile can't be decompressed")
            }
            return .profile(profile)
        }
        // The picture's brightest light is many times that of paper.
        if let curve = chunks["cICP"]?.dropFirst().first, let light = [16: "PQ", 18: "HLG"][curve] {
            throw .damaged(
                name: name, format: .png,
                reason: "its colours are those of HDR (cICP: \(light)), which are not converted")
        }
        if chunks["sRGB"] != nil { return .sRGB }
        return calibration(gamma: chunks["gAMA"], chromaticities: chunks["cHRM"])
    }

    /// How the picture lies in the file, as its first sound eXIf chunk says (third edition, 11.3.3.5), before the image data or in the
    /// last 64 KiB of the file.
    static func orientation(_ source: ByteSource) -> Orientation {
        var (offset, isLate) = (signature.count, false)
        for _ in 0..<mostChunks {
            let head = source.bytes(at: offset, count: 8)
            guard head.count == 8, !head.suffix(4).elementsEqual("IEND".utf8) else { break }
            if !isLate, head.suffix(4).elementsEqual("IDAT".utf8) {
                // Steps over thousands of chunks take a hundredth of the decoding, and most files have none behind them.
                let end = source.bytes(at: max(offset, (source.length ?? 0) - searchedEnd), count: searchedEnd)
                guard end[...].firstIndex(of: "eXIf") != nil else { break }
                isLate = true
            }
            let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            if head.suffix(4).elementsEqual("eXIf".utf8), length <= longestEXIF {
                let chunk = source.bytes(at: offset + 4, count: length + 8)
                let checksum = libdeflate_crc32(0, chunk, max(0, chunk.count - 4))
                if chunk.count == length + 8, bigEndian(checksum) == chunk.suffix(4) {
                    return Orientation(exif: chunk[4..<length + 4])
                }
            }
            offset += 12 + length
        }
        return .upright
    }

    /// How many chunks are passed over for the orientation: those of a picture of 8 GiB in parts of 8 KiB.
    private static let mostChunks = 1 << 20
    /// More bytes than EXIF has in a JPEG.
    private static let longestEXIF = 1 << 16
    /// So many last bytes are searched for the chunk behind the image data.
    private static let searchedEnd = 1 << 16

    /// Code points of ITU-T H.273, where three primaries and one curve describe them; nil for others.
    private static func codePoints(_ content: [UInt8]) -> ColorEncoding? {
        // RGB (no matrix), full range.
        guard content.count == 4, content[2] == 0, content[3] == 1 else { return nil }
        let primaries: [UInt8: [Double]] = [
            1: ColorEncoding.Calibration.standard,
            9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046],
            12: [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
        ]
        let isStandardCurve = content[1] == 13
        let gamma = [4: 1 / 2.2, 5: 1 / 2.8, 8: 1][content[1]]
        guard let points = primaries[content[0]], gamma != nil || isStandardCurve else { return nil }
        if content[0] == 1, isStandardCurve { return .sRGB }
        return .calibrated(.init(gamma: gamma, chromaticities: points))
    }

    /// The profile: a zlib stream after a name and the method.
    private static func profile(in content: [UInt8]) -> [UInt8]? {
        guard let end = content.firstIndex(of: 0), end + 2 < content.count, content[end + 1] == 0 else { return nil }
        return PNGInflater.inflated(content[(end + 2)...])
    }

    /// gAMA of 45455 with the chromaticities of sRGB, or none, means sRGB, for old programs.
    private static func calibration(gamma: [UInt8]?, chromaticities: [UInt8]?) -> ColorEncoding {
        let exponent = gamma.flatMap { numbers($0, count: 1) }?.first
        let points = chromaticities.flatMap { numbers($0, count: 8) }
        let isStandardPrimaries = points.map {
            zip($0, ColorEncoding.Calibration.standard).allSatisfy { abs($0 - $1) < 0.001 }
        }
        if exponent ?? 0.45455 == 0.45455, isStandardPrimaries ?? true { return .sRGB }
        // A chromaticity with y = 0, or an exponent of 0, is not valid.
        guard exponent ?? 1 > 0, (points ?? []).enumerated().allSatisfy({ $0.offset % 2 == 0 || $0.element > 0 }) else {
            return .sRGB
        }
        return .calibrated(.init(gamma: exponent, chromaticities: points))
    }

    /// Big-endian numbers in units of 1/100000.
    private static func numbers(_ content: [UInt8], count: Int) -> [Double]? {
        guard content.count == 4 * count else { return nil }
        return stride(from: 0, to: content.count, by: 4).map { start in
            Double(content[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }) / 100_000
        }
    }

    /// The chunk that carries a profile.
    static func profileChunk(_ profile: [UInt8]) -> [UInt8] {
        chunk("iCCP", Array("ICC profile".utf8) + [0, 0] + (PNGCompressor.zlib(profile, level: 6) ?? []))
    }
}

extension PNGLayout {
    /// This layout, but RGB instead of grey beside an RGB profile: a file and its profile must have the same channels.
    func beside(_ profile: [UInt8]?) -> PNGLayout {
        if self == .grey, let profile, !profile.isProfileOfGrey { .rgb } else { self }
    }
}

extension [UInt8] {
    /// Whether an ICC profile's header says that it is for grey (ICC.1, 7.2.6).
    fileprivate var isProfileOfGrey: Bool { dropFirst(16).starts(with: "GRAY".utf8) }
}

import CTurboJPEG
import LoupeBase
import LoupeSystem

/// Reads JPEGs by libjpeg-turbo, with its accurate cosine transform and smooth upsampling, as most programs do.
///
/// CMYK is converted to sRGB when it is decoded: by its profile, or plainly where none fits. A file that is cut short or damaged is an error and never part of an
/// image.
package enum JPEG {
    /// The size after the EXIF orientation is applied.
    static func size(of bytes: [UInt8], name: String) throws(ImageError) -> ImageSize {
        let header = try JPEGHeader(bytes, name: name)
        let size = ImageSize(width: header.width, height: header.height)
        return header.orientation.isSideways ? size.transposed : size
    }

    /// Decodes the image and applies its EXIF orientation.
    static func decode(_ bytes: [UInt8], name: String) throws(ImageError) -> Image {
        let header = try JPEGHeader(bytes, name: name)
        let (width, height) = (header.width, header.height)
        guard header.leastLength <= bytes.count else {
            throw .damaged(
                name: name, format: .jpeg, reason: "\(width)×\(height) pixels can't come from \(bytes.count) bytes")
        }
        // The coefficients of a progressive file are held whole.
        let bytesPerPixel =
            (header.orientation == .upright ? 4 : 8) + (header.isProgressive ? 2 * header.components : 0)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel),
            let decompressor = JPEGDecompressor(bytes)
        else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: bytesPerPixel)
        }
        var problem: String?
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            let isOfInks = header.components == 4
            problem = decompressor.problem(
                decodingInto: buffer, as: isOfInks ? TJPF_CMYK : TJPF_RGBA, width: width, height: height)
            if problem == nil, isOfInks {
                convert(inks: buffer, of: header, profile: try? profile(in: bytes, name: name))
            }
            count = problem == nil ? width * height * 4 : 0
        }
        if let problem { throw .damaged(name: name, format: .jpeg, reason: problem) }
        return header.orientation.applied(to: Image(width: width, height: height, pixels: pixels))
    }

    /// Converts CMYK to opaque sRGB where it lies. Without a profile that fits, red is what cyan and black leave, and so on.
    private static func convert(
        inks pixels: UnsafeMutableBufferPointer<UInt8>, of header: JPEGHeader, profile: [UInt8]?
    ) {
        if let profile, let conversion = try? ColorConversion(.profile(profile), isOfInks: true),
            (try? conversion.convert(inks: pixels, isInverse: header.isOfAdobe)) != nil
        {
            return
        }
        let mask: UInt8 = header.isOfAdobe ? 0 : 255
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let black = Int(pixels[start + 3] ^ mask)
            for index in start..<start + 3 { pixels[index] = UInt8((Int(pixels[index] ^ mask) * black + 127) / 255) }
            pixels[start + 3] = 255
        }
    }

    /// What the decoded numbers mean.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where a part of the profile is missing, and where CMYK has none that
    ///   fits.
    static func color(of bytes: [UInt8], name: String) throws(ImageError) -> ColorEncoding {
        let profile = try profile(in: bytes, name: name)
        guard try JPEGHeader(bytes, name: name).components == 4 else {
            return profile.map(ColorEncoding.profile) ?? .sRGB
        }
        var problem = "without a profile"
        do throws(ColorConversion.Failure) {
            if let profile {
                var probe: [UInt8] = [0, 0, 0, 0]
                let conversion = try ColorConversion(.profile(profile), isOfInks: true)
                try probe.withUnsafeMutableBufferPointer { (pixels) throws(ColorConversion.Failure) in
                    try conversion.convert(inks: pixels, isInverse: false)
                }
                return .sRGB
            }
        } catch {
            problem += " that can be used (\(error.reason))"
        }
        throw .damaged(
            name: name, format: .jpeg,
            reason: "its colours are CMYK \(problem), so red is what cyan and black leave, and so on")
    }

    /// The ICC profile in a file's APP2 segments, joined in the order of their numbers (ICC.1, annex B.4); nil where there is
    /// none.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where a part of it is missing.
    static func profile(in bytes: [UInt8], name: String) throws(ImageError) -> [UInt8]? {
        let title = Array("ICC_PROFILE".utf8) + [0]
        let parts = JPEGSegments(bytes).filter { $0.marker == 0xe2 && $0.content.starts(with: title) }
            .map { Array($0.content.dropFirst(title.count)) }.filter { $0.count >= 2 }.sorted { $0[0] < $1[0] }
        // Each has its number, from 1, and the number of all parts.
        guard parts.enumerated().allSatisfy({ Int($1[0]) == $0 + 1 && Int($1[1]) == parts.count }) else {
            throw .damaged(name: name, format: .jpeg, reason: "a part of its colour profile is missing")
        }
        return parts.isEmpty ? nil : parts.flatMap { $0.dropFirst(2) }
    }
}

extension ImageFile {
    /// The bytes of a JPEG of one or three channels, its size as stored, and its EXIF orientation, 1 to 8; nil for any other
    /// image.
    ///
    /// A file in which the JPEG is put turns it, so a block of EXIF that turns is left out: programs would turn the picture once more.
    /// - Parameter keepsMetadata: whether the rest of EXIF, XMP, comments and what follows the picture stay.
    package func plainJPEG(keepsMetadata: Bool) throws(ImageError) -> (bytes: [UInt8], size: ImageSize, turn: Int)? {
        guard format == .jpeg else { return nil }
        let bytes = try contents()
        let header = try JPEGHeader(bytes, name: name)
        guard header.components != 4 else { return nil }
        var kept = keepsMetadata ? bytes : bytes.endingWithPicture
        for (marker, content) in Array(JPEGSegments(bytes)).reversed() {
            let turns = header.orientation != .upright && marker == 0xe1 && content.starts(with: "Exif\0\0".utf8)
            if turns || !keepsMetadata && JPEGSegments.isMetadata(marker, content) {
                kept.removeSubrange(content.startIndex - 4..<content.endIndex)
            }
        }
        return (kept, ImageSize(width: header.width, height: header.height), header.orientation.rawValue)
    }

    /// Whether its pixels are shown turned or mirrored, as EXIF says.
    package var isTurned: Bool {
        get throws(ImageError) {
            switch header {
            case .jpeg: try JPEGHeader(contents(), name: name).orientation != .upright
            case .webp: WebP.orientation(of: try contents()) != .upright
            case .png: orientation != .upright
            case .remote(let header): header.orientation != .upright
            case .svg, .pdf: false
            }
        }
    }
}

extension [UInt8] {
    /// A JPEG up to its end of image, which thumbnails and films of cameras may follow.
    fileprivate var endingWithPicture: [UInt8] {
        var segments = JPEGSegments(self)
        while segments.next() != nil {}
        var index = segments.position
        // Scans: in their data a 0xff is followed by 0 or the number of a restart. Tables and comments may stand between them.
        while index + 1 < count {
            switch (self[index], self[index + 1]) {
            case (0xff, 0xd9): return Array(self[..<(index + 2)])
            case (0xff, 0xc0...0xcf), (0xff, 0xda...0xfe):
                guard index + 3 < count else { return self }
                index += 2 + Swift.max(2, Int(self[index + 2]) << 8 | Int(self[index + 3]))
            default: index += 1
            }
        }
        return self
    }
}

/// The header of a JPEG: the segments before the image data (ITU-T T.81, annex B).
struct JPEGHeader {
    /// As stored, in pixels.
    let width: Int
    let height: Int
    /// Channels of a pixel: 1 grey, 3 colour, 4 CMYK.
    let components: Int
    let orientation: Orientation
    /// Whether Adobe's segment is there, so that CMYK is inverse: 255 is no ink.
    let isOfAdobe: Bool
    /// The density of the upright image, as a JFIF header says it (ITU-T T.871, 10.1); nil where none does.
    let density: PixelDensity?
    /// Whether its image data come in several passes.
    let isProgressive: Bool
    /// The fewest bytes of a file with this header.
    let leastLength: Int

    init(_ bytes: [UInt8], name: String) throws(ImageError) {
        var frame: ArraySlice<UInt8>?
        var (exif, jfif): (ArraySlice<UInt8>?, ArraySlice<UInt8>?)
        var (isArithmetic, isProgressive, isOfAdobe) = (false, false, false)
        for (marker, content) in JPEGSegments(bytes) {
            switch marker {
            case 0xc4, 0xc8, 0xcc: break
            case 0xc0...0xcf:
                frame = frame ?? content
                isArithmetic = marker >= 0xc9
                // SOF2, 6, 10 and 14 (ITU-T T.81, table B.1).
                isProgressive = marker & 3 == 2
            case 0xe0 where content.starts(with: "JFIF\0".utf8): jfif = jfif ?? content
            case 0xee where content.starts(with: "Adobe".utf8): isOfAdobe = true
            case 0xe1 where content.starts(with: "Exif\0\0".utf8): exif = exif ?? content
            default: break
            }
        }
        guard let frame = frame.map(Array.init), frame.count >= 6 else {
            throw .damaged(name: name, format: .jpeg, reason: "it has no frame header")
        }
        (height, width) = (Int(frame[1]) << 8 | Int(frame[2]), Int(frame[3]) << 8 | Int(frame[4]))
        (components, self.isProgressive, self.isOfAdobe) = (Int(frame[5]), isProgressive, isOfAdobe)
        guard width > 0, height > 0 else {
            throw .damaged(name: name, format: .jpeg, reason: "its header says \(width)×\(height) pixels")
        }
        let orientation = exif.map { Orientation(exif: $0) } ?? .upright
        self.orientation = orientation
        density = jfif.flatMap { Self.density(jfif: Array($0), isSideways: orientation.isSideways) }
        // Huffman coding takes at least one bit for each block of each component; arithmetic coding has no such bound. The
        // largest unit of blocks is 32×32 pixels and has at least one block of each component.
        let units = ((width + 31) / 32) * ((height + 31) / 32)
        leastLength = isArithmetic ? 0 : units * components / 8
    }

    private static func density(jfif: [UInt8], isSideways: Bool) -> PixelDensity? {
        guard jfif.count >= 12 else { return nil }
        // A unit of 1 stands for pixels per inch and 2 for pixels per centimetre; any other says the shape of a pixel alone.
        let units: [UInt8: Double] = [1: 1 / PixelDensity.metresPerInch, 2: 100]
        guard let unit = units[jfif[7]] else { return nil }
        let x = unit * (Double(jfif[8]) * 256 + Double(jfif[9]))
        let y = unit * (Double(jfif[10]) * 256 + Double(jfif[11]))
        return isSideways ? PixelDensity(x: y, y: x) : PixelDensity(x: x, y: y)
    }
}

/// A JPEG's segments up to its image data, each as its marker and its content.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// The offset from which the next segment is searched.
    fileprivate var position = 2

    /// Whether a segment says nothing about pixels and their colours: all of applications but JFIF, ICC profiles and Adobe's
    /// kind of colours, and comments.
    static func isMetadata(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Bool {
        let kept: [UInt8: String] = [0xe0: "JFIF\0", 0xe2: "ICC_PROFILE\0", 0xee: "Adobe"]
        guard 0xe0...0xef ~= marker else { return marker == 0xfe }
        return kept[marker].map { !content.starts(with: $0.utf8) } ?? true
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        while position + 4 <= bytes.count {
            let marker = bytes[position + 1]
            guard bytes[position] == 0xff, marker != 0xff, marker != 0 else {
                position += 1
                continue
            }
            // Start of scan, end of image.
            if marker == 0xda || marker == 0xd9 { return nil }
            // These have neither length nor content.
            let isAlone = marker == 0x01 || 0xd0...0xd8 ~= marker
            let length = isAlone ? 0 : Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let start = position + (isAlone ? 2 : 4)
            let end = position + 2 + length
            guard end >= start, end <= bytes.count else { return nil }
            position = end
            return (marker, bytes[start..<end])
        }
        return nil
    }
}

/// A decompressor of libjpeg-turbo with the bytes of one file, freed once.
///
/// It decodes as much as it can of a damaged file and keeps only its first warning.
struct JPEGDecompressor: ~Copyable {
    private let handle: tjhandle
    private let bytes: [UInt8]

    /// Nil when there is no memory.
    init?(_ bytes: [UInt8]) {
        guard let handle = tjInitDecompress() else { return nil }
        self.handle = handle
        self.bytes = bytes
    }

    deinit { tjDestroy(handle) }

    /// Writes width × height × 4 bytes to `pixels`.
    /// - Parameter format: RGBA, or CMYK as it is stored.
    /// - Returns: what is wrong with the file; nil where every pixel is sound.
    func problem(
        decodingInto pixels: UnsafeMutableBufferPointer<UInt8>, as format: TJPF, width: Int, height: Int
    ) -> String? {
        var (wide, high, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        // The call also fails for uncommon subsamplings, although they can be decoded.
        tjDecompressHeader3(handle, bytes, UInt(bytes.count), &wide, &high, &subsampling, &space)
        guard wide > 0, high > 0 else { return reason }
        // For another size some pixels would not be written.
        guard (Int(wide), Int(high)) == (width, height) else { return "its headers contradict each other" }
        let code = tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels.baseAddress, wide, 0, high, Int32(format.rawValue),
            TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
        if code == 0 { return nil }
        // Some cameras write extra bytes before the end marker. As only the first warning is kept, there was none before
        // them.
        let isHarmless =
            tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
            && reason.hasSuffix("extraneous bytes before marker 0xd9")
        return isHarmless ? nil : reason
    }

    private var reason: String { String(cString: tjGetErrorStr2(handle)) }
}

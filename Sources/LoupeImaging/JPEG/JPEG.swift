import CTurboJPEG
import LoupeFiles
import LoupeGeometry

/// JPEG pictures, decoded by libjpeg-turbo: accurate cosine transform and smooth upsampling, as most programs have them.
///
/// Grey and colour; what is stored in CMYK is refused. A file that is cut short or damaged is an error and never part of
/// a picture; bytes between its segments that mean nothing are passed over.
enum JPEG {
    static func size(of bytes: [UInt8], name: String) throws(ImageError) -> ImageSize {
        let header = try JPEGHeader(bytes, name: name)
        let size = ImageSize(width: header.width, height: header.height)
        return header.orientation.isSideways ? size.transposed : size
    }

    static func decode(_ bytes: [UInt8], name: String, limits: ImageLimits) throws(ImageError) -> Image {
        let header = try JPEGHeader(bytes, name: name)
        let (width, height) = (header.width, header.height)
        try limits.check(width: width, height: height, name: name)
        guard header.components != 4 else {
            throw .damaged(name: name, format: .jpeg, reason: "its colours are CMYK; convert them to RGB")
        }
        guard header.leastLength <= bytes.count else {
            throw .damaged(
                name: name, format: .jpeg, reason: "\(width)×\(height) pixels can't come from \(bytes.count) bytes")
        }
        let bytesPerPixel = header.orientation == .upright ? 4 : 8
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel),
            let decompressor = JPEGDecompressor(JPEGSegments.closed(bytes))
        else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        var complaint: String?
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            complaint = decompressor.complaint(decodingInto: buffer, width: width, height: height)
            count = complaint == nil ? width * height * 4 : 0
        }
        if let complaint { throw .damaged(name: name, format: .jpeg, reason: complaint) }
        return header.orientation.applied(to: Image(width: width, height: height, pixels: pixels))
    }

    /// The ICC profile in a file's APP2 segments, put together by their numbers (ICC.1, annex B.4); nil where there is none.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` where a part of it is missing.
    static func profile(in bytes: [UInt8], name: String) throws(ImageError) -> [UInt8]? {
        let title = Array("ICC_PROFILE".utf8) + [0]
        let parts = JPEGSegments(bytes).filter { $0.marker == 0xe2 && $0.content.starts(with: title) }
            .map { Array($0.content.dropFirst(title.count)) }.filter { $0.count >= 2 }.sorted { $0[0] < $1[0] }
        // Each says which it is, from 1 on, and how many there are.
        guard parts.enumerated().allSatisfy({ Int($1[0]) == $0 + 1 && Int($1[1]) == parts.count }) else {
            throw .damaged(name: name, format: .jpeg, reason: "its colour profile lacks a part")
        }
        return parts.isEmpty ? nil : parts.flatMap { $0.dropFirst(2) }
    }
}

/// What the segments before a JPEG's image data say (ITU-T T.81, annex B).
struct JPEGHeader {
    /// As stored, in pixels.
    let width: Int
    let height: Int
    /// Of a pixel: 1 grey, 3 colour, 4 CMYK.
    let components: Int
    let orientation: Orientation
    /// The fewest bytes that a file with this header can have.
    let leastLength: Int

    init(_ bytes: [UInt8], name: String) throws(ImageError) {
        var frame: ArraySlice<UInt8>?
        var exif: ArraySlice<UInt8>?
        var isArithmetic = false
        for (marker, content) in JPEGSegments(bytes) {
            switch marker {
            case 0xc4, 0xc8, 0xcc: break
            case 0xc0...0xcf:
                frame = frame ?? content
                isArithmetic = marker >= 0xc9
            case 0xe1 where content.starts(with: "Exif\0\0".utf8): exif = exif ?? content
            default: break
            }
        }
        guard let frame = frame.map(Array.init), frame.count >= 6 else {
            throw .damaged(name: name, format: .jpeg, reason: "it has no frame header")
        }
        (height, width) = (Int(frame[1]) << 8 | Int(frame[2]), Int(frame[3]) << 8 | Int(frame[4]))
        components = Int(frame[5])
        guard width > 0, height > 0 else {
            throw .damaged(name: name, format: .jpeg, reason: "its header says \(width)×\(height) pixels")
        }
        orientation = exif.map { Orientation(exif: $0) } ?? .upright
        // Huffman codes take a bit at least for each block of each component; arithmetic coding has no such bound. The
        // largest unit of blocks is of 32×32 pixels, and holds a block of each.
        let units = ((width + 31) / 32) * ((height + 31) / 32)
        leastLength = isArithmetic ? 0 : units * components / 8
    }
}

/// A JPEG's segments up to its image data, each as its marker and what it holds.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    /// Where the next one is looked for.
    private var place = 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The file without what lies between its segments and belongs to none, for libjpeg would warn of that alone, and be
    /// silent about damage further on.
    static func closed(_ bytes: [UInt8]) -> [UInt8] {
        var segments = JPEGSegments(bytes)
        var closed = Array(bytes.prefix(2))
        while let segment = segments.next() {
            closed += bytes[(segment.content.startIndex - (isAlone(segment.marker) ? 2 : 4))..<segment.content.endIndex]
        }
        return closed + bytes.dropFirst(segments.place)
    }

    /// Whether a marker stands without a length.
    private static func isAlone(_ marker: UInt8) -> Bool { marker == 0x01 || 0xd0...0xd8 ~= marker }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        while place + 4 <= bytes.count {
            let marker = bytes[place + 1]
            guard bytes[place] == 0xff, marker != 0xff, marker != 0 else {
                place += 1
                continue
            }
            // Start of scan, end of image.
            if marker == 0xda || marker == 0xd9 { return nil }
            let isAlone = Self.isAlone(marker)
            let length = isAlone ? 0 : Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let start = place + (isAlone ? 2 : 4)
            let end = place + 2 + length
            guard end >= start, end <= bytes.count else { return nil }
            place = end
            return (marker, bytes[start..<end])
        }
        return nil
    }
}

/// libjpeg-turbo on the bytes of one file, freed once.
///
/// It decodes what it can of a damaged file and keeps only the first of its warnings.
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

    /// Fills `pixels`, which must hold width × height × 4 bytes, with RGBA.
    /// - Returns: What is the matter; nil where every pixel is sound.
    func complaint(decodingInto pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> String? {
        guard let size else { return reason }
        // A picture of another size would leave some of the pixels as they are.
        guard size == ImageSize(width: width, height: height) else { return "its headers contradict each other" }
        if decode(into: pixels, width: width, height: height) { return nil }
        // Bytes before the end mark that nothing asked for, which some cameras write. Since it is the first warning that
        // is kept, nothing was the matter before them.
        let isHarmless = isWarning && reason.hasSuffix("extraneous bytes before marker 0xd9")
        return isHarmless ? nil : reason
    }

    /// As the library reads it; nil where it finds no header that it can use.
    private var size: ImageSize? {
        var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        // It fails for uncommon subsamplings too, which it decodes all the same.
        tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
        return width > 0 && height > 0 ? ImageSize(width: Int(width), height: Int(height)) : nil
    }

    private func decode(into pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> Bool {
        tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels.baseAddress, Int32(width), 0, Int32(height),
            Int32(TJPF_RGBA.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS) == 0
    }

    private var reason: String { String(cString: tjGetErrorStr2(handle)) }

    private var isWarning: Bool { tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) }
}

import CTurboJPEG

/// JPEG pictures, decoded by libjpeg-turbo: accurate cosine transform and smooth upsampling, as most programs have them.
///
/// Grey and colour; what is stored in CMYK is refused. A file that is cut short or damaged is an error and never part of
/// a picture; bytes between its segments that mean nothing are passed over.
enum JPEG {
    static func size(of bytes: [UInt8], name: String) throws(PNGError) -> (width: Int, height: Int) {
        let header = try JPEGHeader(bytes, name: name)
        return header.orientation.isSideways ? (header.height, header.width) : (header.width, header.height)
    }

    static func decode(_ bytes: [UInt8], name: String, limits: PNGLimits) throws(PNGError) -> Image {
        let header = try JPEGHeader(bytes, name: name)
        let (width, height) = (header.width, header.height)
        try limits.check(width: width, height: height, name: name)
        guard header.components != 4 else {
            throw .damaged(name: name, format: .jpeg, reason: "its colours are CMYK; convert them to RGB")
        }
        let bytesPerPixel = header.orientation == .upright ? 4 : 8
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel),
            let decompressor = tjInitDecompress()
        else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        defer { tjDestroy(decompressor) }
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            let code = tjDecompress2(
                decompressor, bytes, UInt(bytes.count), buffer.baseAddress, Int32(width), 0, Int32(height),
                Int32(TJPF_RGBA.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
            count = code == 0 || isHarmless(decompressor) ? width * height * 4 : 0
        }
        guard !pixels.isEmpty else {
            throw .damaged(name: name, format: .jpeg, reason: String(cString: tjGetErrorStr2(decompressor)))
        }
        return header.orientation.applied(to: Image(width: width, height: height, pixels: pixels))
    }

    /// The ICC profile in a file's APP2 segments, put together by their numbers (ICC.1, annex B.4); nil where there is none.
    static func profile(in bytes: [UInt8]) -> [UInt8]? {
        let name = Array("ICC_PROFILE".utf8) + [0]
        let parts = JPEGSegments(bytes).filter { $0.marker == 0xe2 && $0.content.starts(with: name) }
            .map { Array($0.content.dropFirst(name.count)) }.filter { $0.count >= 2 }
        return parts.isEmpty ? nil : parts.sorted { $0[0] < $1[0] }.flatMap { $0.dropFirst(2) }
    }

    /// Whether the last call's complaint harms no pixel.
    private static func isHarmless(_ decompressor: tjhandle) -> Bool {
        tjGetErrorCode(decompressor) == Int32(TJERR_WARNING.rawValue)
            && String(cString: tjGetErrorStr2(decompressor)).contains("extraneous bytes before marker")
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

    init(_ bytes: [UInt8], name: String) throws(PNGError) {
        var frame: ArraySlice<UInt8>?
        var exif: ArraySlice<UInt8>?
        for (marker, content) in JPEGSegments(bytes) {
            switch marker {
            case 0xc4, 0xc8, 0xcc: break
            case 0xc0...0xcf: frame = frame ?? content
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
    }
}

/// A JPEG's segments up to its image data, each as its marker and what it holds.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        while place + 4 <= bytes.count {
            let marker = bytes[place + 1]
            guard bytes[place] == 0xff, marker != 0xff, marker != 0 else {
                place += 1
                continue
            }
            // Start of scan, end of image.
            if marker == 0xda || marker == 0xd9 { return nil }
            let isAlone = marker == 0x01 || 0xd0...0xd8 ~= marker
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

import LoupeBase
import LoupeSystem

/// A PNG's IHDR chunk, read without libpng, so that the size is known and limits are checked first.
struct PNGHeader: Equatable {
    /// In pixels, 1 … 2³¹ − 1.
    let width: Int
    let height: Int
    /// Bits of one stored pixel; 0 where the colour type is unknown.
    private let bitsPerPixel: Int
    /// Bits of one sample.
    let depth: Int
    /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA.
    let colorType: UInt8
    /// Whether its rows come in seven passes (Adam7).
    let isInterlaced: Bool
    /// Whether it has whole bytes a sample, is not interlaced, and has the specification's compression and filters.
    let isPlain: Bool

    /// Reads the header at the start of `source`, of which nothing is taken.
    init(from source: ByteSource, name: String) throws(ImageError) {
        let start = [UInt8](source.peek(ForeignFile.reach))
        if let failure = source.failure { throw .unreadable(failure) }
        try self.init(start: start, name: name)
    }

    /// The same, where the format is not known: a file that does not start like a PNG has an unknown format. A side over the
    /// limit of every way to read it is refused here, since sizes of pictures follow from it. Other formats have no such sides.
    init(ofImage source: ByteSource, name: String) throws(ImageError) {
        let start = Array(source.peek(ForeignFile.reach))
        guard start.starts(with: PNG.signature.prefix(start.count)) else {
            throw .unknownFormat(name: name, start: start)
        }
        try self.init(from: source, name: name)
        try ImageLimits(maxPixels: .max).check(width: width, height: height, name: name)
    }

    /// Reads the header once more, before memory is allocated. Refuses a file that was written to since it was opened, and
    /// one with more pixels than so few bytes can hold.
    func check(_ source: ByteSource, name: String) throws(ImageError) {
        if try PNGHeader(from: source, name: name) != self {
            throw .corrupt(name: name, reason: "it changed while it was read")
        }
        if let length = source.length, leastLength > Double(length) {
            throw .corrupt(name: name, reason: "\(width)×\(height) pixels can't come from \(length) bytes")
        }
    }

    /// In pixels.
    var size: ImageSize { ImageSize(width: width, height: height) }

    private init(start: [UInt8], name: String) throws(ImageError) {
        guard !start.isEmpty else { throw .empty(name: name) }
        guard start.starts(with: PNG.signature.prefix(start.count)) else {
            throw .notPNG(name: name, start: start)
        }
        guard start.count >= Self.length else {
            throw .corrupt(name: name, reason: "the file ends after \(start.count) bytes")
        }
        guard Self.integer(start[8..<12]) == 13, start[12..<16].elementsEqual("IHDR".utf8) else {
            throw .corrupt(name: name, reason: "it does not start with an IHDR chunk of 13 bytes")
        }
        width = Self.integer(start[16..<20])
        height = Self.integer(start[20..<24])
        let sides = 1...Int(Int32.max)
        guard sides.contains(width), sides.contains(height) else {
            throw .corrupt(name: name, reason: "its header says \(width)×\(height) pixels")
        }
        depth = Int(start[24])
        colorType = start[25]
        bitsPerPixel = Int(start[24]) * Self.channels(ofColorType: colorType)
        isInterlaced = start[28] != 0
        isPlain = depth >= 8 && start[26..<29].allSatisfy { $0 == 0 }
    }

    /// The signature and the whole IHDR chunk, in bytes.
    private static let length = 33

    /// The fewest bytes that a file with this header can have: deflate shrinks to 1/1032 at best.
    private var leastLength: Double {
        let rowBytes = (Double(width) * Double(bitsPerPixel) / 8).rounded(.up)
        return rowBytes * Double(height) / 1032
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func channels(ofColorType type: UInt8) -> Int {
        switch type {
        case 0, 3: 1
        case 4: 2
        case 2: 3
        case 6: 4
        default: 0
        }
    }
}

import CDeflate
import LoupeSystem

extension String {
    /// Whether a decoder may ignore a chunk of this type: four letters, the first of them small.
    var isAncillary: Bool {
        utf8.count == 4 && utf8.allSatisfy { (0x41...0x5a).contains($0 & 0xdf) } && utf8.first.map { $0 & 0x20 } != 0
    }
}

/// Reads a PNG chunk by chunk (PNG specification, section 5) and checks every checksum. The one reader of chunks.
struct PNGChunkReader {
    private let source: ByteSource
    /// How many bytes of the open chunk's content are not read yet.
    private(set) var left = 0
    /// CRC-32 of the open chunk's type and of its content so far.
    private var checksum: UInt32 = 0

    /// Reads from the source's current position: call ``readSignature()`` first.
    init(_ source: ByteSource) { self.source = source }

    /// Takes the eight bytes before the first chunk; false where they are others.
    func readSignature() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: PNG.signature.count, alignment: 8) { bytes in
            source.read(into: bytes) == PNG.signature.count && bytes.elementsEqual(PNG.signature)
        }
    }

    /// Opens the next chunk and returns the letters of its type; nil where the file ends, or the length is over PNG's limit of
    /// 2³¹ − 1.
    mutating func open() -> String? {
        guard let length = word(), length <= Int32.max, let type = word() else { return nil }
        left = Int(length)
        return withUnsafeBytes(of: type.bigEndian) { letters in
            checksum = libdeflate_crc32(0, letters.baseAddress, 4)
            return String(decoding: letters, as: UTF8.self)
        }
    }

    /// The next part of the open chunk's content, valid until the next call; nil where nothing is left, or the file ends.
    mutating func piece() -> UnsafeRawBufferPointer? {
        let piece = source.take(left)
        if piece.isEmpty { return nil }
        left -= piece.count
        checksum = libdeflate_crc32(checksum, piece.baseAddress, piece.count)
        return piece
    }

    /// Reads the checksum after the content; false where it does not match, or content is left.
    mutating func close() -> Bool { left == 0 && word() == checksum }

    /// Reads the rest of the chunk and closes it; false where that fails.
    mutating func skip() -> Bool {
        while piece() != nil {}
        return close()
    }

    /// The whole content of the open chunk; shorter where the file ends.
    mutating func content() -> [UInt8] {
        var content: [UInt8] = []
        while let piece = piece() { content += piece }
        return content
    }

    private func word() -> UInt32? {
        var word: UInt32 = 0
        guard withUnsafeMutableBytes(of: &word, { source.read(into: $0) }) == 4 else { return nil }
        return UInt32(bigEndian: word)
    }
}

extension PNG {
    /// The first chunk of each of the given types before the image data: its content, and whether its checksum matches.
    /// - Parameter isWanted: whether a chunk of a wanted type counts; one that does not is passed over.
    /// - Throws: ``ImageError/overChunkLimit(name:limit:)``.
    static func chunks(
        _ types: Set<String>, beforeImageIn source: ByteSource, name: String,
        limits: ImageLimits = ImageLimits(), where isWanted: (_ content: [UInt8], _ isSound: Bool) -> Bool
    ) throws(ImageError) -> [String: (content: [UInt8], isSound: Bool)] {
        var found: [String: (content: [UInt8], isSound: Bool)] = [:]
        var chunks = PNGChunkReader(source)
        guard chunks.readSignature() else { return found }
        var (count, end) = (0, signature.count)
        // What is no chunk, or of a type that must not be ignored, is an error that libpng finds later.
        while let type = chunks.open(), type == "IHDR" || type == "PLTE" || type.isAncillary {
            count += 1
            end += 12 + chunks.left
            if end > source.length ?? .max { break }
            try limits.check(chunks: count, bytes: end, name: name)
            if types.contains(type), found[type] == nil {
                let content = chunks.content()
                let isSound = chunks.close()
                if isWanted(content, isSound) { found[type] = (content, isSound) }
            } else {
                _ = chunks.skip()
            }
        }
        return found
    }
}

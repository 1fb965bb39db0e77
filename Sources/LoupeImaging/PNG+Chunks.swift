import CDeflate
import LoupeFiles

/// A chunk of a PNG, lent for a while.
struct LentChunk {
    let name: String
    let content: UnsafeRawBufferPointer
    /// Whether its checksum is right.
    let isSound: Bool
}

extension PNG {
    /// Lends each whole chunk before the image data, in order, and takes nothing of the source.
    /// - Throws: ``ImageError/overChunkLimit(name:limit:)``, since all of them are held meanwhile.
    static func forEachChunkBeforeImage(
        _ source: ByteSource, name fileName: String, limits: ImageLimits = ImageLimits(), _ body: (LentChunk) -> Void
    ) throws(ImageError) {
        var offset = signature.count
        var count = 0
        while true {
            let head = source.peekWidely(offset + 8)
            guard head.count >= offset + 8 else { return }
            let length = Int(word(head, at: offset))
            let name = String(decoding: head[(offset + 4)..<(offset + 8)], as: UTF8.self)
            let isCutShort = offset + 12 + length > source.length ?? .max
            // What is no chunk, or of a kind that nobody may pass over, is libpng's to refuse.
            let isKnown = ["IHDR", "PLTE"].contains(name) || PNGChunkName(code: word(head, at: offset + 4)).isAncillary
            guard isKnown, !isCutShort else { return }
            count += 1
            try limits.check(chunks: count, bytes: offset + 12 + length, name: fileName)
            let whole = source.peekWidely(offset + 12 + length)
            guard whole.count >= offset + 12 + length else { return }
            let checked = UnsafeRawBufferPointer(rebasing: whole[(offset + 4)..<(offset + 8 + length)])
            let isSound =
                libdeflate_crc32(0, checked.baseAddress, checked.count) == word(whole, at: offset + 8 + length)
            let content = UnsafeRawBufferPointer(rebasing: checked.dropFirst(4))
            body(LentChunk(name: name, content: content, isSound: isSound))
            offset += 12 + length
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}

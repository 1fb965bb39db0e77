import CDeflate

/// A chunk of a PNG, lent for a while.
struct LentChunk {
    let name: String
    let content: UnsafeRawBufferPointer
    /// Whether its checksum is right.
    let isSound: Bool
}

extension PNG {
    /// No chunk before the image data is longer in a file whose colours and texts are looked at, in bytes.
    private static let mostChunk = 8 << 20

    /// Lends each whole chunk before the image data, in order, and takes nothing of the source.
    static func forEachChunkBeforeImage(_ source: ByteSource, _ body: (LentChunk) -> Void) {
        var offset = signature.count
        while true {
            let head = source.peekWidely(offset + 8)
            guard head.count >= offset + 8 else { return }
            let length = Int(word(head, at: offset))
            let name = String(decoding: head[(offset + 4)..<(offset + 8)], as: UTF8.self)
            guard name != "IDAT", length <= mostChunk else { return }
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

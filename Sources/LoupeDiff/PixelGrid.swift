/// A borrowed picture as RGBA words, red in the lowest byte; valid only while it is lent.
struct PixelGrid: @unchecked Sendable {
    // Only ever read, by several threads at once.
    let words: UnsafeBufferPointer<UInt32>
    let width: Int
    let height: Int

    @inline(__always)
    subscript(column: Int, row: Int) -> UInt32 { UInt32(littleEndian: words[row * width + column]) }

    @inline(__always)
    func row(_ row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: words[(row * width)..<((row + 1) * width)]))
    }
}

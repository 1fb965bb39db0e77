import Glibc

/// The same row of both pictures.
struct RowPair {
    let reference: UnsafeRawBufferPointer
    let actual: UnsafeRawBufferPointer
    /// How many pixels of it are compared.
    let count: Int

    /// How many pixels are skipped at once if they are equal.
    private static let chunk = 16

    /// Calls `body` with the columns of each chunk of pixels that are not all equal, from left to right. The last chunk may
    /// be shorter.
    @inline(__always)
    func forEachUnequalChunk(_ body: (_ columns: Range<Int>) -> Void) {
        guard let a = reference.baseAddress, let b = actual.baseAddress, memcmp(a, b, count * 4) != 0 else { return }
        let wholeChunks = count - count % Self.chunk
        var column = 0
        while column < wholeChunks {
            if memcmp(a + 4 * column, b + 4 * column, 4 * Self.chunk) != 0 { body(column..<(column + Self.chunk)) }
            column += Self.chunk
        }
        if column < count { body(column..<count) }
    }

    /// The words of one pixel.
    @inline(__always)
    func words(at column: Int) -> (reference: UInt32, actual: UInt32) {
        (
            UInt32(littleEndian: reference.load(fromByteOffset: column * 4, as: UInt32.self)),
            UInt32(littleEndian: actual.load(fromByteOffset: column * 4, as: UInt32.self))
        )
    }
}

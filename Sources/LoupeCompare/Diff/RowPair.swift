import Glibc

/// The same row of both pictures.
struct RowPair {
    let reference: UnsafeRawBufferPointer
    let actual: UnsafeRawBufferPointer
    /// How many pixels of it are compared.
    let count: Int

    /// How many pixels are skipped at once if they are equal.
    private static let chunk = 4 * PixelVector.count

    /// Calls `body` with the columns of each chunk of pixels that are not all equal, from left to right. The last chunk may
    /// be shorter.
    @inline(__always)
    func forEachUnequalChunk(_ body: (_ columns: Range<Int>) -> Void) {
        guard let a = reference.baseAddress, let b = actual.baseAddress, memcmp(a, b, count * 4) != 0 else { return }
        let wholeChunks = count - count % Self.chunk
        var column = 0
        while column < wholeChunks {
            if differ(at: column) { body(column..<(column + Self.chunk)) }
            column += Self.chunk
        }
        if column < count { body(column..<count) }
    }

    @inline(__always)
    private func differ(at column: Int) -> Bool {
        var bits = PixelVector.Words()
        for part in 0..<(Self.chunk / PixelVector.count) {
            let words = vectors(at: column + part * PixelVector.count)
            bits |= words.reference ^ words.actual
        }
        return PixelVector.anyBit(bits) != 0
    }

    /// The words of four pixels from a column on.
    @inline(__always)
    func vectors(at column: Int) -> (reference: PixelVector.Words, actual: PixelVector.Words) {
        (
            reference.loadUnaligned(fromByteOffset: column * 4, as: PixelVector.Words.self),
            actual.loadUnaligned(fromByteOffset: column * 4, as: PixelVector.Words.self)
        )
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

/// Arithmetic on four RGBA words at once. All supported machines have registers of this size; the compiler splits wider
/// vectors into single lanes.
enum PixelVector {
    typealias Words = SIMD4<UInt32>
    static let count = Words.scalarCount

    /// The bitwise or of all lanes.
    @inline(__always)
    static func anyBit(_ words: Words) -> UInt32 {
        let two = words.lowHalf | words.highHalf
        return two.x | two.y
    }
}

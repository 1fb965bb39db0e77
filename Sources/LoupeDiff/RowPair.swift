import Glibc

/// The same row of both pictures.
struct RowPair {
    let reference: UnsafeRawBufferPointer
    let actual: UnsafeRawBufferPointer
    /// How many pixels of it are compared.
    let count: Int

    /// The pixels of a chunk.
    static let chunk = 16
    typealias Bytes = SIMD64<UInt8>

    /// Calls `body` with every chunk of pixels that are not all equal, from the left; the last may be shorter.
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
    func bytes(of picture: UnsafeRawBufferPointer, at column: Int) -> Bytes {
        picture.loadUnaligned(fromByteOffset: column * 4, as: Bytes.self)
    }

    @inline(__always)
    private func differ(at column: Int) -> Bool {
        let a = reference.loadUnaligned(fromByteOffset: column * 4, as: SIMD8<UInt64>.self)
        let b = actual.loadUnaligned(fromByteOffset: column * 4, as: SIMD8<UInt64>.self)
        let bits = a ^ b
        let half = bits.lowHalf | bits.highHalf
        let quarter = half.lowHalf | half.highHalf
        return quarter.x | quarter.y != 0
    }

    @inline(__always)
    func words(at column: Int) -> (reference: UInt32, actual: UInt32) {
        (
            UInt32(littleEndian: reference.load(fromByteOffset: column * 4, as: UInt32.self)),
            UInt32(littleEndian: actual.load(fromByteOffset: column * 4, as: UInt32.self))
        )
    }
}

import CDeflate

/// The checksum of a zlib stream (RFC 1950), which can be put together of its parts'.
struct Adler32 {
    private static let modulus: UInt64 = 65521
    /// The sum of the bytes, and the sum of these sums; without the 1 that RFC 1950 begins with.
    private let sum: UInt64
    private let sums: UInt64
    private let count: UInt64

    /// Of nothing.
    init() { (sum, sums, count) = (0, 0, 0) }

    init(of bytes: UnsafeBufferPointer<UInt8>) {
        let value = libdeflate_adler32(0, bytes.baseAddress, bytes.count)
        self.init(sum: UInt64(value & 0xffff), sums: UInt64(value >> 16), count: UInt64(bytes.count))
    }

    private init(sum: UInt64, sums: UInt64, count: UInt64) {
        (self.sum, self.sums, self.count) = (sum % Self.modulus, sums % Self.modulus, count % Self.modulus)
    }

    /// Of one run of bytes and the one behind it.
    static func + (first: Adler32, second: Adler32) -> Adler32 {
        Adler32(
            sum: first.sum + second.sum, sums: first.sums + second.count * first.sum + second.sums,
            count: first.count + second.count)
    }

    /// As the stream's last four bytes tell it.
    var value: UInt32 {
        UInt32((sums + count) % Self.modulus) << 16 | UInt32((sum + 1) % Self.modulus)
    }
}

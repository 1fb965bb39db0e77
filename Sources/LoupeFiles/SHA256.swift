import CNettle

/// The hash function SHA-256 of FIPS 180-4.
package struct SHA256 {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    /// 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.take($0) }
        return hash.finished()
    }

    /// Takes the next piece of what is hashed.
    package mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard let start = piece.baseAddress else { return }
        nettle_sha256_update(&context, piece.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// 32 bytes, of all that was taken.
    package func finished() -> [UInt8] {
        var last = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
            count = digest.count
            nettle_sha256_digest(&last, count, digest.baseAddress)
        }
    }
}

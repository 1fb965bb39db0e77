import CNettle
import LoupeSystem

/// The hash function SHA-256 of FIPS 180-4.
package struct SHA256 {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    /// The hash of `bytes`, 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.take($0) }
        return hash.finished()
    }

    /// The hash of everything that is left in `source`, 32 bytes.
    package static func hash(_ source: ByteSource) throws(FileError) -> [UInt8] {
        var hash = SHA256()
        while case let piece = source.take(.max), !piece.isEmpty { hash.take(piece) }
        if let failure = source.failure { throw failure }
        return hash.finished()
    }

    /// A hash as `sha256sum` writes it: two small hexadecimal digits for each byte.
    package static func hexadecimal(_ hash: [UInt8]) -> String {
        hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Adds the next piece of the input.
    package mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard let start = piece.baseAddress else { return }
        nettle_sha256_update(&context, piece.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The hash of all pieces so far, 32 bytes.
    package func finished() -> [UInt8] {
        var last = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
            count = digest.count
            nettle_sha256_digest(&last, count, digest.baseAddress)
        }
    }
}
